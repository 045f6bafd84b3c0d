//! The service description (SPARQL 1.1 Service Description) that a GET without a query gives: `service.ttl` with the
//! endpoint's own address.

use crate::accept::Accept;
use crate::code::Code;
use crate::formats;
use crate::guard::host_of;
use crate::problem::{Handled, Problem};
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::IntoResponse;
use oxrdfio::{RdfFormat, RdfParser, RdfSerializer};

const TEXT: &str = include_str!("service.ttl");

pub(crate) fn respond(headers: &HeaderMap, uri: &Uri, accept: &Accept) -> Handled {
    let chosen = formats::graph(accept)?;
    let host = host_of(headers, uri).unwrap_or_else(|| "localhost".to_owned());
    let address = format!("http://{host}{}", uri.path());
    let failed = |error: &dyn std::fmt::Display| Problem::new(Code::Internal, error.to_string());
    let parser = RdfParser::from_format(RdfFormat::Turtle)
        .with_base_iri(address)
        .map_err(|error| {
            Problem::new(
                Code::BadRequest,
                format!("the Host cannot stand in an IRI: {error}"),
            )
        })?;
    let mut writer = RdfSerializer::from_format(chosen.format).for_writer(Vec::new());
    for quad in parser.for_slice(TEXT.as_bytes()) {
        let quad = quad.map_err(|error| failed(&error))?;
        writer.serialize_quad(&quad).map_err(|error| failed(&error))?;
    }
    let body = writer.finish().map_err(|error| failed(&error))?;
    let vary = (header::VARY, HeaderValue::from_static("accept"));
    Ok(([(header::CONTENT_TYPE, chosen.content_type), vary], body).into_response())
}
