//! Load, query, ask: results that were worked out by hand.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::program::{ARTICLES, Bench, FILMS, text};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn count(bench: &Bench, pattern: &str) -> u64 {
    let query = format!("SELECT (COUNT(*) AS ?n) {{ {pattern} }}");
    let csv = bench.ok(&[
        "query",
        "--location",
        "data",
        "-q",
        &query,
        "--results-format",
        "csv",
    ]);
    csv.lines().nth(1).unwrap().trim().parse().unwrap()
}

#[test]
fn triples_go_in_and_come_out() {
    let bench = Bench::new();
    let films = bench.file("films.nt", FILMS);
    let report = json(&bench.ok(&["ingest", "wikidata", "--location", "data", "--json", &films]));
    assert_eq!(report["graph"], "urn:coevo:kg:wikidata");
    assert_eq!(report["inputs"][0]["outcome"], "loaded");
    assert_eq!(report["inputs"][0]["triples"], 7);
    assert_eq!(count(&bench, "GRAPH <urn:coevo:kg:wikidata> { ?s ?p ?o }"), 7);

    let query = "SELECT ?city { wd:Q1 wdt:P57/wdt:P19 ?c . ?c rdfs:label ?city }";
    let get = |format: &str| {
        bench.ok(&[
            "query",
            "--location",
            "data",
            "-q",
            query,
            "--results-format",
            format,
        ])
    };
    assert_eq!(get("csv"), "city\r\nCincinnati\r\n");
    assert_eq!(get("tsv"), "?city\n\"Cincinnati\"@en\n");
    assert_eq!(get("table"), "?city\n─────────────\nCincinnati@en\n(1 row)\n");
    assert_eq!(
        json(&get("json"))["results"]["bindings"][0]["city"]["value"],
        "Cincinnati"
    );
    assert!(get("xml").contains("<literal xml:lang=\"en\">Cincinnati</literal>"));
    assert_eq!(
        bench.ok(&["query", "--location", "data", "-q", "ASK { wd:Q1 wdt:P57 wd:Q2 }"]),
        "true\n"
    );
    let construct = "CONSTRUCT WHERE { wd:Q1 wdt:P57 ?d }";
    let nt = bench.ok(&[
        "query",
        "--location",
        "data",
        "-q",
        construct,
        "--results-format",
        "nt",
    ]);
    assert_eq!(nt, FILMS.lines().nth(5).unwrap().to_owned() + "\n");
}

#[test]
fn loading_again_changes_nothing() {
    let bench = Bench::filled();
    let before = count(&bench, "GRAPH ?g { ?s ?p ?o }");
    let again = json(&bench.ok(&["ingest", "wikidata", "--location", "data", "--json", "films.nt"]));
    assert_eq!(again["inputs"][0]["outcome"], "unchanged");
    let again = json(&bench.ok(&[
        "ingest",
        "documents",
        "--location",
        "data",
        "--json",
        "articles.jsonl",
    ]));
    assert_eq!(again["inputs"][0]["outcome"], "unchanged");
    assert_eq!(count(&bench, "GRAPH ?g { ?s ?p ?o }"), before);
    assert_eq!(
        count(&bench, "GRAPH <urn:coevo:docs:main> { ?d a c:Document }"),
        2
    );
}

#[test]
fn standard_input_and_a_damaged_line() {
    let bench = Bench::new();
    let damaged = format!("{FILMS}this is no triple\n");
    let output = bench
        .coevo(&[
            "ingest",
            "wikidata",
            "--location",
            "data",
            "--format",
            "nt",
            "--json",
            "-",
        ])
        .write_stdin(damaged)
        .output()
        .unwrap();
    let report = json(&text(&output.stdout));
    assert_eq!(
        (
            report["inputs"][0]["triples"].as_u64(),
            report["inputs"][0]["rejects"].as_u64()
        ),
        (Some(7), Some(1))
    );
    assert!(
        text(&output.stderr).contains("warning: damaged records were set aside in"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn an_update_is_seen_by_the_next_query() {
    let bench = Bench::filled();
    let update = "INSERT DATA { GRAPH <urn:coevo:kg:mine> { wd:Q1 wdt:P577 1975 } }";
    bench.ok(&["update", "--location", "data", "-u", update]);
    assert_eq!(count(&bench, "wd:Q1 wdt:P577 1975"), 1);
    bench.file("drop.ru", "DROP GRAPH <urn:coevo:kg:mine>");
    bench.ok(&["update", "--location", "data", "--update-file", "drop.ru"]);
    assert_eq!(count(&bench, "wd:Q1 wdt:P577 1975"), 0);
}

#[test]
fn the_sparql_of_a_path_returns_that_path() {
    let bench = Bench::filled();
    let found = json(&bench.ok(&["paths", "--location", "data", "--json", "wd:Q1", "wd:Q3"]));
    let paths = found["paths"].as_array().unwrap();
    assert_eq!(paths.len(), 1);
    let query = paths[0]["sparql"].as_str().unwrap();
    let rows = bench.ok(&[
        "query",
        "--location",
        "data",
        "-q",
        query,
        "--results-format",
        "tsv",
    ]);
    let expected = "?n0\t?p1\t?n1\t?p2\t?n2\n\
        <http://www.wikidata.org/entity/Q1>\t<http://www.wikidata.org/prop/direct/P57>\t\
        <http://www.wikidata.org/entity/Q2>\t<http://www.wikidata.org/prop/direct/P19>\t\
        <http://www.wikidata.org/entity/Q3>\n";
    assert_eq!(rows, expected);
}

#[test]
fn a_question_without_a_model() {
    let bench = Bench::filled();
    let question = "Where was the director of Jaws born?";
    let answer = json(&bench.ok(&["ask", "--location", "data", "--json", question]));
    assert_eq!(answer["strategy"], "evidence-only");
    assert!(
        answer["notes"][0].as_str().unwrap().contains("evidence only"),
        "{}",
        answer["notes"]
    );
    let evidence = answer["evidence"].as_array().unwrap();
    let queries: Vec<&str> = evidence
        .iter()
        .filter_map(|item| item["sparql"].as_str())
        .collect();
    assert!(!queries.is_empty(), "a path is evidence");
    for query in queries {
        let rows = bench.ok(&[
            "query",
            "--location",
            "data",
            "-q",
            query,
            "--results-format",
            "csv",
        ]);
        assert_eq!(rows.lines().count(), 2, "one heading, one row\n{query}\n{rows}");
    }

    let run = answer["run"].as_str().unwrap();
    let trace = json(&bench.ok(&["trace", "show", "--location", "data", "--json", run]));
    assert_eq!(trace["answer"]["answer"], answer["answer"]);
    assert_eq!(trace["events"][0]["event"], "run.started");
    assert!(bench.ok(&["trace", "list", "--location", "data"]).contains(run));

    let words = bench.ok(&["ask", "--location", "data", "--no-memory", question]);
    assert!(
        words.contains("Evidence") && words.contains("SELECT") && words.contains("trace "),
        "{words}"
    );
    let steps = bench.ok(&[
        "ask",
        "--location",
        "data",
        "--no-memory",
        "--stream",
        "--json",
        question,
    ]);
    let kinds: Vec<Value> = steps.lines().map(|line| json(line)["event"].clone()).collect();
    assert_eq!(kinds.first().unwrap(), "run.started");
    assert_eq!(kinds[kinds.len() - 2], "run.ended");
    assert_eq!(*kinds.last().unwrap(), Value::Null, "the answer is the last line");
}

#[test]
fn an_evaluation_counts_everything() {
    let bench = Bench::filled();
    bench.file(
        "set.jsonl",
        "{\"id\": \"a\", \"question\": \"Where was the director of Jaws born?\", \"answers\": [\"Cincinnati\"]}\n\
         {\"id\": \"b\", \"question\": \"qwertz uiop?\", \"answers\": [\"none\"]}\n",
    );
    let arguments = [
        "eval",
        "run",
        "--location",
        "data",
        "--questions",
        "set.jsonl",
        "--strategy",
        "evidence-only",
        "--json",
    ];
    let report = json(&bench.ok(&arguments));
    assert_eq!(report["means"]["n"], 2);
    assert_eq!(report["means"]["calls"], 0.0);
    let lost = report["means"]["failed"].as_u64().unwrap() + report["means"]["refused"].as_u64().unwrap();
    assert_eq!(lost, 1, "{report}");
    assert_eq!(count(&bench, "GRAPH <urn:coevo:answers:main> { ?s ?p ?o }"), 0);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let bench = Bench::filled();
    let query = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }";
    let mut child = bench
        .process(&[
            "query",
            "--location",
            "data",
            "-q",
            query,
            "--results-format",
            "csv",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    assert_eq!(first, "a,b,c,d,e,f,g,h,i,j,k,l\r\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), text(&output.stderr).as_str()),
        (Some(0), "")
    );
}

#[test]
fn passages_wait_for_an_embedder() {
    let bench = Bench::new();
    let articles = bench.file("articles.jsonl", ARTICLES);
    let output = bench.run(&["ingest", "documents", "--location", "data", "--json", &articles]);
    assert_eq!(json(&text(&output.stdout))["passages_not_embedded"], 2);
    assert!(
        text(&output.stderr).contains("scripts/fetch-models.sh embedder"),
        "{}",
        text(&output.stderr)
    );
}
