#![expect(clippy::unwrap_used, reason = "tests")]

use super::{Decided, Decision};
use crate::testing::{added, discovery, dump, memory, newsletter, node, open, run, time, written_by};
use crate::{AnswerRecord, Error, ExtractedTriple, Memory, Result, Status};
use oxrdf::NamedNode;

const ACCEPTED: &str = r#"
INSERT DATA {
  GRAPH <urn:coevo:memory:main> {
    <urn:coevo:ent:main:lyra-array> <urn:coevo:rel:discovered> <http://www.wikidata.org/entity/Q2100000099> .
  }
  GRAPH <urn:coevo:claims:main> {
    <CLAIM> c:status c:Accepted ; c:revision 2 .
    <DECISION> a c:Decision ; c:about <CLAIM> ; c:action c:Accept ; c:fromRevision 1 ; c:toRevision 2 ;
      prov:wasAttributedTo <urn:coevo:key:curator-1> ; prov:atTime "2026-12-01T10:02:10Z"^^xsd:dateTime ;
      c:inverse "{\"version\":1,\"status\":\"proposed\",\"triple_in\":\"urn:coevo:memory:main:proposed\",\"made_stale\":[]}" .
  }
}"#;

async fn decide(memory: &Memory, claim: &NamedNode, decision: Decision, revision: u64) -> Result<Decided> {
    let by = node("urn:coevo:key:curator-1");
    memory
        .decide(claim, decision, &by, time("2026-12-01T10:02:10Z"), revision)
        .await
}

async fn with_claim() -> (Memory, NamedNode) {
    let memory = memory().await;
    let mut report = memory
        .propose(&run("r1"), vec![discovery(newsletter())])
        .await
        .unwrap();
    (memory, report.claims.remove(0))
}

#[tokio::test]
async fn accepting_moves_the_triple_and_keeps_the_decision() {
    let (memory, claim) = with_claim().await;
    let before = dump(memory.graph());
    let decided = decide(&memory, &claim, Decision::Accept, 1).await.unwrap();
    assert_eq!((decided.revision, decided.n_stale), (2, 0));
    let decision = decided.decision.unwrap();
    let expected = ACCEPTED
        .replace("CLAIM", claim.as_str())
        .replace("DECISION", decision.as_str());
    assert_eq!(added(&before, memory.graph()), written_by(&expected).await);
    // Gone: the triple among the proposed, the status, the revision.
    let after = dump(memory.graph());
    assert_eq!(before.iter().filter(|line| !after.contains(line)).count(), 3);
    assert_eq!(memory.check().await.unwrap(), []);
}

#[tokio::test]
async fn decisions_can_be_turned_round() {
    let (memory, claim) = with_claim().await;
    decide(&memory, &claim, Decision::Accept, 1).await.unwrap();
    decide(&memory, &claim, Decision::Reject, 2).await.unwrap();
    assert!(
        !dump(memory.graph())
            .iter()
            .any(|line| line.ends_with("<urn:coevo:memory:main>"))
    );
    decide(&memory, &claim, Decision::Accept, 3).await.unwrap();
    let detail = memory.show(&claim).await.unwrap().unwrap();
    assert_eq!(
        (detail.claim.status, detail.claim.revision),
        (Status::Accepted, 4)
    );
    let history: Vec<_> = detail
        .decisions
        .iter()
        .map(|decision| {
            (
                decision.action.as_str(),
                decision.from_revision,
                decision.to_revision,
            )
        })
        .collect();
    assert_eq!(
        history,
        [
            ("urn:coevo:ns#Accept", 1, 2),
            ("urn:coevo:ns#Reject", 2, 3),
            ("urn:coevo:ns#Accept", 3, 4)
        ]
    );
    assert_eq!(memory.check().await.unwrap(), []);
}

#[tokio::test]
async fn an_old_revision_is_a_conflict_and_changes_nothing() {
    let (memory, claim) = with_claim().await;
    decide(&memory, &claim, Decision::Accept, 1).await.unwrap();
    let before = dump(memory.graph());
    let late = decide(&memory, &claim, Decision::Reject, 1).await;
    assert!(matches!(late, Err(Error::Conflict { .. })));
    assert_eq!(dump(memory.graph()), before);
}

#[tokio::test]
async fn the_same_decision_again_is_no_change() {
    let (memory, claim) = with_claim().await;
    decide(&memory, &claim, Decision::Reject, 1).await.unwrap();
    let before = dump(memory.graph());
    let again = decide(&memory, &claim, Decision::Reject, 2).await.unwrap();
    assert_eq!(
        again,
        Decided {
            decision: None,
            revision: 2,
            n_stale: 0
        }
    );
    assert_eq!(dump(memory.graph()), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_decisions_at_once_one_wins() {
    let (memory, claim) = with_claim().await;
    let (accept, reject) = tokio::join!(
        decide(&memory, &claim, Decision::Accept, 1),
        decide(&memory, &claim, Decision::Reject, 1)
    );
    assert_eq!(usize::from(accept.is_ok()) + usize::from(reject.is_ok()), 1);
    assert_eq!(memory.show(&claim).await.unwrap().unwrap().claim.revision, 2);
    assert_eq!(memory.check().await.unwrap(), []);
}

#[tokio::test]
async fn what_is_not_grounded_cannot_be_accepted() {
    let memory = memory().await;
    let ungrounded = ExtractedTriple {
        subject: open("Vega Array"),
        ..discovery(newsletter())
    };
    memory.propose(&run("r1"), vec![ungrounded]).await.unwrap();
    let claim = memory
        .list(&crate::ClaimFilter::default())
        .await
        .unwrap()
        .claims
        .remove(0)
        .iri;
    let accepted = decide(&memory, &claim, Decision::Accept, 1).await;
    assert!(matches!(accepted, Err(Error::NotGrounded { .. })));
    assert_eq!(
        decide(&memory, &claim, Decision::Reject, 1)
            .await
            .unwrap()
            .revision,
        2
    );
}

#[tokio::test]
async fn rejecting_makes_answers_stale() {
    let (memory, claim) = with_claim().await;
    let answer = AnswerRecord {
        run: run("r1"),
        text: "The Lyra Array".to_owned(),
        verification: "docs".to_owned(),
        claims: vec![claim.clone()],
        passages: Vec::new(),
        triples: Vec::new(),
        at: time("2026-12-01T09:12:44Z"),
    };
    let iri = memory.record_answer(&answer).await.unwrap();
    let is = |state: &str| {
        let line = [
            iri.to_string().as_str(),
            " <urn:coevo:ns#state> <urn:coevo:ns#",
            state,
            ">",
        ]
        .concat();
        dump(memory.graph()).iter().any(|quad| quad.starts_with(&line))
    };
    assert!(is("Fresh"));
    let decided = decide(&memory, &claim, Decision::Reject, 1).await.unwrap();
    assert_eq!(decided.n_stale, 1);
    assert!(is("Stale") && !is("Fresh"));
}

#[tokio::test]
async fn what_is_not_there_cannot_be_decided() {
    let (memory, _) = with_claim().await;
    for iri in ["urn:coevo:claim:main:0", "urn:x:nothing"] {
        let decided = decide(&memory, &node(iri), Decision::Accept, 1).await;
        assert!(matches!(decided, Err(Error::UnknownClaim { .. })), "{iri}");
    }
    let run = decide(&memory, &node("urn:coevo:run:r1"), Decision::Accept, 1).await;
    assert!(matches!(run, Err(Error::Damaged { .. })));
}
