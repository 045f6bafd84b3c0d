//! Names of things, read straight from the store: label, description, all surfaces. Blocking; no index involved.

use crate::mediators::property_entity;
use crate::{Graph, Result, vocab};
use oxrdf::vocab::rdfs;
use oxrdf::{NamedNode, NamedNodeRef, Term};

/// Label literals looked at for one entity: entities of Wikidata have up to 400 languages.
const LABELS_READ: usize = 600;

/// The label of an entity, or of the entity that stands for a property. `None`: it has none.
pub(crate) fn label(graph: &Graph, iri: &NamedNode, languages: &[String]) -> Result<Option<String>> {
    if let Some(label) = literal(graph, iri, rdfs::LABEL, languages)? {
        return Ok(Some(label));
    }
    match property_entity(iri) {
        Some(entity) => literal(graph, &entity, rdfs::LABEL, languages),
        None => Ok(None),
    }
}

/// The literal of `predicate` in the first of `languages` that has one; else an untagged one; else the first.
pub(crate) fn literal(
    graph: &Graph,
    iri: &NamedNode,
    predicate: NamedNodeRef<'_>,
    languages: &[String],
) -> Result<Option<String>> {
    let mut best: Option<(usize, String)> = None;
    let subject = iri.clone().into();
    let predicate = predicate.into_owned();
    for quad in graph
        .quads_now(Some(&subject), Some(&predicate), None, None)
        .take(LABELS_READ)
    {
        let Term::Literal(literal) = quad?.object else {
            continue;
        };
        let rank = match literal.language() {
            Some(tag) => languages
                .iter()
                .position(|wanted| wanted.eq_ignore_ascii_case(tag))
                .unwrap_or(languages.len() + 1),
            None => languages.len(),
        };
        if best.as_ref().is_none_or(|(known, _)| rank < *known) {
            best = Some((rank, literal.value().to_owned()));
        }
    }
    Ok(best.map(|(_, value)| value))
}

/// Labels and aliases in every language, without repetition, at most `limit`.
pub(crate) fn surfaces(graph: &Graph, iri: &NamedNode, limit: usize) -> Result<Vec<String>> {
    let mut surfaces: Vec<String> = Vec::new();
    let subject = iri.clone().into();
    for predicate in [rdfs::LABEL, vocab::ALT_LABEL] {
        for quad in graph.quads_now(Some(&subject), Some(&predicate.into_owned()), None, None) {
            if surfaces.len() >= limit {
                return Ok(surfaces);
            }
            if let Term::Literal(literal) = quad?.object
                && !surfaces.iter().any(|known| known == literal.value())
            {
                surfaces.push(literal.value().to_owned());
            }
        }
    }
    Ok(surfaces)
}
