#![expect(clippy::unwrap_used, reason = "tests")]

use super::{claim_iri, entity_iri, relation_iri, run_iri};
use crate::Error;
use crate::testing::node;
use oxrdf::{Literal, NamedNode, Term};

#[test]
fn relations_are_named_after_their_words() {
    #[track_caller]
    fn check(phrase: &str, expected: &str) {
        assert_eq!(relation_iri(phrase).unwrap().as_str(), expected, "{phrase}");
        // What is named must be an IRI, whatever the script.
        NamedNode::new(expected).unwrap();
    }
    check("discovered", "urn:coevo:rel:discovered");
    check("was born in", "urn:coevo:rel:was-born-in");
    check("  Was_Born-In ", "urn:coevo:rel:was-born-in");
    check("wurde größer als", "urn:coevo:rel:wurde-größer-als");
    check("родился в", "urn:coevo:rel:родился-в");
    check("出生于", "urn:coevo:rel:出生于");
    check("में जन्म", "urn:coevo:rel:में-जन्म");
}

#[test]
fn open_entities_are_named_per_space() {
    #[track_caller]
    fn check(mention: &str, expected: &str) {
        assert_eq!(
            entity_iri("main", mention).unwrap().as_str(),
            expected,
            "{mention}"
        );
        NamedNode::new(expected).unwrap();
    }
    check("Lyra Array", "urn:coevo:ent:main:lyra-array");
    check("lyra  ARRAY", "urn:coevo:ent:main:lyra-array");
    check("Ana Gómez", "urn:coevo:ent:main:ana-gómez");
    check("Ana Go\u{301}mez", "urn:coevo:ent:main:ana-gómez");
    assert_eq!(
        entity_iri("team-2", "Ana").unwrap().as_str(),
        "urn:coevo:ent:team-2:ana"
    );
}

#[test]
fn names_that_lose_something_stay_apart() {
    let names = [
        "AC/DC", "AC-DC", "AC DC", "AC.DC", "A C D C", "C", "C++", "C#", ".C", "C.",
    ];
    let iris: Vec<String> = names
        .iter()
        .map(|name| entity_iri("main", name).unwrap().into_string())
        .collect();
    for (at, iri) in iris.iter().enumerate() {
        NamedNode::new(iri).unwrap();
        assert!(
            !iris[..at].contains(iri),
            "{} is {iri}, as another name",
            names[at]
        );
    }
    assert_eq!(iris[2], "urn:coevo:ent:main:ac-dc");
    assert!(iris[0].starts_with("urn:coevo:ent:main:ac-dc."), "{}", iris[0]);
    // Names that differ behind the cut differ still.
    let long = |tail: &str| entity_iri("main", &["x".repeat(200).as_str(), tail].concat()).unwrap();
    assert_ne!(long("a"), long("b"));
    assert!(long("a").as_str().len() < 130);
}

#[test]
fn nothing_is_not_named() {
    for text in ["", "  ", "...", "—", "\u{301}", "\u{200b}"] {
        assert!(
            matches!(relation_iri(text), Err(Error::EmptyName { .. })),
            "{text:?}"
        );
        assert!(
            matches!(entity_iri("main", text), Err(Error::EmptyName { .. })),
            "{text:?}"
        );
    }
    for space in ["", "Main", "a:b", "-a", "a b", "ä", &"a".repeat(65)] {
        assert!(
            matches!(entity_iri(space, "x"), Err(Error::BadSpace { .. })),
            "{space:?}"
        );
    }
    for id in ["", "a b", "a/b", "ü", &"a".repeat(65)] {
        assert!(matches!(run_iri(id), Err(Error::BadRunId { .. })), "{id:?}");
    }
}

fn claim_of(lexical: &str, datatype: &str) -> NamedNode {
    let datatype = node(&["http://www.w3.org/2001/XMLSchema#", datatype].concat());
    let object = Term::from(Literal::new_typed_literal(lexical, datatype));
    claim_iri("main", &node("urn:x:s"), &node("urn:x:p"), &object)
}

#[test]
fn claims_are_named_by_value() {
    #[track_caller]
    fn same(datatype: &str, forms: &[&str]) {
        for form in forms {
            assert_eq!(claim_of(form, datatype), claim_of(forms[0], datatype), "{form}");
        }
    }
    same("integer", &["7", "007", "+7"]);
    same("integer", &["0", "-0", "000"]);
    same("decimal", &["1.5", "1.50", "01.5"]);
    same("decimal", &["1", "1.0", "1."]);
    same("double", &["1000", "1e3", "1.0E3"]);
    same("boolean", &["true", "1"]);
    same(
        "dateTime",
        &[
            "2020-01-01T00:00:00Z",
            "2020-01-01T00:00:00.000Z",
            "2020-01-01T00:00:00+00:00",
        ],
    );
    assert_ne!(claim_of("7", "integer"), claim_of("70", "integer"));
    assert_ne!(claim_of("7", "integer"), claim_of("-7", "integer"));
    assert_ne!(claim_of("7", "integer"), claim_of("7", "decimal"));
    assert_ne!(claim_of("0.7", "decimal"), claim_of("7", "decimal"));
    assert_ne!(claim_of("7", "string"), claim_of("7", "integer"));
}

#[test]
fn claims_are_named_by_all_their_parts() {
    let (s, p) = (node("urn:x:s"), node("urn:x:p"));
    let claim = |space: &str, s: &NamedNode, p: &NamedNode, o: Term| claim_iri(space, s, p, &o);
    let iri = claim("main", &s, &p, node("urn:x:o").into());
    assert_eq!(iri, claim("main", &s, &p, node("urn:x:o").into()));
    assert_ne!(iri, claim("other", &s, &p, node("urn:x:o").into()));
    assert_ne!(iri, claim("main", &p, &s, node("urn:x:o").into()));
    assert_ne!(iri, claim("main", &s, &p, Literal::from("urn:x:o").into()));
    // Stored identifiers must not change: this one is on disk somewhere.
    assert_eq!(
        iri.as_str(),
        "urn:coevo:claim:main:1955d7f65a0aa8e7706909ab3203f2dd"
    );
}
