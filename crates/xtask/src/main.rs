//! Chores of the repository: `cargo xtask tidy` checks what the compiler cannot: which crate may know which, how files
//! open, how long they are, which licences come in.
//!
//! Nothing here is needed to build or run Coevo, and nothing here depends on a crate of ours: tidy must run when they do
//! not compile.

mod tidy;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask tidy    check the rules of ARCHITECTURE.md and CONTRIBUTING.md";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["tidy"] => finish(tidy::run()),
        ["--help" | "-h" | "help"] => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(1)
        }
    }
}

fn finish(outcome: anyhow::Result<bool>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("xtask: error: {error:#}");
            ExitCode::from(2)
        }
    }
}
