//! Reading nodes out of one graph: [`Node`] is a subject with its quads, asked for typed parts. Blocking; for callers on
//! the blocking pool. Every read is bounded.

use crate::{Error, Result};
use coevo_graph::Graph;
use oxrdf::{GraphName, NamedNode, NamedNodeRef, NamedOrBlankNode, Quad, Term};

/// Quads read of one node; a claim with all its evidence stays well below.
const QUADS_OF_A_NODE: usize = 4_096;

/// A node of a graph with all its quads.
pub(crate) struct Node {
    pub(crate) iri: NamedNode,
    pub(crate) quads: Vec<Quad>,
}

impl Node {
    /// `None`: the graph says nothing about it.
    pub(crate) fn read(graph: &Graph, iri: &NamedNode, name: &GraphName) -> Result<Option<Self>> {
        let subject = NamedOrBlankNode::from(iri.clone());
        let quads: Vec<Quad> = graph
            .quads_now(Some(&subject), None, None, Some(name))
            .take(QUADS_OF_A_NODE)
            .collect::<Result<_, _>>()?;
        Ok((!quads.is_empty()).then(|| Self {
            iri: iri.clone(),
            quads,
        }))
    }

    pub(crate) fn is_a(&self, class: NamedNodeRef<'_>) -> bool {
        self.all(oxrdf::vocab::rdf::TYPE)
            .any(|term| matches!(term, Term::NamedNode(node) if *node == class))
    }

    pub(crate) fn all(&self, predicate: NamedNodeRef<'_>) -> impl Iterator<Item = &Term> {
        self.quads
            .iter()
            .filter(move |quad| quad.predicate == predicate)
            .map(|quad| &quad.object)
    }

    /// The quads of one predicate: what a change removes.
    pub(crate) fn of(&self, predicate: NamedNodeRef<'_>) -> impl Iterator<Item = &Quad> {
        self.quads.iter().filter(move |quad| quad.predicate == predicate)
    }

    pub(crate) fn get(&self, predicate: NamedNodeRef<'_>) -> Option<&Term> {
        self.all(predicate).next()
    }

    /// The one value of a predicate; none or several are damage.
    pub(crate) fn one(&self, predicate: NamedNodeRef<'_>) -> Result<&Term> {
        let mut values = self.all(predicate);
        match (values.next(), values.next()) {
            (Some(value), None) => Ok(value),
            (None, _) => Err(self.damaged(format!("it has no {predicate}"))),
            (Some(_), Some(_)) => Err(self.damaged(format!("it has more than one {predicate}"))),
        }
    }

    pub(crate) fn node(&self, predicate: NamedNodeRef<'_>) -> Result<NamedNode> {
        match self.one(predicate)? {
            Term::NamedNode(node) => Ok(node.clone()),
            other => Err(self.damaged(format!("{predicate} is {other}"))),
        }
    }

    pub(crate) fn text(&self, predicate: NamedNodeRef<'_>) -> Result<String> {
        match self.one(predicate)? {
            Term::Literal(literal) => Ok(literal.value().to_owned()),
            other => Err(self.damaged(format!("{predicate} is {other}"))),
        }
    }

    /// The text of a literal, the IRI of a node, or nothing.
    pub(crate) fn optional(&self, predicate: NamedNodeRef<'_>) -> Option<String> {
        self.get(predicate).and_then(lexical)
    }

    pub(crate) fn number<T: std::str::FromStr>(&self, predicate: NamedNodeRef<'_>) -> Result<T> {
        let text = self.text(predicate)?;
        text.parse()
            .map_err(|_| self.damaged(format!("{predicate} is \"{text}\"")))
    }

    pub(crate) fn damaged(&self, what: String) -> Error {
        Error::Damaged {
            node: self.iri.clone(),
            what,
        }
    }
}

/// The text of a literal or the IRI of a node.
pub(crate) fn lexical(term: &Term) -> Option<String> {
    match term {
        Term::Literal(literal) => Some(literal.value().to_owned()),
        Term::NamedNode(node) => Some(node.as_str().to_owned()),
        Term::BlankNode(_) => None,
    }
}
