//! Bounded k-hop neighbourhoods: [`Graph::khop`]. Breadth first, in a deterministic order; every cap that bites is
//! counted in the returned [`Cut`].

use crate::edge::{Cut, Edge};
use crate::expand::{Walk, edges_of};
use crate::{Graph, Mediators, Result, vocab};
use oxrdf::{NamedNode, Term};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// Which edges a hop may cross.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HopDirection {
    /// Subject to object.
    Out,
    /// Object to subject.
    In,
    /// Either.
    #[default]
    Both,
}

/// Bounds of an expansion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HopBudget {
    /// Nodes expanded in all.
    pub nodes: usize,
    /// Edges returned in all.
    pub edges: usize,
    /// Edges read of one node and side; beyond it the node is a hub read in part.
    pub per_node: usize,
    /// Edges kept of one node, relation and side.
    pub per_relation: usize,
    /// Wall time.
    pub deadline: Duration,
}

impl Default for HopBudget {
    fn default() -> Self {
        Self {
            nodes: 400,
            edges: 5_000,
            per_node: 300,
            per_relation: 50,
            deadline: Duration::from_secs(20),
        }
    }
}

/// How to expand.
#[derive(Debug, Clone)]
pub struct HopOptions {
    /// Number of hops, 1 or more (0 gives nothing).
    pub k: u8,
    /// Direction.
    pub direction: HopDirection,
    /// Graphs walked; `None`: knowledge graphs and accepted memory.
    pub graphs: Option<Vec<NamedNode>>,
    /// Whether literals are returned (they end a path).
    pub literals: bool,
    /// Mediators passed through.
    pub mediators: Mediators,
    /// Bounds.
    pub budget: HopBudget,
}

impl Default for HopOptions {
    fn default() -> Self {
        Self {
            k: 1,
            direction: HopDirection::Both,
            graphs: None,
            literals: true,
            mediators: Mediators::default(),
            budget: HopBudget::default(),
        }
    }
}

/// Edges around the seeds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Neighbourhood {
    /// Edges, nearest first, then sorted.
    pub edges: Vec<Edge>,
    /// What the budget cut.
    pub cut: Cut,
}

impl Graph {
    /// All edges within `k` hops of the seeds, within the budget.
    pub async fn khop(&self, seeds: &[NamedNode], options: &HopOptions) -> Result<Neighbourhood> {
        let (seeds, options) = (seeds.to_vec(), options.clone());
        self.blocking(move |graph| graph.khop_now(&seeds, &options)).await
    }

    pub(crate) fn traversal_graphs(&self, graphs: Option<&[NamedNode]>) -> Result<FxHashSet<NamedNode>> {
        Ok(match graphs {
            Some(graphs) => graphs.iter().cloned().collect(),
            None => self
                .graphs_where(vocab::is_traversal_graph)?
                .into_iter()
                .collect(),
        })
    }

    fn khop_now(&self, seeds: &[NamedNode], options: &HopOptions) -> Result<Neighbourhood> {
        let started = Instant::now();
        let walk = Walk {
            graphs: self.traversal_graphs(options.graphs.as_deref())?,
            direction: options.direction,
            literals: options.literals,
            mediators: &options.mediators,
            budget: &options.budget,
        };
        let mut found = Neighbourhood::default();
        let mut seen: FxHashSet<NamedNode> = seeds.iter().cloned().collect();
        let mut known: FxHashSet<(NamedNode, NamedNode, Term)> = FxHashSet::default();
        let mut frontier: Vec<NamedNode> = seeds.to_vec();
        frontier.sort();
        frontier.dedup();
        let mut n_expanded = 0;
        for _ in 0..options.k {
            let mut next = Vec::new();
            for (index, node) in frontier.iter().enumerate() {
                let full = found.edges.len() >= options.budget.edges;
                if full || n_expanded == options.budget.nodes || started.elapsed() > options.budget.deadline {
                    found.cut.deadline |= started.elapsed() > options.budget.deadline;
                    found.cut.nodes += (frontier.len() - index) as u64;
                    return Ok(found);
                }
                n_expanded += 1;
                for edge in edges_of(self, node, &walk, &mut found.cut)? {
                    if found.edges.len() == options.budget.edges {
                        found.cut.edges += 1;
                        continue;
                    }
                    if !known.insert((edge.subject.clone(), edge.predicate.clone(), edge.object.clone())) {
                        continue;
                    }
                    for end in [Some(edge.subject.clone()), entity(&edge.object)]
                        .into_iter()
                        .flatten()
                    {
                        if seen.insert(end.clone()) {
                            next.push(end);
                        }
                    }
                    found.edges.push(edge);
                }
            }
            next.sort();
            frontier = next;
        }
        Ok(found)
    }
}

fn entity(term: &Term) -> Option<NamedNode> {
    match term {
        Term::NamedNode(node) => Some(node.clone()),
        _ => None,
    }
}
