//! `coevo trace`: what happened in a run, reopened.

use super::Context;
use crate::arguments::StoreArguments;
use crate::backend::{Backend, Wish};
use crate::failure::Result;
use crate::opening::Meaning;
use crate::output::{Out, Style};
use crate::render::{self, clean};
use crate::table::Table;
use clap::{Args, Subcommand};
use coevo_reason::{Trace, TraceSummary};

/// Reopen what happened in a run
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  coevo trace list --location data\n  coevo trace show --location data 019a…"
)]
pub(crate) struct TraceArguments {
    #[command(subcommand)]
    command: TraceCommand,
}

#[derive(Debug, Subcommand)]
enum TraceCommand {
    List(ListArguments),
    Show(ShowArguments),
}

/// List runs, newest first
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  coevo trace list --location data --limit 5")]
struct ListArguments {
    #[command(flatten)]
    store: StoreArguments,
    /// Runs at most
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Show the steps and the answer of a run
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo trace show --location data 019a2b3c-0000-7000-8000-000000000000
  coevo trace show --server http://127.0.0.1:7878 --json 019a2b3c-0000-7000-8000-000000000000")]
struct ShowArguments {
    /// The run, as `ask` prints it
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    store: StoreArguments,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(context: &Context, arguments: TraceArguments) -> Result<()> {
    match arguments.command {
        TraceCommand::List(arguments) => {
            let backend = open(context, &arguments.store).await?;
            let runs = backend.traces(arguments.limit as usize).await?;
            if arguments.json {
                Ok(Out::json(&runs)?)
            } else {
                Ok(Out::text(&list(&runs.traces))?)
            }
        }
        TraceCommand::Show(arguments) => {
            let trace = open(context, &arguments.store)
                .await?
                .trace(&arguments.id)
                .await?;
            if arguments.json {
                Ok(Out::json(&trace)?)
            } else {
                Ok(Out::text(&show(&trace, context.talk.out_style))?)
            }
        }
    }
}

async fn open(context: &Context, store: &StoreArguments) -> Result<Backend> {
    Backend::open(context, store, "trace", Meaning::NotNeeded, Wish::NoModel).await
}

fn list(runs: &[TraceSummary]) -> String {
    let mut table = Table::new(["run", "asked at", "question", "answer"]);
    for run in runs {
        table.row([
            run.run.clone(),
            run.asked_at.strftime("%Y-%m-%d %H:%M:%S").to_string(),
            run.question.chars().take(60).collect(),
            run.answer
                .clone()
                .unwrap_or_else(|| "-".to_owned())
                .chars()
                .take(40)
                .collect(),
        ]);
    }
    table.to_string()
}

fn show(trace: &Trace, style: Style) -> String {
    let mut text = format!(
        "{}\nasked at {}\n\n",
        style.bold(&clean(&trace.question)),
        trace.asked_at
    );
    text.extend(
        trace
            .events
            .iter()
            .filter_map(|event| render::event(event, style)),
    );
    if let Some(answer) = &trace.answer {
        text.push('\n');
        text.push_str(&render::answer(answer, style));
    }
    text
}
