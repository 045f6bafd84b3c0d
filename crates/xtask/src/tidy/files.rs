//! Files that are not Rust: manifests, pages, fixtures, sizes. Entries: the `check_*` functions.

use std::collections::BTreeSet;

use super::Problem;
use super::tree::{File, extension_of};

const MAX_BYTES: u64 = 12 << 20;

const NAMESPACE: &str = "urn:coevo:ns#";

/// Extensions of what a browser gets from the server.
const SERVED: [&str; 7] = ["html", "js", "mjs", "ts", "tsx", "css", "svg"];

/// Hosts that pages elsewhere load code, styles or fonts from.
const CDN_HOSTS: [&str; 14] = [
    "ajax.googleapis.com",
    "cdn.jsdelivr.net",
    "cdn.skypack.dev",
    "cdn.tailwindcss.com",
    "cdnjs.cloudflare.com",
    "code.jquery.com",
    "esm.run",
    "esm.sh",
    "fonts.googleapis.com",
    "fonts.gstatic.com",
    "ga.jspm.io",
    "maxcdn.bootstrapcdn.com",
    "stackpath.bootstrapcdn.com",
    "unpkg.com",
];

/// Beginnings of a load from another origin, quotes and spaces taken out.
const LOADS: [&str; 8] = [
    "src=http",
    "src=//",
    "url(http",
    "url(//",
    "@importhttp",
    "fromhttp",
    "import(http",
    "<linkrel=stylesheethref=http",
];

/// No file is over 12 MiB.
pub(crate) fn check_size(file: &File) -> Vec<Problem> {
    if file.bytes <= MAX_BYTES {
        return Vec::new();
    }
    let what = format!("{} bytes, {MAX_BYTES} at most", file.bytes);
    vec![Problem::new(
        &file.path,
        1,
        what,
        "fetch it by a script that checks its hash, or commit a part",
    )]
}

/// A member takes every dependency's version and features from the workspace: one set of features, built once.
pub(crate) fn check_manifest(path: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut in_dependencies = false;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            in_dependencies = line.trim_matches(['[', ']']).ends_with("dependencies");
        } else if in_dependencies && line.contains('=') && !line.starts_with('#') {
            let squeezed: String = line
                .chars()
                .filter(|character| !character.is_whitespace())
                .collect();
            if !squeezed.contains("workspace=true") || squeezed.contains("features=") {
                let what = format!("`{line}` does not take the workspace's version and features");
                problems.push(Problem::new(
                    path,
                    index + 1,
                    what,
                    "enter it in the root Cargo.toml, here `NAME.workspace = true`",
                ));
            }
        }
    }
    problems
}

/// A served page loads nothing from another origin: it works offline and under a strict content policy.
pub(crate) fn check_addresses(path: &str, text: &str) -> Vec<Problem> {
    let served = extension_of(path).is_some_and(|extension| SERVED.contains(&extension));
    if !served && !path.starts_with("crates/coevo-server/") {
        return Vec::new();
    }
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let host = CDN_HOSTS.into_iter().find(|host| line.contains(host));
        let plain: String = line
            .chars()
            .filter(|character| !matches!(character, '"' | '\'' | '`' | ' '))
            .collect();
        let load = LOADS.into_iter().find(|load| served && plain.contains(load));
        if let Some(found) = host.or(load) {
            problems.push(Problem::new(
                path,
                index + 1,
                format!("a page loads from another origin ({found})"),
                "vendor the file and serve it from here",
            ));
        }
    }
    problems
}

/// Every term of our namespace that code names as a whole IRI is described in the ontology.
pub(crate) fn check_terms(path: &str, text: &str, ontology: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for (_, rest) in line
            .match_indices(NAMESPACE)
            .map(|(at, found)| (at, &line[at + found.len()..]))
        {
            let term: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
            if !term.is_empty() && !ontology.contains(&format!("\nc:{term} a ")) {
                let what = format!("{NAMESPACE}{term} is not in schemas/memory.ttl");
                problems.push(Problem::new(
                    path,
                    index + 1,
                    what,
                    "describe it there, or use the term that is",
                ));
            }
        }
    }
    problems
}

/// Every folder of fixtures has a README that states a licence.
pub(crate) fn check_fixtures(tree: &[File]) -> Vec<Problem> {
    let folders: BTreeSet<&str> = tree
        .iter()
        .filter_map(|file| file.path.strip_prefix("tests/fixtures/"))
        .filter_map(|path| path.split_once('/').map(|(folder, _)| folder))
        .collect();
    let mut problems = Vec::new();
    for folder in folders {
        let path = format!("tests/fixtures/{folder}/README.md");
        let readme = tree
            .iter()
            .find(|file| file.path == path)
            .and_then(|file| file.text.as_deref());
        let what = match readme {
            Some(text) if text.to_lowercase().contains("licen") => continue,
            Some(_) => "the README states no licence",
            None => "the folder has no README.md",
        };
        problems.push(Problem::new(
            path,
            1,
            what,
            "say where the files come from, under which licence, and how they were made",
        ));
    }
    problems
}
