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

/// A claim that its quotation holds, and one that none holds.
const CLAIMS: &str = r#"
INSERT DATA {
  GRAPH <urn:coevo:memory:main:proposed> { wd:Q2 <urn:coevo:rel:directed> wd:Q1 . }
  GRAPH <urn:coevo:claims:main> {
    <urn:coevo:claim:jaws> a c:Claim ; rdf:subject wd:Q2 ; rdf:predicate <urn:coevo:rel:directed> ; rdf:object wd:Q1 ;
      c:status c:Proposed ; c:revision 1 ; c:confidence 0.7 ;
      c:factorSource 0.8 ; c:factorCorroboration 0.3 ; c:factorAlignment 0.5 ; c:evidence <urn:coevo:evidence:1> .
    <urn:coevo:evidence:1> a c:Evidence ; prov:wasDerivedFrom <urn:coevo:passage:d1:0> ; oa:start 0 ; oa:end 30 ;
      oa:exact "Steven Spielberg directed Jaws" ; c:rootSource <https://example.org/jaws> ;
      c:groundedSubject "Steven Spielberg" ; c:groundedObject "Jaws" ; prov:wasGeneratedBy <urn:coevo:run:r1> .
    <urn:coevo:run:r1> a c:Run ; c:question <urn:coevo:question:1> ; c:strategy "co-e-cot" ;
      prov:endedAtTime "2026-12-01T09:12:44Z"^^xsd:dateTime .
    <urn:coevo:claim:shark> a c:Claim ; rdf:subject wd:Q2 ; rdf:predicate <urn:coevo:rel:is> ; rdf:object wd:Q1 ;
      c:status c:Quarantined ; c:revision 1 ; c:confidence 0.1 ;
      c:factorSource 0.1 ; c:factorCorroboration 0 ; c:factorAlignment 0 .
  }
}"#;

/// Decisions and what is seen of them; the time of a decision is not compared.
const DECIDING: &[&[&str]] = &[
    &["claims", "show", "urn:coevo:claim:jaws"],
    &["claims", "accept", "urn:coevo:claim:jaws"],
    &["claims", "accept", "urn:coevo:claim:jaws"],
    &["claims", "list", "--json"],
    &["claims", "show", "urn:coevo:claim:jaws"],
    &[
        "claims",
        "reject",
        "urn:coevo:claim:jaws",
        "urn:coevo:claim:shark",
    ],
    &["claims", "list"],
    &["claims", "accept", "urn:coevo:claim:none"],
    &["claims", "accept", "urn:coevo:claim:shark"],
];

#[test]
fn decisions_are_the_same_through_a_server_and_on_a_directory() {
    let decided = |bench: &Bench, place: [&str; 2]| -> Vec<(Option<i32>, String, String)> {
        let run = |words: &&[&str]| {
            let output = bench.run(&with_place(words, place));
            let stdout = text(&output.stdout);
            let lines = stdout.lines().map(|line| match line.split_once(" by urn:") {
                Some((what, who)) => format!("{what} by {}", who.split(' ').next().unwrap()),
                None => line.to_owned(),
            });
            let stdout = lines.collect::<Vec<_>>().join("\n");
            (output.status.code(), stdout, text(&output.stderr))
        };
        DECIDING.iter().map(run).collect()
    };
    let filled = || {
        let bench = Bench::filled();
        bench.ok(&["update", "--location", "data", "-u", CLAIMS]);
        bench
    };
    let (bench, remote_bench) = (filled(), filled());
    let server = remote_bench.serve();
    let local = decided(&bench, ["--location", "data"]);
    let remote = decided(&remote_bench, ["--server", &server.url]);
    for ((words, remote), local) in DECIDING.iter().zip(&remote).zip(&local) {
        assert_eq!(remote, local, "{words:?}");
    }
    let codes: Vec<Option<i32>> = remote.iter().map(|(code, _, _)| *code).collect();
    assert_eq!(codes, [0, 0, 0, 0, 0, 0, 0, 1, 1].map(Some), "{remote:?}");
    assert!(remote[2].2.contains("accepted already"), "{remote:?}");
    assert!(
        remote[4].1.contains("accept by coevo:agent:command-line"),
        "{remote:?}"
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
