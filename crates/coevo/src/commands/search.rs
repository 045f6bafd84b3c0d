//! `coevo search`: passages by meaning.

use super::Context;
use crate::arguments::StoreArguments;
use crate::backend::{Backend, Wish};
use crate::failure::{Failure, Result};
use crate::names::shorten;
use crate::opening::Meaning;
use crate::output::Out;
use crate::render::{clean, indent};
use clap::Args;
use std::fmt::Write as _;

/// Search passages of documents by meaning
///
/// Needs the embedder (scripts/fetch-models.sh embedder).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo search --location data \"who built the first iron bridge\"
  coevo search --server http://127.0.0.1:7878 --limit 3 --json \"mascots of sports teams\"

Exit code 1: nothing was found.")]
pub(crate) struct SearchArguments {
    /// What to look for
    #[arg(value_name = "TEXT")]
    text: String,
    #[command(flatten)]
    store: StoreArguments,
    /// Passages at most
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100))]
    limit: u32,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(context: &Context, arguments: SearchArguments) -> Result<()> {
    let backend = Backend::open(
        context,
        &arguments.store,
        "search",
        Meaning::Wanted,
        Wish::NoModel,
    )
    .await?;
    let found = backend.search(&arguments.text, arguments.limit as usize).await?;
    if found.hits.is_empty() {
        return Err(
            Failure::refused("no passage was found").with_hint("ingest documents: coevo ingest documents …")
        );
    }
    if arguments.json {
        return Ok(Out::json(&found)?);
    }
    let style = context.talk.out_style;
    let mut text = String::new();
    for (index, hit) in found.hits.iter().enumerate() {
        let about = format!("{:.2}, {}, {}", hit.score, hit.collection, shorten(&hit.iri));
        let _ = writeln!(
            text,
            "[{}] {}  {}",
            index + 1,
            style.bold(&clean(&hit.title)),
            style.dim(&about)
        );
        text.push_str(&indent(&clean(&hit.text), 4));
    }
    Ok(Out::text(&text)?)
}
