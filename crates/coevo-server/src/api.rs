//! REST under `/api/v1`: handlers by subject. Everything that reads is a GET with parameters; asking is a POST of JSON.

pub(crate) mod ask;
pub(crate) mod claims;
pub(crate) mod graph;
pub(crate) mod traces;

use crate::Code;
use crate::convert;
use crate::problem::{Handled, Problem};
use crate::state::Server;
use crate::wire;
use axum::Json;
use axum::extract::State;

/// `GET /api/v1/status`.
pub(crate) async fn status(State(server): State<Server>) -> Handled<Json<wire::Status>> {
    let status = server.engine.status().await?;
    Ok(Json(convert::status(status, server.engine.memory().space())))
}

/// `GET /api/v1/prefixes`.
pub(crate) async fn prefixes() -> Json<wire::Prefixes> {
    Json(wire::Prefixes {
        prefixes: coevo_graph::vocab::PREFIXES
            .iter()
            .map(|(prefix, namespace)| ((*prefix).to_owned(), (*namespace).to_owned()))
            .collect(),
    })
}

/// `GET /version`.
pub(crate) async fn version() -> Json<wire::Version> {
    Json(wire::Version {
        name: "coevo".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// What is at no known address.
pub(crate) async fn no_route(uri: axum::http::Uri) -> Problem {
    let path: String = uri.path().chars().take(200).collect();
    Problem::new(Code::NoRoute, format!("there is nothing at {path}"))
        .with_hint("the page is at /, SPARQL at /query and /update, REST under /api/v1".to_owned())
}

/// A method that an address does not take.
pub(crate) async fn wrong_method(method: axum::http::Method, uri: axum::http::Uri) -> Problem {
    let path: String = uri.path().chars().take(200).collect();
    Problem::new(Code::MethodNotAllowed, format!("{path} does not take {method}"))
        .with_hint("the Allow header says what it takes".to_owned())
}
