//! What protects a browser's user, and the shape of every error.

use super::{Bench, Body};
use crate::{Code, ServerOptions};
use std::collections::HashSet;

#[tokio::test]
async fn the_page_allows_nothing_from_elsewhere() {
    let bench = Bench::empty();
    for (target, content_type, part) in [
        ("/", "text/html; charset=utf-8", "<title>Coevo</title>"),
        (
            "/ui/app.js",
            "text/javascript; charset=utf-8",
            "/api/v1/ask/stream",
        ),
        ("/ui/style.css", "text/css; charset=utf-8", "prefers-color-scheme"),
        ("/ui/icon.svg", "image/svg+xml", "<svg"),
    ] {
        let reply = bench.get(target).await;
        reply.check(200, content_type, part);
        assert!(!reply.body.contains("innerHTML"), "{target}");
        let policy = reply.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"),
            "{policy}"
        );
        assert!(
            policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"),
            "{policy}"
        );
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert_eq!(reply.header("referrer-policy"), "no-referrer");
    }
    let html = bench.get("/").await.body;
    for inline in ["<style", " style=", "onclick", "<script>", "javascript:"] {
        assert!(!html.contains(inline), "{inline}");
    }
}

#[tokio::test]
async fn other_origins_write_nothing() {
    let bench = Bench::film().await;
    let before = bench.size().await;
    let host = "host: 127.0.0.1:7878";
    let form = "content-type: application/x-www-form-urlencoded";
    for (line, headers) in [
        ("POST /update", [host, "origin: http://evil.example", form]),
        ("POST /update", [host, "origin: null", form]),
        ("POST /update", [host, "sec-fetch-site: cross-site", form]),
        (
            "DELETE /store?graph=urn:coevo:kg:wikidata",
            [host, "origin: http://localhost:9999", form],
        ),
        ("PUT /store?default", [host, "origin: http://evil.example", form]),
        ("POST /api/v1/ask", [host, "origin: http://evil.example", form]),
    ] {
        let reply = bench.send(line, &headers, "update=CLEAR+ALL").await;
        reply.check(403, "application/problem+json", "origin-refused");
    }
    assert_eq!(bench.size().await, before);
    let own = [host, "origin: http://127.0.0.1:7878", form];
    assert_eq!(
        bench.send("POST /update", &own, "update=CLEAR+ALL").await.status,
        204
    );
    assert_eq!(bench.size().await, 0);
}

#[tokio::test]
async fn rebound_names_are_refused() {
    let bench = Bench::empty();
    let reply = bench
        .send("GET /api/v1/status", &["host: evil.example"], Body::empty())
        .await;
    reply.check(421, "application/problem+json", "host-refused");
    let bench = Bench::with(ServerOptions {
        allowed_hosts: vec!["box.lan".to_owned()],
        ..ServerOptions::default()
    });
    let reply = bench
        .send("GET /api/v1/status", &["host: box.lan:7878"], Body::empty())
        .await;
    assert_eq!(reply.status, 200);
}

#[tokio::test]
async fn cors_is_off_unless_origins_are_named() {
    let preflight = [
        "host: 127.0.0.1:7878",
        "origin: https://ui.example",
        "access-control-request-method: POST",
        "access-control-request-headers: content-type",
    ];
    let reply = Bench::empty()
        .send("OPTIONS /query", &preflight, Body::empty())
        .await;
    assert_eq!(reply.header("access-control-allow-origin"), "");
    let options = ServerOptions {
        allowed_origins: vec!["https://ui.example".to_owned()],
        ..ServerOptions::default()
    };
    let reply = Bench::with(options)
        .send("OPTIONS /query", &preflight, Body::empty())
        .await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("access-control-allow-origin"), "https://ui.example");
    assert!(reply.header("access-control-allow-methods").contains("POST"));
    assert!(
        reply
            .header("access-control-allow-headers")
            .contains("content-type")
    );
}

#[tokio::test]
async fn problems_have_one_shape() {
    let bench = Bench::empty();
    let reply = bench
        .send("GET /nowhere", &["x-request-id: mine-1"], Body::empty())
        .await;
    assert_eq!(
        reply.json(),
        serde_json::json!({
            "type": "urn:coevo:problem:no-route",
            "code": "no-route",
            "title": "There is nothing at this address",
            "status": 404,
            "detail": "there is nothing at /nowhere",
            "hint": "the page is at /, SPARQL at /query and /update, REST under /api/v1",
            "request_id": "mine-1",
        })
    );
    assert_eq!(reply.header("x-request-id"), "mine-1");
    let reply = bench
        .send("GET /query?query=ASK", &["accept: text/plain"], Body::empty())
        .await;
    reply.check(400, "text/plain; charset=utf-8", "The query is not SPARQL 1.1: ");
    let own = bench
        .send("GET /nowhere", &["x-request-id: <script>"], Body::empty())
        .await;
    assert_ne!(own.header("x-request-id"), "<script>");
    assert_eq!(own.json()["request_id"], own.header("x-request-id"));
}

#[test]
fn codes_are_distinct_and_errors() {
    let names: HashSet<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(names.len(), Code::ALL.len());
    for code in Code::ALL {
        assert!((400..600).contains(&code.status()), "{code:?}");
    }
}
