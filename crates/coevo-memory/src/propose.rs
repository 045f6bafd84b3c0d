//! [`Memory::propose`]: extracted triples become claims, in one atomic change per call.
//!
//! A plan is made from what is stored (a pure function of the store and the input), then applied on the condition that the
//! revisions it was made from still stand; a lost race makes a new plan, a bounded number of times. Claims only gain
//! here: evidence is added, and confidence and factors grow to the greatest that any of it came with.

use crate::draft::{Count, Draft, Outcome};
use crate::gate::{Gated, gate};
use crate::memory::Inner;
use crate::read::Node;
use crate::{Error, ExtractedTriple, Memory, Reason, Result, RunRecord, names};
use coevo_graph::{Change, vocab};
use oxrdf::vocab::{rdf, rdfs, xsd};
use oxrdf::{GraphName, Literal, NamedNode, NamedNodeRef, Quad, Term};
use std::collections::{BTreeMap, HashSet};

/// Triples in one call.
const BATCH: usize = 512;
/// Plans made before a race counts as lost.
pub(crate) const ATTEMPTS: u32 = 8;
/// Longest question in characters.
const QUESTION_CHARS: usize = 8_000;
/// Longest name of a strategy, model or trace file in characters.
const LABEL_CHARS: usize = 400;

/// What became of a batch. Every triple counts in exactly one of `proposed`, `quarantined`, `merged_evidence`,
/// `unchanged`, `already_rejected` and `refused`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProposeReport {
    /// Triples that made a claim a proposed one (new, or out of quarantine).
    pub proposed: usize,
    /// Triples that are not grounded in their quotation: kept for a curator, never evidence.
    pub quarantined: usize,
    /// Triples that gave a known claim another sentence.
    pub merged_evidence: usize,
    /// Triples that were known with the very same sentence.
    pub unchanged: usize,
    /// Triples that a curator rejected or replaced before; nothing was written for them.
    pub already_rejected: usize,
    /// Triples that were refused; nothing was written for them.
    pub refused: Vec<(ExtractedTriple, Reason)>,
    /// Dates of validity left out because the quotation does not state them.
    pub dates_dropped: usize,
    /// The live claims (proposed or accepted) that this batch states, in its order, without repetition.
    pub claims: Vec<NamedNode>,
}

impl Memory {
    /// Takes in what a run extracted, at most 512 triples. Everything is written in one atomic change, or nothing.
    /// [`Error::Conflict`] when other writers were faster eight times in a row.
    pub async fn propose(&self, run: &RunRecord, triples: Vec<ExtractedTriple>) -> Result<ProposeReport> {
        let run = run.clone();
        self.blocking(move |memory| memory.propose(&run, &triples, |_| Ok(())))
            .await
    }
}

impl Inner {
    /// `before_apply` is called between plan and change with the number of the attempt; tests race there.
    pub(crate) fn propose(
        &self,
        run: &RunRecord,
        triples: &[ExtractedTriple],
        mut before_apply: impl FnMut(u32) -> Result<()>,
    ) -> Result<ProposeReport> {
        if triples.len() > BATCH {
            return Err(Error::TooMany {
                what: "triples",
                n: triples.len(),
                limit: BATCH,
            });
        }
        check_run(run)?;
        for attempt in 0..ATTEMPTS {
            let (change, report) = self.plan(run, triples)?;
            before_apply(attempt)?;
            if change.insert.is_empty() {
                return Ok(report);
            }
            match self.graph.apply_now(&change) {
                Ok(()) => {
                    tracing::debug!(space = %self.space, run = %run.id, proposed = report.proposed, quarantined = report.quarantined, "claims written");
                    return Ok(report);
                }
                Err(coevo_graph::Error::Conflict { what }) => {
                    tracing::debug!(attempt, %what, "another writer was faster");
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(Error::Conflict {
            what: format!("the claims of run {}", run.id),
        })
    }

    fn plan(&self, run: &RunRecord, triples: &[ExtractedTriple]) -> Result<(Change, ProposeReport)> {
        let run_iri = names::run_iri(&run.id)?;
        let mut report = ProposeReport::default();
        let mut drafts: BTreeMap<NamedNode, Draft> = BTreeMap::new();
        let mut change = Change::default();
        let mut labelled = HashSet::new();
        for triple in triples {
            let gated = match gate(&self.graph, &self.space, triple)? {
                Ok(gated) => gated,
                Err(reason) => {
                    report.refused.push((triple.clone(), reason));
                    continue;
                }
            };
            if !drafts.contains_key(&gated.claim) {
                drafts.insert(gated.claim.clone(), Draft::read(self, &gated)?);
            }
            let Some(draft) = drafts.get_mut(&gated.claim) else {
                continue;
            };
            match draft.take(&gated, &self.space, &run_iri) {
                Outcome::Refused(reason) => report.refused.push((triple.clone(), reason)),
                Outcome::Rejected => report.already_rejected += 1,
                Outcome::Unchanged => report.unchanged += 1,
                Outcome::Taken(count) => {
                    *match count {
                        Count::Proposed => &mut report.proposed,
                        Count::Quarantined => &mut report.quarantined,
                        Count::Merged => &mut report.merged_evidence,
                    } += 1;
                    report.dates_dropped += gated.n_dates_dropped;
                    change.require.push(gated.quotation.stored_text.clone());
                    self.add_labels(&gated, &mut labelled, &mut change)?;
                }
            }
            if draft.is_live() && !report.claims.contains(&gated.claim) {
                report.claims.push(gated.claim);
            }
        }
        for draft in drafts.into_values().filter(Draft::is_changed) {
            draft.write(self, &mut change);
        }
        if !change.insert.is_empty() {
            self.add_run(run, &run_iri, &mut change)?;
        }
        Ok((change, report))
    }

    /// Names what memory minted, once, in the claims graph: never in the graphs that hold facts.
    fn add_labels(
        &self,
        gated: &Gated,
        labelled: &mut HashSet<NamedNode>,
        change: &mut Change,
    ) -> Result<()> {
        for (iri, label) in &gated.labels {
            if !labelled.insert(iri.clone()) {
                continue;
            }
            let subject = iri.clone().into();
            let known = self
                .graph
                .quads_now(
                    Some(&subject),
                    Some(&rdfs::LABEL.into_owned()),
                    None,
                    Some(&self.claims),
                )
                .next()
                .transpose()?;
            if known.is_none() {
                change
                    .insert
                    .push(self.quad(iri, rdfs::LABEL, Literal::from(label.as_str())));
            }
        }
        Ok(())
    }

    /// The run and its question, when they are not there yet: the first record of a run stays.
    pub(crate) fn add_run(&self, run: &RunRecord, iri: &NamedNode, change: &mut Change) -> Result<()> {
        let question = names::question_iri(&self.space, &run.question);
        change.insert.push(Quad::new(
            question.clone(),
            rdf::TYPE,
            vocab::QUESTION_CLASS,
            self.answers.clone(),
        ));
        let text = Literal::from(run.question.as_str());
        change.insert.push(Quad::new(
            question.clone(),
            vocab::TEXT,
            text,
            self.answers.clone(),
        ));
        if Node::read(&self.graph, iri, &self.claims)?.is_some() {
            return Ok(());
        }
        let class = self.quad(iri, rdf::TYPE, vocab::RUN);
        change.forbid.push(class.clone());
        change.insert.push(class);
        change.insert.push(self.quad(iri, vocab::QUESTION, question));
        change
            .insert
            .push(self.quad(iri, vocab::STRATEGY, Literal::from(run.strategy.as_str())));
        change
            .insert
            .push(self.quad(iri, vocab::PROV_STARTED_AT_TIME, time(run.started)));
        change
            .insert
            .push(self.quad(iri, vocab::PROV_ENDED_AT_TIME, time(run.ended)));
        if let Some(model) = &run.model {
            change
                .insert
                .push(self.quad(iri, vocab::MODEL, Literal::from(model.as_str())));
        }
        if let Some(trace) = &run.trace {
            change
                .insert
                .push(self.quad(iri, vocab::TRACE, Literal::from(trace.as_str())));
        }
        Ok(())
    }

    /// A quad of the claims graph.
    pub(crate) fn quad(
        &self,
        subject: &NamedNode,
        predicate: NamedNodeRef<'_>,
        object: impl Into<Term>,
    ) -> Quad {
        Quad::new(
            subject.clone(),
            predicate.into_owned(),
            object,
            self.claims.clone(),
        )
    }
}

pub(crate) fn check_run(run: &RunRecord) -> Result<()> {
    names::run_iri(&run.id)?;
    check_length("question", &run.question, QUESTION_CHARS)?;
    check_length("strategy", &run.strategy, LABEL_CHARS)?;
    check_length("model", run.model.as_deref().unwrap_or_default(), LABEL_CHARS)?;
    check_length("trace", run.trace.as_deref().unwrap_or_default(), LABEL_CHARS)
}

pub(crate) fn check_length(what: &'static str, text: &str, limit: usize) -> Result<()> {
    let length = text.chars().count();
    if length > limit {
        Err(Error::TooLong { what, length, limit })
    } else {
        Ok(())
    }
}

pub(crate) fn time(at: jiff::Timestamp) -> Literal {
    Literal::new_typed_literal(at.to_string(), xsd::DATE_TIME)
}

pub(crate) fn integer(value: u64) -> Literal {
    Literal::new_typed_literal(value.to_string(), xsd::INTEGER)
}

/// A graph name as a node; the graphs of a space are always named.
pub(crate) fn graph_node(name: &GraphName) -> Option<NamedNode> {
    match name {
        GraphName::NamedNode(node) => Some(node.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
