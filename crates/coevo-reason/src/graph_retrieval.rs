//! Paths out of the linked entities, ranked against a question between the hops: [`retrieve`]. A beam keeps the frontier
//! small; what is cut is counted.

use crate::Result;
use crate::engine::Engine;
use crate::rank::{jaccard, relevance, top};
use crate::verbalise::{Names, entity};
use coevo_graph::{Cut, Direction, Edge, Hop, HopBudget, HopOptions, Path};
use oxrdf::{NamedNode, Term};
use rustc_hash::FxHashMap;
use std::collections::HashSet;

/// A path with its words and score.
#[derive(Debug, Clone)]
pub(crate) struct RankedPath {
    pub(crate) path: Path,
    pub(crate) text: String,
    /// Relevance in [0, 1].
    pub(crate) score: f32,
}

/// How far and how wide to look.
#[derive(Debug, Clone)]
pub(crate) struct Reach {
    /// Hops from a seed.
    pub(crate) hops: u8,
    /// Paths whose ends are expanded further.
    pub(crate) beam: usize,
    /// Paths compared in full after the coarse comparison of their relations.
    pub(crate) compared: usize,
    /// Paths returned.
    pub(crate) keep: usize,
    /// Graphs walked besides the default ones.
    pub(crate) extra_graphs: Vec<NamedNode>,
}

/// Paths found, best first.
#[derive(Debug, Default)]
pub(crate) struct PathEvidence {
    pub(crate) paths: Vec<RankedPath>,
    /// Edges read.
    pub(crate) n_edges: usize,
    pub(crate) cut: Cut,
    pub(crate) names: Names,
}

/// Finds paths from `seeds`, hop by hop.
pub(crate) async fn retrieve(
    engine: &Engine,
    question: &str,
    seeds: &[NamedNode],
    reach: &Reach,
) -> Result<PathEvidence> {
    let mut found = PathEvidence::default();
    let topics: HashSet<NamedNode> = seeds.iter().cloned().collect();
    let graphs = match reach.extra_graphs.as_slice() {
        [] => None,
        extra => Some(
            engine
                .traversal_graphs()
                .await?
                .into_iter()
                .chain(extra.iter().cloned())
                .collect(),
        ),
    };
    let mut frontier: Vec<Path> = seeds
        .iter()
        .map(|seed| Path {
            start: seed.clone(),
            hops: Vec::new(),
        })
        .collect();
    let mut all: Vec<RankedPath> = Vec::new();
    for hop in 0..reach.hops {
        let budget = HopBudget {
            nodes: 1,
            ..HopBudget::default()
        };
        let options = HopOptions {
            graphs: graphs.clone(),
            budget,
            ..HopOptions::default()
        };
        let mut edges_of: FxHashMap<NamedNode, Vec<Edge>> = FxHashMap::default();
        let mut longer = Vec::new();
        for path in &frontier {
            let Some(end) = entity(&path.end()) else { continue };
            if !edges_of.contains_key(&end) {
                let around = engine.graph().khop(std::slice::from_ref(&end), &options).await?;
                found.cut.add(&around.cut);
                found.n_edges += around.edges.len();
                edges_of.insert(end.clone(), around.edges);
            }
            for edge in edges_of.get(&end).into_iter().flatten() {
                longer.extend(extended(path, &end, edge));
            }
        }
        let coarse = if hop == 0 {
            reach.compared.saturating_mul(2)
        } else {
            reach.compared
        };
        let ranked = rank(engine, question, &topics, longer, coarse, &mut found).await?;
        frontier = ranked
            .iter()
            .take(reach.beam)
            .map(|ranked| ranked.path.clone())
            .collect();
        all.extend(ranked);
    }
    all.sort_by(best_first);
    found.cut.paths += all.len().saturating_sub(reach.keep) as u64;
    all.truncate(reach.keep);
    found.paths = all;
    Ok(found)
}

/// The path with one more hop over `edge`; `None` when it would meet itself.
fn extended(path: &Path, end: &NamedNode, edge: &Edge) -> Option<Path> {
    let direction = if edge.subject == *end {
        Direction::Forward
    } else {
        Direction::Backward
    };
    let hop = Hop {
        edge: edge.clone(),
        direction,
    };
    if path.nodes().contains(&hop.to()) {
        return None;
    }
    let mut hops = path.hops.clone();
    hops.push(hop);
    Some(Path {
        start: path.start.clone(),
        hops,
    })
}

/// Ranks paths: first their relations alone (few distinct texts), then the best `coarse` of them in full.
async fn rank(
    engine: &Engine,
    question: &str,
    topics: &HashSet<NamedNode>,
    paths: Vec<Path>,
    coarse: usize,
    found: &mut PathEvidence,
) -> Result<Vec<RankedPath>> {
    found
        .names
        .learn(engine.graph(), engine.languages(), paths.iter())
        .await?;
    let mut paths = paths;
    if paths.len() > coarse {
        let mut relations: Vec<String> = paths.iter().map(|path| found.names.relations(path)).collect();
        let of_path = relations.clone();
        relations.sort();
        relations.dedup();
        let similarity = engine.ranker().similarity(question, &relations).await?;
        let score_of: FxHashMap<&str, f32> = relations.iter().map(String::as_str).zip(similarity).collect();
        let scores: Vec<f32> = of_path
            .iter()
            .map(|text| score_of.get(text.as_str()).copied().unwrap_or_default())
            .collect();
        found.cut.paths += (paths.len() - coarse) as u64;
        paths = top(&scores, coarse)
            .into_iter()
            .map(|index| paths[index].clone())
            .collect();
    }
    let texts: Vec<String> = paths.iter().map(|path| found.names.path(path)).collect();
    let similarity = engine.ranker().similarity(question, &texts).await?;
    let mut ranked: Vec<RankedPath> = paths
        .into_iter()
        .zip(texts)
        .zip(similarity)
        .map(|((path, text), cosine)| {
            let entities: HashSet<NamedNode> = path.nodes().iter().filter_map(entity).collect();
            RankedPath {
                score: relevance(cosine, jaccard(topics, &entities)),
                path,
                text,
            }
        })
        .collect();
    ranked.sort_by(best_first);
    Ok(ranked)
}

pub(crate) fn best_first(a: &RankedPath, b: &RankedPath) -> std::cmp::Ordering {
    b.score
        .total_cmp(&a.score)
        .then_with(|| a.path.hops.len().cmp(&b.path.hops.len()))
        .then_with(|| a.text.cmp(&b.text))
}

/// The term a path ends at, when it can be an answer.
pub(crate) fn answer_of(path: &Path, topics: &HashSet<NamedNode>) -> Option<Term> {
    let end = path.end();
    match &end {
        Term::NamedNode(iri) if topics.contains(iri) => None,
        _ => Some(end),
    }
}
