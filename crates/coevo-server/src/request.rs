//! The outermost layer: [`finish`] gives every request an id, every response the headers that protect a browser, every
//! [`Problem`] its body, and the log one line without parameters. [`admit`] bounds how many requests work.

use crate::accept::Accept;
use crate::code::Code;
use crate::problem::Problem;
use crate::state::Server;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::time::Instant;

/// Longest identifier taken from a request.
const MAX_ID: usize = 64;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Scripts and styles from here only, nothing else at all.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
                      base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

/// The request's id, for handlers that need it inside a body.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(pub(crate) String);

pub(crate) async fn finish(mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = request_id(request.headers());
    let accept = Accept::of(request.headers());
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    request.extensions_mut().insert(RequestId(id.clone()));

    let mut response = next.run(request).await;
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        log_problem(&problem, &id);
        response = problem.fill(response, &accept, &id);
    }
    protect(response.headers_mut(), &id);
    tracing::info!(
        %method,
        path,
        status = response.status().as_u16(),
        milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        request = id,
        "request"
    );
    response
}

/// Takes a place for the request and leaves it in its extensions.
pub(crate) async fn admit(State(server): State<Server>, mut request: Request, next: Next) -> Response {
    match server.slot() {
        Ok(slot) => {
            request.extensions_mut().insert(slot);
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    }
}

/// What a caught panic becomes.
pub(crate) fn panicked(_panic: Box<dyn std::any::Any + Send + 'static>) -> Response {
    Problem::new(Code::Internal, "a handler stopped unexpectedly")
        .with_hint("report the request id with the server's log".to_owned())
        .into_response()
}

/// What failed here is worth a line; what the client got wrong only when somebody looks for it.
fn log_problem(problem: &Problem, id: &str) {
    let (code, detail) = (problem.code.name(), problem.detail.as_str());
    if problem.code.status() >= 500 {
        tracing::warn!(code, detail, request = id, "failed");
    } else {
        tracing::debug!(code, detail, request = id, "refused");
    }
}

fn protect(headers: &mut HeaderMap, id: &str) {
    let mut set = |name: HeaderName, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    );
    if let Ok(id) = HeaderValue::try_from(id) {
        headers.insert(REQUEST_ID, id);
    }
}

/// The client's own identifier when it is a plain one, else a new one.
fn request_id(headers: &HeaderMap) -> String {
    headers
        .get(REQUEST_ID)
        .and_then(|id| id.to_str().ok())
        .filter(|id| {
            (1..=MAX_ID).contains(&id.len())
                && id
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
        })
        .map_or_else(|| uuid::Uuid::now_v7().to_string(), str::to_owned)
}
