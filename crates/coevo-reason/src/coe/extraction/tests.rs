//! Quotations and corroboration.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::text_retrieval::Passage;

fn sentence(text: &str, nth: usize, root: &str) -> Sentence {
    let passage = Passage {
        iri: NamedNode::new_unchecked(format!("urn:coevo:passage:{root}:0")),
        document: String::new(),
        title: String::new(),
        text: text.to_owned(),
        start: 100,
        root_source: root.to_owned(),
        graph: "urn:coevo:docs:d".to_owned(),
        score: 0.0,
    };
    Sentence {
        range: sentences(text)[nth].clone(),
        passage,
        score: 0.0,
    }
}

#[test]
fn a_quotation_reaches_back_to_the_name_of_its_subject() {
    let text = "Élan met Ann Lee. She was tall. She wrote X.";
    let of = |name: &str| {
        let subject = EntityRef::Open {
            mention: name.to_owned(),
        };
        let span = quotation(&sentence(text, 2, "r"), &subject).unwrap();
        (span.start, span.end, span.quoted)
    };
    assert_eq!(of("Ann Lee"), (100, 144, text.to_owned()));
    assert_eq!(of("X"), (132, 144, "She wrote X.".to_owned()));
    // Nobody names Bob: the sentence stands alone and the gate will quarantine it.
    assert_eq!(of("Bob"), (132, 144, "She wrote X.".to_owned()));
}

#[test]
fn corroboration_counts_root_sources_not_copies() {
    let mut memory = WorkingMemory::default();
    let node = |label: &str| FactNode {
        iri: None,
        label: label.to_owned(),
    };
    let fact = |relation: &str, root: &str| Fact {
        subject: node("Ann"),
        relation: relation.to_owned(),
        object: node("X"),
        origin: Origin::Open(Box::new(sentence("Ann wrote X.", 0, root))),
        hop: 1,
    };
    for (relation, root) in [("wrote", "r1"), ("authored", "r1"), ("penned", "r2")] {
        memory.add_fact(fact(relation, root));
    }
    assert!((corroboration(&memory, &fact("wrote", "r1")) - 2.0 / 3.0).abs() < 1e-6);
}
