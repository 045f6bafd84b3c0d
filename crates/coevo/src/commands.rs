//! The commands, one file each: its arguments with their help, and what it does. Entry: [`run`].

pub(crate) mod ask;
pub(crate) mod claims;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod describe;
pub(crate) mod eval;
pub(crate) mod ingest;
pub(crate) mod init;
pub(crate) mod khop;
pub(crate) mod link;
pub(crate) mod paths;
pub(crate) mod query;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod status;
pub(crate) mod trace;
pub(crate) mod update;

use crate::arguments::{Arguments, Command, GlobalArguments};
use crate::failure::{Failure, Result};
use crate::output::Talk;
use crate::settings::{Environment, Settings};

/// What every command is given beside its own arguments.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) talk: Talk,
    pub(crate) environment: Environment,
    pub(crate) global: GlobalArguments,
}

impl Context {
    /// The settings; only commands that need them fail on a bad settings file.
    pub(crate) fn settings(&self) -> Result<Settings> {
        Settings::load(self.global.config.as_deref(), &self.global.set, &self.environment)
    }
}

/// Runs the command that was asked for. Ctrl-C ends it, except for the server, which stops by itself.
pub(crate) async fn run(arguments: Arguments, talk: Talk) -> Result<()> {
    let context = Context {
        talk,
        environment: Environment::of_process(),
        global: arguments.global,
    };
    match arguments.command {
        Command::Serve(arguments) => serve::run(&context, arguments).await,
        command => tokio::select! {
            // In this order, so that the handler stands before anything is opened.
            biased;
            () = interrupted() => Err(Failure::interrupted()),
            result = run_one(&context, command) => result,
        },
    }
}

async fn run_one(context: &Context, command: Command) -> Result<()> {
    match command {
        Command::Init(arguments) => init::run(context, &arguments),
        Command::Ingest(arguments) => ingest::run(context, arguments).await,
        Command::Serve(arguments) => serve::run(context, arguments).await,
        Command::Ask(arguments) => ask::run(context, arguments).await,
        Command::Query(arguments) => query::run(context, arguments).await,
        Command::Update(arguments) => update::run(context, arguments).await,
        Command::Link(arguments) => link::run(context, arguments).await,
        Command::Describe(arguments) => describe::run(context, arguments).await,
        Command::Khop(arguments) => khop::run(context, arguments).await,
        Command::Paths(arguments) => paths::run(context, arguments).await,
        Command::Search(arguments) => search::run(context, arguments).await,
        Command::Claims(arguments) => claims::run(context, arguments).await,
        Command::Trace(arguments) => trace::run(context, arguments).await,
        Command::Status(arguments) => status::run(context, arguments).await,
        Command::Config(arguments) => config::run(context, &arguments),
        Command::Eval(arguments) => eval::run(context, arguments).await,
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => completions::man(&arguments),
    }
}

async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Without a handler the system's own way of interrupting stands.
        std::future::pending::<()>().await;
    }
}
