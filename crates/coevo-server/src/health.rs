//! Probes: [`live`] says that the process answers, [`ready`] that the store and the labels do. A missing chat model or
//! embedder is degraded, not unready.

use crate::state::Server;
use crate::wire::Health;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// `GET /health/live`.
pub(crate) async fn live() -> Json<Health> {
    Json(Health {
        status: "ok".to_owned(),
        parts: Vec::new(),
    })
}

/// `GET /health/ready`.
pub(crate) async fn ready(State(server): State<Server>) -> Response {
    let store = server.engine.graph().quads(None, None, None, None, 1).await;
    let optional = |is_there: bool| if is_there { "ok" } else { "absent" };
    let labels = if server.engine.labels().is_empty() {
        "empty"
    } else {
        "ok"
    };
    let parts = [
        ("store", if store.is_ok() { "ok" } else { "failed" }),
        ("labels", labels),
        ("embedder", optional(server.engine.embedder().is_some())),
        ("model", optional(server.engine.model_name().is_some())),
    ];
    let status = match () {
        () if store.is_err() => "unready",
        () if parts.iter().any(|(_, state)| *state == "absent") => "degraded",
        () => "ok",
    };
    let code = match store {
        Ok(_) => StatusCode::OK,
        Err(_) => StatusCode::SERVICE_UNAVAILABLE,
    };
    let parts = parts
        .into_iter()
        .map(|(name, state)| (name.to_owned(), state.to_owned()))
        .collect();
    let health = Health {
        status: status.to_owned(),
        parts,
    };
    (code, Json(health)).into_response()
}
