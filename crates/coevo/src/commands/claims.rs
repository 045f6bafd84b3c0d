//! `coevo claims`: what was read out of text, and decisions about it.

use super::Context;
use crate::arguments::StoreArguments;
use crate::backend::{Backend, Wish};
use crate::failure::{Failure, Result};
use crate::names::{self, shorten};
use crate::opening::Meaning;
use crate::output::{Out, Style};
use crate::render::{claim_triple, clean};
use crate::table::Table;
use clap::{Args, Subcommand};
use coevo_memory::{ClaimFilter, Status};
use coevo_server::wire::{ClaimDetail, ClaimsResponse, Verdict};
use std::fmt::Write as _;

/// List and show claims, and decide about them
///
/// A claim is a triple that was read out of a quoted sentence. Proposed ones wait for a decision; accepted ones are facts
/// of urn:coevo:memory:SPACE; quarantined ones are not grounded in their quotation and never used.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo claims list --location data --status proposed
  coevo claims show --location data urn:coevo:claim:…
  coevo claims accept --location data urn:coevo:claim:…")]
pub(crate) struct ClaimsArguments {
    #[command(subcommand)]
    command: ClaimsCommand,
}

#[derive(Debug, Subcommand)]
enum ClaimsCommand {
    List(ListArguments),
    Show(ShowArguments),
    /// Accept claims: their triples become facts
    #[command(after_help = "Examples:\n  coevo claims accept --location data urn:coevo:claim:…")]
    Accept(DecideArguments),
    /// Reject claims: their triples never come back by being read again
    #[command(after_help = "Examples:\n  coevo claims reject --location data urn:coevo:claim:…")]
    Reject(DecideArguments),
}

/// List claims, the most confident first
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo claims list --location data --status quarantined --limit 100
  coevo claims list --server http://127.0.0.1:7878 --about wd:Q42 --json")]
struct ListArguments {
    #[command(flatten)]
    store: StoreArguments,
    /// Only of this status: proposed, accepted, rejected, superseded, quarantined
    #[arg(long, value_name = "STATUS", value_parser = parse_status)]
    status: Option<Status>,
    /// Only with this entity as subject or object
    #[arg(long, value_name = "IRI")]
    about: Option<String>,
    /// Claims at most
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
    /// Claims skipped
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u32,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Show a claim: quotations, runs, decisions, answers that stand on it
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  coevo claims show --location data urn:coevo:claim:…")]
struct ShowArguments {
    /// The claim's IRI
    #[arg(value_name = "CLAIM")]
    claim: String,
    #[command(flatten)]
    store: StoreArguments,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct DecideArguments {
    /// IRIs of claims
    #[arg(value_name = "CLAIM", required = true)]
    claims: Vec<String>,
    #[command(flatten)]
    store: StoreArguments,
}

pub(crate) async fn run(context: &Context, arguments: ClaimsArguments) -> Result<()> {
    match arguments.command {
        ClaimsCommand::List(arguments) => list(context, arguments).await,
        ClaimsCommand::Show(arguments) => show(context, arguments).await,
        ClaimsCommand::Accept(arguments) => decide(context, arguments, Verdict::Accept).await,
        ClaimsCommand::Reject(arguments) => decide(context, arguments, Verdict::Reject).await,
    }
}

async fn open(context: &Context, store: &StoreArguments) -> Result<Backend> {
    Backend::open(context, store, "claims", Meaning::NotNeeded, Wish::NoModel).await
}

async fn list(context: &Context, arguments: ListArguments) -> Result<()> {
    let filter = ClaimFilter {
        status: arguments.status,
        run: None,
        about: arguments.about.as_deref().map(names::resolve).transpose()?,
        limit: arguments.limit as usize,
        offset: arguments.offset as usize,
    };
    let page = open(context, &arguments.store).await?.claims(&filter).await?;
    if arguments.json {
        return Ok(Out::json(&page)?);
    }
    Ok(Out::text(&listing(&page))?)
}

fn listing(page: &ClaimsResponse) -> String {
    let mut table = Table::new(["status", "conf.", "claim", "sources", "iri"]);
    for claim in &page.claims {
        let mut sources: Vec<&str> = claim
            .evidence
            .iter()
            .map(|quotation| quotation.root_source.as_str())
            .collect();
        sources.sort_unstable();
        sources.dedup();
        table.row([
            claim.status.clone(),
            format!("{:.2}", claim.confidence),
            claim_triple(claim),
            sources.len().to_string(),
            claim.iri.clone(),
        ]);
    }
    let more = if page.is_total_capped { "more than " } else { "" };
    format!("{table}({} of {more}{})\n", page.claims.len(), page.total)
}

async fn show(context: &Context, arguments: ShowArguments) -> Result<()> {
    let claim = names::resolve(&arguments.claim)?;
    let detail = open(context, &arguments.store).await?.claim(&claim).await?;
    if arguments.json {
        return Ok(Out::json(&detail)?);
    }
    Ok(Out::text(&words(&detail, context.talk.out_style))?)
}

fn words(detail: &ClaimDetail, style: Style) -> String {
    let claim = &detail.claim;
    let mut text = format!("{}\n", style.bold(&claim_triple(claim)));
    let _ = writeln!(
        text,
        "{} {} {}",
        shorten(&claim.subject),
        shorten(&claim.predicate),
        shorten(&claim.object)
    );
    let _ = writeln!(
        text,
        "{}, confidence {:.2}, revision {}",
        claim.status, claim.confidence, claim.revision
    );
    let factors = &claim.factors;
    let _ = writeln!(
        text,
        "factors: source {:.2}, corroboration {:.2}, alignment {:.2}",
        factors.source, factors.corroboration, factors.alignment
    );
    if claim.valid_from.is_some() || claim.valid_to.is_some() {
        let end = |value: &Option<String>| value.clone().unwrap_or_else(|| "…".to_owned());
        let _ = writeln!(
            text,
            "valid {} to {}",
            end(&claim.valid_from),
            end(&claim.valid_to)
        );
    }
    for quotation in &claim.evidence {
        let found = |words: &Option<String>| words.as_deref().map_or_else(|| "not found".to_owned(), clean);
        let _ = writeln!(text, "\n“{}”", clean(&quotation.quoted));
        let _ = writeln!(
            text,
            "  subject: {}; object: {}",
            found(&quotation.grounded_subject),
            found(&quotation.grounded_object)
        );
        let place = format!("{} {}–{}", quotation.passage, quotation.start, quotation.end);
        let _ = writeln!(
            text,
            "  {}",
            style.dim(&format!("{place}, {}", clean(&quotation.root_source)))
        );
    }
    for run in &detail.runs {
        let model = run
            .model
            .as_deref()
            .map(|model| format!(" with {model}"))
            .unwrap_or_default();
        let question = run.question.as_deref().map(clean).unwrap_or_default();
        let _ = writeln!(
            text,
            "\nread by {}{model} at {}: {question}",
            run.strategy, run.ended
        );
    }
    for decision in &detail.decisions {
        let action = decision
            .action
            .rsplit('#')
            .next()
            .unwrap_or_default()
            .to_lowercase();
        let _ = writeln!(text, "{action} by {} at {}", decision.by, decision.at);
    }
    if !detail.answers.is_empty() {
        let _ = writeln!(text, "{} answers stand on it", detail.answers.len());
    }
    text
}

async fn decide(context: &Context, arguments: DecideArguments, decision: Verdict) -> Result<()> {
    let claims = arguments
        .claims
        .iter()
        .map(|claim| names::resolve(claim))
        .collect::<Result<Vec<_>>>()?;
    let backend = open(context, &arguments.store).await?;
    let what = match decision {
        Verdict::Accept => "accepted",
        Verdict::Reject => "rejected",
    };
    for claim in &claims {
        let decided = backend.decide(claim, decision).await?;
        let stale = match decided.n_stale {
            0 => String::new(),
            n => format!(", {n} answers are stale now"),
        };
        let already = if decided.decision.is_none() {
            " already"
        } else {
            ""
        };
        context
            .talk
            .note(&format!("{what}{already}: {}{stale}", claim.as_str()));
    }
    Ok(())
}

fn parse_status(text: &str) -> Result<Status, String> {
    Status::ALL
        .into_iter()
        .find(|status| status.as_str() == text)
        .ok_or_else(|| {
            let known: Vec<&str> = Status::ALL.into_iter().map(Status::as_str).collect();
            Failure::refused(format!("known: {}", known.join(", "))).message
        })
}
