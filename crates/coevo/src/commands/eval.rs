//! `coevo eval`: a question set asked and scored.

use super::Context;
use super::ask::BoundArguments;
use crate::arguments::StoreArguments;
use crate::backend::Backend;
use crate::failure::Result;
use crate::opening::Meaning;
use crate::output::Out;
use crate::table::Table;
use clap::{Args, Subcommand};
use coevo_eval::{Question, Report, Row, RowOutcome};
use std::path::PathBuf;

/// Questions of a set at most.
const MAX_QUESTIONS: usize = 100_000;

/// Ask a set of questions and score the answers
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  coevo eval run --location data --questions set.jsonl --strategy evidence-only --limit 20"
)]
pub(crate) struct EvalArguments {
    #[command(subcommand)]
    command: EvalCommand,
}

#[derive(Debug, Subcommand)]
enum EvalCommand {
    Run(RunArguments),
}

/// Ask every question of a file, one after the other
///
/// The file is JSON Lines: {"id": "q1", "question": "…", "answers": ["…"]}. Any gold answer counts. Printed are strict
/// exact match and F1 (rules of HotpotQA), the first item alone (hits@1), and containment on the answer (as the ToG family
/// counts it), side by side. Failures and refusals are counted apart and stay in the denominator.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo eval run --location data --questions set.jsonl --strategy evidence-only
  coevo eval run --server http://127.0.0.1:7878 --questions set.jsonl --strategy co-e-cot --limit 20 --json > report.json")]
struct RunArguments {
    /// Question set
    #[arg(long, value_name = "FILE.jsonl")]
    questions: PathBuf,
    /// Ask only the first N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    #[command(flatten)]
    store: StoreArguments,
    #[command(flatten)]
    bounds: BoundArguments,
    /// Write claims and answers into the memory, so that later questions start from them
    #[arg(long)]
    memory: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(context: &Context, arguments: EvalArguments) -> Result<()> {
    let EvalCommand::Run(arguments) = arguments.command;
    let limit = arguments.limit.map_or(MAX_QUESTIONS, |limit| limit as usize);
    let questions = coevo_eval::read_questions(&arguments.questions, limit)?;
    let wish = arguments.bounds.wish()?;
    let backend = Backend::open(context, &arguments.store, "eval", Meaning::Wanted, wish).await?;
    let bounds = &arguments.bounds;
    let ask = async |question: &Question| {
        let options = bounds
            .options(&question.question, arguments.memory)
            .map_err(|failure| failure.message)?;
        backend.ask(&options).await.map_err(|failure| failure.message)
    };
    let mut n_done = 0;
    let report = coevo_eval::run(&questions, ask, |row| {
        n_done += 1;
        context.talk.note(&format!(
            "{n_done}/{} {} {}",
            questions.len(),
            row.id,
            verdict(row)
        ));
    })
    .await;
    if arguments.json {
        Ok(Out::json(&report)?)
    } else {
        Ok(Out::text(&words(&report))?)
    }
}

fn verdict(row: &Row) -> String {
    match (&row.outcome, &row.error) {
        (RowOutcome::Failed, Some(error)) => format!("failed: {error}"),
        (RowOutcome::Failed, None) => "failed".to_owned(),
        (RowOutcome::Refused, _) => "refused".to_owned(),
        (RowOutcome::Answered, _) if row.exact_match => "exact".to_owned(),
        (RowOutcome::Answered, _) if row.containment => "contained".to_owned(),
        (RowOutcome::Answered, _) => "wrong".to_owned(),
    }
}

fn words(report: &Report) -> String {
    let mut rows = Table::new(["id", "verdict", "F1", "calls", "tokens", "s", "answer", "gold"]);
    for row in &report.rows {
        rows.row([
            row.id.clone(),
            verdict(row),
            format!("{:.2}", row.f1),
            row.calls.to_string(),
            row.tokens.to_string(),
            format!("{:.1}", row.seconds),
            row.items
                .first()
                .unwrap_or(&row.answer)
                .chars()
                .take(40)
                .collect(),
            row.golds.join(" | ").chars().take(40).collect(),
        ]);
    }
    let means = &report.means;
    let mut table = Table::new([
        "n",
        "exact",
        "F1",
        "hits@1",
        "contained",
        "refused",
        "failed",
        "calls",
        "tokens",
        "s",
    ]);
    table.row([
        means.n.to_string(),
        format!("{:.3}", means.exact_match),
        format!("{:.3}", means.f1),
        format!("{:.3}", means.hits_at_1),
        format!("{:.3}", means.containment),
        means.refused.to_string(),
        means.failed.to_string(),
        format!("{:.1}", means.calls),
        format!("{:.0}", means.tokens),
        format!("{:.2}", means.seconds),
    ]);
    format!("{rows}\n{table}")
}
