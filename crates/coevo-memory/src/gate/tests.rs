#![expect(clippy::unwrap_used, reason = "tests")]

use super::{Reason, gate};
use crate::testing::{discovery, history, linked, memory, newsletter, node, open, value};
use crate::{EntityRef, ExtractedTriple, ObjectRef};

/// What the gate says: the reason of a refusal, or the words found for subject and object.
async fn verdict(
    change: impl FnOnce(&mut ExtractedTriple),
) -> Result<(Option<String>, Option<String>), Reason> {
    let memory = memory().await;
    let mut triple = discovery(newsletter());
    change(&mut triple);
    let gated = gate(memory.graph(), "main", &triple).unwrap()?;
    Ok((gated.grounded_subject, gated.grounded_object))
}

/// A verdict that lets the triple through; empty words were not found.
macro_rules! words {
    ($subject:literal, $object:literal) => {
        Ok([$subject, $object]
            .map(|words: &str| (!words.is_empty()).then(|| words.to_owned()))
            .into())
    };
}

#[tokio::test]
async fn what_the_sentence_names_passes() {
    assert_eq!(verdict(|_| ()).await, words!("Lyra Array", "2019 KX4"));
    assert_eq!(
        verdict(|t| t.evidence = history()).await,
        words!("Lyra Array", "2019 KX4")
    );
    let in_year = |t: &mut ExtractedTriple| t.object = value("May 2019", "2019-05", "gYearMonth");
    assert_eq!(verdict(in_year).await, words!("Lyra Array", "May 2019"));
}

#[tokio::test]
async fn aliases_ground_too() {
    let alias = |t: &mut ExtractedTriple| {
        t.subject = EntityRef::Linked {
            iri: node("http://www.wikidata.org/entity/Q5"),
            mention: "the observatory".to_owned(),
            aliases: vec!["LA".to_owned(), "Lyra array".to_owned()],
        };
    };
    assert_eq!(verdict(alias).await, words!("Lyra Array", "2019 KX4"));
}

#[tokio::test]
async fn what_the_sentence_does_not_name_is_not_grounded() {
    assert_eq!(
        verdict(|t| t.subject = open("Vega Array")).await,
        words!("", "2019 KX4")
    );
    let part = |t: &mut ExtractedTriple| t.object = ObjectRef::Entity(open("KX"));
    assert_eq!(verdict(part).await, words!("Lyra Array", ""));
    let wrong_year = |t: &mut ExtractedTriple| t.object = value("May 2019", "2018-05", "gYearMonth");
    assert_eq!(verdict(wrong_year).await, words!("Lyra Array", ""));
    // The very same words cannot be both.
    let same = |t: &mut ExtractedTriple| {
        t.object = ObjectRef::Entity(linked("http://www.wikidata.org/entity/Q5", "Lyra Array"));
    };
    assert_eq!(verdict(same).await, words!("Lyra Array", ""));
    // A pronoun is no name: the linker's guess is not in the sentence.
    let pronoun = |t: &mut ExtractedTriple| {
        t.subject = linked("http://www.wikidata.org/entity/Q5", "It");
        t.object = ObjectRef::Entity(open("Ana Gómez"));
        t.evidence.passage = node("urn:coevo:passage:77aa:0");
        (t.evidence.start, t.evidence.end) = (64, 90);
        t.evidence.quoted = "It was built by Ana Gómez.".to_owned();
    };
    assert_eq!(verdict(pronoun).await, words!("", "Ana Gómez"));
}

#[tokio::test]
async fn only_documents_are_evidence() {
    let passage = |iri: &'static str, end: usize, quoted: &'static str| {
        move |t: &mut ExtractedTriple| {
            t.evidence.passage = node(iri);
            (t.evidence.start, t.evidence.end) = (0, end);
            t.evidence.quoted = quoted.to_owned();
        }
    };
    let early = "The Lyra Array discovered 2019 KX4 early.";
    for iri in [
        "urn:coevo:passage:unknown:0",
        // A passage outside the documents' graphs.
        "urn:coevo:passage:kg:0",
        // A passage that lacks its document.
        "urn:coevo:passage:bad2:0",
        // A document that is an export of memory.
        "urn:coevo:passage:bad1:0",
        "urn:coevo:claim:main:8c1e",
        "urn:coevo:memory:main",
    ] {
        assert_eq!(
            verdict(passage(iri, 41, early)).await,
            Err(Reason::NotADocument),
            "{iri}"
        );
    }
}

#[tokio::test]
async fn quotations_must_stand_where_they_are_said_to_stand() {
    let missing = Err(Reason::QuoteNotInPassage);
    assert_eq!(verdict(|t| t.evidence.start -= 1).await, missing);
    assert_eq!(verdict(|t| t.evidence.end += 1).await, missing);
    assert_eq!(
        verdict(|t| (t.evidence.start, t.evidence.end) = (1203, 1250)).await,
        missing
    );
    assert_eq!(
        verdict(|t| (t.evidence.start, t.evidence.end) = (21, 68)).await,
        missing
    );
    assert_eq!(
        verdict(|t| (t.evidence.start, t.evidence.end) = (1251, 1204)).await,
        missing
    );
    assert_eq!(
        verdict(|t| (t.evidence.start, t.evidence.end) = (usize::MAX, usize::MAX)).await,
        missing
    );
    assert_eq!(
        verdict(|t| t.evidence.quoted = "In May 2019 the Lyra Array discovered 2019 KX5.".to_owned()).await,
        missing
    );
    let empty = |t: &mut ExtractedTriple| {
        t.evidence.quoted.clear();
        t.evidence.end = t.evidence.start;
    };
    assert_eq!(verdict(empty).await, missing);
}

#[tokio::test]
async fn malformed_triples_are_refused() {
    for bad in [f32::NAN, f32::INFINITY, -0.1, 1.1] {
        assert_eq!(
            verdict(|t| t.confidence = bad).await,
            Err(Reason::OutOfRange { what: "confidence" })
        );
        let factor = Err(Reason::OutOfRange {
            what: "alignment factor",
        });
        assert_eq!(verdict(|t| t.factors.alignment = bad).await, factor);
    }
    let reflexive = |t: &mut ExtractedTriple| t.object = ObjectRef::Entity(open("lyra ARRAY"));
    assert_eq!(verdict(reflexive).await, Err(Reason::Reflexive));
    assert_eq!(
        verdict(|t| t.relation = "…".to_owned()).await,
        Err(Reason::NotAName { what: "relation" })
    );
    assert_eq!(
        verdict(|t| t.subject = open(" ")).await,
        Err(Reason::NotAName { what: "subject" })
    );
    assert_eq!(
        verdict(|t| t.subject = open("She")).await,
        Err(Reason::NotAName { what: "subject" })
    );
    let long = "x".repeat(401);
    assert_eq!(
        verdict(|t| t.subject = open(&long)).await,
        Err(Reason::TooLong { what: "subject" })
    );
    let day = |t: &mut ExtractedTriple| t.object = value("May 2019", "2019-05-99", "date");
    assert_eq!(verdict(day).await, Err(Reason::BadLiteral));
}

#[tokio::test]
async fn the_platforms_own_nodes_are_no_entities() {
    for iri in [
        "urn:coevo:ns#Claim",
        "urn:coevo:claim:main:8c1e",
        "urn:coevo:doc:3f9a",
        "urn:coevo:ent:other:lyra-array",
        "urn:coevo:ent:main2:lyra-array",
    ] {
        let verdict = verdict(|t| t.subject = linked(iri, "Lyra Array")).await;
        assert_eq!(verdict, Err(Reason::ForeignIri { what: "subject" }), "{iri}");
    }
    let own = verdict(|t| t.subject = linked("urn:coevo:ent:main:lyra-array", "Lyra Array")).await;
    assert_eq!(own, words!("Lyra Array", "2019 KX4"));
}
