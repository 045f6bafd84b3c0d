//! `coevo update`: SPARQL 1.1 Update.

use super::Context;
use super::query::read_text;
use crate::arguments::StoreArguments;
use crate::backend::{Backend, Wish};
use crate::failure::Result;
use crate::opening::Meaning;
use clap::Args;
use std::path::PathBuf;

/// Change the store by SPARQL 1.1 Update
///
/// All operations of one update are one transaction: all of them happen, or none. LOAD and SERVICE are off.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo update --location data -u 'INSERT DATA { GRAPH <urn:coevo:kg:mine> { wd:Q42 rdfs:label \"Douglas Adams\"@en } }'
  coevo update --server http://127.0.0.1:7878 --update-file changes.ru
  cat changes.ru | coevo update --location data --update-file -")]
pub(crate) struct UpdateArguments {
    #[command(flatten)]
    store: StoreArguments,
    /// The update
    #[arg(
        short = 'u',
        long = "update",
        value_name = "TEXT",
        conflicts_with = "update_file",
        required_unless_present = "update_file"
    )]
    update: Option<String>,
    /// File with the update; - is standard input
    #[arg(long, value_name = "FILE")]
    update_file: Option<PathBuf>,
}

pub(crate) async fn run(context: &Context, arguments: UpdateArguments) -> Result<()> {
    let update = read_text(arguments.update, arguments.update_file.as_deref())?;
    let backend = Backend::open(
        context,
        &arguments.store,
        "update",
        Meaning::NotNeeded,
        Wish::NoModel,
    )
    .await?;
    backend.update(&update).await?;
    context.talk.note("done");
    Ok(())
}
