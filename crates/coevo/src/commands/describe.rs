//! `coevo describe`: what is known about one entity.

use super::Context;
use crate::arguments::StoreArguments;
use crate::backend::{Backend, Wish};
use crate::failure::Result;
use crate::names::{self, shorten};
use crate::opening::Meaning;
use crate::output::{Out, Style};
use crate::render::{clean, edge_table};
use clap::Args;
use coevo_server::wire::DescribeResponse;
use std::fmt::Write as _;

/// Show an entity: label, description, names, facts in and out
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo describe --location data wd:Q42
  coevo describe --server http://127.0.0.1:7878 --json http://www.wikidata.org/entity/Q42

Exit code 1: nothing is known about it.")]
pub(crate) struct DescribeArguments {
    /// An IRI or a prefixed name such as wd:Q42
    #[arg(value_name = "IRI")]
    iri: String,
    #[command(flatten)]
    store: StoreArguments,
    /// Facts at most
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=5000))]
    limit: u32,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(context: &Context, arguments: DescribeArguments) -> Result<()> {
    let iri = names::resolve(&arguments.iri)?;
    let backend = Backend::open(
        context,
        &arguments.store,
        "describe",
        Meaning::NotNeeded,
        Wish::NoModel,
    )
    .await?;
    let entity = backend.describe(&iri, arguments.limit as usize).await?;
    if arguments.json {
        return Ok(Out::json(&entity)?);
    }
    Ok(Out::text(&words(&entity, context.talk.out_style))?)
}

fn words(entity: &DescribeResponse, style: Style) -> String {
    let label = entity.label.as_deref().unwrap_or("(no label)");
    let mut text = format!(
        "{}  {}\n",
        style.bold(&clean(label)),
        style.dim(&shorten(&entity.iri))
    );
    if let Some(description) = &entity.description {
        let _ = writeln!(text, "{}", clean(description));
    }
    let others: Vec<String> = entity
        .surfaces
        .iter()
        .filter(|name| name.as_str() != label)
        .map(|name| clean(name))
        .collect();
    if !others.is_empty() {
        let _ = writeln!(text, "also: {}", others.join(", "));
    }
    text.push('\n');
    text.push_str(&edge_table(&entity.edges, &entity.cut));
    text
}
