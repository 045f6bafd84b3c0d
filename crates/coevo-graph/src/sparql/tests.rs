//! Queries and updates: datasets, formats, caps, deadlines. Expected values from the SPARQL 1.1 specifications.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;

const DATA: &str = "
    <urn:d> <urn:p> \"default\" .
    GRAPH <urn:coevo:kg:a> { <urn:a> <urn:p> \"kg\" } GRAPH <urn:coevo:docs:b> { <urn:b> <urn:p> \"docs\" }
    GRAPH <urn:coevo:memory:main> { <urn:m> <urn:p> \"memory\" }
    GRAPH <urn:coevo:memory:main:proposed> { <urn:x> <urn:p> \"proposed\" }
    GRAPH <urn:coevo:claims:main> { <urn:c> <urn:p> \"claims\" } GRAPH <urn:coevo:system> { <urn:s> <urn:p> \"system\" }
    GRAPH <http://example.org/g> { <urn:g> <urn:p> \"foreign\" }";

fn graph() -> Graph {
    let graph = Graph::in_memory().unwrap();
    graph.merge_dataset_now(RdfFormat::TriG, DATA.as_bytes()).unwrap();
    graph
}

async fn check(query: &str, options: &QueryOptions, expected: &[&str]) {
    let rows = graph().select(query, options).await.unwrap();
    let mut values: Vec<String> = rows
        .rows
        .iter()
        .map(|row| match &row[0] {
            Some(Term::Literal(literal)) => literal.value().to_owned(),
            other => format!("{other:?}"),
        })
        .collect();
    values.sort();
    let mut expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
    expected.sort();
    assert_eq!(values, expected, "{query}");
}

#[tokio::test]
async fn the_default_dataset_is_the_knowledge() {
    let all = "SELECT ?v { ?s <urn:p> ?v }";
    check(
        all,
        &QueryOptions::default(),
        &["default", "kg", "docs", "memory"],
    )
    .await;
    check(
        all,
        &QueryOptions {
            dataset: DefaultDataset::Strict,
            ..QueryOptions::default()
        },
        &["default"],
    )
    .await;
    let everything = QueryOptions {
        dataset: DefaultDataset::Everything,
        ..QueryOptions::default()
    };
    check(
        all,
        &everything,
        &[
            "default", "kg", "docs", "memory", "proposed", "claims", "system", "foreign",
        ],
    )
    .await;
}

#[tokio::test]
async fn from_and_the_protocol_name_datasets() {
    check(
        "SELECT ?v FROM <http://example.org/g> { ?s <urn:p> ?v }",
        &QueryOptions::default(),
        &["foreign"],
    )
    .await;
    let graphs = |name: &str| Some(vec![NamedNode::new_unchecked(name)]);
    let protocol = QueryOptions {
        default_graphs: graphs("urn:coevo:kg:a"),
        ..QueryOptions::default()
    };
    check(
        "SELECT ?v FROM <http://example.org/g> { ?s <urn:p> ?v }",
        &protocol,
        &["kg"],
    )
    .await;
    let named = QueryOptions {
        named_graphs: graphs("urn:coevo:claims:main"),
        ..QueryOptions::default()
    };
    check("SELECT ?v { GRAPH ?g { ?s <urn:p> ?v } }", &named, &["claims"]).await;
    check("SELECT ?v { ?s <urn:p> ?v }", &named, &[]).await;
    check(
        "SELECT ?v { GRAPH <urn:coevo:memory:main:proposed> { ?s ?p ?v } }",
        &QueryOptions::default(),
        &["proposed"],
    )
    .await;
}

#[tokio::test]
async fn known_prefixes_need_no_declaration_and_unknown_ones_do() {
    let graph = graph();
    graph
        .update(
            "INSERT DATA { GRAPH <urn:coevo:kg:a> { wd:Q1 wdt:P31 wd:Q5 } }",
            &UpdateOptions::default(),
        )
        .await
        .unwrap();
    let rows = graph
        .select("SELECT ?c { wd:Q1 wdt:P31 ?c }", &QueryOptions::default())
        .await
        .unwrap();
    assert_eq!(
        rows.get(0, "c").unwrap().to_string(),
        "<http://www.wikidata.org/entity/Q5>"
    );
    let error = graph
        .select("SELECT * { ex:a ?p ?o }", &QueryOptions::default())
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Syntax(_)), "{error}");
}

#[test]
fn formats_fit_forms() {
    let write = |query: &str, format| {
        let mut out = Vec::new();
        graph()
            .prepare(query, &QueryOptions::default())
            .unwrap()
            .write(format, &mut out)
            .map(|_| String::from_utf8(out).unwrap())
    };
    // SPARQL 1.1 Query Results CSV §3, JSON §3.
    assert_eq!(
        write(
            "SELECT ?v { <urn:a> ?p ?v }",
            OutputFormat::Solutions(QueryResultsFormat::Csv)
        )
        .unwrap(),
        "v\r\nkg\r\n"
    );
    assert_eq!(
        write(
            "ASK { <urn:a> ?p ?v }",
            OutputFormat::Solutions(QueryResultsFormat::Json)
        )
        .unwrap(),
        r#"{"head":{},"boolean":true}"#
    );
    assert_eq!(
        write(
            "CONSTRUCT { ?s <urn:q> ?v } { ?s ?p ?v FILTER(?s = <urn:a>) }",
            OutputFormat::Graph(RdfFormat::NTriples)
        )
        .unwrap(),
        "<urn:a> <urn:q> \"kg\" .\n"
    );
    let error = write("ASK { ?s ?p ?o }", OutputFormat::Graph(RdfFormat::Turtle)).unwrap_err();
    assert!(matches!(error, Error::WrongFormat { kind: "Ask", .. }));
    assert!(error.hint().unwrap().contains("csv"));
}

#[tokio::test]
async fn row_caps_say_so() {
    let options = QueryOptions {
        max_rows: Some(2),
        ..QueryOptions::default()
    };
    let rows = graph()
        .select("SELECT ?v { ?s <urn:p> ?v }", &options)
        .await
        .unwrap();
    assert_eq!((rows.rows.len(), rows.capped), (2, true));
    let options = QueryOptions {
        max_rows: Some(4),
        ..QueryOptions::default()
    };
    let rows = graph()
        .select("SELECT ?v { ?s <urn:p> ?v }", &options)
        .await
        .unwrap();
    assert_eq!((rows.rows.len(), rows.capped), (4, false));
}

#[tokio::test]
async fn a_query_that_gives_no_row_meets_its_deadline() {
    let graph = Graph::in_memory().unwrap();
    let triples: Vec<String> = (0..400)
        .map(|n| format!("<urn:s{n}> <urn:p> <urn:hub> .\n"))
        .collect();
    graph
        .merge_dataset_now(RdfFormat::NTriples, triples.concat().as_bytes())
        .unwrap();
    // 400⁴ combinations joined through the hub, none of which passes.
    let query = "SELECT * { ?a <urn:p> ?h . ?b <urn:p> ?h . ?c <urn:p> ?h . ?d <urn:p> ?h
        FILTER(CONCAT(STR(?a), STR(?b), STR(?c), STR(?d)) = \"x\") }";
    let options = QueryOptions {
        deadline: Some(Duration::from_millis(200)),
        ..QueryOptions::default()
    };
    let error = graph.select(query, &options).await.unwrap_err();
    assert!(matches!(error, Error::Deadline { .. }), "{error}");
}

#[tokio::test]
async fn a_cancelled_query_is_not_a_deadline() {
    let options = QueryOptions {
        deadline: Some(Duration::from_mins(1)),
        ..QueryOptions::default()
    };
    options.cancel.cancel();
    let error = graph()
        .select("SELECT * { ?a ?b ?c }", &options)
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Cancelled), "{error}");
}

#[tokio::test]
async fn bindings_replace_string_building() {
    let options = QueryOptions {
        bindings: vec![(
            Variable::new_unchecked("s"),
            NamedNode::new_unchecked("urn:a").into(),
        )],
        ..QueryOptions::default()
    };
    check("SELECT ?v ?s { ?s <urn:p> ?v }", &options, &["kg"]).await;
}

#[tokio::test]
async fn syntax_errors_say_where() {
    let error = graph()
        .select("SELECT * {\n ?s ?p }", &QueryOptions::default())
        .await
        .unwrap_err();
    assert!(error.to_string().contains("2:"), "{error}");
    let error = graph()
        .update("INSERT { ?s ?p", &UpdateOptions::default())
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Syntax(_)));
}

#[tokio::test]
async fn federation_and_load_are_off() {
    let error = graph()
        .select(
            "SELECT * { SERVICE <http://127.0.0.1:9/sparql> { ?s ?p ?o } }",
            &QueryOptions::default(),
        )
        .await;
    assert!(matches!(error, Err(Error::Evaluation(_))), "{error:?}");
    let error = graph()
        .update("LOAD <http://127.0.0.1:9/data.nt>", &UpdateOptions::default())
        .await;
    assert!(matches!(error, Err(Error::Update(_))), "{error:?}");
}

#[test]
fn every_template_parses() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sparql");
    for entry in fs_err::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let text = fs_err::read_to_string(&path).unwrap();
        let parser = || parser().unwrap();
        assert!(
            parser().parse_query(&text).is_ok() || parser().parse_update(&text).is_ok(),
            "{}",
            path.display()
        );
    }
}

#[test]
fn what_would_overflow_the_stack_is_refused() {
    let graph = Graph::in_memory().unwrap();
    let arms = vec!["{ ?s ?p ?o }"; 20_000].join(" UNION ");
    for query in [
        format!("SELECT * {{{}{}}}", "{".repeat(1_000), "}".repeat(1_000)),
        format!(
            "SELECT * {{ FILTER({}1{}) }}",
            "(".repeat(20_000),
            ")".repeat(20_000)
        ),
        format!("SELECT * {{ FILTER({}true) }}", "!".repeat(100_000)),
        format!("SELECT ({}1 AS ?n) {{}}", "1+".repeat(30_000)),
        format!("SELECT * {{ {arms} }}"),
    ] {
        let error = graph
            .prepare(&query, &QueryOptions::default())
            .map(drop)
            .unwrap_err();
        assert!(matches!(error, Error::TooComplex { .. }), "{error}");
    }
    // Brackets and operators inside of strings, IRIs and comments are no nesting.
    let (brackets, slashes) = ("(".repeat(100), "/".repeat(2_000));
    let harmless = format!("# {brackets}\nSELECT * {{ ?s <urn:x:{slashes}> \"{brackets}\" }}");
    graph
        .prepare(&harmless, &QueryOptions::default())
        .map(drop)
        .unwrap();
}
