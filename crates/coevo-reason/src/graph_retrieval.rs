//! Paths out of the linked entities, ranked against a question between the hops: [`retrieve`]. A beam keeps the frontier
//! small; what is cut is counted.

use crate::Result;
use crate::engine::Engine;
use crate::linking::Linked;
use crate::rank::{jaccard, relevance, top};
use crate::verbalise::{Names, entity};
use coevo_graph::{Cut, Direction, Edge, Hop, HopBudget, HopOptions, Path};
use oxrdf::{NamedNode, Term};
use rustc_hash::FxHashMap;
use std::collections::HashSet;

/// Weight of a path's whole text against its shape.
const TEXT_WEIGHT: f32 = 0.1;

/// What paths are compared with.
#[derive(Debug, Clone)]
pub(crate) struct Query {
    /// The question.
    pub(crate) text: String,
    /// The question without the names it mentions: what it asks *of* them.
    pub(crate) without_names: String,
}

impl Query {
    /// Takes the linked mentions out of a question.
    pub(crate) fn new(text: &str, linked: &[Linked]) -> Self {
        let mut without_names = String::with_capacity(text.len());
        let mut at = 0;
        for entity in linked {
            without_names.push_str(text.get(at..entity.mention.start).unwrap_or_default());
            at = entity.mention.end;
        }
        without_names.push_str(text.get(at..).unwrap_or_default());
        Self {
            text: text.to_owned(),
            without_names: without_names.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }
}

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
    /// Paths left out because they end in an identifier.
    pub(crate) n_hidden: usize,
    pub(crate) cut: Cut,
    pub(crate) names: Names,
}

/// Finds paths from `seeds`, hop by hop.
pub(crate) async fn retrieve(
    engine: &Engine,
    query: &Query,
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
        let ranked = rank(engine, query, &topics, longer, coarse, &mut found).await?;
        frontier = ranked
            .iter()
            .take(reach.beam)
            .map(|ranked| ranked.path.clone())
            .collect();
        all.extend(ranked);
    }
    all.sort_by(best_first);
    let mut seen = HashSet::new();
    all.retain(|ranked| seen.insert(edges_key(&ranked.path)));
    found.cut.paths += all.len().saturating_sub(reach.keep) as u64;
    all.truncate(reach.keep);
    found.paths = all;
    Ok(found)
}

/// The edges of a path without their order: two seeds find the same path from its two ends.
pub(crate) fn edges_key(path: &Path) -> Vec<(NamedNode, NamedNode, Term)> {
    let mut key: Vec<(NamedNode, NamedNode, Term)> = path
        .hops
        .iter()
        .map(|hop| {
            (
                hop.edge.subject.clone(),
                hop.edge.predicate.clone(),
                hop.edge.object.clone(),
            )
        })
        .collect();
    key.sort_by_cached_key(|(subject, predicate, object)| {
        (subject.clone(), predicate.clone(), object.to_string())
    });
    key
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

/// Ranks paths: first by their shape alone (few distinct texts), then the best `coarse` of them in full. A question knows
/// its topics and asks through relations, but it does not know the names on the way or at the end: so the shape (topics
/// and relations) is compared with the question, the relations with the question without its names, and the whole text
/// of a path only decides between paths of one shape.
async fn rank(
    engine: &Engine,
    query: &Query,
    topics: &HashSet<NamedNode>,
    mut paths: Vec<Path>,
    coarse: usize,
    found: &mut PathEvidence,
) -> Result<Vec<RankedPath>> {
    found
        .names
        .learn(engine.graph(), engine.languages(), paths.iter())
        .await?;
    let n_paths = paths.len();
    paths.retain(|path| !ends_in_identifier(path, &found.names));
    found.n_hidden += n_paths - paths.len();
    let relations: Vec<String> = paths.iter().map(|path| found.names.relations(path)).collect();
    let shapes: Vec<String> = paths.iter().map(|path| found.names.shape(path, topics)).collect();
    let by_relation = distinct_similarity(engine, &query.without_names, &relations).await?;
    let by_shape = distinct_similarity(engine, &query.text, &shapes).await?;
    let form: Vec<f32> = by_relation
        .iter()
        .zip(&by_shape)
        .map(|(a, b)| f32::midpoint(*a, *b))
        .collect();
    found.cut.paths += paths.len().saturating_sub(coarse) as u64;
    let chosen = top(&form, coarse);
    let texts: Vec<String> = chosen
        .iter()
        .map(|index| found.names.path(&paths[*index]))
        .collect();
    let by_text = engine.ranker().similarity(&query.text, &texts).await?;
    let mut ranked: Vec<RankedPath> = chosen
        .into_iter()
        .zip(texts)
        .zip(by_text)
        .map(|((index, text), by_text)| {
            let path = paths[index].clone();
            let entities: HashSet<NamedNode> = path.nodes().iter().filter_map(entity).collect();
            let cosine = (1.0 - TEXT_WEIGHT) * form[index] + TEXT_WEIGHT * by_text;
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

/// Similarity of every text, each distinct one compared once.
async fn distinct_similarity(engine: &Engine, query: &str, texts: &[String]) -> Result<Vec<f32>> {
    let mut distinct = texts.to_vec();
    distinct.sort();
    distinct.dedup();
    let similarity = engine.ranker().similarity(query, &distinct).await?;
    let score_of: FxHashMap<&str, f32> = distinct.iter().map(String::as_str).zip(similarity).collect();
    Ok(texts
        .iter()
        .map(|text| score_of.get(text.as_str()).copied().unwrap_or_default())
        .collect())
}

/// Identifiers in other catalogues answer no question that is asked in words, and there are hundreds of them.
fn ends_in_identifier(path: &Path, names: &Names) -> bool {
    let Some(hop) = path.hops.last() else { return false };
    let relation = names.iri(&hop.edge.predicate);
    matches!(hop.edge.object, Term::Literal(_))
        && [" ID", " code", " identifier", "Unicode character"]
            .iter()
            .any(|suffix| relation.ends_with(suffix))
}

pub(crate) fn best_first(a: &RankedPath, b: &RankedPath) -> std::cmp::Ordering {
    b.score
        .total_cmp(&a.score)
        .then_with(|| a.path.hops.len().cmp(&b.path.hops.len()))
        .then_with(|| a.text.cmp(&b.text))
}

impl PathEvidence {
    /// Takes in what was found for another query: the paths of both in turn, without repetition.
    pub(crate) fn merge(&mut self, other: Self) {
        let mut merged: Vec<RankedPath> = Vec::with_capacity(self.paths.len() + other.paths.len());
        let mut theirs = other.paths.into_iter();
        let mut seen = HashSet::new();
        for ours in std::mem::take(&mut self.paths) {
            for ranked in [Some(ours), theirs.next()].into_iter().flatten() {
                if seen.insert(edges_key(&ranked.path)) {
                    merged.push(ranked);
                }
            }
        }
        merged.extend(theirs.filter(|ranked| seen.insert(edges_key(&ranked.path))));
        self.paths = merged;
        self.n_edges = self.n_edges.max(other.n_edges);
        self.n_hidden = self.n_hidden.max(other.n_hidden);
        self.cut.add(&other.cut);
        self.names.merge(other.names);
    }

    /// What was cut and hidden, in words; empty: nothing.
    pub(crate) fn cut_words(&self) -> String {
        let mut words = self.cut.to_string();
        if self.n_hidden > 0 {
            let hidden = format!("{} identifiers hidden", self.n_hidden);
            words = if words.is_empty() {
                hidden
            } else {
                format!("{words}, {hidden}")
            };
        }
        words
    }
}

/// The term a path ends at, when it can be an answer.
pub(crate) fn answer_of(path: &Path, topics: &HashSet<NamedNode>) -> Option<Term> {
    let end = path.end();
    match &end {
        Term::NamedNode(iri) if topics.contains(iri) => None,
        _ => Some(end),
    }
}
