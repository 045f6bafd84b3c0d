//! Graph Store Protocol: its status codes in order, and that bad data destroys nothing.

use super::{Bench, Body};
use std::io::Write;

const TURTLE: &str = "content-type: text/turtle";
const GOOD: &str = "<http://e.example/a> <http://e.example/p> 1 .\n";
const BAD: &str = "<http://e.example/a> <http://e.example/p> 2 .\n<http://e.example/a> <http://e.example/p> ";

#[tokio::test]
async fn status_codes() {
    let bench = Bench::empty();
    let g = "/store?graph=http%3A%2F%2Fe.example%2Fg";
    let other = "/store?graph=http%3A%2F%2Fe.example%2Fg2";
    let empty = "/store?graph=http%3A%2F%2Fe.example%2Fg3";
    let one = "<http://e.example/a> <http://e.example/p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .";
    for (method, target, body, status, part) in [
        ("GET", g, "", 404, "http://e.example/g"),
        ("PUT", g, GOOD, 201, ""),
        ("PUT", g, GOOD, 204, ""),
        ("PUT", g, BAD, 400, "line 2"),
        ("GET", g, "", 200, one),
        ("POST", g, GOOD, 204, ""),
        ("POST", other, GOOD, 201, ""),
        ("HEAD", g, "", 200, ""),
        ("DELETE", g, "", 204, ""),
        ("DELETE", g, "", 404, "no graph"),
        ("GET", g, "", 404, ""),
        ("PUT", "/store?default", GOOD, 204, ""),
        ("GET", "/store?default", "", 200, one),
        ("POST", empty, "", 201, ""),
        ("GET", empty, "", 200, ""),
    ] {
        let line = format!("{method} {target}");
        let reply = bench
            .send(
                &line,
                &[TURTLE, "accept: application/n-triples, application/problem+json"],
                body,
            )
            .await;
        assert_eq!(reply.status, status, "{line}: {reply:?}");
        assert!(reply.body.contains(part), "{line}: {reply:?}");
        if method == "HEAD" {
            assert_eq!(
                (reply.body.as_str(), reply.header("content-type")),
                ("", "application/n-triples")
            );
        }
    }
}

#[tokio::test]
async fn what_is_refused() {
    let bench = Bench::film().await;
    let before = bench.size().await;
    for (line, content_type, body, status, part) in [
        ("PUT /store", TURTLE, GOOD, 400, "name a graph"),
        ("DELETE /store", TURTLE, "", 400, "name a graph"),
        ("PUT /store?graph=relative", TURTLE, GOOD, 400, "absolute IRI"),
        ("PUT /store?default&graph=urn:g", TURTLE, GOOD, 400, "both"),
        (
            "PUT /store?graph=urn:g",
            "content-type: text/csv",
            GOOD,
            415,
            "text/csv",
        ),
        (
            "PUT /store?graph=urn:g",
            "content-type: text/turtle; charset=latin1",
            GOOD,
            415,
            "latin1",
        ),
        (
            "PUT /store?graph=urn:g",
            "content-type: application/n-quads",
            "<urn:a> <urn:b> <urn:c> <urn:d> .",
            400,
            "graphs of its own",
        ),
        ("PATCH /store?graph=urn:g", TURTLE, GOOD, 405, "PATCH"),
    ] {
        bench
            .send(line, &[content_type], body)
            .await
            .check(status, "application/problem+json", part);
    }
    let line = "GET /store?graph=urn:coevo:kg:wikidata";
    bench
        .send(line, &["accept: image/png"], Body::empty())
        .await
        .check(406, "application/problem+json", "image/png");
    let line = "GET /store";
    bench
        .send(line, &["accept: text/turtle"], Body::empty())
        .await
        .check(406, "application/problem+json", "n-quads");
    assert_eq!(bench.size().await, before);
}

#[tokio::test]
async fn the_whole_store() {
    let bench = Bench::film().await;
    bench
        .get("/store")
        .await
        .check(200, "application/n-quads", "<urn:coevo:kg:wikidata> .");
    let quads = "<urn:a> <urn:b> <urn:c> <urn:d> .";
    let reply = bench
        .send("POST /store", &["content-type: application/n-quads"], quads)
        .await;
    assert_eq!(reply.status, 204);
    bench
        .get("/store?graph=urn:d")
        .await
        .check(200, "text/turtle", "<urn:a> <urn:b> <urn:c>");
}

#[tokio::test]
async fn gzip_bodies() {
    let bench = Bench::with(crate::ServerOptions {
        max_body_bytes: 2000,
        ..crate::ServerOptions::default()
    });
    let packed = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let bomb = "#".repeat(100_000);
    for (encoding, body, status) in [
        ("gzip", packed(GOOD), 201),
        ("gzip", GOOD.as_bytes().to_vec(), 400),
        ("gzip", packed(&bomb), 413),
        ("br", GOOD.as_bytes().to_vec(), 415),
    ] {
        let encoding = format!("content-encoding: {encoding}");
        let reply = bench
            .send("PUT /store?graph=urn:g", &[TURTLE, &encoding], body)
            .await;
        assert_eq!(reply.status, status, "{reply:?}");
    }
    assert_eq!(bench.size().await, 1);
}
