//! SPARQL Protocol: content negotiation, errors, forms of requests, CSV and TSV.

use super::{Bench, Body, Bytes, escape};

const SELECT: &str = "SELECT * {?s ?p ?o}";
const CONSTRUCT: &str = "CONSTRUCT {?s ?p ?o} WHERE {?s ?p ?o}";
const JSON: &str = "application/sparql-results+json";

#[tokio::test]
async fn content_negotiation() {
    let bench = Bench::film().await;
    for (query, accept, status, content_type) in [
        (SELECT, None, 200, JSON),
        (SELECT, Some("*/*"), 200, JSON),
        (SELECT, Some("application/json"), 200, "application/json"),
        (
            SELECT,
            Some("text/csv;q=0.5, application/sparql-results+xml"),
            200,
            "application/sparql-results+xml",
        ),
        (SELECT, Some("text/*"), 200, "text/csv"),
        (
            SELECT,
            Some("*/*;q=1, application/sparql-results+json;q=0, text/csv;q=0.5"),
            200,
            "application/sparql-results+xml",
        ),
        (
            SELECT,
            Some("application/n-triples, application/sparql-results+json;q=0.6"),
            200,
            JSON,
        ),
        (SELECT, Some("image/png"), 406, "application/problem+json"),
        ("ASK {}", Some("text/turtle"), 406, "application/problem+json"),
        (CONSTRUCT, Some("text/turtle"), 200, "text/turtle"),
        (CONSTRUCT, None, 200, "text/turtle"),
        (CONSTRUCT, Some("application/ld+json"), 200, "application/ld+json"),
        (CONSTRUCT, Some("application/n-quads"), 200, "application/n-quads"),
        (CONSTRUCT, Some("application/rdf+xml"), 200, "application/rdf+xml"),
        (
            SELECT,
            Some("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
            200,
            "application/xml",
        ),
    ] {
        let accept = accept.map(|accept| format!("accept: {accept}"));
        let headers: Vec<&str> = accept.iter().map(String::as_str).collect();
        let line = format!("GET /query?query={}", escape(query));
        let reply = bench.send(&line, &headers, Body::empty()).await;
        reply.check(status, content_type, "");
    }
}

#[tokio::test]
async fn a_refused_form_is_explained_as_on_a_directory() {
    let bench = Bench::empty();
    let line = format!("GET /query?query={}", escape(SELECT));
    let reply = bench
        .send(&line, &["accept: application/n-triples"], Body::empty())
        .await;
    let problem = reply.json();
    assert_eq!(
        problem["detail"],
        "a Select query cannot be answered in application/n-triples"
    );
    assert_eq!(
        problem["hint"],
        "SELECT and ASK give rows: ask for json, xml, csv, tsv or table"
    );
}

#[tokio::test]
async fn protocol_errors() {
    let bench = Bench::film().await;
    let before = bench.size().await;
    let utf16: Vec<u8> = "ASK{}".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let form = "content-type: application/x-www-form-urlencoded";
    let query = "content-type: application/sparql-query";
    let rows: [(&str, &[&str], Bytes, u16, &str); 17] = [
        ("GET /query?query=SELECT%20*%20%7B", &[], "".into(), 400, "1:11"),
        (
            "GET /query?query=ASK%7B%7D&query=SELECT*%7B%7D",
            &[],
            "".into(),
            400,
            "more than once",
        ),
        (
            "GET /update?update=CLEAR%20ALL",
            &[],
            "".into(),
            405,
            "does not take GET",
        ),
        ("GET /sparql?update=CLEAR%20ALL", &[], "".into(), 400, "POST"),
        (
            "PUT /query?query=ASK%7B%7D",
            &[],
            "".into(),
            405,
            "does not take PUT",
        ),
        (
            "POST /query",
            &["content-type: text/plain"],
            "ASK{}".into(),
            415,
            "text/plain",
        ),
        ("POST /query", &[], "ASK{}".into(), 415, "no Content-Type"),
        (
            "POST /query",
            &["content-type: application/sparql-query;charset=UTF-16"],
            utf16.into(),
            415,
            "UTF-16",
        ),
        (
            "POST /query",
            &["content-type: application/sparql-query;charset=utf-8"],
            "ASK{}".into(),
            200,
            "true",
        ),
        (
            "POST /query",
            &[query],
            Bytes::from_static(b"ASK{ ?s ?p \"\xff\" }"),
            400,
            "UTF-8",
        ),
        ("POST /query", &[form], "query=ASK+%7B%7D".into(), 200, "true"),
        (
            "POST /query",
            &[form],
            "update=CLEAR+ALL".into(),
            400,
            "`query` is missing",
        ),
        ("POST /update", &[query], "ASK{}".into(), 415, "sparql-update"),
        (
            "POST /sparql",
            &[form],
            "query=ASK%7B%7D&update=CLEAR+ALL".into(),
            400,
            "both",
        ),
        ("POST /query?timeout=0", &[query], "ASK{}".into(), 400, "timeout"),
        (
            "POST /query?default-graph-uri=x",
            &[query],
            "ASK{}".into(),
            400,
            "absolute IRI",
        ),
        (
            "POST /update",
            &["content-type: application/sparql-update"],
            "LOAD <http://e.example/>".into(),
            400,
            "update",
        ),
    ];
    for (line, headers, body, status, part) in rows {
        let reply = bench.send(line, headers, body).await;
        let content_type = if status == 200 {
            JSON
        } else {
            "application/problem+json"
        };
        reply.check(status, content_type, part);
    }
    assert_eq!(bench.size().await, before);
}

#[tokio::test]
async fn wrong_methods_name_the_right_ones() {
    let reply = Bench::empty().get("/update").await;
    assert_eq!((reply.status, reply.header("allow")), (405, "POST"));
}

#[tokio::test]
async fn an_update_by_form_keeps_every_character() {
    let bench = Bench::empty();
    let body = "update=INSERT+DATA+%7B+%3Chttp%3A%2F%2Fe.example%2Fa%3E+%3Chttp%3A%2F%2Fe.example%2Fp%3E+%22a%2Bb+c%22+%7D";
    let reply = bench
        .send(
            "POST /update",
            &["content-type: application/x-www-form-urlencoded"],
            body,
        )
        .await;
    assert_eq!(reply.status, 204, "{reply:?}");
    let reply = bench
        .get(&format!("/query?query={}", escape("SELECT ?o {?s ?p ?o}")))
        .await;
    reply.check(200, JSON, "\"a+b c\"");
}

#[tokio::test]
async fn a_body_over_the_limit() {
    let bench = Bench::with(crate::ServerOptions {
        max_body_bytes: 1000,
        ..crate::ServerOptions::default()
    });
    let body = "#".repeat(1001);
    for content_type in ["application/sparql-query", "application/x-www-form-urlencoded"] {
        let header = format!("content-type: {content_type}");
        let reply = bench.send("POST /query", &[&header], body.clone()).await;
        reply.check(413, "application/problem+json", "larger than 1000 bytes");
    }
}

#[tokio::test]
async fn the_service_describes_itself() {
    let bench = Bench::empty();
    let headers = ["host: 127.0.0.1:7878", "accept: application/n-triples"];
    let reply = bench.send("GET /sparql", &headers, Body::empty()).await;
    reply.check(
        200,
        "application/n-triples",
        "<http://127.0.0.1:7878/sparql> <http://www.w3.org/ns/sparql-service-description#endpoint> <http://127.0.0.1:7878/sparql>",
    );
}

#[tokio::test]
async fn datasets_of_the_protocol() {
    let bench = Bench::empty();
    bench
        .load("INSERT DATA { GRAPH <http://e.example/1> { <urn:a> <urn:p> 1 } GRAPH <http://e.example/2> { <urn:a> <urn:p> 2 } }")
        .await;
    let count = |extra: &str| {
        format!(
            "/query?query={}{extra}",
            escape("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
        )
    };
    for (extra, n) in [
        ("&default-graph-uri=http%3A%2F%2Fe.example%2F1", 1),
        (
            "&default-graph-uri=http%3A%2F%2Fe.example%2F1&default-graph-uri=http%3A%2F%2Fe.example%2F2",
            2,
        ),
        ("&named-graph-uri=http%3A%2F%2Fe.example%2F1", 0),
    ] {
        let reply = bench.get(&count(extra)).await;
        reply.check(200, JSON, &format!("\"value\":\"{n}\""));
    }
    let update = "POST /update?using-graph-uri=http%3A%2F%2Fe.example%2F2";
    let body = "INSERT { <urn:b> <urn:q> ?o } WHERE { ?s ?p ?o }";
    let reply = bench
        .send(update, &["content-type: application/sparql-update"], body)
        .await;
    assert_eq!(reply.status, 204, "{reply:?}");
    let reply = bench
        .get(&format!("/query?query={}", escape("SELECT ?o { <urn:b> ?q ?o }")))
        .await;
    reply.check(200, JSON, "\"2\"");
    assert!(!reply.body.contains("\"1\""), "{reply:?}");
}

#[tokio::test]
async fn rows_can_be_capped() {
    let bench = Bench::film().await;
    let line = format!("GET /query?max-rows=2&query={}", escape(SELECT));
    let reply = bench.send(&line, &["accept: text/csv"], Body::empty()).await;
    assert_eq!(reply.body.lines().count(), 3, "{reply:?}");
}

const TABLE: &str = r#"SELECT ?a ?b WHERE { VALUES (?a ?b) { ("x,y" "q\"u") (UNDEF "l1\nl2") (<http://e.example/x> "é"@fr) ("t\tb" 1) } }"#;

#[tokio::test]
async fn csv_and_tsv() {
    let bench = Bench::empty();
    let line = format!("GET /query?query={}", escape(TABLE));
    let csv = "a,b\r\n\"x,y\",\"q\"\"u\"\r\n,\"l1\nl2\"\r\nhttp://e.example/x,é\r\nt\tb,1\r\n";
    let tsv = "?a\t?b\n\"x,y\"\t\"q\\\"u\"\n\t\"l1\\nl2\"\n<http://e.example/x>\t\"é\"@fr\n\"t\\tb\"\t1\n";
    for (media_type, expected) in [("text/csv", csv), ("text/tab-separated-values", tsv)] {
        let accept = format!("accept: {media_type}");
        let reply = bench.send(&line, &[&accept], Body::empty()).await;
        assert_eq!(reply.body, expected);
        assert_eq!(
            reply.header("content-type"),
            format!("{media_type}; charset=utf-8")
        );
    }
}
