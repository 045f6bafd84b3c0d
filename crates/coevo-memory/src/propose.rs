//! [`Memory::propose`]: extracted triples become claims, in one atomic change per call.
//!
//! A plan is made from what is stored (a pure function of the store and the input), then applied on the condition that the
//! revisions it was made from still stand; a lost race makes a new plan, a bounded number of times. Claims only gain
//! here: evidence is added, confidence and factors grow to the greatest seen, so the order of proposals does not matter.

use crate::gate::{Gated, gate};
use crate::memory::Inner;
use crate::read::Node;
use crate::{
    Claim, Error, Evidence, ExtractedTriple, Factors, Memory, Reason, Result, RunRecord, Status, names,
};
use coevo_graph::{Change, vocab};
use oxrdf::vocab::{rdf, rdfs, xsd};
use oxrdf::{GraphName, Literal, NamedNode, NamedNodeRef, Quad, Term};
use std::collections::{BTreeMap, HashSet};

/// Triples in one call.
const BATCH: usize = 512;
/// Evidence kept of one claim.
const EVIDENCE: usize = 200;
/// Plans made before a race counts as lost.
pub(crate) const ATTEMPTS: u32 = 8;
/// Independent root sources that make corroboration complete.
const FULL_CORROBORATION: usize = 3;
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
                drafts.insert(gated.claim.clone(), self.draft(&gated)?);
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
            if draft.claim.status.is_live() && !report.claims.contains(&gated.claim) {
                report.claims.push(gated.claim);
            }
        }
        for draft in drafts.into_values().filter(|draft| draft.changed) {
            draft.write(self, &mut change);
        }
        if !change.insert.is_empty() {
            self.add_run(run, &run_iri, &mut change)?;
        }
        Ok((change, report))
    }

    fn draft(&self, gated: &Gated) -> Result<Draft> {
        let node = Node::read(&self.graph, &gated.claim, &self.claims)?;
        let claim = match &node {
            Some(node) => Claim::from_node(&self.graph, node, &self.claims)?,
            None => Claim {
                iri: gated.claim.clone(),
                subject: gated.subject.clone(),
                predicate: gated.predicate.clone(),
                object: gated.object.clone(),
                status: Status::Quarantined,
                revision: 0,
                confidence: 0.0,
                factors: Factors {
                    source: 0.0,
                    corroboration: 0.0,
                    alignment: 0.0,
                },
                valid_from: None,
                valid_to: None,
                evidence: Vec::new(),
            },
        };
        Ok(Draft {
            node,
            claim,
            changed: false,
            became_proposed: false,
            dates: Vec::new(),
            evidence: Vec::new(),
        })
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

/// One claim while a batch is taken in.
struct Draft {
    /// What is stored; `None` for a new claim.
    node: Option<Node>,
    claim: Claim,
    changed: bool,
    became_proposed: bool,
    dates: Vec<(NamedNodeRef<'static>, Literal)>,
    /// Evidence to write: new, or newly grounded.
    evidence: Vec<(Evidence, Term)>,
}

enum Outcome {
    Taken(Count),
    Unchanged,
    Rejected,
    Refused(Reason),
}

enum Count {
    Proposed,
    Quarantined,
    Merged,
}

impl Draft {
    fn take(&mut self, gated: &Gated, space: &str, run: &NamedNode) -> Outcome {
        let is_known = self.node.is_some() || self.changed;
        if is_known && matches!(self.claim.status, Status::Rejected | Status::Superseded) {
            return Outcome::Rejected;
        }
        let quotation = &gated.quotation;
        let iri = names::evidence_iri(
            space,
            &gated.claim,
            &quotation.passage,
            quotation.start,
            quotation.end,
        );
        let known = self
            .claim
            .evidence
            .iter()
            .position(|evidence| evidence.iri == iri);
        if known.is_some_and(|at| self.claim.evidence[at].is_grounded() || !gated.is_grounded()) {
            return Outcome::Unchanged;
        }
        if !gated.is_grounded() && self.claim.status.is_live() {
            return Outcome::Refused(Reason::AddsNoEvidence);
        }
        if known.is_none() && self.claim.evidence.len() >= EVIDENCE {
            return Outcome::Refused(Reason::EvidenceFull);
        }
        let evidence = Evidence {
            iri,
            passage: quotation.passage.clone(),
            root_source: crate::read::lexical(&quotation.root_source).unwrap_or_default(),
            quoted: quotation.quoted.clone(),
            start: quotation.start,
            end: quotation.end,
            grounded_subject: gated.grounded_subject.clone(),
            grounded_object: gated.grounded_object.clone(),
            run: known.map_or_else(|| run.clone(), |at| self.claim.evidence[at].run.clone()),
        };
        match known {
            Some(at) => self.claim.evidence[at] = evidence.clone(),
            None => self.claim.evidence.push(evidence.clone()),
        }
        self.evidence.retain(|(pending, _)| pending.iri != evidence.iri);
        self.evidence.push((evidence, quotation.root_source.clone()));
        self.changed = true;
        self.grow(gated);
        if !gated.is_grounded() {
            Outcome::Taken(Count::Quarantined)
        } else if self.claim.status == Status::Quarantined {
            self.claim.status = Status::Proposed;
            self.became_proposed = true;
            Outcome::Taken(Count::Proposed)
        } else {
            Outcome::Taken(Count::Merged)
        }
    }

    fn grow(&mut self, gated: &Gated) {
        let sources = self.claim.n_sources().min(FULL_CORROBORATION) as f32 / FULL_CORROBORATION as f32;
        let claim = &mut self.claim;
        claim.confidence = claim.confidence.max(gated.confidence);
        claim.factors.source = claim.factors.source.max(gated.factors.source);
        claim.factors.corroboration = claim
            .factors
            .corroboration
            .max(gated.factors.corroboration)
            .max(sources);
        claim.factors.alignment = claim.factors.alignment.max(gated.factors.alignment);
        let dates = [
            (vocab::VALID_FROM, &gated.valid_from, &mut claim.valid_from),
            (vocab::VALID_TO, &gated.valid_to, &mut claim.valid_to),
        ];
        for (predicate, stated, known) in dates {
            if let (Some(date), None) = (stated, &known) {
                *known = Some(date.value().to_owned());
                self.dates.push((predicate, date.clone()));
            }
        }
    }

    fn write(self, memory: &Inner, change: &mut Change) {
        let claim = &self.claim;
        let iri = &claim.iri;
        let class = memory.quad(iri, rdf::TYPE, vocab::CLAIM);
        if let Some(node) = &self.node {
            change.require.extend(node.of(vocab::STATUS).cloned());
            change.require.extend(node.of(vocab::REVISION).cloned());
            for predicate in [
                vocab::STATUS,
                vocab::REVISION,
                vocab::CONFIDENCE,
                vocab::FACTOR_SOURCE,
                vocab::FACTOR_CORROBORATION,
                vocab::FACTOR_ALIGNMENT,
            ] {
                change.remove.extend(node.of(predicate).cloned());
            }
        } else {
            change.forbid.push(class.clone());
            change.insert.push(class);
            change
                .insert
                .push(memory.quad(iri, rdf::SUBJECT, claim.subject.clone()));
            change
                .insert
                .push(memory.quad(iri, rdf::PREDICATE, claim.predicate.clone()));
            change
                .insert
                .push(memory.quad(iri, rdf::OBJECT, claim.object.clone()));
        }
        change
            .insert
            .push(memory.quad(iri, vocab::STATUS, claim.status.term().into_owned()));
        change
            .insert
            .push(memory.quad(iri, vocab::REVISION, integer(claim.revision + 1)));
        change
            .insert
            .push(memory.quad(iri, vocab::CONFIDENCE, decimal(claim.confidence)));
        change
            .insert
            .push(memory.quad(iri, vocab::FACTOR_SOURCE, decimal(claim.factors.source)));
        change.insert.push(memory.quad(
            iri,
            vocab::FACTOR_CORROBORATION,
            decimal(claim.factors.corroboration),
        ));
        change
            .insert
            .push(memory.quad(iri, vocab::FACTOR_ALIGNMENT, decimal(claim.factors.alignment)));
        for (predicate, date) in self.dates {
            change.insert.push(memory.quad(iri, predicate, date));
        }
        for (evidence, root_source) in &self.evidence {
            write_evidence(memory, iri, evidence, root_source, change);
        }
        if self.became_proposed {
            let triple = claim.triple();
            change.insert.push(triple.in_graph(memory.proposed.clone()));
        }
    }
}

fn write_evidence(
    memory: &Inner,
    claim: &NamedNode,
    evidence: &Evidence,
    root_source: &Term,
    change: &mut Change,
) {
    let iri = &evidence.iri;
    let mut add = |predicate, object: Term| change.insert.push(memory.quad(iri, predicate, object));
    add(rdf::TYPE, vocab::EVIDENCE.into_owned().into());
    add(vocab::PROV_WAS_DERIVED_FROM, evidence.passage.clone().into());
    add(vocab::OA_EXACT, Literal::from(evidence.quoted.as_str()).into());
    add(vocab::OA_START, integer(evidence.start as u64).into());
    add(vocab::OA_END, integer(evidence.end as u64).into());
    add(vocab::ROOT_SOURCE, root_source.clone());
    add(vocab::PROV_WAS_GENERATED_BY, evidence.run.clone().into());
    if let Some(surface) = &evidence.grounded_subject {
        add(vocab::GROUNDED_SUBJECT, Literal::from(surface.as_str()).into());
    }
    if let Some(surface) = &evidence.grounded_object {
        add(vocab::GROUNDED_OBJECT, Literal::from(surface.as_str()).into());
    }
    change
        .insert
        .push(memory.quad(claim, vocab::HAS_EVIDENCE, iri.clone()));
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

/// Four digits behind the point are more than a confidence means.
fn decimal(value: f32) -> Literal {
    let rounded = format!("{value:.4}");
    let short = rounded.trim_end_matches('0').trim_end_matches('.');
    Literal::new_typed_literal(short, xsd::DECIMAL)
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
