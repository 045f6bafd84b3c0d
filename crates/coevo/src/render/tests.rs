//! An answer as it is printed.

use super::{answer, event, path};
use crate::output::Style;
use coevo_reason::{
    Answer, AnswerBody, AnswerItem, Event, EvidenceItem, EvidenceKind, LinkCandidate, NumberedEvent, Outcome,
    PathStep, UsageReport,
};

fn step(from: &str, predicate: &str, direction: &str, to: &str) -> PathStep {
    let iri = |label: &str| format!("http://www.wikidata.org/entity/{label}");
    PathStep {
        from: iri(from),
        from_label: from.to_owned(),
        predicate: format!("http://www.wikidata.org/prop/direct/{predicate}"),
        predicate_label: String::new(),
        direction: direction.to_owned(),
        to: iri(to),
        to_label: to.to_owned(),
        qualifiers: Vec::new(),
        graph: "urn:coevo:kg:wikidata".to_owned(),
    }
}

fn item(id: &str, kind: EvidenceKind) -> EvidenceItem {
    EvidenceItem {
        id: id.to_owned(),
        kind,
        source: "kg:wikidata".to_owned(),
        text: "Jaws was made by\u{1b}[31m Spielberg.".to_owned(),
        relevance: 0.5,
        sparql: None,
        path: None,
        passage: None,
        title: None,
        claim: None,
    }
}

#[test]
fn an_answer_in_words() {
    let shown = answer(
        &Answer {
            version: 1,
            run: "r1".to_owned(),
            question: "Who?".to_owned(),
            strategy: "evidence-only".to_owned(),
            model: None,
            answer: AnswerBody {
                text: "Spielberg".to_owned(),
                items: vec![AnswerItem {
                    text: "Spielberg".to_owned(),
                    iri: Some("http://www.wikidata.org/entity/Q8877".to_owned()),
                }],
                citations: vec!["P1".to_owned()],
                verification: "graph+text".to_owned(),
                state: "answered".to_owned(),
            },
            evidence: vec![
                EvidenceItem {
                    path: Some(vec![step("Jaws", "P57", "forward", "Spielberg")]),
                    sparql: Some("SELECT *\nWHERE {}".to_owned()),
                    ..item("P1", EvidenceKind::Path)
                },
                EvidenceItem {
                    title: Some("Jaws".to_owned()),
                    passage: Some("urn:p:1".to_owned()),
                    ..item("T1", EvidenceKind::Passage)
                },
            ],
            claims: vec!["urn:coevo:claim:1".to_owned()],
            quarantined: 2,
            usage: UsageReport {
                calls: 0,
                prompt_tokens: 3,
                completion_tokens: 4,
                seconds: 1.25,
                cost: None,
            },
            notes: vec!["no model is configured: evidence only".to_owned()],
        },
        Style::plain(),
    );
    insta::assert_snapshot!(shown, @r"
    Spielberg
      • Spielberg  wd:Q8877
    answered, supported by graph+text

    Evidence
    *[1] Jaws —wdt:P57→ Spielberg
          kg:wikidata, relevance 0.50
          SELECT *
          WHERE {}
     [2] Jaws: “Jaws was made by [31m Spielberg.”
          kg:wikidata, relevance 0.50, urn:p:1

    Claims
      urn:coevo:claim:1
      2 quarantined: not grounded in their quotation
      see one: coevo claims show urn:coevo:claim:1

    evidence-only, 0 model calls, 7 tokens (3 read, 4 written), 1.2 s
    trace r1
    note: no model is configured: evidence only
    ");
}

#[test]
fn paths_show_direction_and_qualifiers() {
    let mut back = step("B", "P19", "backward", "C");
    back.predicate_label = "place of birth".to_owned();
    back.qualifiers = vec!["start time: 1999".to_owned()];
    assert_eq!(
        path(&[step("A", "P57", "forward", "B"), back]),
        "A —wdt:P57→ B ←place of birth— C (start time: 1999)"
    );
    assert_eq!(path(&[]), "");
}

#[test]
fn events_in_lines() {
    let line = |what: Event| {
        event(
            &NumberedEvent {
                seq: 1,
                at: 0.25,
                event: what,
            },
            Style::plain(),
        )
    };
    let candidates = vec![LinkCandidate {
        iri: "urn:a".to_owned(),
        label: "A".to_owned(),
        score: 0.9,
    }];
    let linked = |chosen: Option<&str>| Event::Link {
        mention: "a".to_owned(),
        candidates: candidates.clone(),
        chosen: chosen.map(str::to_owned),
    };
    assert_eq!(
        line(linked(Some("urn:a"))).as_deref(),
        Some("   0.2   a → A urn:a (0.90)\n")
    );
    assert_eq!(
        line(linked(None)).as_deref(),
        Some("   0.2   a: not linked (1 candidates)\n")
    );
    let ended = |outcome| Event::StepEnded {
        id: "s1".to_owned(),
        outcome,
        reason: Some("no rows".to_owned()),
    };
    assert_eq!(line(ended(Outcome::Ok)), None);
    assert_eq!(
        line(ended(Outcome::Empty)).as_deref(),
        Some("   0.2   empty: no rows\n")
    );
}
