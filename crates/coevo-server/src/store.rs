//! SPARQL 1.1 Graph Store Protocol at `/store`: `?graph=IRI`, `?default`, or neither for the whole store. Data is parsed
//! whole before the graph is touched.

use crate::accept::Accept;
use crate::code::Code;
use crate::formats;
use crate::parameters::Parameters;
use crate::problem::{Handled, Problem};
use crate::state::{Server, Slot, blocking};
use crate::{names, stream};
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use coevo_graph::Cancel;
use oxrdf::NamedNode;
use std::io::Read;

/// Which graph a request is about.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    Named(NamedNode),
    Default,
    Everything,
}

/// GET and HEAD.
pub(crate) async fn read(
    State(server): State<Server>,
    Extension(slot): Extension<Slot>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Handled {
    let target = Target::of(&uri)?;
    let accept = Accept::of(&headers);
    if let Target::Named(name) = &target
        && !server.engine.graph().graph_exists(name.clone()).await?
    {
        return Err(missing(name));
    }
    let chosen = match &target {
        Target::Everything => formats::dataset(&accept)?,
        Target::Named(_) | Target::Default => formats::graph(&accept)?,
    };
    let mut response = if method == Method::HEAD {
        [(header::CONTENT_TYPE, chosen.content_type)].into_response()
    } else {
        let graph = server.engine.graph().clone();
        stream::respond(chosen.content_type, slot, Cancel::default(), move |out| {
            match &target {
                Target::Named(name) => graph.dump_graph_now(Some(name), chosen.format, out),
                Target::Default => graph.dump_graph_now(None, chosen.format, out),
                Target::Everything => graph.dump_all_now(chosen.format, out),
            }?;
            Ok(())
        })
        .await?
    };
    response
        .headers_mut()
        .insert(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

/// PUT: the graph becomes what is sent.
pub(crate) async fn replace(
    State(server): State<Server>,
    uri: Uri,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Handled {
    let name = Target::of(&uri)?.one_graph("replaced")?;
    let format = formats::of_content_type(&headers)?;
    let data = unpacked(&headers, body, server.options.max_body_bytes)?;
    let graph = server.engine.graph().clone();
    let existed = blocking(move || graph.replace_graph_now(name.as_ref(), format, data.as_ref())).await?;
    Ok(written(existed))
}

/// POST: what is sent is added.
pub(crate) async fn merge(
    State(server): State<Server>,
    uri: Uri,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Handled {
    let target = Target::of(&uri)?;
    let format = formats::of_content_type(&headers)?;
    let data = unpacked(&headers, body, server.options.max_body_bytes)?;
    let graph = server.engine.graph().clone();
    let existed = blocking(move || match target {
        Target::Named(name) => graph.merge_graph_now(Some(&name), format, data.as_ref()),
        Target::Default => graph.merge_graph_now(None, format, data.as_ref()),
        Target::Everything => graph.merge_dataset_now(format, data.as_ref()).map(|()| true),
    })
    .await?;
    Ok(written(existed))
}

/// DELETE.
pub(crate) async fn drop_graph(State(server): State<Server>, uri: Uri) -> Handled {
    let name = Target::of(&uri)?.one_graph("deleted")?;
    if server.engine.graph().drop_graph(name.clone()).await? {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Err(name.as_ref().map_or_else(
        || Problem::new(Code::NoGraph, "there is no default graph"),
        missing,
    ))
}

/// A body that fits the limit, unpacked when it is gzip.
pub(crate) fn unpacked(
    headers: &HeaderMap,
    body: Result<Bytes, BytesRejection>,
    limit: usize,
) -> Handled<Bytes> {
    let too_large = || {
        Problem::new(
            Code::BodyTooLarge,
            format!("the body is larger than {limit} bytes"),
        )
        .with_hint("send it in parts, or use `coevo ingest` for dumps".to_owned())
    };
    let body = body.map_err(|rejection| {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            too_large()
        } else {
            Problem::new(Code::BadRequest, "the body did not arrive whole")
        }
    })?;
    let encoding = headers.get(header::CONTENT_ENCODING);
    match encoding.map(HeaderValue::as_bytes) {
        None | Some(b"identity") => Ok(body),
        Some(b"gzip" | b"x-gzip") => {
            let mut data = Vec::new();
            flate2::read::MultiGzDecoder::new(body.as_ref())
                .take((limit as u64).saturating_add(1))
                .read_to_end(&mut data)
                .map_err(|error| {
                    Problem::new(Code::BadRequest, format!("the gzip data is damaged: {error}"))
                })?;
            if data.len() > limit {
                return Err(too_large());
            }
            Ok(data.into())
        }
        Some(other) => {
            let other = String::from_utf8_lossy(other).into_owned();
            Err(Problem::new(
                Code::UnsupportedMediaType,
                format!("the encoding `{other}` is not taken"),
            )
            .with_hint("send it as it is, or as gzip".to_owned()))
        }
    }
}

impl Target {
    fn of(uri: &Uri) -> Handled<Self> {
        let parameters = Parameters::of_uri(uri)?;
        match (parameters.one("graph")?, parameters.has("default")) {
            (Some(_), true) => Err(Problem::parameter("both `graph` and `default` are given")),
            (Some(iri), false) => Ok(Self::Named(names::absolute(iri)?)),
            (None, true) => Ok(Self::Default),
            (None, false) => Ok(Self::Everything),
        }
    }

    /// The name of one graph (`None`: the default graph); all of them at once are never meant.
    fn one_graph(self, what: &str) -> Handled<Option<NamedNode>> {
        match self {
            Self::Named(name) => Ok(Some(name)),
            Self::Default => Ok(None),
            Self::Everything => Err(
                Problem::parameter(format!("the whole store cannot be {what} at once"))
                    .with_hint("name a graph: ?graph=IRI or ?default".to_owned()),
            ),
        }
    }
}

fn written(existed: bool) -> Response {
    if existed {
        StatusCode::NO_CONTENT.into_response()
    } else {
        StatusCode::CREATED.into_response()
    }
}

fn missing(name: &NamedNode) -> Problem {
    Problem::new(Code::NoGraph, format!("there is no graph {name}"))
}
