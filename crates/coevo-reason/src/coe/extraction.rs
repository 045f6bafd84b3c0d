//! Text → graph: relations read out of this step's sentences, linked and kept with their place ([`extract`]), and at the
//! end of a run turned into what the memory may store as claims ([`to_claims`]). An identifier is only ever taken from
//! the label index; a name that no graph knows stays a name.

use super::Context;
use super::relation::{active, is_bare, literal_of};
use super::replies::Relation;
use super::state::{Fact, FactNode, Origin, Provenance, WorkingMemory};
use crate::Result;
use crate::engine::Engine;
use crate::linking;
use crate::text_retrieval::Sentence;
use coevo_documents::sentences;
use coevo_memory::{EntityRef, EvidenceSpan, ExtractedTriple, Factors, ObjectRef, ground};
use oxrdf::NamedNode;
use std::collections::HashSet;

/// Sentences that relations are read from in one step.
const SENTENCES: usize = 8;
/// Names shown as known.
const KNOWN_NAMES: usize = 12;
/// Sentences before the one with the relation that a quotation may take in, to hold the name of its subject.
const LOOK_BACK: usize = 3;
/// Names of a linked entity that count as finding it.
const SURFACES: usize = 60;
/// Prior of a passage as a source.
const DOCS_PRIOR: f32 = 0.8;
/// Independent sources that give full corroboration (`W_max`).
const FULL_SUPPORT: usize = 3;

/// Facts that the new sentences state.
pub(crate) async fn extract(
    context: &Context<'_>,
    memory: &mut WorkingMemory,
    new_text: &[String],
    step: u32,
) -> Result<Vec<Fact>> {
    let sources: Vec<Sentence> = memory
        .text
        .iter()
        .filter(|item| item.provenance == Provenance::Retrieval && new_text.contains(&item.id))
        .filter_map(|item| item.sentence.clone())
        .take(SENTENCES)
        .collect();
    if sources.is_empty() {
        return Ok(Vec::new());
    }
    let labelled: Vec<(String, String)> = sources
        .iter()
        .enumerate()
        .map(|(n, sentence)| (format!("S{}", n + 1), sentence.text().to_owned()))
        .collect();
    let mut known: Vec<String> = Vec::new();
    for fact in memory.facts.iter().rev() {
        for node in [&fact.subject, &fact.object] {
            if node.iri.is_some() && !known.contains(&node.label) && known.len() < KNOWN_NAMES {
                known.push(node.label.clone());
            }
        }
    }
    let mut facts = Vec::new();
    for relation in context
        .caller
        .relations(context.question, &known, &labelled)
        .await?
    {
        let Some(index) = labelled.iter().position(|(label, _)| *label == relation.sentence) else {
            continue;
        };
        // A small model sometimes writes the label of a sentence where a name belongs.
        let is_label = |name: &String| labelled.iter().any(|(label, _)| label == name);
        if is_label(&relation.subject) || is_label(&relation.object) {
            continue;
        }
        facts.extend(fact_of(context, memory, relation, &sources[index], step).await?);
    }
    Ok(facts)
}

/// `None`: the phrase relates nothing.
async fn fact_of(
    context: &Context<'_>,
    memory: &mut WorkingMemory,
    relation: Relation,
    sentence: &Sentence,
    step: u32,
) -> Result<Option<Fact>> {
    let (phrase, inverted) = active(&relation.phrase);
    if is_bare(&phrase) {
        return Ok(None);
    }
    let (subject, object) = match inverted {
        true => (relation.object, relation.subject),
        false => (relation.subject, relation.object),
    };
    let subject = node_of(context, memory, subject, sentence.text()).await?;
    let object = node_of(context, memory, object, sentence.text()).await?;
    Ok(Some(Fact {
        subject,
        relation: phrase,
        object,
        origin: Origin::Open(Box::new(sentence.clone())),
        hop: step,
    }))
}

/// A name with its entity: from the shared dictionary, else from the label index in the sentence's context.
async fn node_of(
    context: &Context<'_>,
    memory: &mut WorkingMemory,
    name: String,
    sentence: &str,
) -> Result<FactNode> {
    if literal_of(&name).is_some() {
        return Ok(FactNode {
            iri: None,
            label: name,
        });
    }
    if let Some(iri) = memory.entity(&name) {
        return Ok(FactNode {
            iri: Some(iri.clone()),
            label: name,
        });
    }
    let candidate = linking::link_name(context.engine, &name, sentence).await?;
    let iri = candidate.map(|candidate| NamedNode::new_unchecked(candidate.iri));
    if let Some(iri) = &iri {
        memory.know(&name, iri.clone());
    }
    Ok(FactNode { iri, label: name })
}

/// The open-vocabulary facts of a memory as what may become claims.
pub(crate) async fn to_claims(engine: &Engine, memory: &WorkingMemory) -> Result<Vec<ExtractedTriple>> {
    let mut triples = Vec::new();
    for fact in &memory.facts {
        let Origin::Open(sentence) = &fact.origin else {
            continue;
        };
        let subject = entity_ref(engine, &fact.subject).await?;
        let object = object_ref(engine, &fact.object).await?;
        let Some(evidence) = quotation(sentence, &subject) else {
            continue;
        };
        let factors = Factors {
            source: DOCS_PRIOR,
            corroboration: corroboration(memory, fact),
            alignment: [&fact.subject, &fact.object]
                .iter()
                .filter(|node| node.iri.is_some())
                .count() as f32
                / 2.0,
        };
        triples.push(ExtractedTriple {
            subject,
            relation: fact.relation.clone(),
            object,
            evidence,
            confidence: (factors.source + factors.corroboration + factors.alignment) / 3.0,
            factors,
            valid_from: None,
            valid_to: None,
        });
    }
    Ok(triples)
}

/// Verification factor f2: independent root sources that state the same fact, its own included, out of [`FULL_SUPPORT`].
fn corroboration(memory: &WorkingMemory, fact: &Fact) -> f32 {
    let roots: HashSet<&str> = memory
        .facts
        .iter()
        .filter(|other| other.subject.same(&fact.subject) && other.object.same(&fact.object))
        .filter_map(|other| match &other.origin {
            Origin::Open(sentence) => Some(sentence.passage.root_source.as_str()),
            Origin::Kb(ranked) => ranked.path.hops.first().map(|hop| hop.edge.graph.as_str()),
            Origin::Claim(_) => None,
        })
        .collect();
    roots.len().min(FULL_SUPPORT) as f32 / FULL_SUPPORT as f32
}

async fn entity_ref(engine: &Engine, node: &FactNode) -> Result<EntityRef> {
    let mention = node.label.clone();
    Ok(match &node.iri {
        Some(iri) => {
            let aliases = engine.graph().surfaces(iri.clone(), SURFACES).await?;
            EntityRef::Linked {
                iri: iri.clone(),
                mention,
                aliases,
            }
        }
        None => EntityRef::Open { mention },
    })
}

/// A date, year or number is a value, and so are words without any capital letter; the rest are entities.
async fn object_ref(engine: &Engine, node: &FactNode) -> Result<ObjectRef> {
    let text = node.label.clone();
    if let Some(literal) = literal_of(&text) {
        return Ok(ObjectRef::Value { text, literal });
    }
    if node.iri.is_none() && !text.chars().any(char::is_uppercase) {
        let literal = oxrdf::Literal::new_simple_literal(&text);
        return Ok(ObjectRef::Value { text, literal });
    }
    Ok(ObjectRef::Entity(entity_ref(engine, node).await?))
}

/// The sentence as a quotation. Where it only says "he" or "it", it begins at the nearest sentence before it that names
/// the subject; where none does, it is the sentence alone and the memory's gate will say so.
fn quotation(sentence: &Sentence, subject: &EntityRef) -> Option<EvidenceSpan> {
    let passage = &sentence.passage;
    let all = sentences(&passage.text);
    let at = all.iter().position(|range| *range == sentence.range)?;
    let named = |from: usize| {
        let quoted = &passage.text[all[from].start..sentence.range.end];
        match subject {
            EntityRef::Linked { mention, aliases, .. } => ground(mention, aliases, quoted).is_some(),
            EntityRef::Open { mention } => ground(mention, &[], quoted).is_some(),
        }
    };
    let first = at.saturating_sub(LOOK_BACK);
    let from = (first..=at).rev().find(|from| named(*from)).unwrap_or(at);
    let quoted = &passage.text[all[from].start..sentence.range.end];
    EvidenceSpan::locate(passage.iri.clone(), passage.start, &passage.text, quoted)
}

#[cfg(test)]
mod tests;
