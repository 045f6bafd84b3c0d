//! Dual retrieval of one step: [`text`] (rewritten queries → passages → sentences → extractor) and [`graph`] (linked
//! seeds and memory frontier → k-hop with re-ranking → triple pruner), and [`recall`] of earlier claims.

use super::Context;
use super::state::{Fact, FactNode, Origin, PathWithFacts, Provenance, WorkingMemory};
use crate::Result;
use crate::event::{Event, Outcome};
use crate::evidence::{memory_source, source_name};
use crate::graph_retrieval::{self, Query, RankedPath, Reach, edges_key};
use crate::linking::{self, Linked};
use crate::text_retrieval::{self, Sentence};
use crate::verbalise::Names;
use oxrdf::{NamedNode, Term};

const PASSAGES: usize = 8;
/// Sentences the extractor sees.
const SENTENCES: usize = 10;
/// Sentences taken when the extractor's reply is malformed.
const FALLBACK_SENTENCES: usize = 3;
/// A sentence further away than this is not shown.
const SENTENCE_THRESHOLD: f32 = 0.2;
/// Triples kept before the model's pruner at most (Co-E §B.1).
const MAX_TRIPLES: usize = 128;
/// Paths the model's pruner sees.
const PRUNED: usize = 16;
/// Paths taken when its reply is malformed.
const FALLBACK_PATHS: usize = 4;
/// Entities of the memory that retrieval goes on from.
const FRONTIER: usize = 6;
/// Claims recalled at most.
const RECALLED: usize = 24;

/// What the memory space holds about the entities: accepted and proposed claims become facts and text items of their own
/// provenance, so that nothing recalled is ever extracted again. Returns how many.
pub(crate) async fn recall(
    context: &Context<'_>,
    memory: &mut WorkingMemory,
    entities: &[NamedNode],
) -> Result<usize> {
    let engine = context.engine;
    let claims = engine.memory().claims_about(entities, RECALLED).await?;
    let mut names = Names::default();
    let iris = claims.iter().flat_map(|claim| {
        let object = crate::verbalise::entity(&claim.object);
        [Some(claim.subject.clone()), Some(claim.predicate.clone()), object]
            .into_iter()
            .flatten()
    });
    names
        .learn_iris(engine.graph(), engine.languages(), iris.collect())
        .await?;
    let n_claims = claims.len();
    for claim in claims {
        let grounded = claim.evidence.iter().find(|evidence| evidence.is_grounded());
        let surface = |of: fn(&coevo_memory::Evidence) -> Option<String>, fallback: String| {
            grounded.and_then(of).unwrap_or(fallback)
        };
        let subject = surface(|e| e.grounded_subject.clone(), names.iri(&claim.subject));
        let object = surface(|e| e.grounded_object.clone(), names.term(&claim.object));
        let relation = names.iri(&claim.predicate);
        let words = format!("{subject} {relation} {object}");
        memory.add_fact(Fact {
            subject: FactNode::of(&Term::from(claim.subject.clone()), subject),
            relation,
            object: FactNode::of(&claim.object, object),
            origin: Origin::Claim(claim.iri.clone()),
            hop: 0,
        });
        memory.add_text(words, Provenance::Memory);
    }
    if n_claims > 0 {
        let source = memory_source(engine.memory().space());
        context
            .events
            .emit(Event::Expand {
                source,
                found: n_claims,
                cut: String::new(),
            })
            .await;
    }
    Ok(n_claims)
}

/// Text retrieval of one step.
pub(crate) async fn text(
    context: &Context<'_>,
    memory: &WorkingMemory,
    subquestions: &[String],
    parent: &str,
) -> Result<Vec<Sentence>> {
    let step = context.events.step("retrieve-text", Some(parent)).await;
    if context.engine.embedder().is_none() {
        let reason = Some("no embedder: passages were not searched".to_owned());
        context.events.end(step, Outcome::Failed, reason).await;
        return Ok(Vec::new());
    }
    let queries = context.caller.queries(subquestions, memory).await?;
    let passages = text_retrieval::passages(context.engine, &queries, PASSAGES).await?;
    let source = passages
        .first()
        .map_or_else(|| "docs".to_owned(), |passage| source_name(&passage.graph));
    context
        .events
        .emit(Event::Expand {
            source,
            found: passages.len(),
            cut: String::new(),
        })
        .await;
    let target = subquestions.join(" ");
    let mut sentences =
        text_retrieval::ranked_sentences(context.engine, &target, &passages, SENTENCES).await?;
    sentences.retain(|sentence| sentence.score >= SENTENCE_THRESHOLD);
    let labelled: Vec<(String, String)> = sentences
        .iter()
        .enumerate()
        .map(|(n, sentence)| {
            (
                format!("S{}", n + 1),
                format!("({}) {}", sentence.passage.title, sentence.text()),
            )
        })
        .collect();
    let from = sentences.len();
    let (kept, by) = match labelled.is_empty() {
        true => (Vec::new(), "embedding"),
        false => match context
            .caller
            .extract(context.question, subquestions, &labelled)
            .await?
        {
            Some(labels) => (picked(&labelled, &labels, &sentences), "model"),
            None => (
                sentences.into_iter().take(FALLBACK_SENTENCES).collect(),
                "embedding",
            ),
        },
    };
    context
        .events
        .emit(Event::Prune {
            from,
            to: kept.len(),
            by: by.to_owned(),
        })
        .await;
    let outcome = if kept.is_empty() {
        Outcome::Empty
    } else {
        Outcome::Ok
    };
    context.events.end(step, outcome, None).await;
    Ok(kept)
}

/// Graph retrieval of one step.
pub(crate) async fn graph(
    context: &Context<'_>,
    memory: &WorkingMemory,
    topics: &[NamedNode],
    subquestions: &[String],
    parent: &str,
) -> Result<Vec<PathWithFacts>> {
    let step = context.events.step("retrieve-graph", Some(parent)).await;
    let target = subquestions.join(" ");
    let linked = linking::link_text(context.engine, &target, context.events).await?;
    let mut seeds: Vec<NamedNode> = linked.iter().filter_map(Linked::iri).collect();
    seeds.extend(topics.iter().cloned());
    seeds.extend(memory.frontier(FRONTIER));
    let mut seen = std::collections::HashSet::new();
    seeds.retain(|seed| seen.insert(seed.clone()));
    let reach = Reach {
        hops: 2,
        beam: 8,
        compared: 160,
        keep: MAX_TRIPLES / 2,
        extra_graphs: Vec::new(),
    };
    // Half of the candidates are near the sub-questions, half near the question itself: a path that answers it whole must
    // not be lost because the next step was put clumsily.
    let near_step = Query::new(&target, &linked);
    let near_question = Query::new(context.question, &context.linked);
    let mut found = graph_retrieval::retrieve(context.engine, &near_step, &seeds, &reach).await?;
    if near_question.text != near_step.text {
        found.merge(graph_retrieval::retrieve(context.engine, &near_question, &seeds, &reach).await?);
    }
    context
        .events
        .emit(Event::Expand {
            source: "kg".to_owned(),
            found: found.n_edges,
            cut: found.cut_words(),
        })
        .await;
    let shown: Vec<RankedPath> = found
        .paths
        .into_iter()
        .filter(|ranked| {
            !memory
                .paths
                .iter()
                .any(|known| edges_key(&known.path) == edges_key(&ranked.path))
        })
        .take(PRUNED)
        .collect();
    let labelled: Vec<(String, String)> = shown
        .iter()
        .enumerate()
        .map(|(n, ranked)| (format!("P{}", n + 1), ranked.text.clone()))
        .collect();
    let from = shown.len();
    let (kept, by) = match labelled.is_empty() {
        true => (Vec::new(), "embedding"),
        false => match context
            .caller
            .prune(context.question, subquestions, &labelled)
            .await?
        {
            Some(labels) => (picked(&labelled, &labels, &shown), "model"),
            None => (shown.into_iter().take(FALLBACK_PATHS).collect(), "embedding"),
        },
    };
    context
        .events
        .emit(Event::Prune {
            from,
            to: kept.len(),
            by: by.to_owned(),
        })
        .await;
    let outcome = if kept.is_empty() {
        Outcome::Empty
    } else {
        Outcome::Ok
    };
    context.events.end(step, outcome, None).await;
    Ok(kept
        .into_iter()
        .map(|ranked| with_facts(ranked, &found.names))
        .collect())
}

fn with_facts(ranked: RankedPath, names: &Names) -> PathWithFacts {
    let facts = ranked
        .path
        .hops
        .iter()
        .map(|hop| {
            let edge = &hop.edge;
            let subject = FactNode::of(&Term::from(edge.subject.clone()), names.iri(&edge.subject));
            (
                subject,
                names.iri(&edge.predicate),
                FactNode::of(&edge.object, names.term(&edge.object)),
            )
        })
        .collect();
    (ranked, facts)
}

/// The values whose labels were chosen, in the order chosen.
fn picked<T: Clone>(labelled: &[(String, String)], labels: &[String], values: &[T]) -> Vec<T> {
    labels
        .iter()
        .filter_map(|label| labelled.iter().position(|(known, _)| known == label))
        .filter_map(|index| values.get(index).cloned())
        .collect()
}
