//! Which media types stand for which formats, in the server's order: [`solutions`], [`graph`], [`dataset`] for what is sent,
//! [`of_content_type`] for what comes in.

use crate::accept::Accept;
use crate::code::Code;
use crate::problem::{Handled, Problem};
use axum::http::{HeaderMap, HeaderValue, header};
use coevo_graph::{OutputFormat, QueryKind};
use oxrdfio::{JsonLdProfileSet, RdfFormat};
use sparesults::QueryResultsFormat;

/// A media type on offer and what it means. `IsAlias`: given only to a client that names it.
type Row<F> = (&'static str, F, bool);

const JSON_LD: RdfFormat = RdfFormat::JsonLd {
    profile: JsonLdProfileSet::empty(),
};

const SOLUTIONS: [Row<QueryResultsFormat>; 7] = [
    ("application/sparql-results+json", QueryResultsFormat::Json, false),
    ("application/sparql-results+xml", QueryResultsFormat::Xml, false),
    ("text/csv", QueryResultsFormat::Csv, false),
    ("text/tab-separated-values", QueryResultsFormat::Tsv, false),
    ("application/json", QueryResultsFormat::Json, true),
    ("application/xml", QueryResultsFormat::Xml, true),
    ("text/xml", QueryResultsFormat::Xml, true),
];

const GRAPH: [Row<RdfFormat>; 10] = [
    ("text/turtle", RdfFormat::Turtle, false),
    ("application/n-triples", RdfFormat::NTriples, false),
    ("application/rdf+xml", RdfFormat::RdfXml, false),
    ("application/ld+json", JSON_LD, false),
    ("application/n-quads", RdfFormat::NQuads, false),
    ("application/trig", RdfFormat::TriG, false),
    ("application/x-turtle", RdfFormat::Turtle, true),
    ("text/plain", RdfFormat::NTriples, true),
    ("application/json", JSON_LD, true),
    ("application/xml", RdfFormat::RdfXml, true),
];

const DATASET: [Row<RdfFormat>; 4] = [
    ("application/n-quads", RdfFormat::NQuads, false),
    ("application/trig", RdfFormat::TriG, false),
    ("application/ld+json", JSON_LD, false),
    ("application/json", JSON_LD, true),
];

/// A format and the `Content-Type` that says so.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chosen<F> {
    pub(crate) format: F,
    pub(crate) content_type: HeaderValue,
}

/// How a query of this form is answered.
pub(crate) fn results(accept: &Accept, kind: QueryKind) -> Handled<Chosen<OutputFormat>> {
    match kind {
        QueryKind::Select | QueryKind::Ask => choose(accept, &SOLUTIONS, |format| {
            let kind = if kind == QueryKind::Ask { "Ask" } else { "Select" };
            refuse_form(kind, format)
        })
        .map(|chosen| chosen.map(OutputFormat::Solutions)),
        QueryKind::Graph => choose(accept, &GRAPH, |format| refuse_form("Graph", format))
            .map(|chosen| chosen.map(OutputFormat::Graph)),
    }
}

/// How one graph is given.
pub(crate) fn graph(accept: &Accept) -> Handled<Chosen<RdfFormat>> {
    choose(accept, &GRAPH, |format| refuse("a graph", format, &GRAPH))
}

/// How all graphs are given.
pub(crate) fn dataset(accept: &Accept) -> Handled<Chosen<RdfFormat>> {
    choose(accept, &DATASET, |format| {
        refuse("the whole store", format, &DATASET)
    })
}

/// The form of RDF that a body is said to be in.
pub(crate) fn of_content_type(headers: &HeaderMap) -> Handled<RdfFormat> {
    let text = content_type(headers)?;
    let media_type = essence(text);
    GRAPH
        .iter()
        .filter(|(known, _, _)| *known != "application/json" && *known != "application/xml")
        .find(|(known, _, _)| media_type.eq_ignore_ascii_case(known))
        .map(|(_, format, _)| *format)
        .ok_or_else(|| {
            let known = media_types(&GRAPH).join(", ");
            Problem::new(
                Code::UnsupportedMediaType,
                format!("`{text}` is not a form of RDF taken here"),
            )
            .with_hint(format!("send one of {known}"))
        })
        .and_then(|format| is_utf8(text).map(|()| format))
}

/// The `Content-Type` header; a body without one is not guessed at.
pub(crate) fn content_type(headers: &HeaderMap) -> Handled<&str> {
    let value = headers.get(header::CONTENT_TYPE).ok_or_else(|| {
        Problem::new(Code::UnsupportedMediaType, "the request has no Content-Type")
            .with_hint("say with Content-Type what the body is".to_owned())
    })?;
    value
        .to_str()
        .map_err(|_unprintable| Problem::new(Code::UnsupportedMediaType, "the Content-Type is not ASCII"))
}

/// The media type without its parameters.
pub(crate) fn essence(content_type: &str) -> &str {
    content_type.split(';').next().unwrap_or_default().trim()
}

/// Text is taken in UTF-8 only.
pub(crate) fn is_utf8(content_type: &str) -> Handled<()> {
    let charset = content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| value.trim().trim_matches('"'))
    });
    match charset {
        Some(charset) if !charset.eq_ignore_ascii_case("utf-8") && !charset.eq_ignore_ascii_case("utf8") => {
            Err(Problem::new(
                Code::UnsupportedMediaType,
                format!("the charset `{charset}` is not taken"),
            )
            .with_hint("send UTF-8".to_owned()))
        }
        _ => Ok(()),
    }
}

impl<F> Chosen<F> {
    fn map<T>(self, into: impl FnOnce(F) -> T) -> Chosen<T> {
        Chosen {
            format: into(self.format),
            content_type: self.content_type,
        }
    }
}

fn choose<F: Copy>(
    accept: &Accept,
    rows: &[Row<F>],
    refused: impl FnOnce(&str) -> Problem,
) -> Handled<Chosen<F>> {
    let types: Vec<&str> = rows.iter().map(|row| row.0).collect();
    let aliases: Vec<&str> = rows.iter().filter(|row| row.2).map(|row| row.0).collect();
    let index = accept
        .best(&types, &aliases)
        .ok_or_else(|| refused(accept.text()))?;
    let (media_type, format, _) = rows[index];
    let content_type = if media_type.starts_with("text/") {
        HeaderValue::try_from(format!("{media_type}; charset=utf-8"))
    } else {
        HeaderValue::try_from(media_type)
    };
    Ok(Chosen {
        format,
        content_type: content_type.unwrap_or_else(|_| HeaderValue::from_static("application/octet-stream")),
    })
}

/// In the words of the graph crate, which refuses the same on a directory.
fn refuse_form(kind: &'static str, format: &str) -> Problem {
    coevo_graph::Error::WrongFormat {
        kind,
        format: shortened(format),
    }
    .into()
}

fn refuse(what: &str, format: &str, rows: &[Row<RdfFormat>]) -> Problem {
    let known = media_types(rows).join(", ");
    Problem::new(
        Code::NotAcceptable,
        format!("{what} cannot be given as {}", shortened(format)),
    )
    .with_hint(format!("accept one of {known}"))
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}

fn media_types<F>(rows: &[Row<F>]) -> Vec<&'static str> {
    rows.iter().filter(|row| !row.2).map(|row| row.0).collect()
}
