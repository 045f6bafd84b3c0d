//! What an engine holds, as [`wire`] bodies with labels: one function for each thing that can be asked. The REST handlers
//! and the command line on a directory both answer from here, so that they say the same.
//!
//! What it deliberately does not do: it reads no parameters and sets no limits (its callers check theirs), and it asks no
//! question: `Answer` and events come from the engine as they are.

use crate::convert::{self, Labels};
use crate::{Error, wire};
use coevo_graph::{HopBudget, HopOptions, PathOptions};
use coevo_memory::{ClaimFilter, Decision};
use coevo_reason::{Engine, Trace};
use jiff::Timestamp;
use oxrdf::NamedNode;

/// Names of an entity that are shown.
const SURFACES: usize = 50;

/// What a view gives.
type Result<T, E = Error> = std::result::Result<T, E>;

/// What the store holds and what works. `no_model_hint` says how to add a model where there is none.
pub async fn status(engine: &Engine, no_model_hint: &str) -> Result<wire::Status> {
    let status = engine.status().await?;
    Ok(convert::status(status, engine.memory().space(), no_model_hint))
}

/// Candidates for each mention in a text, at most `limit` of each.
pub async fn link(engine: &Engine, text: &str, limit: usize) -> Result<wire::LinkResponse> {
    let mentions = engine.link(text, limit).await?;
    Ok(wire::LinkResponse {
        mentions: mentions.into_iter().map(convert::mention).collect(),
    })
}

/// Passages by meaning. [`Error::NoEmbedder`] when meaning is not to be had.
pub async fn search(engine: &Engine, text: &str, limit: usize) -> Result<wire::SearchResponse> {
    if engine.embedder().is_none() {
        return Err(Error::NoEmbedder);
    }
    let hits = engine.search(text, limit).await?;
    Ok(wire::SearchResponse {
        hits: hits.into_iter().map(convert::passage).collect(),
    })
}

/// Edges within `k` hops of the seeds.
pub async fn khop(engine: &Engine, seeds: &[NamedNode], k: u8, limit: usize) -> Result<wire::KhopResponse> {
    let found = engine.graph().khop(seeds, &hop_options(k, limit)).await?;
    let labels = Labels::of_edges(engine, &found.edges).await?;
    Ok(wire::KhopResponse {
        edges: found.edges.iter().map(|edge| labels.edge(edge)).collect(),
        cut: found.cut.to_string(),
    })
}

/// Paths between two entities.
pub async fn paths(
    engine: &Engine,
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
    let found = engine.graph().paths(from, to, &options).await?;
    let labels = Labels::of_paths(engine, &found.paths).await?;
    Ok(wire::PathsResponse {
        paths: found.paths.iter().map(|path| labels.path(path)).collect(),
        cut: found.cut.to_string(),
    })
}

/// An entity with its names and its edges. [`Error::UnknownEntity`] when it has none of them.
pub async fn describe(engine: &Engine, iri: &NamedNode, limit: usize) -> Result<wire::DescribeResponse> {
    let graph = engine.graph();
    let found = graph
        .khop(std::slice::from_ref(iri), &hop_options(1, limit))
        .await?;
    let labels = Labels::of_edges_and(engine, &found.edges, iri).await?;
    let (label, surfaces) = (labels.of(iri), graph.surfaces(iri.clone(), SURFACES).await?);
    if found.edges.is_empty() && surfaces.is_empty() && label.is_none() {
        return Err(Error::UnknownEntity { iri: iri.clone() });
    }
    Ok(wire::DescribeResponse {
        iri: iri.as_str().to_owned(),
        label,
        description: graph
            .description(iri.clone(), engine.languages().to_vec())
            .await?,
        surfaces,
        edges: found.edges.iter().map(|edge| labels.edge(edge)).collect(),
        cut: found.cut.to_string(),
    })
}

/// Stored traces, newest first.
pub async fn traces(engine: &Engine, limit: usize) -> Result<wire::TracesResponse> {
    let traces = blocking(engine, move |engine| engine.traces(limit)).await?;
    Ok(wire::TracesResponse { traces })
}

/// The stored trace of a run.
pub async fn trace(engine: &Engine, run: &str) -> Result<Trace> {
    let run = run.to_owned();
    blocking(engine, move |engine| engine.trace(&run)).await
}

/// One page of claims.
pub async fn claims(engine: &Engine, filter: &ClaimFilter) -> Result<wire::ClaimsResponse> {
    let page = engine.memory().list(filter).await?;
    let labels = Labels::of_claims(engine, &page.claims).await?;
    Ok(wire::ClaimsResponse {
        claims: page.claims.into_iter().map(|claim| labels.claim(claim)).collect(),
        total: page.total,
        is_total_capped: page.is_total_capped,
    })
}

/// A claim with its history.
pub async fn claim(engine: &Engine, iri: &NamedNode) -> Result<wire::ClaimDetail> {
    let Some(detail) = engine.memory().show(iri).await? else {
        return Err(coevo_memory::Error::UnknownClaim { claim: iri.clone() }.into());
    };
    let labels = Labels::of_claims(engine, std::slice::from_ref(&detail.claim)).await?;
    Ok(convert::claim_detail(detail, &labels))
}

/// Decides on a claim now, on the condition that it still has this revision.
pub async fn decide(
    engine: &Engine,
    claim: &NamedNode,
    verdict: wire::Verdict,
    by: &NamedNode,
    revision: u64,
) -> Result<wire::DecideResponse> {
    let decision = match verdict {
        wire::Verdict::Accept => Decision::Accept,
        wire::Verdict::Reject => Decision::Reject,
    };
    let decided = engine
        .memory()
        .decide(claim, decision, by, Timestamp::now(), revision)
        .await?;
    Ok(wire::DecideResponse {
        decision: decided.decision.map(NamedNode::into_string),
        revision: decided.revision,
        n_stale: decided.n_stale,
    })
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

/// Work of the engine that reads files.
async fn blocking<T: Send + 'static>(
    engine: &Engine,
    work: impl FnOnce(&Engine) -> Result<T, coevo_reason::Error> + Send + 'static,
) -> Result<T> {
    let engine = engine.clone();
    let result = tokio::task::spawn_blocking(move || work(&engine)).await;
    Ok(result.map_err(coevo_reason::Error::from)??)
}
