//! The strategy `evidence-only`: linked entities, ranked paths and passages, and the best-supported end entity as the
//! answer. No model is asked; what it cannot know it does not say.

use crate::answer_kind::AnswerKind;
use crate::engine::{Engine, Finished};
use crate::event::{AnswerBody, Event, EvidenceItem, Outcome};
use crate::evidence::{
    answer_item, path_item, quads_of, sentence_item, source_name, supporting, verification,
};
use crate::graph_retrieval::{self, PathEvidence, Query, RankedPath, Reach};
use crate::text_retrieval::Sentence;
use crate::{Error, EventSink, Result, linking, text_retrieval};
use coevo_graph::{fold, fold_tokens};
use oxrdf::{NamedNode, Term};
use std::collections::HashSet;

const PATHS_SHOWN: usize = 5;
const SENTENCES_SHOWN: usize = 5;
const PASSAGES_READ: usize = 8;
/// A passage further away than this says nothing about the question.
const PASSAGE_THRESHOLD: f32 = 0.3;
/// What a sentence among the passages adds to an end entity that it names.
const TEXT_SUPPORT: f32 = 0.03;

pub(crate) async fn run(engine: &Engine, question: &str, events: &EventSink) -> Result<Finished> {
    let step = events.step("link", None).await;
    let linked = linking::link_text(engine, question, events).await?;
    let topics: Vec<NamedNode> = linked.iter().filter_map(linking::Linked::iri).collect();
    let query = Query::new(question, &linked);
    let (outcome, reason) = match topics.is_empty() {
        true => (
            Outcome::Empty,
            Some("no entity of the question is known".to_owned()),
        ),
        false => (Outcome::Ok, None),
    };
    events.end(step, outcome, reason).await;

    let (paths, sentences) = tokio::try_join!(
        graph_part(engine, &query, &topics, events),
        text_part(engine, question, events)
    )?;
    if paths.paths.is_empty() && sentences.is_empty() {
        let question = question.chars().take(120).collect();
        return Err(Error::NothingFound { question });
    }
    let best = best_end(&paths, &sentences, &topics, question);
    let chosen = shown_paths(&paths, best.as_ref());
    let mut evidence: Vec<EvidenceItem> = Vec::new();
    evidence.extend(
        chosen
            .iter()
            .enumerate()
            .map(|(n, path)| path_item(format!("P{}", n + 1), path, &paths.names)),
    );
    evidence.extend(
        sentences
            .iter()
            .enumerate()
            .map(|(n, sentence)| sentence_item(format!("T{}", n + 1), sentence)),
    );
    for item in &evidence {
        events.emit(Event::Evidence(Box::new(item.clone()))).await;
    }
    let answer = body(best.as_ref(), &paths, &evidence);
    events.emit(Event::Answer(Box::new(answer.clone()))).await;
    let triples = chosen
        .iter()
        .enumerate()
        .filter(|(n, _)| answer.citations.contains(&format!("P{}", n + 1)))
        .flat_map(|(_, ranked)| quads_of(&ranked.path))
        .collect();
    let mut notes = Vec::new();
    if topics.is_empty() {
        notes.push("no entity of the question is in the graph: passages only".to_owned());
    }
    if engine.embedder().is_none() {
        notes.push("no embedder: passages were not searched, paths are ranked by words".to_owned());
    }
    Ok(Finished {
        answer,
        evidence,
        extracted: Vec::new(),
        triples,
        notes,
    })
}

async fn graph_part(
    engine: &Engine,
    query: &Query,
    topics: &[NamedNode],
    events: &EventSink,
) -> Result<PathEvidence> {
    let step = events.step("retrieve-graph", None).await;
    let reach = Reach {
        hops: 2,
        beam: 12,
        compared: 300,
        keep: 60,
        extra_graphs: Vec::new(),
    };
    let found = graph_retrieval::retrieve(engine, query, topics, &reach).await?;
    events
        .emit(Event::Expand {
            source: "kg".to_owned(),
            found: found.n_edges,
            cut: found.cut_words(),
        })
        .await;
    let outcome = if found.paths.is_empty() {
        Outcome::Empty
    } else {
        Outcome::Ok
    };
    events.end(step, outcome, None).await;
    Ok(found)
}

async fn text_part(engine: &Engine, question: &str, events: &EventSink) -> Result<Vec<Sentence>> {
    let step = events.step("retrieve-text", None).await;
    let mut passages = text_retrieval::passages(engine, &[question.to_owned()], PASSAGES_READ).await?;
    passages.retain(|passage| passage.score >= PASSAGE_THRESHOLD);
    let source = passages
        .first()
        .map_or_else(|| "docs".to_owned(), |passage| source_name(&passage.graph));
    events
        .emit(Event::Expand {
            source,
            found: passages.len(),
            cut: String::new(),
        })
        .await;
    let sentences = text_retrieval::ranked_sentences(engine, question, &passages, SENTENCES_SHOWN).await?;
    let (outcome, reason) = match (sentences.is_empty(), engine.embedder()) {
        (false, _) => (Outcome::Ok, None),
        (true, Some(_)) => (Outcome::Empty, Some("no passage is near the question".to_owned())),
        (true, None) => (
            Outcome::Failed,
            Some("no embedder: passages were not searched".to_owned()),
        ),
    };
    events.end(step, outcome, reason).await;
    Ok(sentences)
}

/// The end term with the most support: for each topic its best path, plus what the sentences that name it add. An end
/// that the question itself names is no answer.
fn best_end(
    found: &PathEvidence,
    sentences: &[Sentence],
    topics: &[NamedNode],
    question: &str,
) -> Option<Term> {
    let topics: HashSet<NamedNode> = topics.iter().cloned().collect();
    let asked: HashSet<String> = fold_tokens(question)
        .into_iter()
        .map(|token| token.folded)
        .collect();
    let kind = AnswerKind::of(question);
    let mut ends: Vec<(Term, Vec<(NamedNode, f32)>)> = Vec::new();
    for ranked in &found.paths {
        let Some(end) = graph_retrieval::answer_of(&ranked.path, &topics) else {
            continue;
        };
        let words: Vec<String> = fold_tokens(&found.names.term(&end))
            .into_iter()
            .map(|token| token.folded)
            .collect();
        if !kind.fits(&end) || words.iter().all(|word| asked.contains(word)) {
            continue;
        }
        let start = ranked.path.start.clone();
        match ends.iter_mut().find(|(known, _)| *known == end) {
            Some((_, starts)) if starts.iter().any(|(known, _)| *known == start) => {}
            Some((_, starts)) => starts.push((start, ranked.score)),
            None => ends.push((end, vec![(start, ranked.score)])),
        }
    }
    let support = |(end, starts): &(Term, Vec<(NamedNode, f32)>)| -> f32 {
        let name = format!(" {} ", fold(&found.names.term(end)));
        let named = sentences
            .iter()
            .any(|sentence| format!(" {} ", fold(sentence.text())).contains(&name));
        starts.iter().map(|(_, score)| score).sum::<f32>() + if named { TEXT_SUPPORT } else { 0.0 }
    };
    // Paths come best first, so of equals the first seen wins.
    ends.into_iter()
        .map(|end| (support(&end), end.0))
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, end)| end)
}

/// The best paths to the chosen end first, then the best others.
fn shown_paths<'a>(found: &'a PathEvidence, best: Option<&Term>) -> Vec<&'a RankedPath> {
    let (mut shown, others): (Vec<&RankedPath>, Vec<&RankedPath>) = found
        .paths
        .iter()
        .partition(|ranked| Some(&ranked.path.end()) == best);
    shown.truncate(PATHS_SHOWN - 1);
    let room = PATHS_SHOWN - shown.len();
    shown.extend(others.into_iter().take(room));
    shown
}

fn body(best: Option<&Term>, found: &PathEvidence, evidence: &[EvidenceItem]) -> AnswerBody {
    match best {
        Some(end) => {
            let item = answer_item(end, &found.names);
            let citations = supporting(&item.text, evidence);
            AnswerBody {
                text: item.text.clone(),
                items: vec![item],
                verification: verification(&citations, evidence),
                citations,
                state: "answered".to_owned(),
            }
        }
        None => AnswerBody {
            text: "No entity in the graph stands out; the passages below are the nearest.".to_owned(),
            items: Vec::new(),
            citations: Vec::new(),
            verification: "none".to_owned(),
            state: "insufficient".to_owned(),
        },
    }
}
