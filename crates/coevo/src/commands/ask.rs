//! `coevo ask`: a question in plain language, an answer with what it stands on.

use super::Context;
use crate::arguments::StoreArguments;
use crate::backend::{AskOptions, Backend, Wish};
use crate::failure::{Failure, Result};
use crate::opening::Meaning;
use crate::output::Out;
use crate::render;
use clap::Args;
use coevo_llm::Budget;
use coevo_reason::{Answer, NumberedEvent, Strategy};
use std::io;

/// Ask a question in plain language
///
/// Prints the answer, how it is supported, and its evidence: paths of the graph with the SPARQL that returns exactly them
/// (paste it into `coevo query -q`), passages with the quoted sentence, and the claims that were read out of the text.
/// A star marks evidence that the answer cites.
///
/// Strategies: co-e-cot (needs a chat model) and evidence-only (needs none). Unset: co-e-cot when a model is configured
/// or answers on loopback, else evidence-only, which is said.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo ask --location data \"Where was the director of Jaws born?\"
  coevo ask --server http://127.0.0.1:7878 --stream \"Who founded the company that makes the iPhone?\"
  coevo ask --location data --strategy evidence-only --no-memory --json \"Where was Ada Lovelace born?\"
  coevo --set model.base_url=http://127.0.0.1:8080/v1 ask --location data --max-calls 20 --max-seconds 60 \"…\"

Exit code 1: nothing is known about the question, or not enough to answer it.")]
pub(crate) struct AskArguments {
    /// The question
    #[arg(value_name = "QUESTION")]
    question: String,
    #[command(flatten)]
    store: StoreArguments,
    #[command(flatten)]
    bounds: BoundArguments,
    /// Write neither claims nor the answer into the memory
    #[arg(long)]
    no_memory: bool,
    /// Print the steps as they happen (with --json: one event a line, the whole answer last)
    #[arg(long)]
    stream: bool,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

/// Strategy and budget, for `ask` and `eval run`.
#[derive(Debug, Clone, Args)]
pub(crate) struct BoundArguments {
    /// Strategy: co-e-cot or evidence-only
    #[arg(long, value_name = "S")]
    pub(crate) strategy: Option<String>,
    /// Calls of the model at most; then the best answer so far
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_calls: Option<u32>,
    /// Tokens read and written by the model at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_tokens: Option<u64>,
    /// Seconds at most
    #[arg(long, value_name = "S", value_parser = positive_seconds)]
    max_seconds: Option<f64>,
    /// Steps of a chain at most
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=20))]
    max_steps: u32,
}

impl BoundArguments {
    pub(crate) fn options(&self, question: &str, write_memory: bool) -> Result<AskOptions> {
        Ok(AskOptions {
            question: question.to_owned(),
            strategy: self.strategy()?,
            budget: Budget {
                calls: self.max_calls,
                tokens: self.max_tokens,
                seconds: self.max_seconds,
                money: None,
            },
            max_steps: self.max_steps,
            write_memory,
        })
    }

    fn strategy(&self) -> Result<Option<Strategy>> {
        Ok(self.strategy.as_deref().map(str::parse).transpose()?)
    }

    /// What the strategy needs of a model.
    pub(crate) fn wish(&self) -> Result<Wish> {
        Ok(match self.strategy()? {
            Some(Strategy::EvidenceOnly) => Wish::NoModel,
            Some(Strategy::CoECot) => Wish::Model,
            None => Wish::ModelIfThere,
        })
    }
}

/// Seconds as a flag takes them.
pub(crate) fn positive_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e9 => Ok(seconds),
        _ => Err("a number of seconds above 0 is wanted".to_owned()),
    }
}

pub(crate) async fn run(context: &Context, arguments: AskArguments) -> Result<()> {
    if arguments.question.trim().is_empty() {
        return Err(coevo_reason::Error::EmptyQuestion.into());
    }
    let options = arguments
        .bounds
        .options(&arguments.question, !arguments.no_memory)?;
    let wish = arguments.bounds.wish()?;
    let backend = Backend::open(context, &arguments.store, "ask", Meaning::Wanted, wish).await?;
    let answer = if arguments.stream {
        let style = context.talk.out_style;
        let print = |event: &NumberedEvent| -> io::Result<()> {
            match (arguments.json, render::event(event, style)) {
                (true, _) => Out::json_line(event),
                (false, Some(line)) => Out::text(&line),
                (false, None) => Ok(()),
            }
        };
        backend.ask_streaming(&options, print).await?
    } else {
        backend.ask(&options).await?
    };
    match (arguments.json, arguments.stream) {
        (true, true) => Out::json_line(&answer)?,
        (true, false) => Out::json(&answer)?,
        (false, true) => Out::text(&format!("\n{}", render::answer(&answer, context.talk.out_style)))?,
        (false, false) => Out::text(&render::answer(&answer, context.talk.out_style))?,
    }
    verdict(&answer)
}

/// An answer that says no is no success.
fn verdict(answer: &Answer) -> Result<()> {
    match answer.answer.state.as_str() {
        "no-evidence" => Err(Failure::refused("nothing here is evidence for an answer")
            .with_hint("ingest a source that knows it, or check the names with `coevo link`")),
        "insufficient" => Err(Failure::refused("the evidence does not suffice for an answer")
            .with_hint("allow more steps with --max-steps, or ingest more about it")),
        _ => Ok(()),
    }
}
