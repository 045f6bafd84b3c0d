//! Co-E as a chain (`co-e-cot`; Co-E §3): request → dual retrieval → response → synchronisation, until the
//! memory answers the question or the steps are spent. Entry: [`run`].
//!
//! A reply that stays malformed after its one repair turn costs its step part, not the run: the part falls back to what
//! needs no model and the answer's notes say so. A spent budget ends the chain with the best answer so far.

mod calls;
mod conclude;
mod extraction;
mod prompts;
mod relation;
mod replies;
mod retrieve;
mod state;
mod sync;

use crate::answer::AskRequest;
use crate::engine::{Engine, Finished};
use crate::event::{Event, Outcome};
use crate::linking::{self, Linked};
use crate::{Error, EventSink, Result};
use calls::Caller;
use coevo_llm::{ChatModel, Ledger};
use oxrdf::NamedNode;
use state::WorkingMemory;

/// What every part of a step needs.
pub(crate) struct Context<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) caller: Caller<'a>,
    pub(crate) question: &'a str,
    /// Mentions of the question with their entities.
    pub(crate) linked: Vec<Linked>,
    pub(crate) events: &'a EventSink,
}

/// Why the chain ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Answerable,
    StepsSpent,
    BudgetSpent,
}

pub(crate) async fn run(
    engine: &Engine,
    model: &ChatModel,
    question: &str,
    request: &AskRequest,
    ledger: &Ledger,
    events: &EventSink,
) -> Result<Finished> {
    let mut context = Context {
        engine,
        caller: Caller::new(model, ledger),
        question,
        linked: Vec::new(),
        events,
    };
    let mut memory = WorkingMemory::default();
    let topics = start(&mut context, &mut memory).await?;
    let mut last = String::new();
    let mut end = End::StepsSpent;
    for step in 1..=request.max_steps.max(1) {
        match one_step(&context, &mut memory, &topics, step, &mut last).await {
            Ok(true) => {
                end = End::Answerable;
                break;
            }
            Ok(false) => {}
            Err(error) if calls::is_budget(&error) => {
                end = End::BudgetSpent;
                break;
            }
            Err(error) => return Err(error),
        }
        if memory.is_empty() {
            // Nothing was found by either stream: another step would ask the same again.
            break;
        }
    }
    if memory.is_empty() && topics.is_empty() && last.is_empty() {
        return Err(Error::NothingFound {
            question: question.chars().take(120).collect(),
        });
    }
    conclude::conclude(&context, memory, &topics, &last, end == End::BudgetSpent).await
}

/// Links the question and takes in what the memory space already holds about its entities.
async fn start(context: &mut Context<'_>, memory: &mut WorkingMemory) -> Result<Vec<NamedNode>> {
    let step = context.events.step("link", None).await;
    context.linked = linking::link_text(context.engine, context.question, context.events).await?;
    let topics: Vec<NamedNode> = context.linked.iter().filter_map(Linked::iri).collect();
    for entity in &context.linked {
        if let (Some(iri), Some(chosen)) = (entity.iri(), &entity.chosen) {
            memory.know(&entity.mention.text, iri.clone());
            memory.know(&chosen.label, iri);
        }
    }
    let n_recalled = retrieve::recall(context, memory, &topics).await?;
    if n_recalled > 0 {
        let note = format!("{n_recalled} claims of earlier runs recalled");
        context
            .events
            .emit(Event::Memory {
                added: n_recalled,
                merged: 0,
                retracted: 0,
                note,
            })
            .await;
    }
    let (outcome, reason) = match topics.is_empty() {
        true => (
            Outcome::Empty,
            Some("no entity of the question is known".to_owned()),
        ),
        false => (Outcome::Ok, None),
    };
    context.events.end(step, outcome, reason).await;
    Ok(topics)
}

/// One step of the chain. `true`: the memory answers the question.
async fn one_step(
    context: &Context<'_>,
    memory: &mut WorkingMemory,
    topics: &[NamedNode],
    step: u32,
    last: &mut String,
) -> Result<bool> {
    memory.begin_step(step);
    let id = context.events.step("step", None).await;
    let request_step = context.events.step("request", Some(&id)).await;
    let request = context.caller.request(context.question, memory, last).await?;
    // A model says "sufficient" too easily: without any evidence in the memory it is not believed.
    let answerable = request.answerable && memory.has_evidence();
    let subquestions = match request.subquestions.as_slice() {
        [] => vec![context.question.to_owned()],
        given => given.to_vec(),
    };
    let shown = if answerable {
        Vec::new()
    } else {
        subquestions.clone()
    };
    context
        .events
        .emit(Event::Analysis {
            subquestions: shown,
            indicator: None,
            depth: Some(step),
        })
        .await;
    context.events.end(request_step, Outcome::Ok, None).await;
    if answerable {
        context
            .events
            .end(
                id,
                Outcome::Ok,
                Some("the memory answers the question".to_owned()),
            )
            .await;
        return Ok(true);
    }
    let (text, graph) = tokio::try_join!(
        retrieve::text(context, memory, &subquestions, &id),
        retrieve::graph(context, memory, topics, &subquestions, &id),
    )?;
    let found_any = !text.is_empty() || !graph.is_empty();
    let new_text = memory.add_sentences(text);
    memory.add_paths(graph);

    let response_step = context.events.step("response", Some(&id)).await;
    let response = context
        .caller
        .response(context.question, &subquestions, memory)
        .await?;
    if !response.answer.is_empty() {
        response.answer.clone_into(last);
        memory.add_prediction(&subquestions, &response.answer);
    }
    context.events.end(response_step, Outcome::Ok, None).await;

    let sync_step = context.events.step("synchronise", Some(&id)).await;
    sync::synchronise(context, memory, topics, &new_text, step).await?;
    context.events.end(sync_step, Outcome::Ok, None).await;
    let (outcome, reason) = match found_any {
        true => (Outcome::Ok, None),
        false => (
            Outcome::Empty,
            Some("neither stream found anything new".to_owned()),
        ),
    };
    context.events.end(id, outcome, reason).await;
    Ok(false)
}
