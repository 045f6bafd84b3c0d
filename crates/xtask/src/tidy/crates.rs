//! Which crate may know which, who owns a heavy dependency, and what a crate may be called. Entry: [`Metadata::read`].
//!
//! The tables stand here and nowhere else; `ARCHITECTURE.md` explains them. Only direct dependencies are looked at: what a
//! crate reaches through another is the other's business.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::Problem;

/// A crate of ours and those of ours that it may name. A crate that is not here may not be in the workspace.
const ALLOWED_EDGES: &[(&str, &[&str])] = &[
    ("coevo-http", &[]),
    ("coevo-graph", &["coevo-http"]),
    ("coevo-vectors", &["coevo-http"]),
    ("coevo-llm", &["coevo-http"]),
    ("coevo-documents", &["coevo-http"]),
    ("coevo-memory", &["coevo-graph", "coevo-vectors"]),
    (
        "coevo-ingest",
        &["coevo-graph", "coevo-vectors", "coevo-documents"],
    ),
    (
        "coevo-reason",
        &[
            "coevo-graph",
            "coevo-vectors",
            "coevo-llm",
            "coevo-documents",
            "coevo-memory",
        ],
    ),
    ("coevo-eval", &["coevo-reason", "coevo-llm"]),
    (
        "coevo-server",
        &[
            "coevo-http",
            "coevo-graph",
            "coevo-vectors",
            "coevo-llm",
            "coevo-documents",
            "coevo-memory",
            "coevo-ingest",
            "coevo-reason",
        ],
    ),
    (
        "coevo",
        &[
            "coevo-http",
            "coevo-graph",
            "coevo-vectors",
            "coevo-llm",
            "coevo-documents",
            "coevo-memory",
            "coevo-ingest",
            "coevo-reason",
            "coevo-eval",
            "coevo-server",
        ],
    ),
    ("xtask", &[]),
];

/// Heavy dependencies, each with the one crate that may name it outside tests.
const OWNERS: &[(&str, &str)] = &[
    ("oxigraph", "coevo-graph"),
    ("spargebra", "coevo-graph"),
    ("sophia", "coevo-graph"),
    ("tantivy", "coevo-graph"),
    ("qdrant-edge", "coevo-vectors"),
    ("qdrant-client", "coevo-vectors"),
    ("rten", "coevo-vectors"),
    ("tokenizers", "coevo-vectors"),
    ("text-splitter", "coevo-documents"),
    ("dom_smoothie", "coevo-documents"),
    ("htmd", "coevo-documents"),
    ("pdf-extract", "coevo-documents"),
    ("parse-wiki-text-2", "coevo-documents"),
    ("quick-xml", "coevo-documents"),
    ("reqwest", "coevo-http"),
    ("rustls", "coevo-http"),
    ("minijinja", "coevo-reason"),
    ("axum", "coevo-server"),
    ("axum-extra", "coevo-server"),
    ("tower-http", "coevo-server"),
    ("utoipa", "coevo-server"),
    ("utoipa-axum", "coevo-server"),
    ("rust-embed", "coevo-server"),
    ("rmcp", "coevo-server"),
    ("clap", "coevo"),
    ("clap_complete", "coevo"),
    ("clap_mangen", "coevo"),
];

/// Names that say nothing about what is inside.
pub(super) const BANNED_NAMES: [&str; 8] = [
    "common", "core", "types", "util", "utils", "helpers", "manager", "service",
];

/// What is used of `cargo metadata --format-version 1`.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    pub(crate) workspace_members: Vec<String>,
    pub(crate) workspace_root: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) license: Option<String>,
    pub(crate) manifest_path: String,
    pub(crate) dependencies: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `None` for a normal dependency, else `dev` or `build`.
    pub(crate) kind: Option<String>,
}

impl Metadata {
    /// Asks cargo, for this machine's platform only: other platforms' packages need not be downloaded.
    pub(crate) fn read() -> Result<Self> {
        let host = String::from_utf8(output_of("rustc", &["-vV"])?)?
            .lines()
            .find_map(|line| line.strip_prefix("host: ").map(str::to_owned))
            .context("rustc -vV names no host")?;
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let json = output_of(
            &cargo,
            &[
                "metadata",
                "--format-version",
                "1",
                "--locked",
                "--filter-platform",
                &host,
            ],
        )?;
        serde_json::from_slice(&json).context("reading the output of cargo metadata")
    }

    pub(crate) fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages
            .iter()
            .filter(|package| self.workspace_members.contains(&package.id))
    }

    /// The manifest's path from the workspace root.
    pub(crate) fn manifest_of(&self, package: &Package) -> String {
        let path = package
            .manifest_path
            .strip_prefix(&self.workspace_root)
            .unwrap_or(&package.manifest_path);
        path.trim_start_matches('/').to_owned()
    }
}

fn output_of(program: &str, arguments: &[&str]) -> Result<Vec<u8>> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .with_context(|| format!("running {program}"))?;
    if !output.status.success() {
        bail!(
            "{program} {} failed: {}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(output.stdout)
}

/// Every edge between two crates of ours is in the table. Edges of tests count too.
pub(crate) fn check_edges(metadata: &Metadata) -> Vec<Problem> {
    let ours: Vec<&str> = metadata.members().map(|package| package.name.as_str()).collect();
    let mut problems = Vec::new();
    for package in metadata.members() {
        let manifest = metadata.manifest_of(package);
        let Some((_, allowed)) = ALLOWED_EDGES.iter().find(|(name, _)| *name == package.name) else {
            let what = format!("crate {} is not in the table of allowed edges", package.name);
            problems.push(Problem::new(
                manifest,
                1,
                what,
                "argue for it in ARCHITECTURE.md, then enter it in xtask",
            ));
            continue;
        };
        for dependency in &package.dependencies {
            if ours.contains(&dependency.name.as_str()) && !allowed.contains(&dependency.name.as_str()) {
                let what = format!("{} may not depend on {}", package.name, dependency.name);
                problems.push(Problem::new(
                    &manifest,
                    1,
                    what,
                    "pass a value in, or move the code to a crate that may",
                ));
            }
        }
    }
    problems
}

/// A heavy dependency is named by its owner only; tests may name it too.
pub(crate) fn check_owners(metadata: &Metadata) -> Vec<Problem> {
    let mut problems = Vec::new();
    for package in metadata.members() {
        for dependency in package
            .dependencies
            .iter()
            .filter(|dependency| dependency.kind.as_deref() != Some("dev"))
        {
            let owner = OWNERS
                .iter()
                .find(|(name, _)| *name == dependency.name)
                .map(|(_, owner)| *owner);
            if let Some(owner) = owner.filter(|owner| *owner != package.name) {
                let what = format!(
                    "{} is owned by {owner}, {} may not name it",
                    dependency.name, package.name
                );
                problems.push(Problem::new(
                    metadata.manifest_of(package),
                    1,
                    what,
                    "use it through its owner's face",
                ));
            }
        }
    }
    problems
}

/// No crate has a name that says nothing, with or without our prefix.
pub(crate) fn check_names(metadata: &Metadata) -> Vec<Problem> {
    let banned = |package: &&Package| {
        BANNED_NAMES.contains(&package.name.strip_prefix("coevo-").unwrap_or(&package.name))
    };
    metadata
        .members()
        .filter(banned)
        .map(|package| {
            let what = format!(
                "a crate called {} says nothing about what is inside",
                package.name
            );
            Problem::new(
                metadata.manifest_of(package),
                1,
                what,
                "name it after the one thing it does",
            )
        })
        .collect()
}
