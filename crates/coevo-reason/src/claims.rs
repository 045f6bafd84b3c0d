//! From an answer to the memory: extracted triples become claims, the answer is recorded with what it stands on. The
//! grounding gate is the memory's own; nothing here decides what is true.

use crate::answer::{Answer, AskRequest};
use crate::engine::{Engine, Finished};
use crate::event::{Event, EvidenceKind, Outcome};
use crate::{EventSink, Result, trace};
use coevo_memory::{AnswerRecord, RunRecord};
use jiff::SignedDuration;
use oxrdf::NamedNode;

/// Writes the claims and the answer of a finished run, and notes in `answer` what was written.
pub(crate) async fn write(
    engine: &Engine,
    request: &AskRequest,
    finished: Finished,
    answer: &mut Answer,
    events: &EventSink,
) -> Result<()> {
    let step = events.step("memory", None).await;
    let run = RunRecord {
        id: request.run_id.clone(),
        question: answer.question.clone(),
        strategy: answer.strategy.clone(),
        model: answer.model.clone(),
        started: request.asked_at,
        ended: request.asked_at + SignedDuration::try_from(events.elapsed()).unwrap_or(SignedDuration::ZERO),
        trace: Some(format!("traces/{}", trace::file_name(&request.run_id))),
    };
    let memory = engine.memory();
    if !finished.extracted.is_empty() {
        let report = memory.propose(&run, finished.extracted).await?;
        answer.claims = report
            .claims
            .iter()
            .map(|claim| claim.as_str().to_owned())
            .collect();
        answer.quarantined = report.quarantined;
        let note = format!(
            "{} proposed, {} met again, {} quarantined, {} rejected before, {} refused",
            report.proposed,
            report.merged_evidence,
            report.quarantined,
            report.already_rejected,
            report.refused.len()
        );
        events
            .emit(Event::Memory {
                added: report.proposed,
                merged: report.merged_evidence,
                retracted: 0,
                note,
            })
            .await;
    }
    let of_kind = |kind: EvidenceKind| answer.evidence.iter().filter(move |item| item.kind == kind);
    let node = |iri: &String| NamedNode::new_unchecked(iri.clone());
    let cites = |id: &String| answer.answer.citations.contains(id);
    memory
        .record_answer(&AnswerRecord {
            text: answer.answer.text.clone(),
            verification: answer.answer.verification.clone(),
            run: run.clone(),
            claims: of_kind(EvidenceKind::Claim)
                .filter(|item| cites(&item.id))
                .filter_map(|item| item.claim.as_ref().map(node))
                .collect(),
            passages: of_kind(EvidenceKind::Passage)
                .filter(|item| cites(&item.id))
                .filter_map(|item| item.passage.as_ref().map(node))
                .collect(),
            triples: finished.triples,
            at: run.ended,
        })
        .await?;
    events.end(step, Outcome::Ok, None).await;
    Ok(())
}
