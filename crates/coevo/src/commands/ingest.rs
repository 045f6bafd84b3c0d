//! `coevo ingest`: dumps and documents into a data directory.

use super::Context;
use crate::failure::{Failure, Result};
use crate::names;
use crate::opening::{Meaning, Missing, Opened};
use crate::output::{Out, Talk};
use crate::progress::Meter;
use crate::{store, table::Table};
use clap::Args;
use coevo_ingest::{Embedding, IngestRequest, Input, Outcome, Report, Targets};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Load knowledge graphs or documents into a data directory
///
/// Each file is loaded wholly or not at all. A file that is in already, unchanged, is skipped. A damaged record goes to a
/// rejects file with its place and the reason; a truncated or damaged file ends the run. The directory is made when it
/// does not exist.
///
/// Profiles: wikidata (RDF dumps of Wikidata), rdf (any RDF), documents (.jsonl with {title, text, id, url}, .md, .txt).
/// Compression (.gz, .bz2, .zst) is seen by content.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo ingest wikidata --location data truthy.nt.gz labels.nt.gz qualifiers.nt.gz
  coevo ingest rdf --location data --graph urn:coevo:kg:museum museum.ttl
  coevo ingest documents --location data --collection news articles.jsonl.gz
  zcat big.nt.gz | coevo ingest rdf --location data --format nt -")]
pub(crate) struct IngestArguments {
    /// What the files are: wikidata, rdf or documents
    #[arg(value_name = "PROFILE")]
    profile: String,
    /// Files; - is standard input
    #[arg(value_name = "FILE", required = true)]
    inputs: Vec<PathBuf>,
    /// Data directory [env: COEVO_LOCATION]
    #[arg(long, short = 'l', value_name = "DIR")]
    location: Option<PathBuf>,
    /// Graph to load RDF into, as urn:coevo:kg:NAME [default: the profile's]
    #[arg(long, value_name = "IRI")]
    graph: Option<String>,
    /// Collection to load documents into [default: main]
    #[arg(long, value_name = "NAME")]
    collection: Option<String>,
    /// Stop at the first damaged record with nothing of its file loaded
    #[arg(long)]
    strict: bool,
    /// Format of all inputs, as a file name extension (nt, ttl, jsonl, …) [default: by name]
    #[arg(long, value_name = "F")]
    format: Option<String>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

/// The report as `--json` gives it.
#[derive(Debug, Serialize)]
struct ReportBody {
    graph: String,
    inputs: Vec<InputBody>,
    /// Names indexed; `null`: the index was up to date.
    labels: Option<u64>,
    passages_embedded: Option<u64>,
    /// Passages of the collection that no embedder has seen.
    passages_not_embedded: Option<u64>,
    rejects_path: Option<PathBuf>,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct InputBody {
    name: String,
    /// `loaded` or `unchanged`.
    outcome: &'static str,
    content_hash: String,
    bytes: u64,
    records: u64,
    triples: u64,
    rejects: u64,
    documents: u64,
    passages: u64,
    alignments: u64,
    statements: u64,
}

pub(crate) async fn run(context: &Context, arguments: IngestArguments) -> Result<()> {
    let request = request(&arguments)?;
    let dir = store::directory(arguments.location.as_ref(), &context.environment)?;
    let settings = context.settings()?;
    let meaning = if request.profile == "documents" {
        Meaning::Wanted
    } else {
        Meaning::NotNeeded
    };
    let opened = Opened::open(&dir, "ingest", Missing::Create, meaning, &settings)?;
    opened.notes.iter().for_each(|note| context.talk.note(note));

    let meter = Meter::new(context.talk.progress);
    let started = Instant::now();
    let report = tokio::task::spawn_blocking(move || {
        let vectors = opened.embedder.as_ref().zip(opened.passages.as_deref());
        let targets = Targets {
            location: &opened.location,
            graph: &opened.graph,
            labels: &opened.labels,
            vectors,
        };
        let report = coevo_ingest::ingest(&targets, &request, &|progress| meter.update(progress));
        meter.finish();
        report
    })
    .await
    .map_err(|error| Failure::failed(format!("the ingest stopped unexpectedly: {error}")))??;
    let took = started.elapsed();

    if arguments.json {
        Out::json(&ReportBody::of(&report, took))?;
    } else {
        Out::text(&words(&report, took))?;
    }
    explain(&report, context.talk);
    Ok(())
}

/// Everything that can be refused before the directory is touched is refused here.
fn request(arguments: &IngestArguments) -> Result<IngestRequest> {
    let known = coevo_ingest::profile_names();
    if !known.iter().any(|name| *name == arguments.profile) {
        return Err(Failure::refused(format!(
            "no profile `{}`; there are: {}",
            arguments.profile,
            known.join(", ")
        ))
        .with_hint("the profile comes first: coevo ingest PROFILE --location DIR FILE…"));
    }
    let mut inputs = Vec::new();
    for path in &arguments.inputs {
        if path.as_os_str() == "-" {
            inputs.push(Input::Stdin);
            continue;
        }
        if let Err(source) = std::fs::metadata(path) {
            return Err(coevo_ingest::Error::Open {
                path: path.clone(),
                source,
            }
            .into());
        }
        inputs.push(Input::Path(path.clone()));
    }
    Ok(IngestRequest {
        profile: arguments.profile.clone(),
        inputs,
        format: arguments.format.clone(),
        graph: arguments.graph.as_deref().map(names::resolve).transpose()?,
        collection: arguments.collection.clone(),
        strict: arguments.strict,
        now: jiff::Timestamp::now(),
    })
}

fn words(report: &Report, took: Duration) -> String {
    let is_documents = matches!(
        report.embedding,
        Embedding::NoEmbedder { .. } | Embedding::Done { .. }
    );
    let columns = if is_documents {
        ["documents", "passages"]
    } else {
        ["records", "triples"]
    };
    let mut table = Table::new(["input", "outcome", columns[0], columns[1], "rejects"]);
    for input in &report.inputs {
        let counts = &input.counts;
        let numbers = if is_documents {
            [counts.documents, counts.passages]
        } else {
            [counts.records, counts.triples]
        };
        table.row([
            input.name.clone(),
            outcome(input.outcome).to_owned(),
            numbers[0].to_string(),
            numbers[1].to_string(),
            counts.rejects.to_string(),
        ]);
    }
    let mut text = format!(
        "{table}\ninto {} in {:.1} s\n",
        report.graph.as_str(),
        took.as_secs_f64()
    );
    if let Some(labels) = report.labels {
        let _ = writeln!(text, "{labels} names indexed");
    }
    if let Embedding::Done { embedded, present } = report.embedding {
        let _ = writeln!(text, "{embedded} passages embedded, {present} before");
    }
    text
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Loaded => "loaded",
        Outcome::Unchanged => "unchanged",
    }
}

fn explain(report: &Report, talk: Talk) {
    if let Some(path) = &report.rejects_path {
        talk.warn(&format!("damaged records were set aside in {}", path.display()));
    }
    if let Embedding::NoEmbedder { passages } = report.embedding {
        talk.note(&format!(
            "{passages} passages wait for an embedder; the next ingest with one embeds them"
        ));
    }
}

impl ReportBody {
    fn of(report: &Report, took: Duration) -> Self {
        let inputs = report.inputs.iter().map(|input| InputBody {
            name: input.name.clone(),
            outcome: outcome(input.outcome),
            content_hash: input.content_hash.clone(),
            bytes: input.bytes,
            records: input.counts.records,
            triples: input.counts.triples,
            rejects: input.counts.rejects,
            documents: input.counts.documents,
            passages: input.counts.passages,
            alignments: input.counts.alignments,
            statements: input.counts.statements,
        });
        let (embedded, waiting) = match report.embedding {
            Embedding::NoPassages => (None, None),
            Embedding::NoEmbedder { passages } => (None, Some(passages)),
            Embedding::Done { embedded, .. } => (Some(embedded), None),
        };
        Self {
            graph: report.graph.as_str().to_owned(),
            inputs: inputs.collect(),
            labels: report.labels,
            passages_embedded: embedded,
            passages_not_embedded: waiting,
            rejects_path: report.rejects_path.clone(),
            seconds: took.as_secs_f64(),
        }
    }
}
