//! Edges and paths as values: [`Edge`], [`Hop`], [`Path`], [`Cut`]. A path knows the SPARQL that returns exactly it.

use crate::mediators::WIKIDATA;
use oxrdf::{NamedNode, Term};
use std::fmt::Write as _;

/// One stored fact, passed as one hop. With `statement`, the fact goes through a mediator node and `predicate` is its
/// direct form; without, `subject predicate object` is a triple of `graph`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Edge {
    /// Subject.
    pub subject: NamedNode,
    /// Predicate, in its direct form.
    pub predicate: NamedNode,
    /// Object: an entity, or a literal that ends a path.
    pub object: Term,
    /// The named graph that asserts it.
    pub graph: NamedNode,
    /// The mediator it goes through, when no direct triple is stored.
    pub statement: Option<NamedNode>,
    /// Qualifiers, sorted.
    pub qualifiers: Vec<(NamedNode, Term)>,
}

/// Which way a hop crosses its edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// From subject to object.
    Forward,
    /// From object to subject.
    Backward,
}

/// An edge crossed in a direction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Hop {
    /// The edge.
    pub edge: Edge,
    /// Which way.
    pub direction: Direction,
}

/// A path: a start and hops that join. Never empty of hops when a search returns it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Path {
    /// First node.
    pub start: NamedNode,
    /// Hops in reading order.
    pub hops: Vec<Hop>,
}

/// What a budget cut away. Zero everywhere: the result is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cut {
    /// Nodes that were reached but not expanded.
    pub nodes: u64,
    /// Edges that were read and dropped. Edges of a hub beyond its cap are not read, so they are not in this number.
    pub edges: u64,
    /// Nodes whose edges were read only up to the per-node cap.
    pub hubs: u64,
    /// Edges dropped by the per-relation cap.
    pub per_relation: u64,
    /// Paths that were found and not returned.
    pub paths: u64,
    /// Whether the deadline ended the search.
    pub deadline: bool,
}

impl Hop {
    /// The node the hop starts from.
    pub fn from(&self) -> Term {
        match self.direction {
            Direction::Forward => self.edge.subject.clone().into(),
            Direction::Backward => self.edge.object.clone(),
        }
    }

    /// The node the hop ends at.
    pub fn to(&self) -> Term {
        match self.direction {
            Direction::Forward => self.edge.object.clone(),
            Direction::Backward => self.edge.subject.clone().into(),
        }
    }
}

impl Path {
    /// All nodes in reading order.
    pub fn nodes(&self) -> Vec<Term> {
        let mut nodes: Vec<Term> = vec![self.start.clone().into()];
        nodes.extend(self.hops.iter().map(Hop::to));
        nodes
    }

    /// The last node.
    pub fn end(&self) -> Term {
        self.hops
            .last()
            .map_or_else(|| self.start.clone().into(), Hop::to)
    }

    /// A SELECT that returns exactly one row, this path, as long as the store holds it, and no row otherwise: nodes as
    /// `?n0 …`, predicates as `?p1 …`, and statements as `?s1 …` where a hop goes through a mediator. Every pattern is
    /// ground, so it costs one look-up a hop.
    pub fn to_sparql(&self) -> String {
        let mut head = String::from("SELECT");
        let mut body = String::new();
        for (index, node) in self.nodes().iter().enumerate() {
            if index > 0 {
                let _ = write!(head, " ({} AS ?p{index})", self.hops[index - 1].edge.predicate);
                if let Some(statement) = &self.hops[index - 1].edge.statement {
                    let _ = write!(head, " ({statement} AS ?s{index})");
                }
            }
            let _ = write!(head, " ({node} AS ?n{index})");
        }
        for hop in &self.hops {
            hop.edge.write_pattern(&mut body);
        }
        format!("{head}\nWHERE {{\n{body}}}")
    }
}

impl Edge {
    fn write_pattern(&self, body: &mut String) {
        let Self {
            subject,
            predicate,
            object,
            graph,
            statement,
            ..
        } = self;
        let _ = match statement {
            None => writeln!(body, "  GRAPH {graph} {{ {subject} {predicate} {object} . }}"),
            Some(statement) => {
                let claim = WIKIDATA
                    .claim_of(predicate.as_str())
                    .unwrap_or_else(|| predicate.clone());
                let value = WIKIDATA
                    .value_of(predicate.as_str())
                    .unwrap_or_else(|| predicate.clone());
                writeln!(
                    body,
                    "  GRAPH {graph} {{ {subject} {claim} {statement} . {statement} {value} {object} . }}"
                )
            }
        };
    }

    pub(crate) fn sort_key(&self) -> (&str, &str, String) {
        (
            self.subject.as_str(),
            self.predicate.as_str(),
            self.object.to_string(),
        )
    }
}

impl Cut {
    /// Whether nothing was cut.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds what another part of the same search cut.
    pub fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.edges += other.edges;
        self.hubs += other.hubs;
        self.per_relation += other.per_relation;
        self.paths += other.paths;
        self.deadline |= other.deadline;
    }
}

impl std::fmt::Display for Cut {
    /// In words: `12 nodes, 40 edges, 2 hubs, deadline`; empty when nothing was cut.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        for (n, what) in [
            (self.nodes, "nodes"),
            (self.edges, "edges"),
            (self.hubs, "hubs read in part"),
            (self.per_relation, "edges over the relation cap"),
            (self.paths, "paths"),
        ] {
            if n > 0 {
                parts.push(format!("{n} {what}"));
            }
        }
        if self.deadline {
            parts.push("deadline".to_owned());
        }
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests;
