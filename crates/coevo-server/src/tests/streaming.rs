//! Results that do not fit memory, readers that leave, errors in the middle.

use super::{Bench, Body, escape};
use crate::ServerOptions;
use axum::body::BodyDataStream;
use futures::StreamExt;
use std::fmt::Write;
use std::time::Duration;

/// A store whose product has 8 million rows (some 300 MB of CSV).
async fn product() -> Bench {
    let bench = Bench::with(ServerOptions {
        max_concurrent: 1,
        ..ServerOptions::default()
    });
    let mut update = String::from("INSERT DATA {");
    for n in 0..200 {
        let _ = write!(update, " <urn:example:subject:{n}> <urn:p> {n} .");
    }
    update.push('}');
    bench.load(&update).await;
    bench
}

const PRODUCT: &str = "SELECT * { ?a <urn:p> ?x . ?b <urn:p> ?y . ?c <urn:p> ?z }";

async fn open(bench: &Bench, extra: &str) -> BodyDataStream {
    let line = format!("GET /query?query={}{extra}", escape(PRODUCT));
    let response = bench.open(&line, &["accept: text/csv"], Body::empty()).await;
    assert_eq!(response.status().as_u16(), 200);
    response.into_body().into_data_stream()
}

#[tokio::test]
async fn a_large_result_arrives_in_small_chunks_and_a_reader_may_leave() {
    let bench = product().await;
    let mut body = open(&bench, "").await;
    for _ in 0..50 {
        let chunk = body.next().await.unwrap().unwrap();
        assert!(chunk.len() < 100_000, "{}", chunk.len());
    }
    // The one place is taken as long as the reader is there …
    let line = format!("GET /query?query={}", escape("ASK {}"));
    let reply = bench.send(&line, &[], Body::empty()).await;
    reply.check(503, "application/problem+json", "overloaded");
    assert_eq!(reply.header("retry-after"), "1");
    // … and free once it left.
    drop(body);
    bench
        .send(&line, &[], Body::empty())
        .await
        .check(200, "application/", "true");
}

#[tokio::test]
async fn a_reader_that_leaves_stops_the_query() {
    let bench = product().await;
    let cancel = coevo_graph::Cancel::default();
    let slot = crate::state::Server::new(bench.engine(), ServerOptions::default())
        .slot()
        .unwrap();
    let (told, ended) = tokio::sync::oneshot::channel();
    let seen = cancel.clone();
    let response = crate::stream::respond("text/csv".parse().unwrap(), slot, cancel.clone(), move |out| {
        let row = [b'x'; 1000];
        // Writes until it is told that nobody reads.
        while out.write_all(&row).is_ok() {}
        let _ = told.send(seen.is_cancelled());
        Ok(())
    })
    .await
    .unwrap();
    assert!(!cancel.is_cancelled());
    drop(response);
    assert!(cancel.is_cancelled());
    assert!(ended.await.unwrap());
}

#[tokio::test]
async fn a_deadline_in_the_middle_breaks_the_body_off() {
    let bench = product().await;
    let mut body = open(&bench, "&timeout=0.5").await;
    let mut last = body.next().await.unwrap();
    while last.is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let next = body.next().await;
        assert!(next.is_some(), "an error is wanted, not a proper end");
        last = next.unwrap();
    }
    assert!(last.unwrap_err().to_string().contains("stopped after"));
}

#[tokio::test]
async fn a_deadline_before_the_first_row_has_its_status() {
    let bench = product().await;
    let query = "SELECT (COUNT(*) AS ?n) { ?a <urn:p> ?x . ?b <urn:p> ?y . ?c <urn:p> ?z . ?d <urn:p> ?w }";
    let line = format!("GET /query?timeout=0.2&query={}", escape(query));
    let reply = bench.send(&line, &[], Body::empty()).await;
    reply.check(504, "application/problem+json", "query-deadline");
}
