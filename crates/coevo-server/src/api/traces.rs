//! Stored traces, read.

use crate::parameters::Parameters;
use crate::problem::Handled;
use crate::state::{Server, blocking};
use crate::wire;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::Uri;
use coevo_reason::Trace;

/// `GET /api/v1/traces?limit=`: the newest first.
pub(crate) async fn list(State(server): State<Server>, uri: Uri) -> Handled<Json<wire::TracesResponse>> {
    let limit = Parameters::of_uri(&uri)?.number("limit", 20, 1, 1_000)?;
    let traces = blocking(move || server.engine.traces(limit)).await?;
    Ok(Json(wire::TracesResponse { traces }))
}

/// `GET /api/v1/traces/{id}`.
pub(crate) async fn show(State(server): State<Server>, Path(id): Path<String>) -> Handled<Json<Trace>> {
    Ok(Json(blocking(move || server.engine.trace(&id)).await?))
}
