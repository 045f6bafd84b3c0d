//! Scores as pure functions, and the one place where texts are compared: [`Ranker`]. With an embedder it uses cosine
//! similarity, without one the overlap of folded words, and says which.

use crate::Result;
use coevo_graph::fold_tokens;
use coevo_vectors::Embedder;
use std::collections::HashSet;

/// Weight of meaning against topic overlap in the relevance of a path (`HydraRAG` §3: `λ_sem`).
pub(crate) const LAMBDA_SEM: f32 = 0.7;

/// Compares texts with a query.
#[derive(Debug, Clone)]
pub(crate) struct Ranker {
    embedder: Option<Embedder>,
}

impl Ranker {
    pub(crate) fn new(embedder: Option<Embedder>) -> Self {
        Self { embedder }
    }

    /// Similarity of each text to the query, in [0, 1]: cosine clamped at 0, or word overlap.
    pub(crate) async fn similarity(&self, query: &str, texts: &[String]) -> Result<Vec<f32>> {
        let Some(embedder) = &self.embedder else {
            return Ok(texts.iter().map(|text| word_overlap(query, text)).collect());
        };
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let mut all = Vec::with_capacity(texts.len() + 1);
        all.push(query.to_owned());
        all.extend(texts.iter().cloned());
        let mut vectors = embedder.embed_async(all).await?.into_iter();
        let query = vectors.next().unwrap_or_default();
        Ok(vectors
            .map(|vector| dot(&query, &vector).clamp(0.0, 1.0))
            .collect())
    }
}

/// Dot product: the cosine of normalised vectors.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Jaccard index of two sets, 0 when both are empty.
pub(crate) fn jaccard<T: Eq + std::hash::Hash>(a: &HashSet<T>, b: &HashSet<T>) -> f32 {
    let shared = a.intersection(b).count();
    let all = a.len() + b.len() - shared;
    if all == 0 { 0.0 } else { shared as f32 / all as f32 }
}

/// Relevance of a path: `λ_sem · cos + (1 − λ_sem) · Jaccard(topics, entities of the path)`.
pub(crate) fn relevance(cosine: f32, topic_overlap: f32) -> f32 {
    LAMBDA_SEM * cosine + (1.0 - LAMBDA_SEM) * topic_overlap
}

/// Jaccard index of the folded words of two texts.
pub(crate) fn word_overlap(a: &str, b: &str) -> f32 {
    let words = |text: &str| {
        fold_tokens(text)
            .into_iter()
            .map(|token| token.folded)
            .collect::<HashSet<_>>()
    };
    jaccard(&words(a), &words(b))
}

/// Indices of the `n` highest scores, best first, ties by position.
pub(crate) fn top(scores: &[f32], n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    order.truncate(n);
    order
}

#[cfg(test)]
mod tests {
    //! Hand-computed scores.
    use super::*;

    #[test]
    fn scores_by_hand() {
        assert!((relevance(0.5, 1.0) - 0.65).abs() < 1e-6);
        assert!((jaccard(&HashSet::from([1, 2]), &HashSet::from([2, 3])) - 1.0 / 3.0).abs() < 1e-6);
        assert!(jaccard::<u8>(&HashSet::new(), &HashSet::new()).abs() < 1e-6);
        assert!((word_overlap("The São film", "sao FILM x") - 0.5).abs() < 1e-6);
        assert_eq!(top(&[0.1, 0.9, 0.9, 0.2], 3), [1, 2, 3]);
    }
}
