//! Every built-in profile parses; an unknown one names those there are.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::{NAMES, Profile, RdfProfile, WIKIDATA, parse};
use crate::error::Error;

#[test]
fn built_in_profiles_parse() {
    for name in NAMES {
        let profile = Profile::named(name).unwrap();
        assert!(profile.version() >= 1, "{name}");
        assert!(!profile.formats().is_empty(), "{name}");
    }
}

#[test]
fn an_unknown_profile_lists_the_known_ones() {
    let error = Profile::named("freebase").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no profile `freebase`; there are: wikidata, rdf, documents"
    );
}

#[test]
fn unknown_keys_and_bad_iris_are_refused() {
    let check = |text: &str| {
        assert!(matches!(
            parse::<RdfProfile>("x", text),
            Err(Error::BadProfile { .. })
        ));
    };
    check(&format!("colour = 1\n{WIKIDATA}"));
    check(&WIKIDATA.replace("urn:coevo:kg:wikidata", "not an IRI"));
}

#[test]
fn statement_nodes_are_not_entities() {
    let profile: RdfProfile = parse("wikidata", WIKIDATA).unwrap();
    let check = |iri: &str, expected: bool| assert_eq!(profile.is_entity(iri), expected, "{iri}");
    check("http://www.wikidata.org/entity/Q2100000001", true);
    check("http://www.wikidata.org/entity/statement/Q2100000001-a", false);
    check("https://en.wikipedia.org/wiki/X", false);
}
