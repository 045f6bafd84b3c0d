//! The command line as a value: [`Arguments`]. Texts for people stand here and beside each command; what a command does
//! is not decided here.

use crate::commands;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    the input or the answer says no: wrong arguments, a missing or damaged file, bad SPARQL, nothing found, a question
       without evidence
  2    we failed: directory in use, disk full or read-only, model or server not reachable, a defect
  130  interrupted (Ctrl-C); nothing is half-written
A reader that goes away (`coevo query … | head`) is no failure: 0.

Where the data is:
  Store commands take --location DIR (open the directory; one process at a time) or --server URL (ask a running
  `coevo serve`). COEVO_LOCATION and COEVO_SERVER stand in for the two; a flag wins over both.

Settings, weakest first: defaults, OPENAI_API_KEY / OPENAI_BASE_URL / OLLAMA_HOST, /etc/coevo/config.toml, ./coevo.toml or
--config FILE, COEVO__SECTION__KEY, --set. `coevo config show --origin` lists them all.

Examples:
  coevo ingest wikidata --location data truthy.nt.gz labels.nt.gz
  coevo ingest documents --location data notes/*.md
  coevo serve --location data
  coevo ask --location data \"Where was the director of Jaws born?\"
  coevo query --server http://127.0.0.1:7878 -q 'SELECT * { wd:Q42 ?p ?o } LIMIT 10'";

/// A knowledge platform in one program: load knowledge graphs and documents, ask in SPARQL and in plain language over the
/// same store, keep what was read as claims that people decide about.
#[derive(Debug, Parser)]
#[command(name = "coevo", version = env!("COEVO_VERSION"), after_help = EXIT_CODES, max_term_width = 120)]
#[command(disable_help_subcommand = true, propagate_version = false)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: GlobalArguments,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalArguments {
    /// Settings file instead of ./coevo.toml
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,
    /// Set one setting, stronger than files and environment; may be repeated
    #[arg(long, value_name = "SECTION.KEY=VALUE", global = true)]
    pub(crate) set: Vec<String>,
    /// Say more on stderr: -v, -vv, -vvv (RUST_LOG is honoured)
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub(crate) verbose: u8,
    /// Say nothing on stderr but warnings and errors
    #[arg(long, global = true)]
    pub(crate) quiet: bool,
    /// When to use colour (NO_COLOR is honoured)
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto, global = true)]
    pub(crate) color: Color,
    /// Form of log lines on stderr
    #[arg(long, value_name = "FORM", value_enum, default_value_t = LogFormat::Text, global = true)]
    pub(crate) log_format: LogFormat,
    /// Show no progress
    #[arg(long, global = true)]
    pub(crate) no_progress: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    Text,
    Json,
}

/// Where the data of a store command is. Both unset: `COEVO_LOCATION` or `COEVO_SERVER`.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct StoreArguments {
    /// Data directory to open [env: COEVO_LOCATION]
    #[arg(long, short = 'l', value_name = "DIR", conflicts_with = "server")]
    pub(crate) location: Option<PathBuf>,
    /// Running server to ask instead, as http://127.0.0.1:7878 [env: COEVO_SERVER]
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,
}

/// What a person may ask of the program.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Init(commands::init::InitArguments),
    Ingest(commands::ingest::IngestArguments),
    Serve(commands::serve::ServeArguments),
    Ask(commands::ask::AskArguments),
    Query(commands::query::QueryArguments),
    Update(commands::update::UpdateArguments),
    Link(commands::link::LinkArguments),
    Describe(commands::describe::DescribeArguments),
    Khop(commands::khop::KhopArguments),
    Paths(commands::paths::PathsArguments),
    Search(commands::search::SearchArguments),
    Claims(commands::claims::ClaimsArguments),
    Trace(commands::trace::TraceArguments),
    Status(commands::status::StatusArguments),
    Config(commands::config::ConfigArguments),
    Eval(commands::eval::EvalArguments),
    Completions(commands::completions::CompletionsArguments),
    Man(commands::completions::ManArguments),
}
