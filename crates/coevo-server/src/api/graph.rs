//! Entities and what is around them: link, search, khop, paths, describe.

use crate::code::Code;
use crate::convert::{self, Labels};
use crate::names;
use crate::parameters::Parameters;
use crate::problem::{Handled, Problem};
use crate::state::Server;
use crate::wire;
use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use coevo_graph::{HopBudget, HopOptions, PathOptions};
use oxrdf::NamedNode;

/// Results of a list at most.
const MOST: usize = 1_000;
/// Edges of an expansion at most.
const MOST_EDGES: usize = 5_000;
/// Longest text that is linked or searched, in characters.
const MAX_TEXT: usize = 20_000;
/// Names of an entity that are shown.
const SURFACES: usize = 50;

/// `GET /api/v1/link?text=&limit=`: candidates for each mention.
pub(crate) async fn link(State(server): State<Server>, uri: Uri) -> Handled<Json<wire::LinkResponse>> {
    let parameters = Parameters::of_uri(&uri)?;
    let text = text(&parameters, "text")?;
    let limit = parameters.number("limit", 5, 1, 100)?;
    let mentions = server.engine.link(text, limit).await?;
    Ok(Json(wire::LinkResponse {
        mentions: mentions.into_iter().map(convert::mention).collect(),
    }))
}

/// `GET /api/v1/search?q=&limit=`: passages by meaning.
pub(crate) async fn search(State(server): State<Server>, uri: Uri) -> Handled<Json<wire::SearchResponse>> {
    let parameters = Parameters::of_uri(&uri)?;
    let text = text(&parameters, "q")?;
    let limit = parameters.number("limit", 10, 1, MOST)?;
    if server.engine.embedder().is_none() {
        return Err(Problem::new(
            Code::VectorsFailed,
            "passages cannot be searched by meaning: no embedding model is loaded",
        )
        .with_hint(
            "run scripts/fetch-models.sh embedder; COEVO_MODELS_DIR says where models are".to_owned(),
        ));
    }
    let hits = server.engine.search(text, limit).await?;
    Ok(Json(wire::SearchResponse {
        hits: hits.into_iter().map(convert::passage).collect(),
    }))
}

/// `GET /api/v1/khop?seed=…&seed=…&k=&limit=`.
pub(crate) async fn khop(State(server): State<Server>, uri: Uri) -> Handled<Json<wire::KhopResponse>> {
    let parameters = Parameters::of_uri(&uri)?;
    let seeds: Vec<NamedNode> = parameters
        .all("seed")
        .map(names::resolve)
        .collect::<Handled<_>>()?;
    if seeds.is_empty() {
        return Err(Problem::parameter("the parameter `seed` is missing"));
    }
    if seeds.len() > 100 {
        return Err(Problem::parameter("more than 100 seeds"));
    }
    let options = HopOptions {
        k: parameters.number("k", 1, 1, 6)?,
        budget: HopBudget {
            edges: parameters.number("limit", 200, 1, MOST_EDGES)?,
            ..HopBudget::default()
        },
        ..HopOptions::default()
    };
    let found = server.engine.graph().khop(&seeds, &options).await?;
    let labels = Labels::of_edges(&server.engine, &found.edges).await?;
    Ok(Json(wire::KhopResponse {
        edges: found.edges.iter().map(|edge| labels.edge(edge)).collect(),
        cut: found.cut.to_string(),
    }))
}

/// `GET /api/v1/paths?from=&to=&max_hops=&limit=`.
pub(crate) async fn paths(State(server): State<Server>, uri: Uri) -> Handled<Json<wire::PathsResponse>> {
    let parameters = Parameters::of_uri(&uri)?;
    let (from, to) = (parameters.entity("from")?, parameters.entity("to")?);
    let options = PathOptions {
        max_hops: parameters.number("max_hops", 3, 1, 6)?,
        limit: parameters.number("limit", 20, 1, MOST)?,
        ..PathOptions::default()
    };
    let found = server.engine.graph().paths(&from, &to, &options).await?;
    let labels = Labels::of_paths(&server.engine, &found.paths).await?;
    Ok(Json(wire::PathsResponse {
        paths: found.paths.iter().map(|path| labels.path(path)).collect(),
        cut: found.cut.to_string(),
    }))
}

/// `GET /api/v1/describe?iri=&limit=`: an entity with its edges.
pub(crate) async fn describe(
    State(server): State<Server>,
    uri: Uri,
) -> Handled<Json<wire::DescribeResponse>> {
    let parameters = Parameters::of_uri(&uri)?;
    let iri = parameters.entity("iri")?;
    let options = HopOptions {
        budget: HopBudget {
            edges: parameters.number("limit", 200, 1, MOST_EDGES)?,
            ..HopBudget::default()
        },
        ..HopOptions::default()
    };
    let graph = server.engine.graph();
    let languages = server.engine.languages().to_vec();
    let found = graph.khop(std::slice::from_ref(&iri), &options).await?;
    let surfaces = graph.surfaces(iri.clone(), SURFACES).await?;
    let description = graph.description(iri.clone(), languages).await?;
    let labels = Labels::of_edges_and(&server.engine, &found.edges, &iri).await?;
    let label = labels.of(&iri);
    if found.edges.is_empty() && surfaces.is_empty() && label.is_none() {
        return Err(
            Problem::new(Code::NoEntity, format!("nothing is known about {iri}"))
                .with_hint("find its identifier with /api/v1/link or `coevo link`".to_owned()),
        );
    }
    Ok(Json(wire::DescribeResponse {
        edges: found.edges.iter().map(|edge| labels.edge(edge)).collect(),
        cut: found.cut.to_string(),
        iri: iri.into_string(),
        label,
        description,
        surfaces,
    }))
}

fn text<'a>(parameters: &'a Parameters, name: &'a str) -> Handled<&'a str> {
    let text = parameters.required(name)?;
    let length = text.chars().count();
    if length > MAX_TEXT {
        return Err(Problem::parameter(format!(
            "`{name}` has {length} characters; at most {MAX_TEXT} are read"
        )));
    }
    Ok(text)
}
