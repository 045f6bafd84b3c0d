//! [`Memory::decide`]: a curator accepts or rejects a claim. The triple moves between the graphs, the decision is kept
//! with what undoes it, and answers that stood on a rejected claim become stale: one atomic change, on the condition that
//! the claim still has the revision that the curator saw. Editing, merging and undoing are not here yet.

use crate::memory::Inner;
use crate::propose::{graph_node, integer, time};
use crate::read::Node;
use crate::{Claim, Error, Memory, Result, Status, names};
use coevo_graph::{Change, vocab};
use jiff::Timestamp;
use oxrdf::vocab::rdf;
use oxrdf::{GraphName, Literal, NamedNode, NamedOrBlankNode, Quad, Term};

/// Answers that one decision may make stale.
const ANSWERS: usize = 100_000;
/// Version of the inverse's format.
const INVERSE_VERSION: u32 = 1;

/// What a curator decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The claim is a fact.
    Accept,
    /// The claim is wrong; it never comes back by being read again.
    Reject,
}

/// What a decision did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// The decision's node; `None` when the claim already stood so and nothing was written.
    pub decision: Option<NamedNode>,
    /// The claim's revision now.
    pub revision: u64,
    /// Answers that became stale.
    pub n_stale: usize,
}

/// What undoes a decision exactly; stored as JSON in `c:inverse`.
#[derive(Debug, serde::Serialize)]
struct Inverse {
    version: u32,
    status: &'static str,
    /// The graph that held the triple before.
    triple_in: Option<String>,
    /// Answers that were fresh before.
    made_stale: Vec<String>,
}

impl Memory {
    /// Decides on a claim. [`Error::Conflict`] when its revision is no longer `expected_revision`,
    /// [`Error::UnknownClaim`] when there is none, [`Error::NotGrounded`] when a claim without a grounded quotation is to
    /// be accepted.
    pub async fn decide(
        &self,
        claim: &NamedNode,
        decision: Decision,
        by: &NamedNode,
        at: Timestamp,
        expected_revision: u64,
    ) -> Result<Decided> {
        let claim = claim.clone();
        let by = by.clone();
        self.blocking(move |memory| memory.decide(&claim, decision, &by, at, expected_revision))
            .await
    }
}

impl Decision {
    fn status(self) -> Status {
        match self {
            Self::Accept => Status::Accepted,
            Self::Reject => Status::Rejected,
        }
    }
}

impl Inner {
    pub(crate) fn decide(
        &self,
        iri: &NamedNode,
        decision: Decision,
        by: &NamedNode,
        at: Timestamp,
        expected_revision: u64,
    ) -> Result<Decided> {
        let unknown = || Error::UnknownClaim { claim: iri.clone() };
        let node = Node::read(&self.graph, iri, &self.claims)?.ok_or_else(unknown)?;
        let claim = Claim::from_node(&self.graph, &node, &self.claims)?;
        let conflict = || Error::Conflict {
            what: iri.to_string(),
        };
        if claim.revision != expected_revision {
            return Err(conflict());
        }
        if claim.status == decision.status() {
            return Ok(Decided {
                decision: None,
                revision: claim.revision,
                n_stale: 0,
            });
        }
        if decision == Decision::Accept && claim.n_sources() == 0 {
            return Err(Error::NotGrounded { claim: iri.clone() });
        }
        let stale = if decision == Decision::Reject {
            self.fresh_answers_on(iri)?
        } else {
            Vec::new()
        };
        let (change, node_of_decision) = self.decision_change(&node, &claim, decision, by, at, &stale)?;
        match self.graph.apply_now(&change) {
            Ok(()) => Ok(Decided {
                decision: Some(node_of_decision),
                revision: claim.revision + 1,
                n_stale: stale.len(),
            }),
            Err(coevo_graph::Error::Conflict { .. }) => Err(conflict()),
            Err(error) => Err(error.into()),
        }
    }

    fn decision_change(
        &self,
        node: &Node,
        claim: &Claim,
        decision: Decision,
        by: &NamedNode,
        at: Timestamp,
        stale: &[NamedNode],
    ) -> Result<(Change, NamedNode)> {
        let mut change = Change::default();
        for predicate in [vocab::STATUS, vocab::REVISION] {
            change.require.extend(node.of(predicate).cloned());
            change.remove.extend(node.of(predicate).cloned());
        }
        let iri = &claim.iri;
        let to_revision = claim.revision + 1;
        change
            .insert
            .push(self.quad(iri, vocab::STATUS, decision.status().term().into_owned()));
        change
            .insert
            .push(self.quad(iri, vocab::REVISION, integer(to_revision)));
        let held_in = self.graph_of(claim.status);
        if let Some(name) = held_in {
            change.remove.push(claim.triple().in_graph(name.clone()));
        }
        if let Some(name) = self.graph_of(decision.status()) {
            change.insert.push(claim.triple().in_graph(name.clone()));
        }
        for answer in stale {
            let is = |state| Quad::new(answer.clone(), vocab::STATE, state, self.answers.clone());
            change.require.push(is(vocab::FRESH));
            change.remove.push(is(vocab::FRESH));
            change.insert.push(is(vocab::STALE));
        }
        let inverse = serde_json::to_string(&Inverse {
            version: INVERSE_VERSION,
            status: claim.status.as_str(),
            triple_in: held_in.and_then(graph_node).map(NamedNode::into_string),
            made_stale: stale.iter().map(|answer| answer.as_str().to_owned()).collect(),
        })?;
        let node_of_decision = names::decision_iri(&self.space, iri, to_revision);
        let action = match decision {
            Decision::Accept => vocab::ACCEPT,
            Decision::Reject => vocab::REJECT,
        };
        let mut add = |predicate, object: Term| {
            change
                .insert
                .push(self.quad(&node_of_decision, predicate, object));
        };
        add(rdf::TYPE, vocab::DECISION.into_owned().into());
        add(vocab::ABOUT, iri.clone().into());
        add(vocab::ACTION, action.into_owned().into());
        add(vocab::FROM_REVISION, integer(claim.revision).into());
        add(vocab::TO_REVISION, integer(to_revision).into());
        add(vocab::PROV_WAS_ATTRIBUTED_TO, by.clone().into());
        add(vocab::PROV_AT_TIME, time(at).into());
        add(vocab::INVERSE, Literal::from(inverse).into());
        Ok((change, node_of_decision))
    }

    /// The graph that holds the triples of claims of a status.
    pub(crate) fn graph_of(&self, status: Status) -> Option<&GraphName> {
        match status {
            Status::Proposed => Some(&self.proposed),
            Status::Accepted => Some(&self.accepted),
            Status::Rejected | Status::Superseded | Status::Quarantined => None,
        }
    }

    fn fresh_answers_on(&self, claim: &NamedNode) -> Result<Vec<NamedNode>> {
        let object = Term::from(claim.clone());
        let standing = self.graph.quads_now(
            None,
            Some(&vocab::STANDS_ON.into_owned()),
            Some(&object),
            Some(&self.answers),
        );
        let mut fresh = Vec::new();
        for quad in standing {
            let NamedOrBlankNode::NamedNode(answer) = quad?.subject else {
                continue;
            };
            let state = Quad::new(answer.clone(), vocab::STATE, vocab::FRESH, self.answers.clone());
            if self.graph.contains_now(&state)? {
                fresh.push(answer);
            }
            if fresh.len() > ANSWERS {
                return Err(Error::TooMany {
                    what: "answers that stand on the claim",
                    n: fresh.len(),
                    limit: ANSWERS,
                });
            }
        }
        Ok(fresh)
    }
}

#[cfg(test)]
mod tests;
