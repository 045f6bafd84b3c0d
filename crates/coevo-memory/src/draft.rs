//! One claim while a batch is taken in: [`Draft`] starts from what is stored, grows by gated triples, and writes itself
//! into a change. Nothing here touches the store but the first read.

use crate::gate::Gated;
use crate::memory::Inner;
use crate::propose::integer;
use crate::read::{Node, lexical};
use crate::{Claim, Evidence, Factors, Reason, Result, Status, names};
use coevo_graph::{Change, vocab};
use oxrdf::vocab::{rdf, xsd};
use oxrdf::{Literal, NamedNode, NamedNodeRef, Term};

/// Evidence kept of one claim.
const EVIDENCE: usize = 200;
/// Independent root sources that make corroboration complete.
const FULL_CORROBORATION: usize = 3;

/// One claim while a batch is taken in.
pub(crate) struct Draft {
    /// What is stored; `None` for a new claim.
    node: Option<Node>,
    claim: Claim,
    changed: bool,
    became_proposed: bool,
    dates: Vec<(NamedNodeRef<'static>, Literal)>,
    /// Evidence to write: new, or newly grounded.
    evidence: Vec<(Evidence, Term)>,
}

/// What became of one triple.
pub(crate) enum Outcome {
    Taken(Count),
    Unchanged,
    Rejected,
    Refused(Reason),
}

/// What a triple that was taken in counts as.
pub(crate) enum Count {
    Proposed,
    Quarantined,
    Merged,
}

impl Draft {
    /// The claim of a gated triple as it stands, or a new one.
    pub(crate) fn read(memory: &Inner, gated: &Gated) -> Result<Self> {
        let node = Node::read(&memory.graph, &gated.claim, &memory.claims)?;
        let claim = match &node {
            Some(node) => Claim::from_node(&memory.graph, node, &memory.claims)?,
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
        Ok(Self {
            node,
            claim,
            changed: false,
            became_proposed: false,
            dates: Vec::new(),
            evidence: Vec::new(),
        })
    }

    pub(crate) fn is_changed(&self) -> bool {
        self.changed
    }

    pub(crate) fn is_live(&self) -> bool {
        self.claim.status.is_live()
    }

    /// Takes in one triple of the batch.
    pub(crate) fn take(&mut self, gated: &Gated, space: &str, run: &NamedNode) -> Outcome {
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
            root_source: lexical(&quotation.root_source).unwrap_or_default(),
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

    /// Adds what became of the claim to a change, on the condition that its revision still stands.
    pub(crate) fn write(self, memory: &Inner, change: &mut Change) {
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

/// Four digits behind the point are more than a confidence means.
fn decimal(value: f32) -> Literal {
    let rounded = format!("{value:.4}");
    let short = rounded.trim_end_matches('0').trim_end_matches('.');
    Literal::new_typed_literal(short, xsd::DECIMAL)
}
