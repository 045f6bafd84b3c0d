//! Passages by meaning, and their sentences ranked against the question: [`retrieve`]. Every sentence keeps its exact
//! place in the document.

use crate::Result;
use crate::engine::Engine;
use crate::rank::top;
use coevo_documents::sentences;
use coevo_graph::{fold, vocab};
use oxrdf::vocab::rdfs;
use oxrdf::{GraphName, NamedNode, Term};
use std::collections::HashSet;

/// A passage as stored.
#[derive(Debug, Clone)]
pub(crate) struct Passage {
    pub(crate) iri: NamedNode,
    pub(crate) document: String,
    pub(crate) title: String,
    pub(crate) text: String,
    /// Character offset of the passage in its document.
    pub(crate) start: usize,
    pub(crate) root_source: String,
    /// The `docs` graph it is in.
    pub(crate) graph: String,
    /// Similarity to the query in [0, 1].
    pub(crate) score: f32,
}

/// A sentence of a passage.
#[derive(Debug, Clone)]
pub(crate) struct Sentence {
    pub(crate) passage: Passage,
    /// Byte range in the passage's text.
    pub(crate) range: std::ops::Range<usize>,
    /// Similarity to the question in [0, 1].
    pub(crate) score: f32,
}

impl Sentence {
    pub(crate) fn text(&self) -> &str {
        self.passage.text.get(self.range.clone()).unwrap_or_default()
    }
}

/// Passages nearest to any of the queries, best first, without repetition. No index or no embedder gives none.
pub(crate) async fn passages(engine: &Engine, queries: &[String], limit: usize) -> Result<Vec<Passage>> {
    let (Some(embedder), Some(index)) = (engine.embedder(), engine.passages()) else {
        return Ok(Vec::new());
    };
    let vectors = embedder.embed_async(queries.to_vec()).await?;
    let index = index.clone();
    let hits = tokio::task::spawn_blocking(move || {
        let mut hits = Vec::new();
        for vector in &vectors {
            hits.extend(index.search(vector, limit, None)?);
        }
        Ok::<_, crate::Error>(hits)
    })
    .await??;
    let mut best: Vec<(String, f32)> = Vec::new();
    for hit in hits {
        match best.iter_mut().find(|(iri, _)| *iri == hit.iri) {
            Some((_, score)) => *score = score.max(hit.score),
            None => best.push((hit.iri, hit.score)),
        }
    }
    best.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut passages = Vec::new();
    for (iri, score) in best.into_iter().take(limit) {
        if let Some(passage) = read(engine, NamedNode::new_unchecked(iri), score.clamp(0.0, 1.0)).await? {
            passages.push(passage);
        } else {
            tracing::warn!("a vector without its passage in the graph was skipped");
        }
    }
    Ok(passages)
}

/// The sentences of the passages nearest to the question, best first.
pub(crate) async fn ranked_sentences(
    engine: &Engine,
    question: &str,
    passages: &[Passage],
    limit: usize,
) -> Result<Vec<Sentence>> {
    let mut all = Vec::new();
    let mut texts = Vec::new();
    let mut seen = HashSet::new();
    for passage in passages {
        for range in sentences(&passage.text) {
            // Two passages often quote the same sentence: the first, nearer one stands for both.
            if seen.insert(fold(&passage.text[range.clone()])) {
                texts.push(format!("{}: {}", passage.title, &passage.text[range.clone()]));
                all.push(Sentence {
                    passage: passage.clone(),
                    range,
                    score: 0.0,
                });
            }
        }
    }
    let scores = engine.ranker().similarity(question, &texts).await?;
    for (sentence, score) in all.iter_mut().zip(&scores) {
        sentence.score = *score;
    }
    Ok(top(&scores, limit)
        .into_iter()
        .map(|index| all[index].clone())
        .collect())
}

/// Reads a passage with its document from the graph. `None`: it is gone.
pub(crate) async fn read(engine: &Engine, iri: NamedNode, score: f32) -> Result<Option<Passage>> {
    let mut passage = Passage {
        iri: iri.clone(),
        document: String::new(),
        title: String::new(),
        text: String::new(),
        start: 0,
        root_source: String::new(),
        graph: String::new(),
        score,
    };
    for quad in engine
        .graph()
        .quads(Some(iri.into()), None, None, None, 64)
        .await?
    {
        let GraphName::NamedNode(graph) = &quad.graph_name else {
            continue;
        };
        if !graph.as_str().starts_with("urn:coevo:docs:") {
            continue;
        }
        graph.as_str().clone_into(&mut passage.graph);
        match (quad.predicate.as_ref(), &quad.object) {
            (vocab::TEXT, Term::Literal(text)) => text.value().clone_into(&mut passage.text),
            (vocab::OA_START, Term::Literal(start)) => {
                passage.start = start.value().parse().unwrap_or_default();
            }
            (vocab::IN_DOCUMENT, Term::NamedNode(document)) => {
                document.as_str().clone_into(&mut passage.document);
            }
            _ => {}
        }
    }
    if passage.text.is_empty() {
        return Ok(None);
    }
    let document = NamedNode::new_unchecked(passage.document.clone());
    for quad in engine
        .graph()
        .quads(Some(document.into()), None, None, None, 64)
        .await?
    {
        match (quad.predicate.as_ref(), &quad.object) {
            (rdfs::LABEL, Term::Literal(title)) => title.value().clone_into(&mut passage.title),
            (vocab::ROOT_SOURCE, Term::NamedNode(source)) => {
                source.as_str().clone_into(&mut passage.root_source);
            }
            (vocab::ROOT_SOURCE, Term::Literal(source)) => {
                source.value().clone_into(&mut passage.root_source);
            }
            _ => {}
        }
    }
    Ok(Some(passage))
}
