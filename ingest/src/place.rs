//! Where a parsed quad goes and what its blank nodes are called: [`Place`].
//!
//! Blank nodes become IRIs made of the input's hash and the node's label, so that loading the same file again gives the
//! same triples; a store's own renaming would give new nodes each time. A quad keeps a graph name of its own, unless
//! that lies in Coevo's own name space: an input cannot write claims, answers or jobs.

use coevo_graph::vocab;
use oxrdf::{BlankNode, GraphName, NamedNode, NamedOrBlankNode, Quad, Term};

/// Turns a blank node into an IRI.
pub(crate) trait Skolem {
    fn iri(&mut self, node: &BlankNode) -> NamedNode;
}

/// For labels that stand in the input itself: stateless, so that pieces of one input can be parsed apart.
pub(crate) struct ByLabel<'a> {
    pub(crate) seed: &'a str,
}

impl Skolem for ByLabel<'_> {
    fn iri(&mut self, node: &BlankNode) -> NamedNode {
        NamedNode::new_unchecked(format!("urn:coevo:bnode:{}:{}", self.seed, node.as_str()))
    }
}

/// Moves quads of one input to where they belong.
pub(crate) struct Place<'a, S> {
    pub(crate) graph: &'a NamedNode,
    pub(crate) skolem: S,
}

impl<S: Skolem> Place<'_, S> {
    pub(crate) fn quad(&mut self, quad: Quad) -> Quad {
        let subject = match quad.subject {
            NamedOrBlankNode::BlankNode(node) => self.skolem.iri(&node).into(),
            NamedOrBlankNode::NamedNode(node) => node.into(),
        };
        let object = match quad.object {
            Term::BlankNode(node) => self.skolem.iri(&node).into(),
            object => object,
        };
        let graph_name = match quad.graph_name {
            GraphName::NamedNode(graph) if !vocab::is_own_graph(graph.as_str()) => graph,
            GraphName::BlankNode(graph) => self.skolem.iri(&graph),
            GraphName::NamedNode(_) | GraphName::DefaultGraph => self.graph.clone(),
        };
        Quad {
            subject,
            predicate: quad.predicate,
            object,
            graph_name: graph_name.into(),
        }
    }
}
