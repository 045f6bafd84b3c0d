#![expect(clippy::unwrap_used, reason = "tests")]

use super::AnswerRecord;
use crate::testing::{added, discovery, dump, memory, newsletter, node, run, time, written_by};
use crate::{Decision, Error};
use oxrdf::{GraphName, Quad};

const ANSWER: &str = r#"
INSERT DATA { GRAPH <urn:coevo:answers:main> {
  <ANSWER> a c:Answer ; c:question <QUESTION> ; c:text "The Lyra Array" ; c:verification "docs" ; c:state c:Fresh ;
    prov:wasGeneratedBy <urn:coevo:run:r1> ; prov:atTime "2026-12-01T09:12:44Z"^^xsd:dateTime ; c:trace "traces/01J.json" ;
    c:standsOn <CLAIM> , <urn:coevo:passage:3f9a:7> ; c:standsOnTriple <TRIPLE> .
  <TRIPLE> rdf:subject <http://www.wikidata.org/entity/Q2100000099> ; rdf:object <http://www.wikidata.org/entity/Q318> ;
    rdf:predicate <http://www.wikidata.org/prop/direct/P31> ; c:inGraph <urn:coevo:kg:wikidata> .
} }"#;

fn answer() -> AnswerRecord {
    AnswerRecord {
        run: run("r1"),
        text: "The Lyra Array".to_owned(),
        verification: "docs".to_owned(),
        claims: Vec::new(),
        passages: vec![node("urn:coevo:passage:3f9a:7")],
        triples: vec![Quad::new(
            node("http://www.wikidata.org/entity/Q2100000099"),
            node("http://www.wikidata.org/prop/direct/P31"),
            node("http://www.wikidata.org/entity/Q318"),
            GraphName::from(node("urn:coevo:kg:wikidata")),
        )],
        at: time("2026-12-01T09:12:44Z"),
    }
}

#[tokio::test]
async fn an_answer_remembers_what_it_stood_on() {
    let memory = memory().await;
    let report = memory
        .propose(&run("r1"), vec![discovery(newsletter())])
        .await
        .unwrap();
    let before = dump(memory.graph());
    let answer = AnswerRecord {
        claims: report.claims.clone(),
        ..answer()
    };
    let iri = memory.record_answer(&answer).await.unwrap();
    let expected = ANSWER
        .replace("ANSWER", iri.as_str())
        .replace(
            "QUESTION",
            crate::names::question_iri("main", "Who discovered 2019 KX4?").as_str(),
        )
        .replace("CLAIM", report.claims[0].as_str())
        .replace(
            "TRIPLE",
            crate::names::triple_iri("main", &answer.triples[0]).as_str(),
        );
    assert_eq!(added(&before, memory.graph()), written_by(&expected).await);
    let shown = memory.show(&report.claims[0]).await.unwrap().unwrap();
    assert_eq!(shown.answers, std::slice::from_ref(&iri));

    let before = dump(memory.graph());
    assert_eq!(memory.record_answer(&answer).await.unwrap(), iri);
    assert_eq!(dump(memory.graph()), before);
    assert_eq!(memory.stats().await.unwrap().answers, 1);
}

#[tokio::test]
async fn an_answer_alone_brings_its_run_and_question() {
    let memory = memory().await;
    memory.record_answer(&answer()).await.unwrap();
    let lines = dump(memory.graph());
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("<urn:coevo:run:r1> <urn:coevo:ns#strategy> \"co-e-cot\""))
    );
    assert!(
        lines
            .iter()
            .any(|line| line.contains("<urn:coevo:ns#text> \"Who discovered 2019 KX4?\""))
    );
}

#[tokio::test]
async fn an_answer_on_a_rejected_claim_is_stale_from_the_start() {
    let memory = memory().await;
    let report = memory
        .propose(&run("r1"), vec![discovery(newsletter())])
        .await
        .unwrap();
    let by = node("urn:coevo:key:curator-1");
    memory
        .decide(
            &report.claims[0],
            Decision::Reject,
            &by,
            time("2026-12-01T10:00:00Z"),
            1,
        )
        .await
        .unwrap();
    memory
        .record_answer(&AnswerRecord {
            claims: report.claims,
            ..answer()
        })
        .await
        .unwrap();
    assert!(
        dump(memory.graph())
            .iter()
            .any(|line| line.contains("<urn:coevo:ns#state> <urn:coevo:ns#Stale>"))
    );
}

#[tokio::test]
async fn answers_that_cannot_be_right_are_errors() {
    let memory = memory().await;
    let before = dump(memory.graph());
    let unknown = AnswerRecord {
        claims: vec![node("urn:coevo:claim:main:0")],
        ..answer()
    };
    assert!(matches!(
        memory.record_answer(&unknown).await,
        Err(Error::UnknownClaim { .. })
    ));
    let long = AnswerRecord {
        text: "x".repeat(100_001),
        ..answer()
    };
    assert!(matches!(
        memory.record_answer(&long).await,
        Err(Error::TooLong { what: "answer", .. })
    ));
    let many = AnswerRecord {
        passages: vec![node("urn:x:p"); 2_000],
        ..answer()
    };
    assert!(matches!(
        memory.record_answer(&many).await,
        Err(Error::TooMany { n: 2_001, .. })
    ));
    assert_eq!(dump(memory.graph()), before);
}
