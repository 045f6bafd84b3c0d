//! Stored traces, read.

use crate::parameters::Parameters;
use crate::problem::Handled;
use crate::state::Server;
use crate::{views, wire};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::Uri;
use coevo_reason::Trace;

/// `GET /api/v1/traces?limit=`: the newest first.
pub(crate) async fn list(State(server): State<Server>, uri: Uri) -> Handled<Json<wire::TracesResponse>> {
    let limit = Parameters::of_uri(&uri)?.number("limit", 20, 1, 1_000)?;
    Ok(Json(views::traces(&server.engine, limit).await?))
}

/// `GET /api/v1/traces/{id}`.
pub(crate) async fn show(State(server): State<Server>, Path(id): Path<String>) -> Handled<Json<Trace>> {
    Ok(Json(views::trace(&server.engine, &id).await?))
}
