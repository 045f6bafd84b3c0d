//! The program `coevo`: arguments, settings, commands. Everything it knows about the graph, models and memory it asks
//! the libraries; what is here is the edge: environment, clock, terminal, exit codes.
//!
//! stdout carries data, stderr talk. Exit codes: see [`failure::Exit`].
#![expect(
    clippy::doc_markdown,
    clippy::doc_link_with_quotes,
    reason = "doc comments of arguments are help texts"
)]

mod arguments;
mod backend;
mod commands;
mod failure;
mod local;
mod model;
mod names;
mod opening;
mod output;
mod progress;
mod remote;
mod render;
mod results;
mod settings;
mod store;
mod table;

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::output::Talk;
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return explain_arguments(&error),
    };
    let talk = Talk::new(&arguments.global);
    output::start_log(&arguments.global);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return talk.fail(&Failure::failed(format!("cannot start threads: {error}"))),
    };
    let result = runtime.block_on(commands::run(arguments, talk));
    // A worker that does not end (a look-up that hangs, a download) must not keep the terminal.
    runtime.shutdown_timeout(Duration::from_secs(2));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => talk.fail(&failure),
    }
}

/// Help and version go to stdout and are no failure; wrong arguments are the input saying no.
fn explain_arguments(error: &clap::Error) -> ExitCode {
    let code = if error.use_stderr() {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    };
    // Nobody is left to be told when the terminal is gone.
    drop(error.print());
    drop(std::io::stdout().flush());
    code
}
