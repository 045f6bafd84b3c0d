//! REST that reads.

use super::{Bench, StatusCode};

#[tokio::test]
async fn what_each_address_gives() {
    let bench = Bench::film().await;
    let json = "application/json";
    let problem = "application/problem+json";
    for (target, status, content_type, part) in [
        (
            "/api/v1/status",
            200,
            json,
            r#"{"name":"urn:coevo:kg:wikidata","triples":8}"#,
        ),
        (
            "/api/v1/status",
            200,
            json,
            r#""model":null,"model_hint":"evidence only: to add a chat model"#,
        ),
        (
            "/api/v1/prefixes",
            200,
            json,
            r#"["wd","http://www.wikidata.org/entity/"]"#,
        ),
        (
            "/api/v1/link?text=Who+directed+Jaws%3F",
            200,
            json,
            r#""iri":"http://www.wikidata.org/entity/Q1","label":"Jaws""#,
        ),
        ("/api/v1/link?text=", 400, problem, "`text` is missing"),
        ("/api/v1/link?text=Jaws&limit=0", 400, problem, "from 1 to 100"),
        (
            "/api/v1/khop?seed=wd:Q1",
            200,
            json,
            r#""object":"http://www.wikidata.org/entity/Q2","object_label":"Steven Spielberg""#,
        ),
        (
            "/api/v1/khop?seed=wd:Q1&k=2",
            200,
            json,
            r#""predicate_label":"place of birth""#,
        ),
        ("/api/v1/khop", 400, problem, "`seed` is missing"),
        ("/api/v1/khop?seed=no+iri", 400, problem, "absolute IRI"),
        (
            "/api/v1/paths?from=wd:Q1&to=wd:Q3",
            200,
            json,
            r#""direction":"forward""#,
        ),
        ("/api/v1/paths?from=wd:Q1", 400, problem, "`to` is missing"),
        (
            "/api/v1/describe?iri=wd:Q2",
            200,
            json,
            r#""description":"film director""#,
        ),
        ("/api/v1/describe?iri=wd:Q99", 404, problem, "no-entity"),
        ("/api/v1/search?q=shark", 500, problem, "no embedding model"),
        (
            "/api/v1/claims",
            200,
            json,
            r#"{"claims":[],"total":0,"is_total_capped":false}"#,
        ),
        ("/api/v1/claims?status=old", 400, problem, "no status"),
        ("/api/v1/claims/urn:coevo:claim:none", 404, problem, "no-claim"),
        ("/api/v1/traces", 200, json, r#"{"traces":[]}"#),
        ("/api/v1/traces/none", 404, problem, "no-trace"),
        ("/api/v1/traces/..%2F..%2Fcoevo.json", 404, problem, "no-trace"),
        ("/health/live", 200, json, "ok"),
        (
            "/health/ready",
            200,
            json,
            r#"{"status":"degraded","parts":[["store","ok"]"#,
        ),
        ("/version", 200, json, r#"{"name":"coevo","version":""#),
    ] {
        bench.get(target).await.check(status, content_type, part);
    }
}

#[tokio::test]
async fn the_query_of_a_path_returns_it() {
    let bench = Bench::film().await;
    let found = bench.get("/api/v1/paths?from=wd:Q1&to=wd:Q3").await.json();
    let query = found["paths"][0]["sparql"].as_str().unwrap().to_owned();
    let reply = bench
        .send(
            "POST /query",
            &["content-type: application/sparql-query", "accept: text/csv"],
            query,
        )
        .await;
    assert_eq!(reply.status, StatusCode::OK.as_u16());
    assert_eq!(reply.body.lines().count(), 2, "{reply:?}");
    assert!(reply.body.contains("entity/Q3"), "{reply:?}");
}

#[tokio::test]
async fn the_examples_of_the_page_are_sparql() {
    let bench = Bench::film().await;
    let script = include_str!("../../ui/app.js");
    let (_, rest) = script.split_once("const EXAMPLES = [\n").unwrap();
    let (examples, _) = rest.split_once("\n];").unwrap();
    for line in examples.lines() {
        let [name, query]: [String; 2] = serde_json::from_str(line.trim().trim_end_matches(',')).unwrap();
        let reply = bench
            .send("POST /query", &["content-type: application/sparql-query"], query)
            .await;
        assert_eq!(reply.status, 200, "{name}: {reply:?}");
    }
}
