//! One node's edges through store iterators: [`edges_of`]. Mediators are passed through, naming predicates are left
//! out, hubs are read only up to a cap. The adjacency index will take this file's place behind the same face.

use crate::edge::{Cut, Edge};
use crate::khop::{HopBudget, HopDirection};
use crate::mediators::Mediators;
use crate::store::is_naming;
use crate::{Graph, Result, vocab};
use oxrdf::vocab::rdf;
use oxrdf::{GraphName, NamedNode, NamedOrBlankNode, Quad, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// Triples read of one statement node.
const STATEMENT_TRIPLES: usize = 64;

/// What one expansion walks.
pub(crate) struct Walk<'a> {
    pub(crate) graphs: FxHashSet<NamedNode>,
    pub(crate) direction: HopDirection,
    pub(crate) literals: bool,
    pub(crate) mediators: &'a Mediators,
    pub(crate) budget: &'a HopBudget,
}

/// All edges of `node` within the budget, sorted by predicate, direction and other end, without repetition.
pub(crate) fn edges_of(graph: &Graph, node: &NamedNode, walk: &Walk<'_>, cut: &mut Cut) -> Result<Vec<Edge>> {
    let mut found = Found::default();
    if walk.direction != HopDirection::In {
        let subject = NamedOrBlankNode::from(node.clone());
        read(
            graph,
            graph.quads_now(Some(&subject), None, None, None),
            walk,
            cut,
            &mut found,
            Side::Subject,
        )?;
    }
    if walk.direction != HopDirection::Out {
        let object = Term::from(node.clone());
        read(
            graph,
            graph.quads_now(None, None, Some(&object), None),
            walk,
            cut,
            &mut found,
            Side::Object,
        )?;
    }
    Ok(found.finish(walk.budget.per_relation, node, cut))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Subject,
    Object,
}

/// Edges by (subject, predicate, object), so that a direct triple and its statement become one.
#[derive(Default)]
struct Found {
    edges: FxHashMap<(NamedNode, NamedNode, Term), Edge>,
}

impl Found {
    fn add(&mut self, edge: Edge) {
        let key = (edge.subject.clone(), edge.predicate.clone(), edge.object.clone());
        match self.edges.entry(key) {
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(edge);
            }
            std::collections::hash_map::Entry::Occupied(mut place) => place.get_mut().absorb(edge),
        }
    }

    fn finish(self, per_relation: usize, node: &NamedNode, cut: &mut Cut) -> Vec<Edge> {
        let mut edges: Vec<Edge> = self.edges.into_values().collect();
        edges.sort_by_cached_key(|edge| {
            let (subject, predicate, object) = edge.sort_key();
            (
                predicate.to_owned(),
                edge.subject != *node,
                subject.to_owned(),
                object,
            )
        });
        let mut kept: FxHashMap<(NamedNode, bool), usize> = FxHashMap::default();
        edges.retain(|edge| {
            let n_kept = kept
                .entry((edge.predicate.clone(), edge.subject == *node))
                .or_default();
            *n_kept += 1;
            let keep = *n_kept <= per_relation;
            cut.per_relation += u64::from(!keep);
            keep
        });
        edges
    }
}

impl Edge {
    /// Takes in the same fact seen another way: the direct triple wins, qualifiers are kept.
    fn absorb(&mut self, other: Self) {
        if other.statement.is_none() {
            self.statement = None;
            self.graph = other.graph;
        }
        for qualifier in other.qualifiers {
            if !self.qualifiers.contains(&qualifier) {
                self.qualifiers.push(qualifier);
            }
        }
        sort_qualifiers(&mut self.qualifiers);
    }
}

fn read(
    graph: &Graph,
    quads: impl Iterator<Item = Result<Quad>>,
    walk: &Walk<'_>,
    cut: &mut Cut,
    found: &mut Found,
    side: Side,
) -> Result<()> {
    // Quads of other graphs and names are read over too, so the scan itself has a bound.
    let scan = walk.budget.per_node.saturating_mul(8);
    let mut n_edges = 0;
    for (n_read, quad) in quads.enumerate() {
        if n_edges == walk.budget.per_node || n_read == scan {
            cut.hubs += 1;
            break;
        }
        let Some((subject, predicate, object, name)) = walked(quad?, walk) else {
            continue;
        };
        let statement = walk.mediators.is_statement(subject.as_str());
        let edge = match (side, &object) {
            (Side::Subject, Term::NamedNode(value))
                if walk.mediators.is_claim(predicate.as_str())
                    && walk.mediators.is_statement(value.as_str()) =>
            {
                n_edges += 1;
                found.edges_from_statement(graph, &subject, value, &name, walk)?;
                continue;
            }
            (Side::Object, _) if statement => {
                n_edges +=
                    usize::from(found.edge_to_statement(graph, &subject, &predicate, object, &name, walk)?);
                continue;
            }
            (_, Term::Literal(_)) if !walk.literals => continue,
            (_, Term::NamedNode(_) | Term::Literal(_)) => Edge {
                subject,
                predicate,
                object,
                graph: name,
                statement: None,
                qualifiers: Vec::new(),
            },
            _ => continue,
        };
        n_edges += 1;
        found.add(edge);
    }
    Ok(())
}

impl Found {
    /// `subject —claim→ statement`: reads the statement's values and qualifiers.
    fn edges_from_statement(
        &mut self,
        graph: &Graph,
        subject: &NamedNode,
        statement: &NamedNode,
        name: &NamedNode,
        walk: &Walk<'_>,
    ) -> Result<()> {
        let (values, qualifiers) = statement_parts(graph, statement, name, walk.mediators)?;
        for (predicate, object) in values {
            let Some(predicate) = walk.mediators.direct_of(predicate.as_str()) else {
                continue;
            };
            if matches!(object, Term::Literal(_)) && !walk.literals {
                continue;
            }
            let (statement, qualifiers) = (Some(statement.clone()), qualifiers.clone());
            self.add(Edge {
                subject: subject.clone(),
                predicate,
                object,
                graph: name.clone(),
                statement,
                qualifiers,
            });
        }
        Ok(())
    }

    /// `statement —value→ object`: finds the statement's subject. Qualifier triples that point at the node are not hops.
    fn edge_to_statement(
        &mut self,
        graph: &Graph,
        statement: &NamedNode,
        predicate: &NamedNode,
        object: Term,
        name: &NamedNode,
        walk: &Walk<'_>,
    ) -> Result<bool> {
        if !walk.mediators.is_value(predicate.as_str()) {
            return Ok(false);
        }
        let Some(direct) = walk.mediators.direct_of(predicate.as_str()) else {
            return Ok(false);
        };
        let Some(claim) = walk.mediators.claim_of(predicate.as_str()) else {
            return Ok(false);
        };
        let (node, graph_name) = (Term::from(statement.clone()), GraphName::from(name.clone()));
        let Some(owner) = graph
            .quads_now(None, Some(&claim), Some(&node), Some(&graph_name))
            .next()
        else {
            return Ok(false);
        };
        let NamedOrBlankNode::NamedNode(subject) = owner?.subject else {
            return Ok(false);
        };
        let (_, qualifiers) = statement_parts(graph, statement, name, walk.mediators)?;
        let statement = Some(statement.clone());
        self.add(Edge {
            subject,
            predicate: direct,
            object,
            graph: name.clone(),
            statement,
            qualifiers,
        });
        Ok(true)
    }
}

type Parts = (Vec<(NamedNode, Term)>, Vec<(NamedNode, Term)>);

/// Values and qualifiers of a statement node.
fn statement_parts(
    graph: &Graph,
    statement: &NamedNode,
    name: &NamedNode,
    mediators: &Mediators,
) -> Result<Parts> {
    let (mut values, mut qualifiers) = (Vec::new(), Vec::new());
    let (subject, name) = (
        NamedOrBlankNode::from(statement.clone()),
        GraphName::from(name.clone()),
    );
    for quad in graph
        .quads_now(Some(&subject), None, None, Some(&name))
        .take(STATEMENT_TRIPLES)
    {
        let quad = quad?;
        if mediators.is_value(quad.predicate.as_str()) {
            values.push((quad.predicate, quad.object));
        } else if mediators.is_qualifier(quad.predicate.as_str()) {
            qualifiers.push((quad.predicate, quad.object));
        }
    }
    sort_qualifiers(&mut qualifiers);
    Ok((values, qualifiers))
}

fn sort_qualifiers(qualifiers: &mut [(NamedNode, Term)]) {
    qualifiers.sort_by_cached_key(|(predicate, value)| (predicate.clone(), value.to_string()));
}

/// The parts of a quad that traversal may walk.
fn walked(quad: Quad, walk: &Walk<'_>) -> Option<(NamedNode, NamedNode, Term, NamedNode)> {
    let GraphName::NamedNode(name) = quad.graph_name else {
        return None;
    };
    let NamedOrBlankNode::NamedNode(subject) = quad.subject else {
        return None;
    };
    let predicate = quad.predicate;
    let kept = walk.graphs.contains(&name)
        && !is_naming(predicate.as_ref())
        && predicate.as_ref() != rdf::TYPE
        && predicate.as_ref() != vocab::SCHEMA_ABOUT
        && !predicate.as_str().starts_with("http://wikiba.se/ontology#");
    kept.then_some((subject, predicate, quad.object, name))
}

#[cfg(test)]
mod tests;
