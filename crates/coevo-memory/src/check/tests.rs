#![expect(clippy::unwrap_used, reason = "tests")]

use super::Inconsistency;
use crate::testing::{discovery, load, memory, newsletter, node, run};
use crate::{Memory, Status};
use oxrdf::NamedNode;

async fn with_claim() -> (Memory, NamedNode) {
    let memory = memory().await;
    let mut report = memory
        .propose(&run("r1"), vec![discovery(newsletter())])
        .await
        .unwrap();
    assert_eq!(memory.check().await.unwrap(), []);
    (memory, report.claims.remove(0))
}

/// What the check finds after an update from outside; `CLAIM` in it stands for the claim.
async fn after(update: &str) -> (Vec<Inconsistency>, NamedNode) {
    let (memory, claim) = with_claim().await;
    load(memory.graph(), &update.replace("CLAIM", claim.as_str())).await;
    (memory.check().await.unwrap(), claim)
}

#[tokio::test]
async fn a_triple_without_a_claim_is_found() {
    let (found, _) =
        after("INSERT DATA { GRAPH <urn:coevo:memory:main:proposed> { <urn:x:s> <urn:x:p> 'o' } }").await;
    assert!(
        matches!(&found[..], [Inconsistency::TripleWithoutClaim(quad)] if quad.subject == node("urn:x:s").into())
    );
}

#[tokio::test]
async fn a_triple_in_the_wrong_graph_is_found() {
    let (found, claim) = after(
        "DELETE { GRAPH ?g { ?c c:status c:Proposed } } INSERT { GRAPH ?g { ?c c:status c:Quarantined } }
         WHERE { GRAPH ?g { ?c c:status c:Proposed } }",
    )
    .await;
    assert!(
        matches!(&found[..], [Inconsistency::WrongGraph { claim: found, status: Status::Quarantined, .. }] if *found == claim)
    );
}

#[tokio::test]
async fn a_missing_triple_is_found() {
    let (found, claim) = after("CLEAR GRAPH <urn:coevo:memory:main:proposed>").await;
    let graph = node("urn:coevo:memory:main:proposed");
    assert_eq!(
        found,
        [Inconsistency::TripleMissing {
            claim,
            status: Status::Proposed,
            graph
        }]
    );
}

#[tokio::test]
async fn a_quotation_that_does_not_name_the_subject_is_found() {
    let (found, claim) = after(
        "DELETE { GRAPH ?g { ?e c:groundedSubject ?s } } INSERT { GRAPH ?g { ?e c:groundedSubject 'Vega' } }
         WHERE { GRAPH ?g { ?e c:groundedSubject ?s } }",
    )
    .await;
    assert_eq!(found, [Inconsistency::NotGrounded { claim }]);
    let (found, claim) = after("DELETE WHERE { GRAPH ?g { ?e c:groundedObject ?o } }").await;
    assert_eq!(found, [Inconsistency::NotGrounded { claim }]);
}

#[tokio::test]
async fn a_document_that_went_away_is_found() {
    let (found, claim) = after("CLEAR GRAPH <urn:coevo:docs:demo>").await;
    assert_eq!(found, [Inconsistency::QuotationGone { claim }]);
}

#[tokio::test]
async fn a_changed_triple_is_found() {
    let (found, claim) = after(
        "DELETE { GRAPH ?g { ?c rdf:predicate ?p } } INSERT { GRAPH ?g { ?c rdf:predicate <urn:x:p> } }
         WHERE { GRAPH ?g { ?c rdf:predicate ?p } }",
    )
    .await;
    assert!(matches!(&found[..], [Inconsistency::WrongName { claim: found, .. }] if *found == claim));
}

#[tokio::test]
async fn damage_is_found_and_named() {
    let (found, claim) = after("DELETE WHERE { GRAPH ?g { ?c c:revision ?r } }").await;
    assert!(
        matches!(&found[..], [Inconsistency::Damaged { node, what }] if *node == claim && what.contains("revision"))
    );
    let (found, claim) =
        after("INSERT DATA { GRAPH <urn:coevo:claims:main> { <CLAIM> c:status c:Accepted } }").await;
    assert!(matches!(&found[..], [Inconsistency::Damaged { node, .. }] if *node == claim));
    let (found, _) = after("DELETE WHERE { GRAPH ?g { ?e oa:exact ?q } }").await;
    assert!(
        matches!(&found[..], [Inconsistency::Damaged { node, .. }] if node.as_str().starts_with("urn:coevo:evidence:main:"))
    );
}
