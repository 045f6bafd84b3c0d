//! Graph in words: names of terms, edges and paths as a person (or a model) reads them. Pure, given the names.

use crate::event::PathStep;
use coevo_graph::{Direction, Edge, Graph, Path};
use oxrdf::vocab::xsd;
use oxrdf::{Literal, NamedNode, Term};
use rustc_hash::FxHashMap;
use std::collections::HashSet;

/// Labels of the IRIs in play.
#[derive(Debug, Default, Clone)]
pub(crate) struct Names {
    labels: FxHashMap<NamedNode, String>,
}

impl Names {
    /// Reads the labels of every IRI that the paths name and that is not known yet.
    pub(crate) async fn learn<'a>(
        &mut self,
        graph: &Graph,
        languages: &[String],
        paths: impl Iterator<Item = &'a Path>,
    ) -> crate::Result<()> {
        let mut wanted: Vec<NamedNode> = Vec::new();
        for path in paths {
            wanted.push(path.start.clone());
            for hop in &path.hops {
                wanted.extend([hop.edge.subject.clone(), hop.edge.predicate.clone()]);
                wanted.extend(hop.edge.qualifiers.iter().map(|(predicate, _)| predicate.clone()));
                let values = hop.edge.qualifiers.iter().map(|(_, value)| value);
                wanted.extend(std::iter::once(&hop.edge.object).chain(values).filter_map(entity));
            }
        }
        self.learn_iris(graph, languages, wanted).await
    }

    pub(crate) async fn learn_iris(
        &mut self,
        graph: &Graph,
        languages: &[String],
        mut wanted: Vec<NamedNode>,
    ) -> crate::Result<()> {
        wanted.retain(|iri| !self.labels.contains_key(iri));
        wanted.sort();
        wanted.dedup();
        let found = graph.labels(wanted.clone(), languages.to_vec()).await?;
        for iri in wanted {
            let label = found
                .get(&iri)
                .cloned()
                .unwrap_or_else(|| local_name(iri.as_str()));
            self.labels.insert(iri, label);
        }
        Ok(())
    }

    /// Takes in what another search learnt.
    pub(crate) fn merge(&mut self, other: Self) {
        self.labels.extend(other.labels);
    }

    /// The name of an IRI: its label, else the end of the IRI.
    pub(crate) fn iri(&self, iri: &NamedNode) -> String {
        self.labels
            .get(iri)
            .cloned()
            .unwrap_or_else(|| local_name(iri.as_str()))
    }

    /// The name of a term.
    pub(crate) fn term(&self, term: &Term) -> String {
        match term {
            Term::NamedNode(iri) => self.iri(iri),
            Term::Literal(literal) => literal_words(literal),
            Term::BlankNode(node) => node.as_str().to_owned(),
        }
    }

    /// `subject relation object (qualifier: value; …)`.
    pub(crate) fn edge(&self, edge: &Edge) -> String {
        let mut text = format!(
            "{} {} {}",
            self.iri(&edge.subject),
            self.iri(&edge.predicate),
            self.term(&edge.object)
        );
        let qualifiers = self.qualifiers(edge);
        if !qualifiers.is_empty() {
            text = format!("{text} ({})", qualifiers.join("; "));
        }
        text
    }

    /// Every hop in words, joined by `; `.
    pub(crate) fn path(&self, path: &Path) -> String {
        path.hops
            .iter()
            .map(|hop| self.edge(&hop.edge))
            .collect::<Vec<_>>()
            .join("; ")
    }

    /// The relations of a path, for a first coarse comparison.
    pub(crate) fn relations(&self, path: &Path) -> String {
        path.hops
            .iter()
            .map(|hop| self.iri(&hop.edge.predicate))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// What a question that knows only `topics` could say of the path: their names and the relations.
    pub(crate) fn shape(&self, path: &Path, topics: &HashSet<NamedNode>) -> String {
        let mut words = vec![self.iri(&path.start)];
        for hop in &path.hops {
            words.push(self.iri(&hop.edge.predicate));
            if let Some(end) = entity(&hop.to()).filter(|end| topics.contains(end)) {
                words.push(self.iri(&end));
            }
        }
        words.join(" ")
    }

    /// The path as steps to draw.
    pub(crate) fn steps(&self, path: &Path) -> Vec<PathStep> {
        path.hops
            .iter()
            .map(|hop| {
                let (from, to) = (hop.from(), hop.to());
                let direction = match hop.direction {
                    Direction::Forward => "forward",
                    Direction::Backward => "backward",
                };
                PathStep {
                    from_label: self.term(&from),
                    from: plain(&from),
                    predicate: hop.edge.predicate.as_str().to_owned(),
                    predicate_label: self.iri(&hop.edge.predicate),
                    direction: direction.to_owned(),
                    to_label: self.term(&to),
                    to: plain(&to),
                    qualifiers: self.qualifiers(&hop.edge),
                    graph: hop.edge.graph.as_str().to_owned(),
                }
            })
            .collect()
    }

    fn qualifiers(&self, edge: &Edge) -> Vec<String> {
        edge.qualifiers
            .iter()
            .map(|(predicate, value)| format!("{}: {}", self.iri(predicate), self.term(value)))
            .collect()
    }
}

pub(crate) fn entity(term: &Term) -> Option<NamedNode> {
    match term {
        Term::NamedNode(iri) => Some(iri.clone()),
        _ => None,
    }
}

/// The end of an IRI after `/`, `#` or `:`, with `_` as spaces.
pub(crate) fn local_name(iri: &str) -> String {
    let local = iri
        .trim_end_matches(['/', '#'])
        .rsplit(['/', '#', ':'])
        .next()
        .unwrap_or(iri);
    local.replace(['_', '-'], " ")
}

/// A literal as words: dates without the midnight, numbers without the plus sign.
pub(crate) fn literal_words(literal: &Literal) -> String {
    let value = literal.value();
    if literal.datatype() == xsd::DATE_TIME {
        return value
            .strip_suffix("T00:00:00Z")
            .unwrap_or(value)
            .trim_start_matches('+')
            .to_owned();
    }
    if literal.datatype() == xsd::DECIMAL || literal.datatype() == xsd::INTEGER {
        return value.trim_start_matches('+').to_owned();
    }
    value.to_owned()
}

fn plain(term: &Term) -> String {
    match term {
        Term::NamedNode(iri) => iri.as_str().to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    //! Literals and IRIs in words.
    use super::*;

    #[test]
    fn literals_and_local_names() {
        for (literal, expected) in [
            (
                Literal::new_typed_literal("1952-03-11T00:00:00Z", xsd::DATE_TIME),
                "1952-03-11",
            ),
            (
                Literal::new_typed_literal("1952-03-11T10:00:00Z", xsd::DATE_TIME),
                "1952-03-11T10:00:00Z",
            ),
            (Literal::new_typed_literal("+282743", xsd::DECIMAL), "282743"),
            (Literal::new_typed_literal("-3.5", xsd::DECIMAL), "-3.5"),
            (Literal::new_simple_literal("plain"), "plain"),
        ] {
            assert_eq!(literal_words(&literal), expected);
        }
        for (iri, expected) in [
            ("http://www.wikidata.org/entity/Q42", "Q42"),
            ("urn:coevo:ent:main:lyra-array", "lyra array"),
            ("http://example.org/ns#some_thing", "some thing"),
            ("http://example.org/", "example.org"),
        ] {
            assert_eq!(local_name(iri), expected);
        }
    }
}
