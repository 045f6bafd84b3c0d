//! [`Memory::check`]: the invariant of memory, verified over the whole store. Reads only; mends nothing.
//!
//! Every live triple belongs to a claim of the right status with a sentence that names its subject and its object and that
//! still stands in a stored document; every live claim has its triple in the right graph.

use crate::gate::find_quotation;
use crate::ground::ground;
use crate::memory::Inner;
use crate::propose::graph_node;
use crate::{Claim, Error, Evidence, EvidenceSpan, Memory, Result, Status, names};
use coevo_graph::vocab;
use oxrdf::vocab::rdf;
use oxrdf::{GraphName, NamedNode, NamedOrBlankNode, Quad, Term};

/// Findings that one check returns.
const FINDINGS: usize = 1_000;

/// One breach of the invariant.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Inconsistency {
    /// A triple stands in a graph of memory without a claim.
    #[error("{0} has no claim")]
    TripleWithoutClaim(Quad),
    /// A triple stands in a graph that its claim's status does not allow.
    #[error("{quad} stands there, but its claim {claim} is {status}")]
    WrongGraph {
        /// The triple and its graph.
        quad: Quad,
        /// Its claim.
        claim: NamedNode,
        /// The claim's status.
        status: Status,
    },
    /// A live claim has no triple.
    #[error("{claim} is {status}, but its triple is not in {graph}")]
    TripleMissing {
        /// The claim.
        claim: NamedNode,
        /// Its status.
        status: Status,
        /// Where the triple should be.
        graph: NamedNode,
    },
    /// No sentence of a live claim names its subject and its object.
    #[error("no quotation of {claim} names its subject and its object")]
    NotGrounded {
        /// The claim.
        claim: NamedNode,
    },
    /// No grounded sentence of a live claim stands in a stored document any more.
    #[error("no quotation of {claim} stands in a stored document")]
    QuotationGone {
        /// The claim.
        claim: NamedNode,
    },
    /// A claim's identifier is not that of its triple.
    #[error("{claim} should be named {expected} after its triple")]
    WrongName {
        /// The claim.
        claim: NamedNode,
        /// The name that its triple gives.
        expected: NamedNode,
    },
    /// A node lacks a part or holds nonsense.
    #[error("{node} is damaged: {what}")]
    Damaged {
        /// The node.
        node: NamedNode,
        /// What is wrong.
        what: String,
    },
}

impl Memory {
    /// Verifies the invariant of this space; an empty list means that it holds. At most 1,000 findings are returned.
    pub async fn check(&self) -> Result<Vec<Inconsistency>> {
        self.blocking(Inner::check).await
    }
}

impl Inner {
    fn check(&self) -> Result<Vec<Inconsistency>> {
        let mut findings = Vec::new();
        for name in [&self.proposed, &self.accepted] {
            for quad in self.graph.quads_now(None, None, None, Some(name)) {
                self.check_triple(quad?, name, &mut findings)?;
                if findings.len() >= FINDINGS {
                    return Ok(findings);
                }
            }
        }
        let class = Term::from(vocab::CLAIM.into_owned());
        for quad in self.graph.quads_now(
            None,
            Some(&rdf::TYPE.into_owned()),
            Some(&class),
            Some(&self.claims),
        ) {
            if let NamedOrBlankNode::NamedNode(iri) = quad?.subject {
                self.check_claim(&iri, &mut findings)?;
            }
            if findings.len() >= FINDINGS {
                return Ok(findings);
            }
        }
        Ok(findings)
    }

    fn check_triple(&self, quad: Quad, name: &GraphName, findings: &mut Vec<Inconsistency>) -> Result<()> {
        let claim = match self.claim_of(&quad) {
            Some(iri) => match Claim::read(&self.graph, &iri, &self.claims) {
                Ok(claim) => claim,
                // Reported once, where the claims are gone through.
                Err(Error::Damaged { .. }) => return Ok(()),
                Err(error) => return Err(error),
            },
            None => None,
        };
        let Some(claim) = claim else {
            findings.push(Inconsistency::TripleWithoutClaim(quad));
            return Ok(());
        };
        if self.graph_of(claim.status) != Some(name) {
            findings.push(Inconsistency::WrongGraph {
                quad,
                claim: claim.iri,
                status: claim.status,
            });
            return Ok(());
        }
        if !claim.evidence.iter().any(names_both) {
            findings.push(Inconsistency::NotGrounded { claim: claim.iri });
            return Ok(());
        }
        for evidence in claim.evidence.iter().filter(|evidence| names_both(evidence)) {
            if self.stands(evidence)? {
                return Ok(());
            }
        }
        findings.push(Inconsistency::QuotationGone { claim: claim.iri });
        Ok(())
    }

    fn check_claim(&self, iri: &NamedNode, findings: &mut Vec<Inconsistency>) -> Result<()> {
        let claim = match Claim::read(&self.graph, iri, &self.claims) {
            Ok(Some(claim)) => claim,
            Ok(None) => return Ok(()),
            Err(Error::Damaged { node, what }) => {
                findings.push(Inconsistency::Damaged { node, what });
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let expected = names::claim_iri(&self.space, &claim.subject, &claim.predicate, &claim.object);
        if expected != claim.iri {
            findings.push(Inconsistency::WrongName {
                claim: claim.iri,
                expected,
            });
            return Ok(());
        }
        if let Some(name) = self.graph_of(claim.status)
            && !self.graph.contains_now(&claim.triple().in_graph(name.clone()))?
            && let Some(graph) = graph_node(name)
        {
            findings.push(Inconsistency::TripleMissing {
                claim: claim.iri,
                status: claim.status,
                graph,
            });
        }
        Ok(())
    }

    fn stands(&self, evidence: &Evidence) -> Result<bool> {
        let span = EvidenceSpan {
            passage: evidence.passage.clone(),
            start: evidence.start,
            end: evidence.end,
            quoted: evidence.quoted.clone(),
        };
        Ok(find_quotation(&self.graph, &span)?.is_ok())
    }
}

/// Whether both surfaces are there, and really stand in the sentence.
fn names_both(evidence: &Evidence) -> bool {
    let stands = |surface: &Option<String>| {
        surface
            .as_deref()
            .is_some_and(|surface| ground(surface, &[], &evidence.quoted).is_some())
    };
    stands(&evidence.grounded_subject) && stands(&evidence.grounded_object)
}

#[cfg(test)]
mod tests;
