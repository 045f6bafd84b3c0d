//! What commands ask: [`Backend`], a directory or a server. Both give the same values (the server's wire types), so that
//! every command prints the same for both.

use crate::arguments::StoreArguments;
use crate::commands::Context;
use crate::failure::{Failure, Result};
use crate::local::Local;
use crate::model::{self, Found, Need};
use crate::opening::{Meaning, Missing, Opened};
use crate::output::Out;
use crate::remote::Remote;
use crate::results::{Body, ResultFormat};
use crate::settings::Settings;
use crate::store::{self, Place};
use coevo_llm::Budget;
use coevo_reason::{Answer, NumberedEvent, Strategy, Trace};
use coevo_server::wire;
use oxrdf::NamedNode;
use std::io;
use std::time::Duration;

/// Where commands go.
pub(crate) enum Backend {
    /// A directory that this process opened.
    Local(Box<Local>),
    /// A server.
    Remote(Remote),
}

/// What a command wants of a chat model (a server has its own).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    NoModel,
    ModelIfThere,
    Model,
}

/// A query and its time.
#[derive(Debug, Clone)]
pub(crate) struct QueryText {
    pub(crate) text: String,
    pub(crate) timeout: Option<Duration>,
}

/// A question and how to answer it.
#[derive(Debug, Clone)]
pub(crate) struct AskOptions {
    pub(crate) question: String,
    pub(crate) strategy: Option<Strategy>,
    pub(crate) budget: Budget,
    pub(crate) max_steps: u32,
    pub(crate) write_memory: bool,
}

impl Backend {
    /// Opens the directory or finds the server that the arguments or the environment name.
    pub(crate) async fn open(
        context: &Context,
        arguments: &StoreArguments,
        purpose: &str,
        meaning: Meaning,
        wish: Wish,
    ) -> Result<Self> {
        let dir = match store::place(arguments, &context.environment)? {
            Place::Server(url) => return Ok(Self::Remote(Remote::new(&url)?)),
            Place::Directory(dir) => dir,
        };
        let settings = context.settings()?;
        let opened = Opened::open(&dir, purpose, Missing::Refuse, meaning, &settings)?;
        for note in &opened.notes {
            context.talk.note(note);
        }
        let Found { model, missing } = match wish {
            Wish::NoModel => Found::default(),
            Wish::ModelIfThere => model::connect(&settings.model, Need::May).await?,
            Wish::Model => model::connect(&settings.model, Need::Must).await?,
        };
        if let Some(missing) = &missing {
            context.talk.warn(&format!("{missing}: evidence only"));
        }
        let (location, engine) = opened.engine(model, missing, &settings)?;
        Ok(Self::Local(Box::new(Local::new(location, engine, settings.server.query_deadline))))
    }
}
