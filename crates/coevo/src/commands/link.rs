//! `coevo link`: names in a text, and the entities they may mean.

use super::Context;
use crate::arguments::StoreArguments;
use crate::backend::{Backend, Wish};
use crate::failure::{Failure, Result};
use crate::names::shorten;
use crate::opening::Meaning;
use crate::output::Out;
use crate::table::Table;
use clap::Args;

/// Find the entities that a text names
///
/// Candidates come with scores in [0, 1]: spelling and popularity. A text that is itself a name is one mention.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo link --location data \"Steven Spielberg\"
  coevo link --server http://127.0.0.1:7878 --limit 3 --json \"Where was the director of Jaws born?\"

Exit code 1: nothing here is called like that.")]
pub(crate) struct LinkArguments {
    /// A name, or a text with names in it
    #[arg(value_name = "TEXT")]
    text: String,
    #[command(flatten)]
    store: StoreArguments,
    /// Candidates of each mention at most
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    limit: u32,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(context: &Context, arguments: LinkArguments) -> Result<()> {
    let backend = Backend::open(
        context,
        &arguments.store,
        "link",
        Meaning::NotNeeded,
        Wish::NoModel,
    )
    .await?;
    let found = backend.link(&arguments.text, arguments.limit as usize).await?;
    if found.mentions.iter().all(|mention| mention.candidates.is_empty()) {
        return Err(
            Failure::refused(format!("nothing here is called `{}`", arguments.text))
                .with_hint("check the spelling, or ingest a source with its label"),
        );
    }
    if arguments.json {
        return Ok(Out::json(&found)?);
    }
    let mut table = Table::new(["mention", "entity", "label", "matched", "score", "edges"]);
    for mention in &found.mentions {
        for candidate in &mention.candidates {
            table.row([
                mention.text.clone(),
                shorten(&candidate.iri),
                candidate.label.clone(),
                candidate.matched.clone(),
                format!("{:.2}", candidate.score),
                candidate.popularity.to_string(),
            ]);
        }
    }
    Ok(Out::text(&table.to_string())?)
}
