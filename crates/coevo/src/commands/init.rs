//! `coevo init`: makes a data directory.

use super::Context;
use crate::failure::Result;
use clap::Args;
use coevo_graph::Location;
use std::path::PathBuf;

/// Make an empty data directory
///
/// The directory may not exist yet, or be empty. One that holds Coevo data stays as it is. `ingest` and `serve` do this
/// by themselves.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  coevo init data")]
pub(crate) struct InitArguments {
    /// Directory to make
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

pub(crate) fn run(context: &Context, arguments: &InitArguments) -> Result<()> {
    Location::init(&arguments.dir)?;
    context
        .talk
        .note(&format!("{} is a Coevo data directory", arguments.dir.display()));
    Ok(())
}
