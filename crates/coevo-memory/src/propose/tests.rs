#![expect(clippy::unwrap_used, reason = "tests")]

use crate::testing::{
    added, discovery, dump, history, memory, newsletter, node, open, run, time, value, written_by,
};
use crate::{Claim, Decision, Error, ExtractedTriple, Memory, ObjectRef, ProposeReport, Reason, Status};
use oxrdf::NamedNode;

/// What one proposal writes: the whole of it, by hand.
const FIRST_CLAIM: &str = r#"
INSERT DATA {
  GRAPH <urn:coevo:memory:main:proposed> {
    <urn:coevo:ent:main:lyra-array> <urn:coevo:rel:discovered> <http://www.wikidata.org/entity/Q2100000099> .
  }
  GRAPH <urn:coevo:claims:main> {
    <CLAIM> a c:Claim ;
      rdf:subject <urn:coevo:ent:main:lyra-array> ; rdf:predicate <urn:coevo:rel:discovered> ;
      rdf:object <http://www.wikidata.org/entity/Q2100000099> ;
      c:status c:Proposed ; c:revision 1 ; c:confidence 0.74 ;
      c:factorSource 0.8 ; c:factorCorroboration 0.3333 ; c:factorAlignment 0.5 ;
      c:evidence <EVIDENCE> ; c:validFrom "2019-05"^^xsd:gYearMonth .
    <EVIDENCE> a c:Evidence ;
      prov:wasDerivedFrom <urn:coevo:passage:3f9a:7> ; oa:start 1204 ; oa:end 1251 ;
      oa:exact "In May 2019 the Lyra Array discovered 2019 KX4." ;
      c:rootSource <https://example.org/newsletter/12> ;
      c:groundedSubject "Lyra Array" ; c:groundedObject "2019 KX4" ;
      prov:wasGeneratedBy <urn:coevo:run:r1> .
    <urn:coevo:run:r1> a c:Run ; c:question <QUESTION> ; c:strategy "co-e-cot" ; c:model "qwen2.5-coder-1.5b" ;
      prov:startedAtTime "2026-12-01T09:12:40Z"^^xsd:dateTime ; prov:endedAtTime "2026-12-01T09:12:44Z"^^xsd:dateTime ;
      c:trace "traces/01J.json" .
    <urn:coevo:ent:main:lyra-array> rdfs:label "Lyra Array" .
    <urn:coevo:rel:discovered> rdfs:label "discovered" .
  }
  GRAPH <urn:coevo:answers:main> {
    <QUESTION> a c:Question ; c:text "Who discovered 2019 KX4?" .
  }
}"#;

async fn propose(memory: &Memory, id: &str, triples: Vec<ExtractedTriple>) -> ProposeReport {
    memory.propose(&run(id), triples).await.unwrap()
}

/// Proposed, quarantined, merged, unchanged, rejected before, refused.
fn counts(report: &ProposeReport) -> [usize; 6] {
    [
        report.proposed,
        report.quarantined,
        report.merged_evidence,
        report.unchanged,
        report.already_rejected,
        report.refused.len(),
    ]
}

async fn claim(memory: &Memory, iri: &NamedNode) -> Claim {
    memory.show(iri).await.unwrap().unwrap().claim
}

fn ungrounded() -> ExtractedTriple {
    ExtractedTriple {
        subject: open("Vega Array"),
        ..discovery(newsletter())
    }
}

/// The same claim as [`ungrounded`], from a sentence that names it, for a store that has such a passage.
const VEGA: &str = r#"
INSERT DATA { GRAPH <urn:coevo:docs:demo> {
  <urn:coevo:doc:vega> a c:Document ; c:rootSource <https://example.org/vega> .
  <urn:coevo:passage:vega:0> a c:Passage ; c:inDocument <urn:coevo:doc:vega> ; oa:start 0 ; oa:end 39 ;
    c:text "No: the Vega Array discovered 2019 KX4." . } }"#;

fn vega() -> ExtractedTriple {
    let mut triple = ungrounded();
    triple.evidence.passage = node("urn:coevo:passage:vega:0");
    (triple.evidence.start, triple.evidence.end) = (4, 39);
    triple.evidence.quoted = "the Vega Array discovered 2019 KX4.".to_owned();
    triple
}

#[tokio::test]
async fn a_claim_is_written_whole() {
    let memory = memory().await;
    let before = dump(memory.graph());
    let triple = ExtractedTriple {
        valid_from: Some("2019-05".to_owned()),
        ..discovery(newsletter())
    };
    let report = propose(&memory, "r1", vec![triple]).await;
    assert_eq!(counts(&report), [1, 0, 0, 0, 0, 0]);

    let claim = claim(&memory, &report.claims[0]).await;
    let question = crate::names::question_iri("main", "Who discovered 2019 KX4?");
    let expected = FIRST_CLAIM
        .replace("CLAIM", claim.iri.as_str())
        .replace("EVIDENCE", claim.evidence[0].iri.as_str())
        .replace("QUESTION", question.as_str());
    assert_eq!(added(&before, memory.graph()), written_by(&expected).await);
    assert_eq!(memory.check().await.unwrap(), []);
}

#[tokio::test]
async fn the_same_again_changes_nothing() {
    let memory = memory().await;
    let first = propose(
        &memory,
        "r1",
        vec![discovery(newsletter()), discovery(newsletter())],
    )
    .await;
    assert_eq!(counts(&first), [1, 0, 0, 1, 0, 0]);
    let before = dump(memory.graph());
    let surer = ExtractedTriple {
        confidence: 0.99,
        ..discovery(newsletter())
    };
    let again = propose(&memory, "r2", vec![discovery(newsletter()), surer]).await;
    assert_eq!(counts(&again), [0, 0, 0, 2, 0, 0]);
    assert_eq!(again.claims, first.claims);
    assert_eq!(dump(memory.graph()), before);
}

#[tokio::test]
async fn another_sentence_is_more_evidence() {
    let memory = memory().await;
    let first = propose(&memory, "r1", vec![discovery(newsletter())]).await;
    let surer = ExtractedTriple {
        confidence: 0.9,
        ..discovery(history())
    };
    let second = propose(&memory, "r2", vec![surer]).await;
    assert_eq!(counts(&second), [0, 0, 1, 0, 0, 0]);
    assert_eq!(second.claims, first.claims);

    let claim = claim(&memory, &first.claims[0]).await;
    assert_eq!(
        (claim.status, claim.revision, claim.evidence.len()),
        (Status::Proposed, 2, 2)
    );
    assert_eq!((claim.confidence, claim.factors.corroboration), (0.9, 0.6667));
    assert_eq!(claim.n_sources(), 2);
    let live = dump(memory.graph())
        .into_iter()
        .filter(|line| line.ends_with("<urn:coevo:memory:main:proposed>"));
    assert_eq!(live.count(), 1);
    assert_eq!(memory.check().await.unwrap(), []);
}

#[tokio::test]
async fn one_batch_raises_the_revision_once_and_order_does_not_matter() {
    let forward = memory().await;
    let report = propose(
        &forward,
        "r1",
        vec![discovery(newsletter()), discovery(history())],
    )
    .await;
    assert_eq!(counts(&report), [1, 0, 1, 0, 0, 0]);
    assert_eq!(claim(&forward, &report.claims[0]).await.revision, 1);

    let backward = memory().await;
    propose(
        &backward,
        "r1",
        vec![discovery(history()), discovery(newsletter())],
    )
    .await;
    assert_eq!(dump(forward.graph()), dump(backward.graph()));
}

#[tokio::test]
async fn what_is_not_grounded_is_quarantined() {
    let memory = memory().await;
    let report = propose(&memory, "r1", vec![ungrounded()]).await;
    assert_eq!(counts(&report), [0, 1, 0, 0, 0, 0]);
    assert!(report.claims.is_empty());
    let stats = memory.stats().await.unwrap();
    assert_eq!((stats.quarantined, stats.proposed), (1, 0));
    assert!(
        !dump(memory.graph())
            .iter()
            .any(|line| line.contains("<urn:coevo:memory:"))
    );
    let before = dump(memory.graph());
    assert_eq!(
        counts(&propose(&memory, "r2", vec![ungrounded()]).await),
        [0, 0, 0, 1, 0, 0]
    );
    assert_eq!(dump(memory.graph()), before);
    assert_eq!(memory.check().await.unwrap(), []);
}

#[tokio::test]
async fn a_grounded_sentence_ends_the_quarantine() {
    let memory = memory().await;
    crate::testing::load(memory.graph(), VEGA).await;
    propose(&memory, "r1", vec![ungrounded()]).await;
    let report = propose(&memory, "r2", vec![vega()]).await;
    assert_eq!(counts(&report), [1, 0, 0, 0, 0, 0]);
    let claim = claim(&memory, &report.claims[0]).await;
    assert_eq!(
        (claim.status, claim.revision, claim.n_sources()),
        (Status::Proposed, 2, 1)
    );
    assert_eq!(memory.check().await.unwrap(), []);

    // A sentence that does not name it adds nothing to what is grounded.
    let vague = ExtractedTriple {
        subject: open("Vega Array"),
        ..discovery(history())
    };
    let report = propose(&memory, "r3", vec![vague.clone()]).await;
    assert_eq!(report.refused, [(vague, Reason::AddsNoEvidence)]);
}

#[tokio::test]
async fn the_rejected_stays_rejected() {
    let memory = memory().await;
    let report = propose(&memory, "r1", vec![discovery(newsletter())]).await;
    let (by, at) = (node("urn:coevo:key:curator-1"), time("2026-12-01T10:00:00Z"));
    memory
        .decide(&report.claims[0], Decision::Reject, &by, at, 1)
        .await
        .unwrap();
    let before = dump(memory.graph());
    let report = propose(&memory, "r2", vec![discovery(newsletter()), discovery(history())]).await;
    assert_eq!(counts(&report), [0, 0, 0, 0, 2, 0]);
    assert!(report.claims.is_empty());
    assert_eq!(dump(memory.graph()), before);
    assert!(!before.iter().any(|line| line.contains("<urn:coevo:memory:")));
}

#[tokio::test]
async fn the_accepted_stays_accepted() {
    let memory = memory().await;
    let report = propose(&memory, "r1", vec![discovery(newsletter())]).await;
    let (by, at) = (node("urn:coevo:key:curator-1"), time("2026-12-01T10:00:00Z"));
    memory
        .decide(&report.claims[0], Decision::Accept, &by, at, 1)
        .await
        .unwrap();
    let report = propose(&memory, "r2", vec![discovery(history())]).await;
    assert_eq!(counts(&report), [0, 0, 1, 0, 0, 0]);
    let claim = claim(&memory, &report.claims[0]).await;
    assert_eq!(
        (claim.status, claim.revision, claim.evidence.len()),
        (Status::Accepted, 3, 2)
    );
    assert!(
        !dump(memory.graph())
            .iter()
            .any(|line| line.ends_with("<urn:coevo:memory:main:proposed>"))
    );
    assert_eq!(memory.check().await.unwrap(), []);
}

#[tokio::test]
async fn a_lost_race_is_run_again_on_what_is_there_now() {
    let memory = memory().await;
    propose(&memory, "r1", vec![discovery(newsletter())]).await;
    let claim = memory
        .claims_about(&[node("urn:coevo:ent:main:lyra-array")], 1)
        .await
        .unwrap()
        .remove(0);
    let (by, at) = (node("urn:coevo:key:curator-1"), time("2026-12-01T10:00:00Z"));
    let inner = memory.inner();
    // A curator rejects the claim between plan and change.
    let reject = |attempt: u32| {
        if attempt == 0 {
            inner.decide(&claim.iri, Decision::Reject, &by, at, 1)?;
        }
        Ok(())
    };
    let report = inner
        .propose(&run("r2"), &[discovery(history())], reject)
        .unwrap();
    assert_eq!(counts(&report), [0, 0, 0, 0, 1, 0]);
    assert_eq!(memory.stats().await.unwrap().rejected, 1);
}

#[tokio::test]
async fn a_race_lost_every_time_is_a_conflict() {
    let memory = memory().await;
    let report = propose(&memory, "r1", vec![discovery(newsletter())]).await;
    let (by, at) = (node("urn:coevo:key:curator-1"), time("2026-12-01T10:00:00Z"));
    let inner = memory.inner();
    inner
        .decide(&report.claims[0], Decision::Accept, &by, at, 1)
        .unwrap();
    let mut attempts = 0;
    // Somebody else raises the revision each time.
    let race = |_: u32| {
        attempts += 1;
        let claim = Claim::read(&inner.graph, &report.claims[0], &inner.claims)?.unwrap();
        let remove = vec![inner.quad(
            &claim.iri,
            coevo_graph::vocab::REVISION,
            super::integer(claim.revision),
        )];
        let insert = vec![inner.quad(
            &claim.iri,
            coevo_graph::vocab::REVISION,
            super::integer(claim.revision + 1),
        )];
        inner.graph.apply_now(&coevo_graph::Change {
            remove,
            insert,
            ..Default::default()
        })?;
        Ok(())
    };
    let lost = inner.propose(&run("r2"), &[discovery(history())], race);
    assert!(matches!(lost, Err(Error::Conflict { .. })));
    assert_eq!(attempts, super::ATTEMPTS);
    assert_eq!(claim(&memory, &report.claims[0]).await.evidence.len(), 1);
}

#[tokio::test]
async fn a_document_deleted_meanwhile_is_no_evidence() {
    let memory = memory().await;
    let inner = memory.inner();
    let delete = |attempt: u32| {
        if attempt == 0 {
            let passage = node("urn:coevo:passage:3f9a:7").into();
            let remove = inner
                .graph
                .quads_now(Some(&passage), None, None, None)
                .collect::<Result<_, _>>()?;
            inner.graph.apply_now(&coevo_graph::Change {
                remove,
                ..Default::default()
            })?;
        }
        Ok(())
    };
    let report = inner
        .propose(&run("r1"), &[discovery(newsletter())], delete)
        .unwrap();
    assert_eq!(report.refused, [(discovery(newsletter()), Reason::NotADocument)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writers_at_the_same_time_lose_nothing() {
    let memory = memory().await;
    let runs = [run("r1"), run("r2"), run("r3")];
    let one = memory.propose(&runs[0], vec![discovery(newsletter())]);
    let two = memory.propose(&runs[1], vec![discovery(history())]);
    let three = memory.propose(&runs[2], vec![ungrounded()]);
    let (one, two, three) = tokio::join!(one, two, three);
    let one = one.unwrap();
    assert_eq!(one.proposed + two.unwrap().proposed, 1);
    assert_eq!(three.unwrap().quarantined, 1);
    assert_eq!(claim(&memory, &one.claims[0]).await.evidence.len(), 2);
    assert_eq!(memory.check().await.unwrap(), []);
}

#[tokio::test]
async fn values_survive_the_stores_own_spelling() {
    let memory = memory().await;
    let mut triple = discovery(newsletter());
    triple.object = value("2019", "002019.50", "decimal");
    assert_eq!(
        counts(&propose(&memory, "r1", vec![triple.clone()]).await),
        [0, 1, 0, 0, 0, 0]
    );
    triple.object = value("2019", "+02019.0", "decimal");
    assert_eq!(
        counts(&propose(&memory, "r1", vec![triple.clone()]).await),
        [1, 0, 0, 0, 0, 0]
    );
    triple.object = value("2019", "2019", "decimal");
    assert_eq!(
        counts(&propose(&memory, "r1", vec![triple]).await),
        [0, 0, 0, 1, 0, 0]
    );
    let entity = node("urn:coevo:ent:main:lyra-array");
    assert_eq!(memory.claims_about(&[entity], 9).await.unwrap().len(), 1);
    assert_eq!(memory.check().await.unwrap(), []);
}

#[tokio::test]
async fn dates_that_the_sentence_does_not_state_are_left_out() {
    let memory = memory().await;
    let mut triple = discovery(newsletter());
    triple.valid_from = Some("2018".to_owned());
    triple.valid_to = Some("2019".to_owned());
    let report = propose(&memory, "r1", vec![triple]).await;
    assert_eq!((report.proposed, report.dates_dropped), (1, 1));
    let claim = claim(&memory, &report.claims[0]).await;
    assert_eq!(
        (claim.valid_from, claim.valid_to),
        (None, Some("2019".to_owned()))
    );
}

#[tokio::test]
async fn refusals_do_not_hold_up_the_rest() {
    let memory = memory().await;
    let mut invented = discovery(newsletter());
    invented.evidence.quoted = "In May 2019 the Lyra Array discovered 2019 KX5.".to_owned();
    let mut reflexive = discovery(newsletter());
    reflexive.object = ObjectRef::Entity(open("Lyra Array"));
    let batch = vec![invented.clone(), discovery(newsletter()), reflexive.clone()];
    let report = propose(&memory, "r1", batch).await;
    assert_eq!(counts(&report), [1, 0, 0, 0, 0, 2]);
    assert_eq!(
        report.refused,
        [
            (invented, Reason::QuoteNotInPassage),
            (reflexive, Reason::Reflexive)
        ]
    );
}

#[tokio::test]
async fn calls_that_cannot_be_right_are_errors() {
    let memory = memory().await;
    let before = dump(memory.graph());
    let too_many = memory
        .propose(&run("r1"), vec![discovery(newsletter()); 513])
        .await;
    assert!(matches!(
        too_many,
        Err(Error::TooMany {
            n: 513,
            limit: 512,
            ..
        })
    ));
    let bad_run = memory.propose(&run("a b"), vec![discovery(newsletter())]).await;
    assert!(matches!(bad_run, Err(Error::BadRunId { .. })));
    let mut long = run("r1");
    long.question = "x".repeat(8_001);
    assert!(matches!(
        memory.propose(&long, vec![]).await,
        Err(Error::TooLong { what: "question", .. })
    ));
    assert_eq!(counts(&propose(&memory, "r1", vec![]).await), [0; 6]);
    assert_eq!(dump(memory.graph()), before);
}
