//! SPARQL 1.1 Protocol: [`query`], [`update`] and [`both`] (`/sparql`). Beside the protocol's own parameters a query takes
//! `timeout` (seconds, cut to the server's deadline) and `max-rows` (rows or triples written at most).

use crate::accept::Accept;
use crate::code::Code;
use crate::formats::{self, content_type, essence, is_utf8};
use crate::parameters::Parameters;
use crate::problem::{Handled, Problem};
use crate::state::{Server, Slot, blocking};
use crate::{description, store, stream};
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use coevo_graph::{QueryOptions, UpdateOptions};
use std::time::Duration;

const FORM: &str = "application/x-www-form-urlencoded";
const QUERY: &str = "application/sparql-query";
const UPDATE: &str = "application/sparql-update";

/// What an address takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    Query,
    Update,
    Both,
}

/// What a request asks for, with its other parameters.
#[derive(Debug, PartialEq, Eq)]
enum Operation {
    Query(String, Parameters),
    Update(String, Parameters),
    /// GET without a query.
    Description,
}

/// A request as it came.
pub(crate) struct Incoming {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
}

impl<S: Send + Sync> axum::extract::FromRequest<S> for Incoming {
    type Rejection = std::convert::Infallible;

    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Self, Self::Rejection> {
        Ok(Self {
            method: request.method().clone(),
            uri: request.uri().clone(),
            headers: request.headers().clone(),
            body: Bytes::from_request(request, state).await,
        })
    }
}

/// `/query`.
pub(crate) async fn query(
    State(server): State<Server>,
    Extension(slot): Extension<Slot>,
    request: Incoming,
) -> Handled {
    handle(server, slot, request, Takes::Query).await
}

/// `/update`.
pub(crate) async fn update(
    State(server): State<Server>,
    Extension(slot): Extension<Slot>,
    request: Incoming,
) -> Handled {
    handle(server, slot, request, Takes::Update).await
}

/// `/sparql`.
pub(crate) async fn both(
    State(server): State<Server>,
    Extension(slot): Extension<Slot>,
    request: Incoming,
) -> Handled {
    handle(server, slot, request, Takes::Both).await
}

async fn handle(server: Server, slot: Slot, request: Incoming, takes: Takes) -> Handled {
    let accept = Accept::of(&request.headers);
    let (uri, headers) = (request.uri.clone(), request.headers.clone());
    match operation(request, takes, server.options.max_body_bytes)? {
        Operation::Description => description::respond(&headers, &uri, &accept),
        Operation::Query(text, parameters) => run_query(server, slot, text, &parameters, &accept).await,
        Operation::Update(text, parameters) => run_update(&server, &text, &parameters).await,
    }
}

/// What the request asks for (§2.1, §2.2 of the protocol).
fn operation(request: Incoming, takes: Takes, limit: usize) -> Handled<Operation> {
    let in_url = Parameters::of_uri(&request.uri)?;
    if request.method != Method::POST {
        return match in_url.one("query")? {
            Some(query) => Ok(Operation::Query(query.to_owned(), in_url.clone())),
            None if in_url.has("update") => Err(Problem::parameter("an update is sent by POST, not by GET")),
            None => Ok(Operation::Description),
        };
    }
    let sent = content_type(&request.headers)?;
    is_utf8(sent)?;
    let form = essence(sent).to_ascii_lowercase();
    let is_wanted = match form.as_str() {
        FORM => true,
        QUERY => takes != Takes::Update,
        UPDATE => takes != Takes::Query,
        _ => false,
    };
    if !is_wanted {
        let wanted = match takes {
            Takes::Query => format!("{QUERY} or {FORM}"),
            Takes::Update => format!("{UPDATE} or {FORM}"),
            Takes::Both => format!("{QUERY}, {UPDATE} or {FORM}"),
        };
        return Err(
            Problem::new(Code::UnsupportedMediaType, format!("`{sent}` is not taken here"))
                .with_hint(format!("send {wanted}")),
        );
    }
    let body = store::unpacked(&request.headers, request.body, limit)?;
    let text = String::from_utf8(body.into())
        .map_err(|_invalid| Problem::new(Code::BadRequest, "the body is not UTF-8"))?;
    match form.as_str() {
        QUERY => Ok(Operation::Query(text, in_url)),
        UPDATE => Ok(Operation::Update(text, in_url)),
        _ => {
            let parameters = in_url.and(Parameters::parse(text.trim())?);
            let query = parameters.one("query")?.filter(|_| takes != Takes::Update);
            let update = parameters.one("update")?.filter(|_| takes != Takes::Query);
            match (query, update) {
                (Some(_), Some(_)) => Err(Problem::parameter("both `query` and `update` are given")),
                (Some(query), None) => Ok(Operation::Query(query.to_owned(), parameters.clone())),
                (None, Some(update)) => Ok(Operation::Update(update.to_owned(), parameters.clone())),
                (None, None) => {
                    let missing = match takes {
                        Takes::Query => "the parameter `query` is missing",
                        Takes::Update => "the parameter `update` is missing",
                        Takes::Both => "the parameter `query` or `update` is missing",
                    };
                    Err(Problem::parameter(missing))
                }
            }
        }
    }
}

async fn run_query(
    server: Server,
    slot: Slot,
    text: String,
    parameters: &Parameters,
    accept: &Accept,
) -> Handled {
    let options = QueryOptions {
        default_graphs: parameters.iris("default-graph-uri")?,
        named_graphs: parameters.iris("named-graph-uri")?,
        deadline: Some(deadline(parameters, server.options.query_deadline)?),
        max_rows: match parameters.has("max-rows") {
            true => Some(parameters.number("max-rows", 1, 1, u64::MAX)?),
            false => None,
        },
        ..QueryOptions::default()
    };
    let cancel = options.cancel.clone();
    let graph = server.engine.graph().clone();
    let prepared = blocking(move || graph.prepare(&text, &options)).await?;
    let chosen = formats::results(accept, prepared.kind())?;
    let mut response = stream::respond(chosen.content_type, slot, cancel, move |out| {
        prepared.write(chosen.format, out)?;
        Ok(())
    })
    .await?;
    response
        .headers_mut()
        .insert(header::VARY, HeaderValue::from_static("accept"));
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Ok(response)
}

async fn run_update(server: &Server, text: &str, parameters: &Parameters) -> Handled<Response> {
    let options = UpdateOptions {
        using_graphs: parameters.iris("using-graph-uri")?,
        using_named_graphs: parameters.iris("using-named-graph-uri")?,
    };
    server.engine.graph().update(text, &options).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn deadline(parameters: &Parameters, most: Duration) -> Handled<Duration> {
    let Some(text) = parameters.one("timeout")? else {
        return Ok(most);
    };
    text.trim()
        .parse::<f64>()
        .ok()
        .filter(|seconds| *seconds > 0.0)
        .map(|seconds| Duration::try_from_secs_f64(seconds).map_or(most, |wanted| wanted.min(most)))
        .ok_or_else(|| Problem::parameter("`timeout` is not a number of seconds above 0"))
}
