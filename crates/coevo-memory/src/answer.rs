//! [`Memory::record_answer`]: an answer with all it stood on, so that it can be called stale when something below changes.

use crate::memory::Inner;
use crate::propose::{ATTEMPTS, check_length, check_run, time};
use crate::read::Node;
use crate::{Error, Memory, Result, RunRecord, Status, names};
use coevo_graph::{Change, vocab};
use jiff::Timestamp;
use oxrdf::vocab::rdf;
use oxrdf::{GraphName, Literal, NamedNode, Quad, Term};

/// Longest answer in characters.
const ANSWER_CHARS: usize = 100_000;
/// Claims, passages and triples together that one answer stands on.
const SUPPORTS: usize = 2_000;

/// An answer that was given. The question, the strategy and the trace are those of its run.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerRecord {
    /// The run that gave it; there is one answer a run.
    pub run: RunRecord,
    /// The answer.
    pub text: String,
    /// Which sources verify it, as "kg+docs".
    pub verification: String,
    /// Claims it stands on.
    pub claims: Vec<NamedNode>,
    /// Passages it stands on.
    pub passages: Vec<NamedNode>,
    /// Triples it stands on, each with its graph.
    pub triples: Vec<Quad>,
    /// When it was given.
    pub at: Timestamp,
}

impl Memory {
    /// Keeps an answer and returns its node. The answer of a run is kept once: recording it again changes nothing. It is
    /// fresh, unless a claim it stands on is no longer live. [`Error::UnknownClaim`] for a claim that is not there.
    pub async fn record_answer(&self, answer: &AnswerRecord) -> Result<NamedNode> {
        let answer = answer.clone();
        self.blocking(move |memory| memory.record_answer(&answer)).await
    }
}

impl Inner {
    fn record_answer(&self, answer: &AnswerRecord) -> Result<NamedNode> {
        check_run(&answer.run)?;
        check_length("answer", &answer.text, ANSWER_CHARS)?;
        check_length("verification", &answer.verification, 400)?;
        let n_supports = answer.claims.len() + answer.passages.len() + answer.triples.len();
        if n_supports > SUPPORTS {
            return Err(Error::TooMany {
                what: "supports of an answer",
                n: n_supports,
                limit: SUPPORTS,
            });
        }
        let iri = names::answer_iri(&self.space, &answer.run.question, &answer.run.id);
        for _ in 0..ATTEMPTS {
            if Node::read(&self.graph, &iri, &self.answers)?.is_some() {
                return Ok(iri);
            }
            let change = self.answer_change(answer, &iri)?;
            match self.graph.apply_now(&change) {
                Ok(()) => return Ok(iri),
                Err(coevo_graph::Error::Conflict { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Error::Conflict {
            what: iri.to_string(),
        })
    }

    fn answer_change(&self, answer: &AnswerRecord, iri: &NamedNode) -> Result<Change> {
        let mut change = Change::default();
        let run = names::run_iri(&answer.run.id)?;
        self.add_run(&answer.run, &run, &mut change)?;
        let mut state = vocab::FRESH;
        for claim in &answer.claims {
            let node = Node::read(&self.graph, claim, &self.claims)?
                .ok_or_else(|| Error::UnknownClaim { claim: claim.clone() })?;
            let status = Status::from_term(&node.node(vocab::STATUS)?);
            if !status.is_some_and(Status::is_live) {
                state = vocab::STALE;
            }
            change.require.extend(node.of(vocab::STATUS).cloned());
        }
        let class = Quad::new(iri.clone(), rdf::TYPE, vocab::ANSWER, self.answers.clone());
        change.forbid.push(class.clone());
        change.insert.push(class);
        let mut add = |subject: &NamedNode, predicate, object: Term| {
            change.insert.push(Quad::new(
                subject.clone(),
                predicate,
                object,
                self.answers.clone(),
            ));
        };
        let question = names::question_iri(&self.space, &answer.run.question);
        add(iri, vocab::QUESTION, question.into());
        add(iri, vocab::TEXT, Literal::from(answer.text.as_str()).into());
        add(
            iri,
            vocab::VERIFICATION,
            Literal::from(answer.verification.as_str()).into(),
        );
        add(iri, vocab::STATE, state.into_owned().into());
        add(iri, vocab::PROV_WAS_GENERATED_BY, run.into());
        add(iri, vocab::PROV_AT_TIME, time(answer.at).into());
        if let Some(trace) = &answer.run.trace {
            add(iri, vocab::TRACE, Literal::from(trace.as_str()).into());
        }
        for support in answer.claims.iter().chain(&answer.passages) {
            add(iri, vocab::STANDS_ON, support.clone().into());
        }
        for quad in &answer.triples {
            let node = names::triple_iri(&self.space, quad);
            add(iri, vocab::STANDS_ON_TRIPLE, node.clone().into());
            add(&node, rdf::SUBJECT, Term::from(quad.subject.clone()));
            add(&node, rdf::PREDICATE, quad.predicate.clone().into());
            add(&node, rdf::OBJECT, quad.object.clone());
            if let GraphName::NamedNode(name) = &quad.graph_name {
                add(&node, vocab::IN_GRAPH, name.clone().into());
            }
        }
        Ok(change)
    }
}

#[cfg(test)]
mod tests;
