//! `coevo config show`: the settings in force, with their meaning and where each comes from.

use super::Context;
use crate::failure::Result;
use crate::output::Out;
use crate::settings::{Settings, read_layers};
use crate::table::Table;
use clap::{Args, Subcommand};

/// Show the settings in force
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo config show --origin
  coevo config show --json
  COEVO__MODEL__NAME=qwen3 coevo --set model.discover=false config show --origin")]
pub(crate) struct ConfigArguments {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// Print every setting; secrets are masked
    #[command(after_help = "Examples:\n  coevo config show --origin\n  coevo config show --json")]
    Show {
        /// Say where each value comes from
        #[arg(long)]
        origin: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(context: &Context, arguments: &ConfigArguments) -> Result<()> {
    let ConfigCommand::Show { origin, json } = arguments.command;
    let layers = read_layers(
        context.global.config.as_deref(),
        &context.global.set,
        &context.environment,
    )?;
    Settings::of(&layers)?;
    let shown = layers.shown();
    if json {
        return Ok(Out::json(&shown)?);
    }
    let mut table = Table::new(if origin {
        vec!["setting", "value", "from"]
    } else {
        vec!["setting", "value", "meaning"]
    });
    for setting in &shown {
        let value = match &setting.value {
            serde_json::Value::Null => "-".to_owned(),
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        table.row([
            setting.key,
            value.as_str(),
            if origin {
                setting.origin.as_str()
            } else {
                setting.doc
            },
        ]);
    }
    Ok(Out::text(&table.to_string())?)
}
