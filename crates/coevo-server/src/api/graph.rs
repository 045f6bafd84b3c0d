//! Entities and what is around them: link, search, khop, paths, describe.

use crate::names;
use crate::parameters::Parameters;
use crate::problem::{Handled, Problem};
use crate::state::Server;
use crate::{views, wire};
use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use oxrdf::NamedNode;

/// Results of a list at most.
const MOST: usize = 1_000;
/// Edges of an expansion at most.
const MOST_EDGES: usize = 5_000;
/// Longest text that is linked or searched, in characters.
const MAX_TEXT: usize = 20_000;

/// `GET /api/v1/link?text=&limit=`: candidates for each mention.
pub(crate) async fn link(State(server): State<Server>, uri: Uri) -> Handled<Json<wire::LinkResponse>> {
    let parameters = Parameters::of_uri(&uri)?;
    let text = text(&parameters, "text")?;
    let limit = parameters.number("limit", 5, 1, 100)?;
    Ok(Json(views::link(&server.engine, text, limit).await?))
}

/// `GET /api/v1/search?q=&limit=`: passages by meaning.
pub(crate) async fn search(State(server): State<Server>, uri: Uri) -> Handled<Json<wire::SearchResponse>> {
    let parameters = Parameters::of_uri(&uri)?;
    let text = text(&parameters, "q")?;
    let limit = parameters.number("limit", 10, 1, MOST)?;
    Ok(Json(views::search(&server.engine, text, limit).await?))
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
    let k = parameters.number("k", 1, 1, 6)?;
    let limit = parameters.number("limit", 200, 1, MOST_EDGES)?;
    Ok(Json(views::khop(&server.engine, &seeds, k, limit).await?))
}

/// `GET /api/v1/paths?from=&to=&max_hops=&limit=`.
pub(crate) async fn paths(State(server): State<Server>, uri: Uri) -> Handled<Json<wire::PathsResponse>> {
    let parameters = Parameters::of_uri(&uri)?;
    let (from, to) = (parameters.entity("from")?, parameters.entity("to")?);
    let max_hops = parameters.number("max_hops", 3, 1, 6)?;
    let limit = parameters.number("limit", 20, 1, MOST)?;
    Ok(Json(
        views::paths(&server.engine, &from, &to, max_hops, limit).await?,
    ))
}

/// `GET /api/v1/describe?iri=&limit=`: an entity with its edges.
pub(crate) async fn describe(
    State(server): State<Server>,
    uri: Uri,
) -> Handled<Json<wire::DescribeResponse>> {
    let parameters = Parameters::of_uri(&uri)?;
    let iri = parameters.entity("iri")?;
    let limit = parameters.number("limit", 200, 1, MOST_EDGES)?;
    Ok(Json(views::describe(&server.engine, &iri, limit).await?))
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
