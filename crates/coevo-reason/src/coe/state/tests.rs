//! The rules of the working memory, by hand.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::text_retrieval::Passage;

pub(crate) fn sentence(passage: &str, text: &str) -> Sentence {
    let passage = Passage {
        iri: NamedNode::new_unchecked(format!("urn:coevo:passage:{passage}:0")),
        document: format!("urn:coevo:doc:{passage}"),
        title: "T".to_owned(),
        text: text.to_owned(),
        start: 0,
        root_source: format!("urn:root:{passage}"),
        graph: "urn:coevo:docs:d".to_owned(),
        score: 0.5,
    };
    Sentence {
        range: 0..passage.text.len(),
        passage,
        score: 0.5,
    }
}

fn node(label: &str, iri: Option<&str>) -> FactNode {
    FactNode {
        iri: iri.map(NamedNode::new_unchecked),
        label: label.to_owned(),
    }
}

fn fact(subject: FactNode, relation: &str, object: FactNode) -> Fact {
    let origin = Origin::Open(Box::new(sentence("a", "x")));
    Fact {
        subject,
        relation: relation.to_owned(),
        object,
        origin,
        hop: 1,
    }
}

fn contents(memory: &WorkingMemory) -> Vec<&str> {
    memory.text.iter().map(|item| item.content.as_str()).collect()
}

#[test]
fn the_same_sentence_comes_in_once() {
    let mut memory = WorkingMemory::default();
    assert_eq!(
        memory.add_sentences(vec![sentence("a", "One."), sentence("b", "Two.")]),
        ["M1", "M2"]
    );
    assert_eq!(
        memory.add_sentences(vec![sentence("a", "One.")]),
        Vec::<String>::new()
    );
    assert_eq!(contents(&memory), ["T: One.", "T: Two."]);
}

#[test]
fn repeated_items_merge_into_the_better_founded_one() {
    let mut memory = WorkingMemory::default();
    memory.add_text("Ann wrote X".to_owned(), Provenance::Graph);
    memory.add_prediction(&["Who wrote X?".to_owned()], "Ann");
    memory.add_sentences(vec![sentence("a", "ann wrote x")]);
    memory.add_text("Ann wrote X".to_owned(), Provenance::Graph);
    // The sentence "T: ann wrote x" says what both verbalised triples say; the prediction stands alone.
    assert_eq!(memory.merge_repeated(), 2);
    assert_eq!(contents(&memory), ["Who wrote X? → Ann", "T: ann wrote x"]);
}

#[test]
fn a_longer_prediction_does_not_swallow_a_sentence() {
    let mut memory = WorkingMemory::default();
    memory.add_sentences(vec![sentence("a", "Ann wrote X")]);
    memory.add_text("T: Ann wrote X and more".to_owned(), Provenance::Prediction);
    assert_eq!(memory.merge_repeated(), 0);
}

#[test]
fn a_reply_that_takes_back_most_is_believed_about_predictions_only() {
    let mut memory = WorkingMemory::default();
    memory.add_sentences(vec![
        sentence("a", "One."),
        sentence("b", "Two."),
        sentence("c", "Three."),
    ]);
    memory.add_prediction(&["Q?".to_owned()], "A");
    let all = ["M1", "M2", "M3", "M4"].map(str::to_owned);
    assert_eq!(memory.retract(&all), 1);
    assert_eq!(contents(&memory), ["T: One.", "T: Two.", "T: Three."]);
    assert_eq!(memory.retract(&["M1".to_owned(), "M9".to_owned()]), 1);
    assert_eq!(contents(&memory), ["T: Two.", "T: Three."]);
}

#[test]
fn facts_are_equal_by_identifier_else_by_name() {
    let mut memory = WorkingMemory::default();
    assert!(memory.add_fact(fact(node("Ann", Some("urn:a")), "wrote", node("X", None))));
    assert!(!memory.add_fact(fact(node("Anna", Some("urn:a")), "Wrote", node("x", None))));
    assert!(memory.add_fact(fact(node("Ann", Some("urn:b")), "wrote", node("X", None))));
    assert_eq!(memory.entity("ann").unwrap().as_str(), "urn:a");
    assert_eq!(memory.frontier(5).len(), 2);
}

#[test]
fn isolated_facts_go_and_connected_ones_stay() {
    let mut memory = WorkingMemory::default();
    memory.add_fact(fact(node("Ann", None), "wrote", node("X", None)));
    memory.add_fact(fact(node("X", None), "published in", node("1999", None)));
    memory.add_fact(fact(node("Lone", None), "knows", node("Nobody", None)));
    memory.add_fact(fact(
        node("Topic", Some("urn:t")),
        "knows",
        node("Elsewhere", None),
    ));
    assert_eq!(memory.drop_isolated(&[NamedNode::new_unchecked("urn:t")]), 1);
    assert_eq!(memory.facts.len(), 3);
    memory.add_fact(fact(node("Lone", None), "knows", node("Nobody", None)));
    memory.add_sentences(vec![sentence("a", "Lone knows nobody.")]);
    assert_eq!(memory.drop_isolated(&[NamedNode::new_unchecked("urn:t")]), 0);
}

#[test]
fn predictions_are_no_evidence() {
    let mut memory = WorkingMemory::default();
    memory.begin_step(2);
    memory.add_prediction(&["Q?".to_owned()], "A");
    assert!(!memory.has_evidence() && !memory.is_empty());
    assert_eq!(memory.evidence_lines(), Vec::<String>::new());
    assert_eq!(memory.lines(), ["M1 [prediction, step 2] Q? → A"]);
}
