//! The four operations of synchronisation (Co-E §3.3): consolidate the text, text → graph, graph → text, consolidate
//! again. Rules first, the model for judgement only; every change is reported.

use super::Context;
use super::extraction;
use super::state::{Provenance, WorkingMemory};
use crate::Result;
use crate::event::Event;
use oxrdf::NamedNode;

/// Text items from which the second consolidation asks the model again.
const CROWDED: usize = 16;

/// Runs all four operations. `new_text`: ids of this step's sentences, the only ones that relations are read from.
pub(crate) async fn synchronise(
    context: &Context<'_>,
    memory: &mut WorkingMemory,
    topics: &[NamedNode],
    new_text: &[String],
    step: u32,
) -> Result<()> {
    let (merged, retracted) = consolidate(context, memory, memory.text.len() > 1).await?;
    report(context, 0, merged, retracted, "text consolidated").await;

    let facts = extraction::extract(context, memory, new_text, step).await?;
    let n_read = facts.len();
    let added = facts
        .into_iter()
        .filter(|fact| memory.add_fact(fact.clone()))
        .count();
    let dropped = memory.drop_isolated(topics);
    report(context, added, n_read - added, dropped, "text to graph").await;

    let said = graph_to_text(memory, step);
    report(context, said, 0, 0, "graph to text").await;

    let (merged, retracted) = consolidate(context, memory, memory.text.len() >= CROWDED).await?;
    report(context, 0, merged, retracted, "text consolidated again").await;
    Ok(())
}

/// Merges repeated items by rule, then lets the model take items back. Returns (merged, retracted).
async fn consolidate(context: &Context<'_>, memory: &mut WorkingMemory, ask: bool) -> Result<(usize, usize)> {
    let merged = memory.merge_repeated();
    if !ask {
        return Ok((merged, 0));
    }
    let drop = context.caller.consolidate(context.question, memory).await?;
    Ok((merged, memory.retract(&drop)))
}

/// Puts the surviving facts of this step into words. Returns how many items were added.
fn graph_to_text(memory: &mut WorkingMemory, step: u32) -> usize {
    let known: Vec<String> = memory.text.iter().map(|item| item.content.clone()).collect();
    let mut said: Vec<String> = Vec::new();
    for fact in memory.facts.iter().filter(|fact| fact.hop == step) {
        let words = format!("{} {} {}", fact.subject.label, fact.relation, fact.object.label);
        if !known.contains(&words) && !said.contains(&words) {
            said.push(words);
        }
    }
    let n_said = said.len();
    for words in said {
        memory.add_text(words, Provenance::Graph);
    }
    n_said
}

async fn report(context: &Context<'_>, added: usize, merged: usize, retracted: usize, note: &str) {
    context
        .events
        .emit(Event::Memory {
            added,
            merged,
            retracted,
            note: note.to_owned(),
        })
        .await;
}
