//! From words to entities: mentions of a text linked in its context. Spelling and popularity come from the label index;
//! where namesakes remain, the description nearest to the text decides. An identifier that is not a candidate is never
//! used.

use crate::engine::Engine;
use crate::event::{Event, LinkCandidate};
use crate::{EventSink, Result};
use coevo_graph::{Candidate, Mention, MentionOptions, fold_tokens};
use oxrdf::NamedNode;

/// Candidates compared by meaning.
const CANDIDATES: usize = 8;
/// Weight of the context against spelling and popularity.
const CONTEXT_WEIGHT: f32 = 0.35;
/// A misspelt name is taken only from this score on.
const FUZZY_THRESHOLD: f32 = 0.6;

/// A mention and the entity it was linked to.
#[derive(Debug, Clone)]
pub(crate) struct Linked {
    pub(crate) mention: Mention,
    pub(crate) chosen: Option<Candidate>,
}

impl Linked {
    pub(crate) fn iri(&self) -> Option<NamedNode> {
        self.chosen
            .as_ref()
            .map(|candidate| NamedNode::new_unchecked(candidate.iri.clone()))
    }
}

/// Mentions of `text` with candidates; when no exact name is in it, capitalised runs are looked up as misspellings, and
/// last the whole text.
pub(crate) async fn mentions(engine: &Engine, text: &str, candidates: usize) -> Result<Vec<Mention>> {
    let (labels, text) = (engine.labels().clone(), text.to_owned());
    tokio::task::spawn_blocking(move || {
        let options = MentionOptions {
            candidates,
            ..MentionOptions::default()
        };
        let mut found = labels.mentions(&text, &options)?;
        if found.is_empty() {
            for (start, end) in capitalised_runs(&text) {
                let candidates = labels.link(&text[start..end], candidates)?;
                if candidates
                    .first()
                    .is_some_and(|best| best.score >= FUZZY_THRESHOLD)
                {
                    found.push(Mention {
                        start,
                        end,
                        text: text[start..end].to_owned(),
                        candidates,
                    });
                }
            }
        }
        Ok(found)
    })
    .await?
}

/// Links every mention of `text`, in its context, and emits what was chosen.
pub(crate) async fn link_text(engine: &Engine, text: &str, events: &EventSink) -> Result<Vec<Linked>> {
    let mut linked = Vec::new();
    for mention in mentions(engine, text, CANDIDATES).await? {
        let ranked = in_context(engine, text, mention.candidates.clone()).await?;
        let chosen = ranked.first().cloned();
        events
            .emit(Event::Link {
                mention: mention.text.clone(),
                candidates: ranked.iter().map(shown).collect(),
                chosen: chosen.as_ref().map(|candidate| candidate.iri.clone()),
            })
            .await;
        linked.push(Linked {
            mention: Mention {
                candidates: ranked,
                ..mention
            },
            chosen,
        });
    }
    Ok(linked)
}

/// Links one name exactly (after folding), in a context. `None`: no entity has this name.
pub(crate) async fn link_name(engine: &Engine, name: &str, context: &str) -> Result<Option<Candidate>> {
    let (labels, wanted) = (engine.labels().clone(), name.to_owned());
    let candidates = tokio::task::spawn_blocking(move || labels.link(&wanted, CANDIDATES)).await??;
    let exact: Vec<Candidate> = candidates
        .into_iter()
        .filter(|candidate| candidate.exact)
        .collect();
    Ok(in_context(engine, context, exact).await?.into_iter().next())
}

/// Re-orders candidates by spelling, popularity and the nearness of their descriptions to the text.
async fn in_context(engine: &Engine, text: &str, mut candidates: Vec<Candidate>) -> Result<Vec<Candidate>> {
    if candidates.len() < 2 {
        return Ok(candidates);
    }
    let mut described = Vec::with_capacity(candidates.len());
    for candidate in &candidates {
        let iri = NamedNode::new_unchecked(candidate.iri.clone());
        let description = engine
            .graph()
            .description(iri, engine.languages().to_vec())
            .await?;
        described.push(format!(
            "{}: {}",
            candidate.label,
            description.unwrap_or_default()
        ));
    }
    let near = engine.ranker().similarity(text, &described).await?;
    for (candidate, near) in candidates.iter_mut().zip(near) {
        candidate.score = (1.0 - CONTEXT_WEIGHT) * candidate.score + CONTEXT_WEIGHT * near;
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.iri.cmp(&b.iri)));
    Ok(candidates)
}

fn shown(candidate: &Candidate) -> LinkCandidate {
    LinkCandidate {
        iri: candidate.iri.clone(),
        label: candidate.label.clone(),
        score: candidate.score,
    }
}

/// Byte ranges of runs of words that begin with a capital letter, the first word of the text left out.
fn capitalised_runs(text: &str) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut previous = None;
    for (index, token) in fold_tokens(text).into_iter().enumerate() {
        let capital = index > 0 && text[token.start..].starts_with(char::is_uppercase);
        if capital {
            match runs.last_mut() {
                Some(run) if previous == Some(index - 1) => run.1 = token.end,
                _ => runs.push((token.start, token.end)),
            }
            previous = Some(index);
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    //! Runs of capitalised words.
    use super::*;

    #[test]
    fn runs_leave_the_first_word_out() {
        let text = "Where was Albrt Einstien born, in Ulm or not?";
        let runs: Vec<&str> = capitalised_runs(text)
            .into_iter()
            .map(|(start, end)| &text[start..end])
            .collect();
        assert_eq!(runs, ["Albrt Einstien", "Ulm"]);
    }
}
