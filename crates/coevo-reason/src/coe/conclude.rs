//! The end of a chain: evidence is gathered from the memory, the final answer is asked for, checked against the evidence,
//! and what the run read out of text is handed over for the memory. With a spent budget the last intermediate answer
//! stands, and the answer says so.

use super::Context;
use super::calls;
use super::extraction::to_claims;
use super::state::{Origin, Provenance, WorkingMemory};
use crate::engine::Finished;
use crate::event::{AnswerBody, AnswerItem, Event, EvidenceItem, EvidenceKind, Outcome};
use crate::evidence::{head_of, memory_source, path_item, quads_of, sentence_item, supporting, verification};
use crate::verbalise::Names;
use crate::{Error, Result};
use oxrdf::NamedNode;

/// Evidence items shown at most, of each kind.
const SHOWN: usize = 8;

pub(crate) async fn conclude(
    context: &Context<'_>,
    memory: WorkingMemory,
    topics: &[NamedNode],
    last: &str,
    budget_spent: bool,
) -> Result<Finished> {
    let step = context.events.step("answer", None).await;
    let evidence = gather(context, &memory, last).await?;
    for item in &evidence {
        context.events.emit(Event::Evidence(Box::new(item.clone()))).await;
    }
    let labelled: Vec<(String, String)> = evidence
        .iter()
        .map(|item| (item.id.clone(), line(item)))
        .collect();
    let asked = match budget_spent {
        true => Ok(None),
        false => context.caller.conclude(context.question, last, &labelled).await,
    };
    let (reply, capped) = match asked {
        Ok(reply) => (reply, budget_spent),
        Err(error) if calls::is_budget(&error) => (None, true),
        Err(error) => return Err(error),
    };
    if let Some(problem) = context.caller.only_malformed() {
        return Err(Error::UselessModel { problem });
    }
    let reply = reply.unwrap_or_default();
    let text = if reply.answer.is_empty() {
        last.to_owned()
    } else {
        reply.answer
    };
    let answer = body(text, &reply.cites, &evidence, &memory, topics, capped);
    if !answer.text.is_empty() {
        context
            .events
            .emit(Event::Token {
                text: answer.text.clone(),
            })
            .await;
    }
    context.events.emit(Event::Answer(Box::new(answer.clone()))).await;
    context
        .events
        .end(step, if capped { Outcome::Capped } else { Outcome::Ok }, None)
        .await;

    let triples = memory
        .paths
        .iter()
        .take(SHOWN)
        .enumerate()
        .filter(|(n, _)| answer.citations.contains(&format!("P{}", n + 1)))
        .flat_map(|(_, ranked)| quads_of(&ranked.path))
        .collect();
    let mut notes = context.caller.notes();
    if capped {
        notes.push("a budget was spent: this is the best answer so far".to_owned());
    }
    if topics.is_empty() {
        notes.push("no entity of the question is in the graph".to_owned());
    }
    let extracted = to_claims(context.engine, &memory).await?;
    Ok(Finished {
        answer,
        evidence,
        extracted,
        triples,
        notes,
    })
}

/// Surviving paths, sentences and recalled claims as evidence items; the sentences that name the last result first.
async fn gather(context: &Context<'_>, memory: &WorkingMemory, last: &str) -> Result<Vec<EvidenceItem>> {
    let mut names = Names::default();
    names
        .learn(
            context.engine.graph(),
            context.engine.languages(),
            memory.paths.iter().map(|ranked| &ranked.path),
        )
        .await?;
    let mut evidence: Vec<EvidenceItem> = memory
        .paths
        .iter()
        .take(SHOWN)
        .enumerate()
        .map(|(n, ranked)| path_item(format!("P{}", n + 1), ranked, &names))
        .collect();
    let mut sentences: Vec<_> = memory
        .text
        .iter()
        .filter_map(|item| item.sentence.as_ref())
        .collect();
    sentences.sort_by(|a, b| {
        let says_it = |text: &str| !last.is_empty() && text.contains(last);
        says_it(b.text())
            .cmp(&says_it(a.text()))
            .then_with(|| b.score.total_cmp(&a.score))
    });
    evidence.extend(
        sentences
            .into_iter()
            .take(SHOWN)
            .enumerate()
            .map(|(n, s)| sentence_item(format!("T{}", n + 1), s)),
    );
    let source = memory_source(context.engine.memory().space());
    let claims = memory.facts.iter().filter_map(|fact| match &fact.origin {
        Origin::Claim(iri) => Some((fact, iri)),
        _ => None,
    });
    evidence.extend(
        claims
            .take(SHOWN)
            .enumerate()
            .map(|(n, (fact, iri))| EvidenceItem {
                id: format!("C{}", n + 1),
                kind: EvidenceKind::Claim,
                source: source.clone(),
                text: format!("{} {} {}", fact.subject.label, fact.relation, fact.object.label),
                relevance: 0.0,
                sparql: None,
                path: None,
                passage: None,
                title: None,
                claim: Some(iri.as_str().to_owned()),
            }),
    );
    Ok(evidence)
}

fn line(item: &EvidenceItem) -> String {
    match &item.title {
        Some(title) => format!("({title}) {}", item.text),
        None => item.text.clone(),
    }
}

/// The answer with its citations: what the model cites and what contains the answer's words; without either it is the
/// model's own word and says so.
fn body(
    text: String,
    cites: &[String],
    evidence: &[EvidenceItem],
    memory: &WorkingMemory,
    topics: &[NamedNode],
    capped: bool,
) -> AnswerBody {
    let worded = supporting(&text, evidence);
    let mut citations: Vec<String> = worded.clone();
    citations.extend(cites.iter().filter(|id| !worded.contains(id)).cloned());
    let verification = match (text.is_empty(), verification(&worded, evidence)) {
        (true, _) => "none".to_owned(),
        (false, found) if found == "none" => "model".to_owned(),
        (false, found) => found,
    };
    let state = match (capped, text.is_empty()) {
        (true, _) => "capped",
        (false, false) => "answered",
        (false, true)
            if memory
                .text
                .iter()
                .any(|item| item.provenance != Provenance::Prediction)
                || !topics.is_empty() =>
        {
            "insufficient"
        }
        (false, true) => "no-evidence",
    };
    let items = match text.is_empty() {
        true => Vec::new(),
        false => vec![AnswerItem {
            iri: memory
                .entity(&text)
                .or_else(|| memory.entity(head_of(&text)))
                .map(|iri| iri.as_str().to_owned()),
            text: text.clone(),
        }],
    };
    AnswerBody {
        text,
        items,
        citations,
        verification,
        state: state.to_owned(),
    }
}
