//! Paths between two entities: [`Graph::paths`]. Bidirectional breadth-first search marks the nodes that can lie on a
//! path within the length bound; a depth-first walk over the marked part then lists simple paths, shortest first.

use crate::edge::{Cut, Direction, Edge, Hop, Path};
use crate::expand::{Walk, edges_of};
use crate::khop::{HopBudget, HopDirection};
use crate::{Graph, Mediators, Result};
use oxrdf::{NamedNode, Term};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// Extensions tried while listing paths: between two hubs there can be millions.
const MAX_STEPS: u32 = 300_000;

/// How to search for paths.
#[derive(Debug, Clone)]
pub struct PathOptions {
    /// Longest path in hops (mediators cost none).
    pub max_hops: u8,
    /// Paths returned at most.
    pub limit: usize,
    /// Graphs walked; `None`: knowledge graphs and accepted memory.
    pub graphs: Option<Vec<NamedNode>>,
    /// Mediators passed through.
    pub mediators: Mediators,
    /// Bounds of the search.
    pub budget: HopBudget,
}

impl Default for PathOptions {
    fn default() -> Self {
        Self {
            max_hops: 3,
            limit: 50,
            graphs: None,
            mediators: Mediators::default(),
            budget: HopBudget::default(),
        }
    }
}

/// Paths and what was cut on the way to them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PathsFound {
    /// Simple paths, shortest first, then in the order of their IRIs.
    pub paths: Vec<Path>,
    /// What the budget cut: with anything in it, more paths may exist.
    pub cut: Cut,
}

impl Graph {
    /// Simple paths from `from` to `to` of at most `max_hops` hops. Equal ends give no path.
    pub async fn paths(&self, from: &NamedNode, to: &NamedNode, options: &PathOptions) -> Result<PathsFound> {
        let (from, to, options) = (from.clone(), to.clone(), options.clone());
        self.blocking(move |graph| graph.paths_now(&from, &to, &options))
            .await
    }

    fn paths_now(&self, from: &NamedNode, to: &NamedNode, options: &PathOptions) -> Result<PathsFound> {
        if from == to || options.max_hops == 0 || options.limit == 0 {
            return Ok(PathsFound::default());
        }
        let walk = Walk {
            graphs: self.traversal_graphs(options.graphs.as_deref())?,
            direction: HopDirection::Both,
            literals: false,
            mediators: &options.mediators,
            budget: &options.budget,
        };
        let mut search = Search {
            graph: self,
            walk,
            edges: FxHashMap::default(),
            cut: Cut::default(),
            started: Instant::now(),
        };
        let half = options.max_hops.div_ceil(2);
        search.distances(from, half)?;
        let far = search.distances(to, options.max_hops - half)?;
        let Search { edges, cut, .. } = search;
        let mut listing = Listing {
            hops: both_ways(edges),
            far,
            searched: options.max_hops - half,
            to,
            limit: options.limit,
            steps_left: MAX_STEPS,
            found: PathsFound {
                paths: Vec::new(),
                cut,
            },
        };
        for length in 1..=options.max_hops {
            listing.step(&mut vec![from.clone()], &mut Vec::new(), length);
        }
        Ok(listing.found)
    }
}

struct Search<'a> {
    graph: &'a Graph,
    walk: Walk<'a>,
    /// Hops out of every expanded node.
    edges: FxHashMap<NamedNode, Vec<Hop>>,
    cut: Cut,
    started: Instant,
}

impl Search<'_> {
    /// Distances from `origin` up to `depth`, expanding every node nearer than `depth`.
    fn distances(&mut self, origin: &NamedNode, depth: u8) -> Result<FxHashMap<NamedNode, u8>> {
        let mut distances = FxHashMap::from_iter([(origin.clone(), 0)]);
        let mut frontier = vec![origin.clone()];
        for distance in 0..depth {
            let mut next = Vec::new();
            for (index, node) in frontier.iter().enumerate() {
                if !self.expand(node)? {
                    self.cut.nodes += (frontier.len() - index) as u64;
                    return Ok(distances);
                }
                for hop in self.edges.get(node).into_iter().flatten() {
                    if let Term::NamedNode(end) = hop.to()
                        && !distances.contains_key(&end)
                    {
                        distances.insert(end.clone(), distance + 1);
                        next.push(end);
                    }
                }
            }
            next.sort();
            frontier = next;
        }
        Ok(distances)
    }

    /// Reads a node's edges once. `false`: the budget is spent.
    fn expand(&mut self, node: &NamedNode) -> Result<bool> {
        if self.edges.contains_key(node) {
            return Ok(true);
        }
        if self.edges.len() >= self.walk.budget.nodes || self.started.elapsed() > self.walk.budget.deadline {
            self.cut.deadline |= self.started.elapsed() > self.walk.budget.deadline;
            return Ok(false);
        }
        let edges = edges_of(self.graph, node, &self.walk, &mut self.cut)?;
        let hops = edges
            .into_iter()
            .filter_map(|edge| crossing(node, edge))
            .collect();
        self.edges.insert(node.clone(), hops);
        Ok(true)
    }
}

/// The edge as a hop out of `node`; `None` for a loop.
fn crossing(node: &NamedNode, edge: Edge) -> Option<Hop> {
    let forward = edge.subject == *node;
    let backward = matches!(&edge.object, Term::NamedNode(object) if object == node);
    match (forward, backward) {
        (true, false) => Some(Hop {
            edge,
            direction: Direction::Forward,
        }),
        (false, true) => Some(Hop {
            edge,
            direction: Direction::Backward,
        }),
        _ => None,
    }
}

/// Every hop and its reverse, without repetition, sorted: an edge read from one end can be walked from the other, even
/// where that other end is a hub that was read in part.
fn both_ways(edges: FxHashMap<NamedNode, Vec<Hop>>) -> FxHashMap<NamedNode, Vec<Hop>> {
    let mut hops = edges.clone();
    for hop in edges.into_values().flatten() {
        let Term::NamedNode(end) = hop.to() else { continue };
        let direction = match hop.direction {
            Direction::Forward => Direction::Backward,
            Direction::Backward => Direction::Forward,
        };
        hops.entry(end).or_default().push(Hop {
            edge: hop.edge,
            direction,
        });
    }
    for out in hops.values_mut() {
        out.sort_by_cached_key(|hop| (hop.to().to_string(), hop.edge.predicate.clone(), hop.direction));
        out.dedup_by(|a, b| {
            a.direction == b.direction && a.edge.predicate == b.edge.predicate && a.to() == b.to()
        });
    }
    hops
}

struct Listing<'a> {
    hops: FxHashMap<NamedNode, Vec<Hop>>,
    /// Distances to `to`, complete up to `searched`.
    far: FxHashMap<NamedNode, u8>,
    searched: u8,
    to: &'a NamedNode,
    limit: usize,
    steps_left: u32,
    found: PathsFound,
}

impl Listing<'_> {
    /// Extends the trail by simple paths of exactly `left` more hops that end at `to`.
    fn step(&mut self, trail: &mut Vec<NamedNode>, hops: &mut Vec<Hop>, left: u8) {
        let Some(node) = trail.last() else { return };
        if left == 0 {
            if node == self.to {
                self.keep(trail, hops);
            }
            return;
        }
        // Distances bound the rest of the way from below; a node not in `far` is farther than was searched.
        if node == self.to
            || self
                .far
                .get(node)
                .map_or(left <= self.searched, |distance| *distance > left)
        {
            return;
        }
        let options = self.hops.get(node).cloned().unwrap_or_default();
        for hop in options {
            let Term::NamedNode(end) = hop.to() else { continue };
            if trail.contains(&end) {
                continue;
            }
            if self.steps_left == 0 {
                self.found.cut.nodes += 1;
                return;
            }
            self.steps_left -= 1;
            trail.push(end);
            hops.push(hop);
            self.step(trail, hops, left - 1);
            hops.pop();
            trail.pop();
        }
    }

    fn keep(&mut self, trail: &[NamedNode], hops: &[Hop]) {
        if self.found.paths.len() < self.limit {
            self.found.paths.push(Path {
                start: trail[0].clone(),
                hops: hops.to_vec(),
            });
        } else {
            self.found.cut.paths += 1;
        }
    }
}

#[cfg(test)]
mod tests;
