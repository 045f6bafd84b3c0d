//! From values of the crates below to [`wire`] bodies, with labels: [`Labels`] reads them once for a whole response.

use crate::wire;
use coevo_graph::{Direction, Edge, Path};
use coevo_memory::{Claim, ClaimDetail};
use coevo_reason::Engine;
use oxrdf::{NamedNode, Term};
use std::collections::HashMap;

/// Labels of everything that a response names.
pub(crate) struct Labels(HashMap<NamedNode, String>);

impl Labels {
    pub(crate) async fn of_edges(engine: &Engine, edges: &[Edge]) -> Result<Self, coevo_graph::Error> {
        Self::read(engine, edges.iter().flat_map(nodes_of_edge)).await
    }

    pub(crate) async fn of_edges_and(
        engine: &Engine,
        edges: &[Edge],
        iri: &NamedNode,
    ) -> Result<Self, coevo_graph::Error> {
        Self::read(engine, edges.iter().flat_map(nodes_of_edge).chain([iri.clone()])).await
    }

    pub(crate) async fn of_paths(engine: &Engine, paths: &[Path]) -> Result<Self, coevo_graph::Error> {
        let hops = paths.iter().flat_map(|path| &path.hops);
        let starts = paths.iter().map(|path| path.start.clone());
        Self::read(
            engine,
            hops.flat_map(|hop| nodes_of_edge(&hop.edge)).chain(starts),
        )
        .await
    }

    pub(crate) async fn of_claims(engine: &Engine, claims: &[Claim]) -> Result<Self, coevo_graph::Error> {
        let nodes = claims
            .iter()
            .flat_map(|claim| nodes(&claim.subject, &claim.predicate, &claim.object));
        Self::read(engine, nodes).await
    }

    async fn read(
        engine: &Engine,
        nodes: impl Iterator<Item = NamedNode>,
    ) -> Result<Self, coevo_graph::Error> {
        let mut nodes: Vec<NamedNode> = nodes.collect();
        nodes.sort();
        nodes.dedup();
        let labels = engine.graph().labels(nodes, engine.languages().to_vec()).await?;
        Ok(Self(labels.into_iter().collect()))
    }

    pub(crate) fn of(&self, node: &NamedNode) -> Option<String> {
        self.0.get(node).cloned()
    }

    fn of_term(&self, term: &Term) -> Option<String> {
        match term {
            Term::NamedNode(node) => self.of(node),
            _ => None,
        }
    }

    pub(crate) fn edge(&self, edge: &Edge) -> wire::Edge {
        wire::Edge {
            subject: edge.subject.as_str().to_owned(),
            subject_label: self.of(&edge.subject),
            predicate: edge.predicate.as_str().to_owned(),
            predicate_label: self.of(&edge.predicate),
            object: term(&edge.object),
            object_label: self.of_term(&edge.object),
            graph: edge.graph.as_str().to_owned(),
            statement: edge.statement.as_ref().map(|node| node.as_str().to_owned()),
            qualifiers: edge
                .qualifiers
                .iter()
                .map(|(predicate, value)| (predicate.as_str().to_owned(), term(value)))
                .collect(),
        }
    }

    pub(crate) fn path(&self, path: &Path) -> wire::Path {
        wire::Path {
            start: path.start.as_str().to_owned(),
            start_label: self.of(&path.start),
            hops: path
                .hops
                .iter()
                .map(|hop| wire::Hop {
                    direction: match hop.direction {
                        Direction::Forward => "forward".to_owned(),
                        Direction::Backward => "backward".to_owned(),
                    },
                    edge: self.edge(&hop.edge),
                })
                .collect(),
            sparql: path.to_sparql(),
        }
    }

    pub(crate) fn claim(&self, claim: Claim) -> wire::Claim {
        wire::Claim {
            subject_label: self.of(&claim.subject),
            predicate_label: self.of(&claim.predicate),
            object_label: self.of_term(&claim.object),
            iri: claim.iri.into_string(),
            subject: claim.subject.into_string(),
            predicate: claim.predicate.into_string(),
            object: term(&claim.object),
            status: claim.status.to_string(),
            revision: claim.revision,
            confidence: claim.confidence,
            factors: wire::Factors {
                source: claim.factors.source,
                corroboration: claim.factors.corroboration,
                alignment: claim.factors.alignment,
            },
            valid_from: claim.valid_from,
            valid_to: claim.valid_to,
            evidence: claim.evidence.into_iter().map(quotation).collect(),
        }
    }
}

/// A term as the wire has it.
pub(crate) fn term(term: &Term) -> String {
    match term {
        Term::NamedNode(node) => node.as_str().to_owned(),
        other => other.to_string(),
    }
}

pub(crate) fn claim_detail(detail: ClaimDetail, labels: &Labels) -> wire::ClaimDetail {
    wire::ClaimDetail {
        claim: labels.claim(detail.claim),
        runs: detail
            .runs
            .into_iter()
            .map(|run| wire::ClaimRun {
                iri: run.iri.into_string(),
                question: run.question,
                strategy: run.strategy,
                model: run.model,
                ended: run.ended,
                trace: run.trace,
            })
            .collect(),
        decisions: detail
            .decisions
            .into_iter()
            .map(|decision| wire::ClaimDecision {
                iri: decision.iri.into_string(),
                action: decision.action.into_string(),
                from_revision: decision.from_revision,
                to_revision: decision.to_revision,
                by: decision.by.into_string(),
                at: decision.at,
            })
            .collect(),
        answers: detail.answers.into_iter().map(NamedNode::into_string).collect(),
    }
}

pub(crate) fn mention(mention: coevo_graph::Mention) -> wire::Mention {
    wire::Mention {
        start: mention.start,
        end: mention.end,
        text: mention.text,
        candidates: mention
            .candidates
            .into_iter()
            .map(|candidate| wire::Candidate {
                iri: candidate.iri,
                label: candidate.label,
                matched: candidate.matched,
                exact: candidate.exact,
                score: candidate.score,
                popularity: candidate.popularity,
            })
            .collect(),
    }
}

pub(crate) fn passage(hit: coevo_reason::PassageHit) -> wire::PassageHit {
    wire::PassageHit {
        iri: hit.iri,
        document: hit.document,
        title: hit.title,
        text: hit.text,
        score: hit.score,
        collection: hit.collection,
    }
}

pub(crate) fn status(status: coevo_reason::Status, space: &str, no_model_hint: &str) -> wire::Status {
    wire::Status {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        graphs: status
            .graphs
            .into_iter()
            .map(|(name, triples)| wire::GraphSize { name, triples })
            .collect(),
        labels: status.labels,
        passages_embedded: status.passages_embedded,
        embedder: status.embedder,
        model_hint: status.model.is_none().then(|| no_model_hint.to_owned()),
        model: status.model,
        space: space.to_owned(),
        memory: wire::MemorySize {
            proposed: status.memory.proposed,
            accepted: status.memory.accepted,
            rejected: status.memory.rejected,
            superseded: status.memory.superseded,
            quarantined: status.memory.quarantined,
            answers: status.memory.answers,
        },
    }
}

fn quotation(evidence: coevo_memory::Evidence) -> wire::Quotation {
    wire::Quotation {
        iri: evidence.iri.into_string(),
        passage: evidence.passage.into_string(),
        root_source: evidence.root_source,
        quoted: evidence.quoted,
        start: evidence.start,
        end: evidence.end,
        grounded_subject: evidence.grounded_subject,
        grounded_object: evidence.grounded_object,
        run: evidence.run.into_string(),
    }
}

fn nodes_of_edge(edge: &Edge) -> impl Iterator<Item = NamedNode> + use<> {
    nodes(&edge.subject, &edge.predicate, &edge.object)
}

fn nodes(
    subject: &NamedNode,
    predicate: &NamedNode,
    object: &Term,
) -> impl Iterator<Item = NamedNode> + use<> {
    let object = match object {
        Term::NamedNode(node) => Some(node.clone()),
        _ => None,
    };
    [subject.clone(), predicate.clone()].into_iter().chain(object)
}
