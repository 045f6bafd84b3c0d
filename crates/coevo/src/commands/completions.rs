//! `coevo completions` and `coevo man`: what packages install beside the program.

use crate::arguments::Arguments;
use crate::failure::Result;
use crate::output::Out;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::Write;
use std::path::PathBuf;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo completions bash > /etc/bash_completion.d/coevo
  coevo completions zsh > ~/.zfunc/_coevo
  coevo completions fish > ~/.config/fish/completions/coevo.fish")]
pub(crate) struct CompletionsArguments {
    /// Shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page, or write one page a command into a directory
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  coevo man | man -l -\n  coevo man --out-dir /usr/share/man/man1")]
pub(crate) struct ManArguments {
    /// Directory for coevo.1, coevo-ask.1, …
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
}

pub(crate) fn run(arguments: &CompletionsArguments) -> Result<()> {
    // Into memory first: the generator panics where a reader goes away.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "coevo", &mut script);
    let mut out = Out::new();
    out.write_all(&script)?;
    Ok(out.flush()?)
}

pub(crate) fn man(arguments: &ManArguments) -> Result<()> {
    if let Some(dir) = &arguments.out_dir {
        fs_err::create_dir_all(dir)?;
        return Ok(clap_mangen::generate_to(Arguments::command(), dir)?);
    }
    let mut out = Out::new();
    clap_mangen::Man::new(Arguments::command()).render(&mut out)?;
    Ok(out.flush()?)
}
