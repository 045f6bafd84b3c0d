//! What the engine found as the server's wire types: link, search, describe, khop, paths, status, claims.

use super::Local;
use crate::backend::ClaimsFilter;
use crate::failure::{Failure, Result};
use coevo_graph as graph;
use coevo_graph::{HopBudget, HopOptions, PathOptions};
use coevo_memory as memory;
use coevo_server::wire;
use oxrdf::{NamedNode, Term};
use std::collections::HashMap;

/// Names of an entity that are shown.
const SURFACES: usize = 50;

const NO_MODEL: &str = "evidence only: to add a chat model, set [model] base_url in coevo.toml to any OpenAI-compatible endpoint";

/// Labels of the IRIs of one reply.
struct Labels(HashMap<NamedNode, String>);

impl Local {
    pub(crate) async fn link(&self, text: &str, limit: usize) -> Result<wire::LinkResponse> {
        let mentions = self.engine.link(text, limit).await?;
        Ok(wire::LinkResponse {
            mentions: mentions.into_iter().map(mention).collect(),
        })
    }

    pub(crate) async fn search(&self, text: &str, limit: usize) -> Result<wire::SearchResponse> {
        if self.engine.embedder().is_none() {
            return Err(Failure::failed(
                "passages cannot be searched by meaning: no embedding model is loaded",
            )
            .with_hint("run scripts/fetch-models.sh embedder; COEVO_MODELS_DIR says where models are"));
        }
        let hits = self.engine.search(text, limit).await?;
        let hits = hits.into_iter().map(|hit| wire::PassageHit {
            iri: hit.iri,
            document: hit.document,
            title: hit.title,
            text: hit.text,
            score: hit.score,
            collection: hit.collection,
        });
        Ok(wire::SearchResponse { hits: hits.collect() })
    }

    pub(crate) async fn describe(&self, iri: &NamedNode, limit: usize) -> Result<wire::DescribeResponse> {
        let graph = self.engine.graph();
        let languages = self.engine.languages().to_vec();
        let found = graph
            .khop(std::slice::from_ref(iri), &hop_options(1, limit))
            .await?;
        let labels = self
            .labels(found.edges.iter().flat_map(iris_of_edge).chain([iri.clone()]))
            .await?;
        let (label, surfaces) = (labels.of(iri), graph.surfaces(iri.clone(), SURFACES).await?);
        if found.edges.is_empty() && surfaces.is_empty() && label.is_none() {
            return Err(Failure::refused(format!("nothing is known about {iri}"))
                .with_hint("find its identifier with `coevo link`"));
        }
        Ok(wire::DescribeResponse {
            iri: iri.as_str().to_owned(),
            label,
            description: graph.description(iri.clone(), languages).await?,
            surfaces,
            edges: found.edges.iter().map(|edge| labels.edge(edge)).collect(),
            cut: found.cut.to_string(),
        })
    }

    pub(crate) async fn khop(&self, seeds: &[NamedNode], k: u8, limit: usize) -> Result<wire::KhopResponse> {
        let found = self.engine.graph().khop(seeds, &hop_options(k, limit)).await?;
        let labels = self.labels(found.edges.iter().flat_map(iris_of_edge)).await?;
        let edges = found.edges.iter().map(|edge| labels.edge(edge)).collect();
        Ok(wire::KhopResponse {
            edges,
            cut: found.cut.to_string(),
        })
    }

    pub(crate) async fn paths(
        &self,
        from: &NamedNode,
        to: &NamedNode,
        max_hops: u8,
        limit: usize,
    ) -> Result<wire::PathsResponse> {
        let options = PathOptions {
            max_hops,
            limit,
            ..PathOptions::default()
        };
        let found = self.engine.graph().paths(from, to, &options).await?;
        let edges = found
            .paths
            .iter()
            .flat_map(|path| &path.hops)
            .map(|hop| &hop.edge);
        let labels = self
            .labels(edges.flat_map(iris_of_edge).chain([from.clone()]))
            .await?;
        let paths = found.paths.iter().map(|path| wire::Path {
            start: path.start.as_str().to_owned(),
            start_label: labels.of(&path.start),
            hops: path.hops.iter().map(|hop| labels.hop(hop)).collect(),
            sparql: path.to_sparql(),
        });
        Ok(wire::PathsResponse {
            paths: paths.collect(),
            cut: found.cut.to_string(),
        })
    }

    pub(crate) async fn status(&self) -> Result<wire::Status> {
        let status = self.engine.status().await?;
        let memory = status.memory;
        let graphs = status
            .graphs
            .into_iter()
            .map(|(name, triples)| wire::GraphSize { name, triples });
        Ok(wire::Status {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            graphs: graphs.collect(),
            labels: status.labels,
            passages_embedded: status.passages_embedded,
            embedder: status.embedder,
            model_hint: status.model.is_none().then(|| NO_MODEL.to_owned()),
            model: status.model,
            space: self.engine.memory().space().to_owned(),
            memory: wire::MemorySize {
                proposed: memory.proposed,
                accepted: memory.accepted,
                rejected: memory.rejected,
                superseded: memory.superseded,
                quarantined: memory.quarantined,
                answers: memory.answers,
            },
        })
    }

    pub(crate) async fn claims(&self, filter: &ClaimsFilter) -> Result<wire::ClaimsResponse> {
        let filter = memory::ClaimFilter {
            status: filter.status,
            run: None,
            about: filter.about.clone(),
            limit: filter.limit,
            offset: filter.offset,
        };
        let page = self.engine.memory().list(&filter).await?;
        let labels = self.labels(page.claims.iter().flat_map(iris_of_claim)).await?;
        Ok(wire::ClaimsResponse {
            claims: page.claims.into_iter().map(|claim| labels.claim(claim)).collect(),
            total: page.total,
            is_total_capped: page.is_total_capped,
        })
    }

    pub(crate) async fn claim(&self, iri: &NamedNode) -> Result<wire::ClaimDetail> {
        let Some(detail) = self.engine.memory().show(iri).await? else {
            return Err(memory::Error::UnknownClaim { claim: iri.clone() }.into());
        };
        let labels = self.labels(iris_of_claim(&detail.claim)).await?;
        Ok(wire::ClaimDetail {
            claim: labels.claim(detail.claim),
            runs: detail.runs.into_iter().map(run).collect(),
            decisions: detail.decisions.into_iter().map(decision).collect(),
            answers: detail.answers.into_iter().map(NamedNode::into_string).collect(),
        })
    }

    async fn labels(&self, iris: impl IntoIterator<Item = NamedNode>) -> Result<Labels> {
        let mut wanted: Vec<NamedNode> = iris.into_iter().collect();
        wanted.sort();
        wanted.dedup();
        let found = self
            .engine
            .graph()
            .labels(wanted, self.engine.languages().to_vec())
            .await?;
        Ok(Labels(found.into_iter().collect()))
    }
}

impl Labels {
    fn of(&self, iri: &NamedNode) -> Option<String> {
        self.0.get(iri).cloned()
    }

    fn of_term(&self, term: &Term) -> Option<String> {
        match term {
            Term::NamedNode(iri) => self.of(iri),
            _ => None,
        }
    }

    fn edge(&self, edge: &graph::Edge) -> wire::Edge {
        let qualifiers = edge
            .qualifiers
            .iter()
            .map(|(predicate, value)| (predicate.as_str().to_owned(), term(value)));
        wire::Edge {
            subject: edge.subject.as_str().to_owned(),
            subject_label: self.of(&edge.subject),
            predicate: edge.predicate.as_str().to_owned(),
            predicate_label: self.of(&edge.predicate),
            object: term(&edge.object),
            object_label: self.of_term(&edge.object),
            graph: edge.graph.as_str().to_owned(),
            statement: edge
                .statement
                .as_ref()
                .map(|statement| statement.as_str().to_owned()),
            qualifiers: qualifiers.collect(),
        }
    }

    fn hop(&self, hop: &graph::Hop) -> wire::Hop {
        let direction = match hop.direction {
            graph::Direction::Forward => "forward",
            graph::Direction::Backward => "backward",
        };
        wire::Hop {
            direction: direction.to_owned(),
            edge: self.edge(&hop.edge),
        }
    }

    fn claim(&self, claim: memory::Claim) -> wire::Claim {
        wire::Claim {
            subject_label: self.of(&claim.subject),
            predicate_label: self.of(&claim.predicate),
            object_label: self.of_term(&claim.object),
            iri: claim.iri.into_string(),
            subject: claim.subject.into_string(),
            predicate: claim.predicate.into_string(),
            object: term(&claim.object),
            status: claim.status.as_str().to_owned(),
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

fn hop_options(k: u8, limit: usize) -> HopOptions {
    HopOptions {
        k,
        budget: HopBudget {
            edges: limit,
            ..HopBudget::default()
        },
        ..HopOptions::default()
    }
}

/// A term as the wire has it: an IRI bare, everything else in N-Triples form.
fn term(term: &Term) -> String {
    match term {
        Term::NamedNode(iri) => iri.as_str().to_owned(),
        other => other.to_string(),
    }
}

fn iris_of_edge(edge: &graph::Edge) -> Vec<NamedNode> {
    let mut iris = vec![edge.subject.clone(), edge.predicate.clone()];
    if let Term::NamedNode(object) = &edge.object {
        iris.push(object.clone());
    }
    iris
}

fn iris_of_claim(claim: &memory::Claim) -> Vec<NamedNode> {
    let mut iris = vec![claim.subject.clone(), claim.predicate.clone()];
    if let Term::NamedNode(object) = &claim.object {
        iris.push(object.clone());
    }
    iris
}

fn mention(mention: graph::Mention) -> wire::Mention {
    let candidates = mention.candidates.into_iter().map(|candidate| wire::Candidate {
        iri: candidate.iri,
        label: candidate.label,
        matched: candidate.matched,
        exact: candidate.exact,
        score: candidate.score,
        popularity: candidate.popularity,
    });
    wire::Mention {
        start: mention.start,
        end: mention.end,
        text: mention.text,
        candidates: candidates.collect(),
    }
}

fn quotation(evidence: memory::Evidence) -> wire::Quotation {
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

fn run(run: memory::RunDetail) -> wire::ClaimRun {
    wire::ClaimRun {
        iri: run.iri.into_string(),
        question: run.question,
        strategy: run.strategy,
        model: run.model,
        ended: run.ended,
        trace: run.trace,
    }
}

fn decision(decision: memory::DecisionRecord) -> wire::ClaimDecision {
    wire::ClaimDecision {
        iri: decision.iri.into_string(),
        action: decision.action.into_string(),
        from_revision: decision.from_revision,
        to_revision: decision.to_revision,
        by: decision.by.into_string(),
        at: decision.at,
    }
}
