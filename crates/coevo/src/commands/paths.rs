//! `coevo paths`: how entities are connected.

use super::Context;
use crate::arguments::StoreArguments;
use crate::backend::{Backend, Wish};
use crate::failure::{Failure, Result};
use crate::names::{self, shorten};
use crate::opening::Meaning;
use crate::output::Out;
use crate::render::{indent, wire_path};
use clap::Args;
use coevo_server::wire::PathsResponse;
use oxrdf::NamedNode;
use std::fmt::Write as _;

/// Find paths between entities
///
/// Simple paths, shortest first; edges are crossed both ways, a statement node costs no hop. With more than two entities,
/// paths between each and the next. The search is bounded, and what was cut is said.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo paths --location data wd:Q42 wd:Q350
  coevo paths --location data --max-hops 2 --sparql wd:Q42 wd:Q350
  coevo paths --server http://127.0.0.1:7878 --json wd:Q42 wd:Q350

Exit code 1: there is no path.")]
pub(crate) struct PathsArguments {
    /// Two or more IRIs or prefixed names such as wd:Q42
    #[arg(value_name = "IRI", required = true, num_args = 2..)]
    entities: Vec<String>,
    /// Hops of a path at most
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=6))]
    max_hops: u8,
    #[command(flatten)]
    store: StoreArguments,
    /// Paths at most, between two entities
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
    /// Print, below each path, the query that returns exactly it
    #[arg(long)]
    sparql: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(context: &Context, arguments: PathsArguments) -> Result<()> {
    let entities = arguments
        .entities
        .iter()
        .map(|entity| names::resolve(entity))
        .collect::<Result<Vec<_>>>()?;
    let backend = Backend::open(
        context,
        &arguments.store,
        "paths",
        Meaning::NotNeeded,
        Wish::NoModel,
    )
    .await?;
    let mut found = PathsResponse {
        paths: Vec::new(),
        cut: String::new(),
    };
    for pair in entities.windows(2) {
        let part = backend
            .paths(&pair[0], &pair[1], arguments.max_hops, arguments.limit as usize)
            .await?;
        found.paths.extend(part.paths);
        found.cut = [found.cut, part.cut]
            .into_iter()
            .filter(|cut| !cut.is_empty())
            .collect::<Vec<_>>()
            .join(", ");
    }
    if found.paths.is_empty() {
        let ends: Vec<String> = entities
            .iter()
            .map(|entity: &NamedNode| shorten(entity.as_str()))
            .collect();
        let cut = if found.cut.is_empty() {
            String::new()
        } else {
            format!("; the search was cut: {}", found.cut)
        };
        return Err(Failure::refused(format!(
            "no path of at most {} hops between {}{cut}",
            arguments.max_hops,
            ends.join(" and ")
        ))
        .with_hint("allow more hops with --max-hops, or look at the ends with `coevo describe`"));
    }
    if arguments.json {
        return Ok(Out::json(&found)?);
    }
    let mut text = String::new();
    for (index, path) in found.paths.iter().enumerate() {
        let _ = writeln!(text, "[{}] {}", index + 1, wire_path(path));
        if arguments.sparql {
            text.push_str(&indent(&path.sparql, 4));
        }
    }
    if !found.cut.is_empty() {
        let _ = writeln!(text, "cut: {}", found.cut);
    }
    Ok(Out::text(&text)?)
}
