//! Claims as they are stored: [`Claim`] and its parts, read from the claims graph. Reading never repairs: a node that
//! lacks a part is [`Error::Damaged`].

use crate::read::Node;
use crate::{Error, Factors, Result};
use coevo_graph::{Graph, vocab};
use jiff::Timestamp;
use oxrdf::vocab::rdf;
use oxrdf::{GraphName, NamedNode, NamedNodeRef, Term, Triple};

/// Where a claim stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// Waits for a decision; usable at a low prior.
    Proposed,
    /// A live fact.
    Accepted,
    /// Refused by a curator, for good.
    Rejected,
    /// Replaced by another claim.
    Superseded,
    /// Not grounded in its quotation; never evidence.
    Quarantined,
}

/// A claim with its evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// Its identifier, derived from space, subject, predicate and object.
    pub iri: NamedNode,
    /// Subject of the triple.
    pub subject: NamedNode,
    /// Predicate of the triple.
    pub predicate: NamedNode,
    /// Object of the triple.
    pub object: Term,
    /// Where it stands.
    pub status: Status,
    /// Counts from 1; every change raises it by one.
    pub revision: u64,
    /// In [0, 1]; the greatest that any of its evidence came with.
    pub confidence: f32,
    /// Verification factors, likewise.
    pub factors: Factors,
    /// Start of validity, when a quotation states it.
    pub valid_from: Option<String>,
    /// End of validity, when a quotation states it.
    pub valid_to: Option<String>,
    /// The quoted sentences, sorted by identifier.
    pub evidence: Vec<Evidence>,
}

/// One quoted sentence of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Its identifier, derived from claim, passage and span.
    pub iri: NamedNode,
    /// The passage.
    pub passage: NamedNode,
    /// Where the document comes from in the end: independence is counted by it.
    pub root_source: String,
    /// The sentence.
    pub quoted: String,
    /// First character, counted in the document.
    pub start: usize,
    /// Behind its last character.
    pub end: usize,
    /// The words that are the subject; `None`: not found.
    pub grounded_subject: Option<String>,
    /// The words that are the object; `None`: not found.
    pub grounded_object: Option<String>,
    /// The run that read it.
    pub run: NamedNode,
}

/// A claim with everything that happened to it.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimDetail {
    /// The claim.
    pub claim: Claim,
    /// The runs that gave its evidence, sorted by identifier.
    pub runs: Vec<RunDetail>,
    /// Decisions, oldest first.
    pub decisions: Vec<DecisionRecord>,
    /// Answers that stand on it, sorted; at most 1,000.
    pub answers: Vec<NamedNode>,
}

/// A run as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunDetail {
    /// The run.
    pub iri: NamedNode,
    /// What was asked; `None` when the question is gone.
    pub question: Option<String>,
    /// Name of the strategy.
    pub strategy: String,
    /// Name of the chat model.
    pub model: Option<String>,
    /// When it ended.
    pub ended: Timestamp,
    /// File of the trace.
    pub trace: Option<String>,
}

/// A decision as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionRecord {
    /// The decision.
    pub iri: NamedNode,
    /// `urn:coevo:ns#Accept` or `urn:coevo:ns#Reject`.
    pub action: NamedNode,
    /// Revision of the claim before.
    pub from_revision: u64,
    /// Revision after.
    pub to_revision: u64,
    /// Who decided.
    pub by: NamedNode,
    /// When.
    pub at: Timestamp,
}

impl Status {
    /// All of them, in the order of their lives.
    pub const ALL: [Self; 5] = [
        Self::Proposed,
        Self::Accepted,
        Self::Rejected,
        Self::Superseded,
        Self::Quarantined,
    ];

    /// The lower-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Superseded => "superseded",
            Self::Quarantined => "quarantined",
        }
    }

    /// Whether the triple of such a claim may be used as evidence.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Proposed | Self::Accepted)
    }

    pub(crate) fn term(self) -> NamedNodeRef<'static> {
        match self {
            Self::Proposed => vocab::PROPOSED,
            Self::Accepted => vocab::ACCEPTED,
            Self::Rejected => vocab::REJECTED,
            Self::Superseded => vocab::SUPERSEDED,
            Self::Quarantined => vocab::QUARANTINED,
        }
    }

    pub(crate) fn from_term(term: &NamedNode) -> Option<Self> {
        Self::ALL.into_iter().find(|status| *term == status.term())
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for Status {
    type Err = String;

    /// The lower-case name; the error lists the names there are.
    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|status| status.as_str() == name)
            .ok_or_else(|| {
                format!(
                    "`{name}` is no status; there are {}",
                    Self::ALL.map(Self::as_str).join(", ")
                )
            })
    }
}

impl Claim {
    /// The triple it states.
    pub fn triple(&self) -> Triple {
        Triple::new(self.subject.clone(), self.predicate.clone(), self.object.clone())
    }

    /// Independent root sources among its grounded evidence.
    pub fn n_sources(&self) -> usize {
        let mut sources: Vec<&str> = self
            .evidence
            .iter()
            .filter(|e| e.is_grounded())
            .map(|e| e.root_source.as_str())
            .collect();
        sources.sort_unstable();
        sources.dedup();
        sources.len()
    }

    /// Reads the claim of a node and its evidence.
    pub(crate) fn from_node(graph: &Graph, node: &Node, claims: &GraphName) -> Result<Self> {
        if !node.is_a(vocab::CLAIM) {
            return Err(node.damaged("it is not a claim".to_owned()));
        }
        let status = node.node(vocab::STATUS)?;
        let mut evidence = Vec::new();
        for term in node.all(vocab::HAS_EVIDENCE) {
            let Term::NamedNode(iri) = term else {
                return Err(node.damaged(format!("its evidence is {term}")));
            };
            evidence.push(Evidence::read(graph, iri, claims)?);
        }
        evidence.sort_by(|left, right| left.iri.cmp(&right.iri));
        Ok(Self {
            iri: node.iri.clone(),
            subject: node.node(rdf::SUBJECT)?,
            predicate: node.node(rdf::PREDICATE)?,
            object: node.one(rdf::OBJECT)?.clone(),
            status: Status::from_term(&status)
                .ok_or_else(|| node.damaged(format!("its status is {status}")))?,
            revision: node.number(vocab::REVISION)?,
            confidence: node.number(vocab::CONFIDENCE)?,
            factors: Factors {
                source: node.number(vocab::FACTOR_SOURCE)?,
                corroboration: node.number(vocab::FACTOR_CORROBORATION)?,
                alignment: node.number(vocab::FACTOR_ALIGNMENT)?,
            },
            valid_from: node.optional(vocab::VALID_FROM),
            valid_to: node.optional(vocab::VALID_TO),
            evidence,
        })
    }

    /// `None`: there is no such claim.
    pub(crate) fn read(graph: &Graph, iri: &NamedNode, claims: &GraphName) -> Result<Option<Self>> {
        Node::read(graph, iri, claims)?
            .map(|node| Self::from_node(graph, &node, claims))
            .transpose()
    }
}

impl Evidence {
    /// Whether subject and object were both found in the sentence.
    pub fn is_grounded(&self) -> bool {
        self.grounded_subject.is_some() && self.grounded_object.is_some()
    }

    fn read(graph: &Graph, iri: &NamedNode, claims: &GraphName) -> Result<Self> {
        let node = Node::read(graph, iri, claims)?.ok_or_else(|| Error::Damaged {
            node: iri.clone(),
            what: "it is not there".to_owned(),
        })?;
        Ok(Self {
            iri: iri.clone(),
            passage: node.node(vocab::PROV_WAS_DERIVED_FROM)?,
            root_source: node
                .optional(vocab::ROOT_SOURCE)
                .ok_or_else(|| node.damaged("it has no root source".to_owned()))?,
            quoted: node.text(vocab::OA_EXACT)?,
            start: node.number(vocab::OA_START)?,
            end: node.number(vocab::OA_END)?,
            grounded_subject: node.optional(vocab::GROUNDED_SUBJECT),
            grounded_object: node.optional(vocab::GROUNDED_OBJECT),
            run: node.node(vocab::PROV_WAS_GENERATED_BY)?,
        })
    }
}

impl RunDetail {
    pub(crate) fn read(
        graph: &Graph,
        iri: &NamedNode,
        claims: &GraphName,
        answers: &GraphName,
    ) -> Result<Self> {
        let node = Node::read(graph, iri, claims)?.ok_or_else(|| Error::Damaged {
            node: iri.clone(),
            what: "it is not there".to_owned(),
        })?;
        let question = Node::read(graph, &node.node(vocab::QUESTION)?, answers)?;
        Ok(Self {
            iri: iri.clone(),
            question: question.and_then(|question| question.optional(vocab::TEXT)),
            strategy: node.text(vocab::STRATEGY)?,
            model: node.optional(vocab::MODEL),
            ended: node.number(vocab::PROV_ENDED_AT_TIME)?,
            trace: node.optional(vocab::TRACE),
        })
    }
}

impl DecisionRecord {
    pub(crate) fn from_node(node: &Node) -> Result<Self> {
        Ok(Self {
            iri: node.iri.clone(),
            action: node.node(vocab::ACTION)?,
            from_revision: node.number(vocab::FROM_REVISION)?,
            to_revision: node.number(vocab::TO_REVISION)?,
            by: node.node(vocab::PROV_WAS_ATTRIBUTED_TO)?,
            at: node.number(vocab::PROV_AT_TIME)?,
        })
    }
}
