//! Entities as people type them: an IRI, `<IRI>`, or a prefixed name such as `wd:Q42`. Entry: [`resolve`].

use crate::failure::{Failure, Result};
use coevo_graph::vocab;
use oxrdf::NamedNode;

/// The IRI that is meant. Prefixes are those that queries know without declaring them.
pub(crate) fn resolve(text: &str) -> Result<NamedNode> {
    let bare = text
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'))
        .unwrap_or(text);
    let iri = match bare.split_once(':') {
        Some((prefix, local)) if !local.starts_with("//") => vocab::PREFIXES
            .iter()
            .find(|(known, _)| *known == prefix)
            .map_or_else(|| bare.to_owned(), |(_, namespace)| format!("{namespace}{local}")),
        _ => bare.to_owned(),
    };
    NamedNode::new(&iri).map_err(|error| {
        Failure::refused(format!("`{text}` is not an IRI: {error}")).with_hint(format!(
            "write an IRI or a prefixed name such as wd:Q42; find one by `coevo link '{text}'`"
        ))
    })
}

/// An IRI the short way, when a known prefix fits and what follows is a plain name.
pub(crate) fn shorten(iri: &str) -> String {
    let plain = |local: &str| {
        !local.is_empty()
            && local
                .chars()
                .all(|character| character.is_alphanumeric() || matches!(character, '-' | '_'))
    };
    vocab::PREFIXES
        .iter()
        .filter_map(|(prefix, namespace)| Some((prefix, iri.strip_prefix(namespace)?)))
        .find(|(_, local)| plain(local))
        .map_or_else(|| iri.to_owned(), |(prefix, local)| format!("{prefix}:{local}"))
}

#[cfg(test)]
mod tests {
    //! Long and short forms.
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::{resolve, shorten};

    #[test]
    fn resolves_what_people_type() {
        for text in [
            "wd:Q42",
            "http://www.wikidata.org/entity/Q42",
            "<http://www.wikidata.org/entity/Q42>",
        ] {
            assert_eq!(
                resolve(text).unwrap().as_str(),
                "http://www.wikidata.org/entity/Q42"
            );
        }
        assert_eq!(resolve("urn:x:y").unwrap().as_str(), "urn:x:y");
        assert!(
            resolve("Douglas Adams")
                .unwrap_err()
                .hint
                .unwrap()
                .contains("coevo link 'Douglas Adams'")
        );
    }

    #[test]
    fn shortens_plain_names_only() {
        assert_eq!(shorten("http://www.wikidata.org/prop/direct/P57"), "wdt:P57");
        assert_eq!(
            shorten("http://www.wikidata.org/entity/a/b"),
            "http://www.wikidata.org/entity/a/b"
        );
        assert_eq!(shorten("http://example.org/x"), "http://example.org/x");
    }
}
