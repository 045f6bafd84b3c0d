//! A running server: the same commands give the same output as on the directory, and it stops without losing anything.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::program::{Bench, explained, text};
use std::process::Output;

/// Commands that only read, as a person types them after the place.
const READING: &[&[&str]] = &[
    &[
        "query",
        "-q",
        "SELECT ?s ?o { ?s wdt:P57|wdt:P19 ?o } ORDER BY ?s",
    ],
    &[
        "query",
        "-q",
        "SELECT ?s ?o { ?s wdt:P57|wdt:P19 ?o } ORDER BY ?s",
        "--results-format",
        "json",
    ],
    &[
        "query",
        "-q",
        "SELECT ?s ?o { ?s wdt:P57|wdt:P19 ?o } ORDER BY ?s",
        "--results-format",
        "csv",
    ],
    &["query", "-q", "ASK { wd:Q1 wdt:P57 wd:Q2 }"],
    &["query", "-q", "CONSTRUCT WHERE { wd:Q1 wdt:P57 ?d }"],
    &[
        "query",
        "-q",
        "CONSTRUCT WHERE { wd:Q1 wdt:P57 ?d }",
        "--results-format",
        "ttl",
    ],
    &["link", "Who directed Jaws?"],
    &["link", "--json", "Steven Spielberg"],
    &["describe", "wd:Q2"],
    &["describe", "--json", "wd:Q2"],
    &["khop", "--k", "2", "wd:Q1"],
    &["khop", "--k", "1", "--json", "wd:Q1"],
    &["paths", "wd:Q1", "wd:Q3"],
    &["paths", "--sparql", "wd:Q1", "wd:Q3"],
    &["paths", "--json", "wd:Q1", "wd:Q3"],
    &["claims", "list"],
    &["claims", "list", "--json"],
    &["trace", "list"],
    &["trace", "list", "--json"],
    &["status"],
    &["status", "--json"],
    // Failures are the same too.
    &["query", "-q", "SELECT WHERE"],
    &["query", "-q", "SELECT * { ?s ?p ?o }", "--results-format", "nt"],
    &["update", "-u", "INSERT { broken"],
    &["link", "qwertz uiop"],
    &["describe", "wd:Q999"],
    &["paths", "wd:Q1", "wd:Q999"],
    &["claims", "show", "urn:coevo:claim:none"],
    &["trace", "show", "none"],
    &["search", "a film of 1975"],
];

fn with_place<'a>(words: &[&'a str], place: [&'a str; 2]) -> Vec<&'a str> {
    let n_names = if matches!(words[0], "claims" | "trace") {
        2
    } else {
        1
    };
    [&words[..n_names], &place, &words[n_names..]].concat()
}

/// What is compared: exit code, stdout, and the error with its hint.
fn shown(output: &Output) -> (Option<i32>, String, String) {
    // A server says in its own words what it cannot give, and how to add a model to it.
    let is_own = |line: &str| line.contains("\"model_hint\"") || line.contains("application/n-triples");
    let lines = |bytes: &[u8], prefix: &str| -> String {
        let text = text(bytes);
        let lines = text
            .lines()
            .filter(|line| line.starts_with(prefix) && !is_own(line));
        lines.collect::<Vec<_>>().join("\n")
    };
    (
        output.status.code(),
        lines(&output.stdout, ""),
        lines(&output.stderr, "error:"),
    )
}

#[test]
fn a_server_and_a_directory_say_the_same() {
    let bench = Bench::filled();
    bench.ok(&[
        "ask",
        "--location",
        "data",
        "Where was the director of Jaws born?",
    ]);
    let local: Vec<Output> = READING
        .iter()
        .map(|words| bench.run(&with_place(words, ["--location", "data"])))
        .collect();
    let server = bench.serve();
    for (words, local) in READING.iter().zip(local) {
        let remote = bench.run(&with_place(words, ["--server", &server.url]));
        assert_eq!(shown(&remote), shown(&local), "{words:?}");
    }
    let ask = ["ask", "qwertz uiop?"];
    let remote = bench.run(&with_place(&ask, ["--server", &server.url]));
    drop(server);
    assert_eq!(
        shown(&remote),
        shown(&bench.run(&with_place(&ask, ["--location", "data"])))
    );
}

#[test]
fn what_is_written_through_a_server_is_there_after_it_stopped() {
    let bench = Bench::filled();
    let mut server = bench.serve();
    let update = "INSERT DATA { GRAPH <urn:coevo:kg:mine> { wd:Q1 wdt:P577 1975 } }";
    bench.ok(&["update", "--server", &server.url, "-u", update]);
    let question = "Where was the director of Jaws born?";
    let asked = bench.ok(&["ask", "--server", &server.url, "--json", question]);
    let answer: serde_json::Value = serde_json::from_str(&asked).unwrap();
    let run = answer["run"].as_str().unwrap();
    let streamed = bench.ok(&[
        "ask",
        "--server",
        &server.url,
        "--stream",
        "--json",
        "--no-memory",
        question,
    ]);
    let last: serde_json::Value = serde_json::from_str(streamed.lines().last().unwrap()).unwrap();
    assert_eq!(last["answer"]["text"], answer["answer"]["text"]);
    assert!(streamed.lines().next().unwrap().contains("run.started"));
    let shown = bench.ok(&["trace", "show", "--server", &server.url, run]);

    assert_eq!(server.interrupt().code(), Some(0));
    assert_eq!(bench.ok(&["trace", "show", "--location", "data", run]), shown);
    let ask = "ASK { wd:Q1 wdt:P577 1975 }";
    assert_eq!(bench.ok(&["query", "--location", "data", "-q", ask]), "true\n");
}

#[test]
fn the_place_can_come_from_the_environment() {
    let bench = Bench::filled();
    let server = bench.serve();
    let arguments = ["query", "-q", "ASK { wd:Q1 wdt:P57 wd:Q2 }"];
    let output = bench
        .coevo(&arguments)
        .env("COEVO_SERVER", &server.url)
        .output()
        .unwrap();
    assert_eq!(shown(&output).1, "true");
    let output = bench
        .coevo(&arguments)
        .env("COEVO_SERVER", &server.url)
        .env("COEVO_LOCATION", "data")
        .output()
        .unwrap();
    assert!(explained(1, &arguments, &output).0.contains("both set"));
}

#[test]
fn a_server_keeps_to_loopback() {
    let bench = Bench::new();
    let (error, hint) = bench.refused(1, &["serve", "--location", "data", "--bind", "0.0.0.0:0"]);
    assert!(
        error.contains("0.0.0.0:0") && hint.contains("--insecure"),
        "{error}\n{hint}"
    );
    assert!(
        !bench.path("data").exists(),
        "nothing is made by a command that is refused"
    );
}

#[test]
fn a_port_in_use() {
    let bench = Bench::filled();
    let server = bench.serve();
    let bind = server.url.trim_start_matches("http://");
    let (error, hint) = bench.refused(2, &["serve", "--location", "other", "--bind", bind]);
    assert!(error.contains(bind) && hint.contains("--bind"), "{error}\n{hint}");
}
