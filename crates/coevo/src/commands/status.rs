//! `coevo status`: what the platform holds and which parts it has.

use super::Context;
use crate::arguments::StoreArguments;
use crate::backend::{Backend, Wish};
use crate::failure::Result;
use crate::opening::Meaning;
use crate::output::Out;
use crate::table::Table;
use clap::Args;
use coevo_server::wire::Status;

/// Show graphs, names, passages, claims, embedder and model
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo status --location data
  coevo status --server http://127.0.0.1:7878 --json")]
pub(crate) struct StatusArguments {
    #[command(flatten)]
    store: StoreArguments,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(context: &Context, arguments: StatusArguments) -> Result<()> {
    let wish = Wish::ModelQuietly;
    let backend = Backend::open(context, &arguments.store, "status", Meaning::WantedQuietly, wish).await?;
    let status = backend.status().await?;
    if arguments.json {
        Ok(Out::json(&status)?)
    } else {
        Ok(Out::text(&words(&status))?)
    }
}

fn words(status: &Status) -> String {
    let mut graphs = Table::new(["graph", "triples"]);
    for graph in &status.graphs {
        graphs.row([graph.name.clone(), graph.triples.to_string()]);
    }
    let memory = &status.memory;
    let claims = format!(
        "{} proposed, {} accepted, {} rejected, {} superseded, {} quarantined; {} answers",
        memory.proposed,
        memory.accepted,
        memory.rejected,
        memory.superseded,
        memory.quarantined,
        memory.answers
    );
    let none =
        |what: &Option<String>, without: &str| what.clone().unwrap_or_else(|| format!("none: {without}"));
    let mut parts = Table::new(["part", "state"]);
    parts.row(["names", &status.labels.to_string()]);
    parts.row(["passages embedded", &status.passages_embedded.to_string()]);
    parts.row([
        "embedder",
        &none(&status.embedder, "passages are not searched by meaning"),
    ]);
    parts.row([
        "chat model",
        &none(&status.model, "questions are answered by evidence only"),
    ]);
    parts.row([format!("claims in space {}", status.space), claims]);
    format!("coevo {}\n\n{graphs}\n{parts}", status.version)
}
