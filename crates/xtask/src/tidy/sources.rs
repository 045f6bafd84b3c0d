//! How a Rust file looks. Entry: [`check`].
//!
//! What clippy or rustfmt can say is left to them. Files of tests are held to fewer rules.

use std::path::Path;

use super::Problem;
use super::crates::BANNED_NAMES;
use super::rust_code::code_only;

const MAX_LINES: usize = 800;
const MAX_LIB_LINES: usize = 60;

const UNFINISHED: [&str; 3] = ["todo!", "unimplemented!", "dbg!"];
const FORMATTING: [&str; 5] = ["format!", "format_args!", "write!", "writeln!", "concat!"];

/// Beginnings of SPARQL as it stands in a format string, white space squeezed and braces not doubled.
const SPARQL: [&str; 20] = [
    "SELECT ?",
    "SELECT *",
    "SELECT (",
    "SELECT DISTINCT",
    "SELECT REDUCED",
    "CONSTRUCT {",
    "CONSTRUCT WHERE",
    "ASK {",
    "ASK WHERE",
    "ASK FROM",
    "DESCRIBE <",
    "DESCRIBE ?",
    "WHERE {",
    "INSERT DATA",
    "INSERT {",
    "DELETE DATA",
    "DELETE {",
    "DELETE WHERE",
    "DROP GRAPH <",
    "GRAPH ?",
];

/// Files that may write SPARQL, and why.
const SPARQL_WRITERS: [(&str, &str); 1] = [(
    "crates/coevo-graph/src/edge.rs",
    "a path of any length as a query: what is put in is oxrdf's own serialisation of a term",
)];

/// Every rule for one Rust file at `path` (from the root).
pub(crate) fn check(path: &str, source: &str) -> Vec<Problem> {
    let code = code_only(source);
    let mut problems = check_shape(path, source);
    problems.extend(check_name(path));
    problems.extend(check_unfinished(path, &code));
    if !is_test(path) && !SPARQL_WRITERS.iter().any(|(writer, _)| *writer == path) {
        problems.extend(check_sparql(path, source, &code));
    }
    problems
}

fn check_shape(path: &str, source: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    // The unit tests of a module are that module's: it says what they are about.
    if !source.starts_with("//!") && !path.ends_with("/tests.rs") {
        problems.push(Problem::new(
            path,
            1,
            "the file does not open with //!",
            "say what it is, its entry type and what it does not do",
        ));
    }
    let n_lines = source.lines().count();
    if n_lines > MAX_LINES {
        problems.push(Problem::new(
            path,
            MAX_LINES,
            format!("{n_lines} lines, {MAX_LINES} at most"),
            "split it along what it does",
        ));
    }
    if path.ends_with("/src/lib.rs") && n_lines > MAX_LIB_LINES {
        problems.push(Problem::new(
            path,
            MAX_LIB_LINES,
            format!("lib.rs has {n_lines} lines, {MAX_LIB_LINES} at most"),
            "keep documentation, private modules and re-exports; move the rest",
        ));
    }
    problems
}

fn check_name(path: &str) -> Vec<Problem> {
    let banned = Path::new(path)
        .components()
        .filter_map(|part| part.as_os_str().to_str())
        .find(|part| BANNED_NAMES.contains(&part.strip_suffix(".rs").unwrap_or(part)));
    banned
        .map(|part| {
            let what = format!("a module called {part} says nothing about what is inside");
            Problem::new(path, 1, what, "name it after the one thing it does")
        })
        .into_iter()
        .collect()
}

fn check_unfinished(path: &str, code: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for name in UNFINISHED {
        for at in uses_of(code, name) {
            problems.push(Problem::new(
                path,
                line_of(code, at),
                format!("{name} left in"),
                "finish it or take it out",
            ));
        }
    }
    problems
}

fn check_sparql(path: &str, source: &str, code: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for name in FORMATTING {
        for at in uses_of(code, name) {
            let end = end_of_call(code, at + name.len());
            let Some(arguments) = source.get(at..end) else {
                continue;
            };
            if let Some(found) = sparql_in(arguments) {
                problems.push(Problem::new(
                    path,
                    line_of(code, at),
                    format!("SPARQL ({found}) built by {name}"),
                    "put a template into sparql/ and bind the terms, or serialise them by oxrdf",
                ));
            }
        }
    }
    problems
}

fn sparql_in(arguments: &str) -> Option<&'static str> {
    let single = arguments.replace("{{", "{").replace("\\n", " ");
    let squeezed = single.split_whitespace().collect::<Vec<_>>().join(" ");
    SPARQL.into_iter().find(|beginning| squeezed.contains(beginning))
}

/// Positions where the macro `name` (with its `!`) is called.
fn uses_of<'a>(code: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(name).map(|(at, _)| at).filter(|at| {
        let before = code[..*at].chars().next_back();
        !before.is_some_and(|character| character.is_alphanumeric() || character == '_')
    })
}

/// The end of the bracketed arguments that start at or after `at`.
fn end_of_call(code: &str, at: usize) -> usize {
    let mut depth = 0_usize;
    for (offset, character) in code[at..].char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + offset;
                }
            }
            _ => {}
        }
    }
    code.len()
}

fn line_of(code: &str, at: usize) -> usize {
    code[..at].matches('\n').count() + 1
}

fn is_test(path: &str) -> bool {
    path.starts_with("tests/")
        || path.contains("/tests/")
        || path.ends_with("/tests.rs")
        || path.contains("/benches/")
}
