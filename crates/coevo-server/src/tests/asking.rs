//! Asking, whole and streamed.

use super::{Bench, Reply};
use crate::wire::{StreamEnd, StreamItem};

const JSON: &str = "content-type: application/json";
const QUESTION: &str = r#"{"question": "Who directed Jaws?"}"#;

/// Name, id and data of each event.
fn events(reply: &Reply) -> Vec<(String, Option<u64>, StreamItem)> {
    let field = |block: &str, name: &str| {
        let line = block
            .lines()
            .find_map(|line| line.strip_prefix(name).map(str::to_owned));
        line.map(|value| value.trim_start().to_owned())
    };
    reply
        .body
        .split("\n\n")
        .filter(|block| block.contains("data:"))
        .map(|block| {
            (
                field(block, "event:").unwrap(),
                field(block, "id:").map(|id| id.parse().unwrap()),
                serde_json::from_str(&field(block, "data:").unwrap()).unwrap(),
            )
        })
        .collect()
}

#[tokio::test]
async fn an_answer_with_its_evidence() {
    let bench = Bench::film().await;
    let answer = bench.send("POST /api/v1/ask", &[JSON], QUESTION).await;
    answer.check(200, "application/json", "Steven Spielberg");
    let run = answer.json()["run"].as_str().unwrap().to_owned();
    let trace = bench.get(&format!("/api/v1/traces/{run}")).await;
    trace.check(200, "application/json", "run.ended");
    bench
        .get("/api/v1/traces")
        .await
        .check(200, "application/json", &run);
}

#[tokio::test]
async fn events_are_numbered_and_end_with_the_answer() {
    let bench = Bench::film().await;
    let reply = bench.send("POST /api/v1/ask/stream", &[JSON], QUESTION).await;
    reply.check(200, "text/event-stream", "event: evidence");
    assert_eq!(reply.header("x-accel-buffering"), "no");
    let mut events = events(&reply);
    let (name, id, last) = events.pop().unwrap();
    assert_eq!((name.as_str(), id), ("done", None));
    let StreamItem::End(StreamEnd::Done { answer }) = last else {
        panic!("{last:?}");
    };
    assert!(answer.answer.text.contains("Steven Spielberg"), "{answer:?}");
    for (index, (name, id, item)) in events.iter().enumerate() {
        let StreamItem::Event(event) = item else {
            panic!("{item:?}");
        };
        assert_eq!(
            (*id, event.seq),
            (Some(index as u64 + 1), index as u64 + 1),
            "{name}"
        );
    }
    assert_eq!(events.first().unwrap().0, "run.started");
    assert_eq!(events.last().unwrap().0, "run.ended");
}

#[tokio::test]
async fn what_fails_at_once_has_its_status() {
    let bench = Bench::film().await;
    let form = "content-type: application/x-www-form-urlencoded";
    for address in ["/api/v1/ask", "/api/v1/ask/stream"] {
        let line = format!("POST {address}");
        for (header, body, status, part) in [
            (JSON, r#"{"question": " "}"#, 400, "bad-question"),
            (
                JSON,
                r#"{"question": "?", "strategy": "guess"}"#,
                400,
                "unknown-strategy",
            ),
            (
                JSON,
                r#"{"question": "?", "strategy": "co-e-cot"}"#,
                503,
                "no-model",
            ),
            (JSON, r#"{"question": "?", "max_steps": 0}"#, 400, "max_steps"),
            (
                JSON,
                r#"{"question": "?", "budget": {"seconds": -1}}"#,
                400,
                "seconds",
            ),
            (JSON, r#"{"question": "?", "colour": 1}"#, 400, "colour"),
            (JSON, "{", 400, "bad-json"),
            (form, "question=x", 415, "application/json"),
        ] {
            bench
                .send(&line, &[header], body)
                .await
                .check(status, "application/problem+json", part);
        }
    }
}

#[tokio::test]
async fn a_stream_that_fails_ends_with_the_problem() {
    let bench = Bench::film().await;
    let body = r#"{"question": "qwertz uiop?"}"#;
    let reply = bench
        .send("POST /api/v1/ask/stream", &[JSON, "x-request-id: r-1"], body)
        .await;
    let (name, _, last) = events(&reply).pop().unwrap();
    assert_eq!(name, "error");
    let StreamItem::End(StreamEnd::Error { problem }) = last else {
        panic!("{last:?}");
    };
    assert_eq!(
        (problem.code.as_str(), problem.request_id.as_str()),
        ("nothing-found", "r-1")
    );
}

#[tokio::test]
async fn a_reader_that_leaves_ends_the_run() {
    use futures::StreamExt;
    let bench = Bench::with(crate::ServerOptions {
        max_concurrent: 1,
        ..crate::ServerOptions::default()
    });
    let body = bench
        .open("POST /api/v1/ask/stream", &[JSON], QUESTION)
        .await
        .into_body();
    let mut body = body.into_data_stream();
    let first = body.next().await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&first).starts_with("event: run.started"));
    bench
        .get("/api/v1/traces")
        .await
        .check(503, "application/problem+json", "overloaded");
    drop(body);
    bench
        .get("/api/v1/traces")
        .await
        .check(200, "application/json", "traces");
}
