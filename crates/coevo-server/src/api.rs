//! REST under `/api/v1`: handlers by subject. They check what was sent and give what [`views`] make of it. Everything that
//! reads is a GET with parameters; asking and deciding are a POST of JSON.

pub(crate) mod ask;
pub(crate) mod claims;
pub(crate) mod graph;
pub(crate) mod traces;

use crate::Code;
use crate::formats;
use crate::problem::{Handled, Problem};
use crate::state::Server;
use crate::store::unpacked;
use crate::views;
use crate::wire;
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;
use serde::de::DeserializeOwned;

const NO_MODEL: &str = "evidence only: to add a chat model, set [model] base_url in coevo.toml to any OpenAI-compatible \
                        endpoint and start the server again";

/// `GET /api/v1/status`.
pub(crate) async fn status(State(server): State<Server>) -> Handled<Json<wire::Status>> {
    Ok(Json(views::status(&server.engine, NO_MODEL).await?))
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

/// A body of JSON, packed or not.
fn json<T: DeserializeOwned>(
    server: &Server,
    headers: &HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Handled<T> {
    let content_type = formats::content_type(headers)?;
    if !formats::essence(content_type).eq_ignore_ascii_case("application/json") {
        return Err(Problem::new(
            Code::UnsupportedMediaType,
            format!("`{content_type}` is not taken here"),
        )
        .with_hint("send application/json".to_owned()));
    }
    let body = unpacked(headers, body, server.options.max_body_bytes)?;
    serde_json::from_slice(&body)
        .map_err(|error| Problem::new(Code::BadJson, format!("the body does not fit: {error}")))
}
