//! Decisions about a claim.

use super::{Bench, Reply};
use axum::body::Body;

const JSON: &str = "content-type: application/json";
const PROPOSED: &str = "urn:coevo:claim:born";
const UNGROUNDED: &str = "urn:coevo:claim:shark";

/// A claim that its quotation holds, and one that none holds.
const CLAIMS: &str = r#"
INSERT DATA {
  GRAPH <urn:coevo:memory:main:proposed> { wd:Q2 <urn:coevo:rel:born-in> wd:Q3 . }
  GRAPH <urn:coevo:claims:main> {
    <urn:coevo:claim:born> a c:Claim ; rdf:subject wd:Q2 ; rdf:predicate <urn:coevo:rel:born-in> ; rdf:object wd:Q3 ;
      c:status c:Proposed ; c:revision 1 ; c:confidence 0.7 ;
      c:factorSource 0.8 ; c:factorCorroboration 0.3 ; c:factorAlignment 0.5 ; c:evidence <urn:coevo:evidence:1> .
    <urn:coevo:evidence:1> a c:Evidence ; prov:wasDerivedFrom <urn:coevo:passage:d1:0> ; oa:start 0 ; oa:end 35 ;
      oa:exact "Steven Spielberg is from Cincinnati" ; c:rootSource <https://example.org/d1> ;
      c:groundedSubject "Steven Spielberg" ; c:groundedObject "Cincinnati" ; prov:wasGeneratedBy <urn:coevo:run:r1> .
    <urn:coevo:run:r1> a c:Run ; c:question <urn:coevo:question:1> ; c:strategy "co-e-cot" ;
      prov:endedAtTime "2026-12-01T09:12:44Z"^^xsd:dateTime .
    <urn:coevo:claim:shark> a c:Claim ; rdf:subject wd:Q2 ; rdf:predicate <urn:coevo:rel:is> ; rdf:object wd:Q1 ;
      c:status c:Quarantined ; c:revision 1 ; c:confidence 0.1 ;
      c:factorSource 0.1 ; c:factorCorroboration 0 ; c:factorAlignment 0 .
  }
}"#;

async fn decide(bench: &Bench, claim: &str, body: &str) -> Reply {
    let line = format!("POST /api/v1/claims/{}/decision", super::escape(claim));
    bench.send(&line, &[JSON], body.to_owned()).await
}

#[tokio::test]
async fn accepted_once_and_kept_with_who_decided() {
    let bench = Bench::film().await;
    bench.load(CLAIMS).await;
    let accept = r#"{"decision": "accept", "revision": 1, "by": "urn:coevo:key:curator-1"}"#;
    let reply = decide(&bench, PROPOSED, accept).await;
    reply.check(200, "application/json", r#""revision":2,"n_stale":0}"#);
    assert!(reply.json()["decision"].is_string(), "{reply:?}");

    let again = r#"{"decision": "accept", "revision": 2}"#;
    let unchanged = r#"{"decision":null,"revision":2,"n_stale":0}"#;
    decide(&bench, PROPOSED, again)
        .await
        .check(200, "application/json", unchanged);

    let shown = bench.get(&format!("/api/v1/claims/{PROPOSED}")).await.json();
    assert_eq!(shown["claim"]["status"], "accepted");
    assert_eq!(shown["decisions"].as_array().unwrap().len(), 1);
    assert_eq!(shown["decisions"][0]["by"], "urn:coevo:key:curator-1");
}

#[tokio::test]
async fn a_lost_race_changes_nothing() {
    let bench = Bench::film().await;
    bench.load(CLAIMS).await;
    let reject = r#"{"decision": "reject", "revision": 1}"#;
    decide(&bench, PROPOSED, reject)
        .await
        .check(200, "application/json", r#""revision":2"#);
    let size = bench.size().await;
    let accept = r#"{"decision": "accept", "revision": 1}"#;
    let problem = "application/problem+json";
    decide(&bench, PROPOSED, accept)
        .await
        .check(409, problem, "look at the claim again");
    assert_eq!(bench.size().await, size);
    let shown = bench.get(&format!("/api/v1/claims/{PROPOSED}")).await.json();
    assert_eq!(shown["claim"]["status"], "rejected");
    assert_eq!(shown["decisions"][0]["by"], "urn:coevo:agent:rest");
}

#[tokio::test]
async fn what_is_refused() {
    let bench = Bench::film().await;
    bench.load(CLAIMS).await;
    let accept = r#"{"decision": "accept", "revision": 1}"#;
    for (claim, body, status, part) in [
        (UNGROUNDED, accept, 409, "cannot be accepted"),
        ("urn:coevo:claim:none", accept, 404, "no-claim"),
        ("no iri", accept, 400, "absolute IRI"),
        (PROPOSED, r#"{"decision": "accept"}"#, 400, "revision"),
        (
            PROPOSED,
            r#"{"decision": "maybe", "revision": 1}"#,
            400,
            "unknown variant",
        ),
        (
            PROPOSED,
            r#"{"decision": "accept", "revision": 1, "by": "me"}"#,
            400,
            "absolute IRI",
        ),
        (PROPOSED, "accept", 400, "bad-json"),
    ] {
        let reply = decide(&bench, claim, body).await;
        reply.check(status, "application/problem+json", part);
    }
    let line = format!("POST /api/v1/claims/{PROPOSED}/decision");
    let problem = "application/problem+json";
    bench
        .send(&line, &["content-type: text/plain"], accept)
        .await
        .check(415, problem, "application/json");
    bench
        .send(&line, &[JSON, "origin: http://evil.example"], accept)
        .await
        .check(403, problem, "origin-refused");
    bench
        .send(&line.replace("POST", "GET"), &[], Body::empty())
        .await
        .check(405, problem, "does not take GET");
}
