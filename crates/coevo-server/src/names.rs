//! Entities as people write them in parameters: [`resolve`] takes IRIs and prefixed names, [`absolute`] IRIs only.

use crate::parameters::shortened;
use crate::problem::{Handled, Problem};
use coevo_graph::vocab;
use oxrdf::NamedNode;

/// The IRI of an IRI, `<IRI>`, or a name of a known prefix such as `wd:Q42`.
pub(crate) fn resolve(text: &str) -> Handled<NamedNode> {
    let bare = text.trim();
    let bare = bare
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'))
        .unwrap_or(bare);
    let namespace = bare.split_once(':').and_then(|(prefix, local)| {
        let (_, namespace) = vocab::PREFIXES.iter().find(|(known, _)| *known == prefix)?;
        (!local.starts_with("//")).then(|| format!("{namespace}{local}"))
    });
    absolute(namespace.as_deref().unwrap_or(bare))
}

/// An absolute IRI.
pub(crate) fn absolute(text: &str) -> Handled<NamedNode> {
    NamedNode::new(text).map_err(|error| {
        Problem::parameter(format!("`{}` is not an absolute IRI: {error}", shortened(text)))
            .with_hint("write an IRI, or where entities are meant a prefixed name such as wd:Q42".to_owned())
    })
}

#[cfg(test)]
mod tests {
    //! Long and short forms.
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::resolve;

    #[test]
    fn resolves_what_people_type() {
        for text in [
            "wd:Q42",
            " http://www.wikidata.org/entity/Q42",
            "<http://www.wikidata.org/entity/Q42>",
        ] {
            assert_eq!(
                resolve(text).unwrap().as_str(),
                "http://www.wikidata.org/entity/Q42"
            );
        }
        assert_eq!(resolve("urn:x:y").unwrap().as_str(), "urn:x:y");
        assert!(resolve("Douglas Adams").is_err());
    }
}
