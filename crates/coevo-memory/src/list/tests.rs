#![expect(clippy::unwrap_used, reason = "tests")]

use super::ClaimFilter;
use crate::testing::{discovery, history, load, memory, newsletter, node, open, run, time, value};
use crate::{Claim, Decision, ExtractedTriple, Memory, Status};
use oxrdf::NamedNode;

const KX4: &str = "http://www.wikidata.org/entity/Q2100000099";

/// Four claims: "spotted" accepted, "discovered" proposed from both documents, "found" rejected, "named" quarantined.
async fn full() -> Memory {
    let memory = memory().await;
    let relation = |relation: &str, confidence: f32| ExtractedTriple {
        relation: relation.to_owned(),
        confidence,
        ..discovery(newsletter())
    };
    let mut quarantined = relation("named", 0.95);
    quarantined.subject = open("Vega Array");
    let batch = vec![
        relation("spotted", 0.5),
        relation("discovered", 0.75),
        relation("found", 0.25),
        quarantined,
    ];
    let report = memory.propose(&run("r1"), batch).await.unwrap();
    memory
        .propose(&run("r2"), vec![discovery(history())])
        .await
        .unwrap();
    let (by, at) = (node("urn:coevo:key:curator-1"), time("2026-12-01T10:00:00Z"));
    memory
        .decide(&report.claims[0], Decision::Accept, &by, at, 1)
        .await
        .unwrap();
    memory
        .decide(&report.claims[2], Decision::Reject, &by, at, 1)
        .await
        .unwrap();
    memory
}

fn relations(claims: &[Claim]) -> Vec<&str> {
    claims
        .iter()
        .map(|claim| claim.predicate.as_str().trim_start_matches("urn:coevo:rel:"))
        .collect()
}

#[tokio::test]
async fn only_live_claims_are_found_for_answers() {
    let memory = full().await;
    let about = async |iri: &str, limit| {
        let claims = memory.claims_about(&[node(iri)], limit).await.unwrap();
        relations(&claims)
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        about("urn:coevo:ent:main:lyra-array", 9).await,
        ["spotted", "discovered"]
    );
    assert_eq!(about(KX4, 9).await, ["spotted", "discovered"]);
    assert_eq!(about(KX4, 1).await, ["spotted"]);
    assert_eq!(
        about("urn:coevo:ent:main:vega-array", 9).await,
        Vec::<String>::new()
    );
    let both = memory
        .claims_about(&[node(KX4), node("urn:coevo:ent:main:lyra-array")], 9)
        .await
        .unwrap();
    assert_eq!(relations(&both), ["spotted", "discovered"]);
}

#[tokio::test]
async fn a_triple_without_a_claim_is_not_a_claim() {
    let memory = memory().await;
    let foreign = "INSERT DATA { GRAPH <urn:coevo:memory:main> { <urn:x:s> <urn:x:p> <urn:x:o> } }";
    load(memory.graph(), foreign).await;
    assert_eq!(memory.claims_about(&[node("urn:x:s")], 9).await.unwrap(), []);
}

#[tokio::test]
async fn claims_are_listed_by_filter() {
    let memory = full().await;
    let list = async |filter: ClaimFilter| {
        let page = memory.list(&filter).await.unwrap();
        assert!(!page.is_total_capped);
        (
            relations(&page.claims)
                .into_iter()
                .map(str::to_owned)
                .collect::<Vec<_>>(),
            page.total,
        )
    };
    let named = |names: &[&str], total: u64| (names.iter().map(|name| (*name).to_owned()).collect(), total);
    let all = ClaimFilter::default();
    assert_eq!(
        list(all.clone()).await,
        named(&["named", "discovered", "spotted", "found"], 4)
    );
    for (status, expected) in [
        (Status::Proposed, vec!["discovered"]),
        (Status::Accepted, vec!["spotted"]),
        (Status::Rejected, vec!["found"]),
        (Status::Quarantined, vec!["named"]),
        (Status::Superseded, vec![]),
    ] {
        let filter = ClaimFilter {
            status: Some(status),
            ..all.clone()
        };
        assert_eq!(
            list(filter).await,
            named(&expected, expected.len() as u64),
            "{status}"
        );
    }
    let of_run = ClaimFilter {
        run: Some(node("urn:coevo:run:r2")),
        ..all.clone()
    };
    assert_eq!(list(of_run.clone()).await, named(&["discovered"], 1));
    let about = |iri: &str| Some(node(iri));
    let vega = ClaimFilter {
        about: about("urn:coevo:ent:main:vega-array"),
        ..all.clone()
    };
    assert_eq!(list(vega.clone()).await, named(&["named"], 1));
    assert_eq!(
        list(ClaimFilter {
            about: about(KX4),
            ..all.clone()
        })
        .await
        .1,
        4
    );
    assert_eq!(
        list(ClaimFilter {
            about: about(KX4),
            ..of_run.clone()
        })
        .await,
        named(&["discovered"], 1)
    );
    assert_eq!(
        list(ClaimFilter {
            about: vega.about,
            ..of_run
        })
        .await,
        named(&[], 0)
    );
    let page = ClaimFilter {
        limit: 2,
        offset: 1,
        ..all.clone()
    };
    assert_eq!(list(page).await, named(&["discovered", "spotted"], 4));
    assert_eq!(list(ClaimFilter { offset: 9, ..all }).await, named(&[], 4));
}

#[tokio::test]
async fn spaces_do_not_see_each_other() {
    let memory = full().await;
    let other = Memory::new(memory.graph().clone(), "other").unwrap();
    assert_eq!(other.list(&ClaimFilter::default()).await.unwrap().total, 0);
    assert_eq!(other.claims_about(&[node(KX4)], 9).await.unwrap(), []);
    assert_eq!(other.stats().await.unwrap(), crate::MemoryStats::default());
    let stats = memory.stats().await.unwrap();
    let counts = [
        stats.proposed,
        stats.accepted,
        stats.rejected,
        stats.superseded,
        stats.quarantined,
    ];
    assert_eq!(counts, [1, 1, 1, 0, 1]);
}

#[tokio::test]
async fn a_claim_is_shown_with_its_history() {
    let memory = full().await;
    let filter = ClaimFilter {
        status: Some(Status::Proposed),
        ..ClaimFilter::default()
    };
    let claim = memory.list(&filter).await.unwrap().claims.remove(0);
    let detail = memory.show(&claim.iri).await.unwrap().unwrap();
    assert_eq!(detail.claim, claim);
    let runs: Vec<NamedNode> = detail.runs.iter().map(|run| run.iri.clone()).collect();
    assert_eq!(runs, [node("urn:coevo:run:r1"), node("urn:coevo:run:r2")]);
    assert_eq!(
        detail.runs[0].question.as_deref(),
        Some("Who discovered 2019 KX4?")
    );
    assert_eq!(detail.runs[0].ended, time("2026-12-01T09:12:44Z"));
    assert_eq!(memory.show(&node("urn:coevo:claim:main:0")).await.unwrap(), None);
}

#[tokio::test]
async fn values_are_listed_as_they_are() {
    let memory = memory().await;
    let born = ExtractedTriple {
        subject: open("Lyra Array"),
        object: value("May 2019", "2019-05", "gYearMonth"),
        ..discovery(newsletter())
    };
    memory.propose(&run("r1"), vec![born]).await.unwrap();
    let claims = memory
        .claims_about(&[node("urn:coevo:ent:main:lyra-array")], 9)
        .await
        .unwrap();
    assert_eq!(
        claims[0].object.to_string(),
        "\"2019-05\"^^<http://www.w3.org/2001/XMLSchema#gYearMonth>"
    );
}
