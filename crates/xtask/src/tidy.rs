//! `tidy`: reads the tree and `cargo metadata`, prints one line per broken rule. Entry: [`run`].
//!
//! Every check is a pure function from what was read to a list of [`Problem`]s, so that each is tested on small values.
//! Nothing is repaired.

mod crates;
mod files;
mod licences;
mod rust_code;
mod sources;
#[cfg(test)]
mod tests;
mod tree;

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result};

/// One broken rule, printed as `path:line: what; remedy`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    path: String,
    line: usize,
    what: String,
    remedy: &'static str,
}

impl Problem {
    fn new(path: impl Into<String>, line: usize, what: impl Into<String>, remedy: &'static str) -> Self {
        Self {
            path: path.into(),
            line,
            what: what.into(),
            remedy,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}:{}: {}; {}",
            self.path, self.line, self.what, self.remedy
        )
    }
}

/// Runs every check over the workspace and prints what is broken. True when nothing is.
pub(crate) fn run() -> Result<bool> {
    let metadata = crates::Metadata::read()?;
    let root = Path::new(&metadata.workspace_root);
    let tree = tree::read(root).with_context(|| format!("reading {}", root.display()))?;

    let mut problems = Vec::new();
    problems.extend(crates::check_edges(&metadata));
    problems.extend(crates::check_owners(&metadata));
    problems.extend(crates::check_names(&metadata));
    problems.extend(licences::check(&metadata));
    let manifests: Vec<String> = metadata
        .members()
        .map(|package| metadata.manifest_of(package))
        .collect();
    let ontology = tree
        .iter()
        .find(|file| file.path == "schemas/memory.ttl")
        .and_then(|file| file.text.as_deref());
    let ontology = ontology.context("schemas/memory.ttl is missing")?;
    for file in &tree {
        problems.extend(files::check_size(file));
        if let Some(text) = &file.text {
            if manifests.contains(&file.path) {
                problems.extend(files::check_manifest(&file.path, text));
            }
            problems.extend(files::check_addresses(&file.path, text));
            if file.has_extension("rs") {
                problems.extend(sources::check(&file.path, text));
                problems.extend(files::check_terms(&file.path, text, ontology));
            }
        }
    }
    problems.extend(files::check_fixtures(&tree));

    problems.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    for problem in &problems {
        println!("{problem}");
    }
    let n_rust = tree.iter().filter(|file| file.has_extension("rs")).count();
    println!(
        "tidy: {} problems in {} files ({n_rust} of Rust), {} packages",
        problems.len(),
        tree.len(),
        metadata.packages.len()
    );
    Ok(problems.is_empty())
}
