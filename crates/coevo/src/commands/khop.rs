//! `coevo khop`: the neighbourhood of entities.

use super::Context;
use crate::arguments::StoreArguments;
use crate::backend::{Backend, Wish};
use crate::failure::{Failure, Result};
use crate::names;
use crate::opening::Meaning;
use crate::output::Out;
use crate::render::edge_table;
use clap::Args;
use oxrdf::NamedNode;

/// List the facts within K hops of entities
///
/// Hops go both ways; a statement node (as Wikidata's) costs none. The expansion is bounded, and what was cut is said.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo khop --location data --k 1 wd:Q42
  coevo khop --server http://127.0.0.1:7878 --k 2 --json wd:Q42 wd:Q5

Exit code 1: there is no edge.")]
pub(crate) struct KhopArguments {
    /// IRIs or prefixed names such as wd:Q42
    #[arg(value_name = "IRI", required = true)]
    seeds: Vec<String>,
    /// Hops
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    k: u8,
    #[command(flatten)]
    store: StoreArguments,
    /// Edges at most
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=5000))]
    limit: u32,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(context: &Context, arguments: KhopArguments) -> Result<()> {
    let seeds = arguments
        .seeds
        .iter()
        .map(|seed| names::resolve(seed))
        .collect::<Result<Vec<NamedNode>>>()?;
    let backend = Backend::open(
        context,
        &arguments.store,
        "khop",
        Meaning::NotNeeded,
        Wish::NoModel,
    )
    .await?;
    let found = backend
        .khop(&seeds, arguments.k, arguments.limit as usize)
        .await?;
    if found.edges.is_empty() {
        return Err(Failure::refused("there is no edge at these entities")
            .with_hint("find entities by name: coevo link \"…\""));
    }
    if arguments.json {
        return Ok(Out::json(&found)?);
    }
    Ok(Out::text(&edge_table(&found.edges, &found.cut))?)
}
