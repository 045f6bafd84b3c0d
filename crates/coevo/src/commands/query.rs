//! `coevo query`: SPARQL 1.1 Query, results streamed to stdout.

use super::Context;
use super::ask::positive_seconds;
use crate::arguments::StoreArguments;
use crate::backend::{Backend, QueryText, Wish};
use crate::failure::{Failure, Result};
use crate::opening::Meaning;
use crate::output::Out;
use crate::results::{self, ResultFormat};
use clap::Args;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes of a query or update at most.
const MAX_TEXT: u64 = 16 << 20;

/// Ask in SPARQL 1.1
///
/// Where the query names no dataset, its default graph is the knowledge: the default graph, all urn:coevo:kg:… and
/// urn:coevo:docs:… graphs and accepted memory. Everything else is reached through GRAPH. Usual prefixes (wd:, wdt:, p:,
/// ps:, pq:, rdfs:, skos:, schema:, prov:, c: for urn:coevo:ns#) need no declaration. SERVICE is off.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo query --location data -q 'SELECT ?p ?o { wd:Q42 ?p ?o } LIMIT 10'
  coevo query --location data --query-file q.rq --results-format csv > rows.csv
  coevo query --server http://127.0.0.1:7878 -q 'SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g'
  coevo query --location data -q 'CONSTRUCT { ?s rdfs:label ?l } WHERE { ?s rdfs:label ?l }' --results-format ttl")]
pub(crate) struct QueryArguments {
    #[command(flatten)]
    store: StoreArguments,
    /// The query
    #[arg(
        short = 'q',
        long = "query",
        value_name = "TEXT",
        conflicts_with = "query_file",
        required_unless_present = "query_file"
    )]
    query: Option<String>,
    /// File with the query; - is standard input
    #[arg(long, value_name = "FILE")]
    query_file: Option<PathBuf>,
    /// Form of the results; rows: json, csv, tsv, xml, table; triples: nt, ttl, rdf, jsonld
    #[arg(long, value_name = "F", value_enum, default_value_t = ResultFormat::Table, hide_possible_values = true)]
    results_format: ResultFormat,
    /// As --results-format json
    #[arg(long, conflicts_with = "results_format")]
    json: bool,
    /// Seconds allowed [default: server.query_deadline_seconds]
    #[arg(long, value_name = "S", value_parser = positive_seconds)]
    timeout: Option<f64>,
}

pub(crate) async fn run(context: &Context, arguments: QueryArguments) -> Result<()> {
    let query = QueryText {
        text: read_text(arguments.query, arguments.query_file.as_deref())?,
        timeout: arguments.timeout.map(Duration::from_secs_f64),
    };
    let format = if arguments.json {
        ResultFormat::Json
    } else {
        arguments.results_format
    };
    let backend = Backend::open(
        context,
        &arguments.store,
        "query",
        Meaning::NotNeeded,
        Wish::NoModel,
    )
    .await?;
    if format == ResultFormat::Table {
        let shown = results::table(&backend.query_to_memory(&query).await?)?;
        Out::text(&shown.text)?;
        if shown.capped {
            context.talk.warn(&format!(
                "only the first {} rows are shown; --results-format csv (or json, tsv, xml) gives them all",
                results::TABLE_ROWS
            ));
        }
        return Ok(());
    }
    backend.query_to_stdout(&query, format).await
}

/// The text of a query or update, from the command line, a file or stdin.
pub(crate) fn read_text(given: Option<String>, file: Option<&Path>) -> Result<String> {
    if let Some(text) = given {
        return Ok(text);
    }
    let Some(path) = file else {
        return Err(Failure::refused("no text was given"));
    };
    let mut text = String::new();
    if path.as_os_str() == "-" {
        std::io::stdin().lock().take(MAX_TEXT).read_to_string(&mut text)?;
    } else {
        let file = fs_err::File::open(path)?;
        file.take(MAX_TEXT)
            .read_to_string(&mut text)
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::InvalidData => {
                    Failure::refused(format!("{}: is not UTF-8 text", path.display()))
                }
                _ => Failure::from(error),
            })?;
    }
    Ok(text)
}
