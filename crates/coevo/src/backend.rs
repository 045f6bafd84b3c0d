//! What commands ask: [`Backend`], a directory or a server. Both give the same values (the server's wire types), so that
//! every command prints the same for both.

use crate::arguments::StoreArguments;
use crate::commands::Context;
use crate::failure::Result;
use crate::local::Local;
use crate::model::{self, Found, Need};
use crate::opening::{Meaning, Missing, Opened};
use crate::output::Out;
use crate::remote::{self, Remote};
use crate::results::{Body, ResultFormat};
use crate::settings::Settings;
use crate::store::{self, Place};
use coevo_llm::Budget;
use coevo_memory::ClaimFilter;
use coevo_reason::{Answer, NumberedEvent, Strategy, Trace};
use coevo_server::{Exposure, ServerOptions, views, wire};
use oxrdf::{NamedNode, NamedNodeRef};
use std::io;
use std::time::Duration;

/// Who decides on the command line; people have names once there are keys.
const CURATOR: NamedNodeRef<'static> = NamedNodeRef::new_unchecked("urn:coevo:agent:command-line");

const NO_MODEL: &str = "evidence only: to add a chat model, set [model] base_url in coevo.toml to any OpenAI-compatible endpoint";

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
    /// The same without saying so when there is none.
    ModelQuietly,
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
            Wish::ModelIfThere | Wish::ModelQuietly => model::connect(&settings.model, Need::May).await?,
            Wish::Model => model::connect(&settings.model, Need::Must).await?,
        };
        if let Some(missing) = missing.as_ref().filter(|_| wish == Wish::ModelIfThere) {
            context.talk.warn(&format!("{missing}: evidence only"));
        }
        let (location, engine) = opened.engine(model, missing, &settings)?;
        Ok(Self::Local(Box::new(Local::new(
            location,
            engine,
            settings.server.query_deadline,
        ))))
    }

    pub(crate) async fn update(&self, update: &str) -> Result<()> {
        match self {
            Self::Local(local) => local.update(update).await,
            Self::Remote(remote) => remote.update(update).await,
        }
    }

    /// A result that is kept whole: bounded, for a table.
    pub(crate) async fn query_to_memory(&self, query: &QueryText) -> Result<Body> {
        match self {
            Self::Local(local) => local.query_to_memory(query).await,
            Self::Remote(remote) => remote.query_to_memory(&query.text, query.timeout).await,
        }
    }

    /// A result of any size, streamed.
    pub(crate) async fn query_to_stdout(&self, query: &QueryText, format: ResultFormat) -> Result<()> {
        match self {
            Self::Local(local) => local.query_to_stdout(query, format).await,
            Self::Remote(remote) => {
                remote
                    .query_to(&query.text, query.timeout, format, &mut Out::new())
                    .await
            }
        }
    }

    pub(crate) async fn ask(&self, options: &AskOptions) -> Result<Answer> {
        match self {
            Self::Local(local) => local.ask(options).await,
            Self::Remote(remote) => remote.post("/api/v1/ask", &options.body()).await,
        }
    }

    /// Asks and hands every event to `print` as it happens.
    pub(crate) async fn ask_streaming(
        &self,
        options: &AskOptions,
        print: impl Fn(&NumberedEvent) -> io::Result<()>,
    ) -> Result<Answer> {
        match self {
            Self::Local(local) => local.ask_streaming(options, print).await,
            Self::Remote(remote) => remote.ask_streaming(&options.body(), print).await,
        }
    }

    pub(crate) async fn link(&self, text: &str, limit: usize) -> Result<wire::LinkResponse> {
        match self {
            Self::Local(local) => Ok(views::link(&local.engine, text, limit).await?),
            Self::Remote(remote) => {
                remote
                    .get("/api/v1/link", &[("text", text), ("limit", &limit.to_string())])
                    .await
            }
        }
    }

    pub(crate) async fn search(&self, text: &str, limit: usize) -> Result<wire::SearchResponse> {
        match self {
            Self::Local(local) => Ok(views::search(&local.engine, text, limit).await?),
            Self::Remote(remote) => {
                remote
                    .get("/api/v1/search", &[("q", text), ("limit", &limit.to_string())])
                    .await
            }
        }
    }

    pub(crate) async fn describe(&self, iri: &NamedNode, limit: usize) -> Result<wire::DescribeResponse> {
        match self {
            Self::Local(local) => Ok(views::describe(&local.engine, iri, limit).await?),
            Self::Remote(remote) => {
                let parameters = [("iri", iri.as_str()), ("limit", &limit.to_string())];
                remote.get("/api/v1/describe", &parameters).await
            }
        }
    }

    pub(crate) async fn khop(&self, seeds: &[NamedNode], k: u8, limit: usize) -> Result<wire::KhopResponse> {
        match self {
            Self::Local(local) => Ok(views::khop(&local.engine, seeds, k, limit).await?),
            Self::Remote(remote) => {
                let (k, limit) = (k.to_string(), limit.to_string());
                let mut parameters = vec![("k", k.as_str()), ("limit", limit.as_str())];
                parameters.extend(seeds.iter().map(|seed| ("seed", seed.as_str())));
                remote.get("/api/v1/khop", &parameters).await
            }
        }
    }

    pub(crate) async fn paths(
        &self,
        from: &NamedNode,
        to: &NamedNode,
        max_hops: u8,
        limit: usize,
    ) -> Result<wire::PathsResponse> {
        match self {
            Self::Local(local) => Ok(views::paths(&local.engine, from, to, max_hops, limit).await?),
            Self::Remote(remote) => {
                let (max_hops, limit) = (max_hops.to_string(), limit.to_string());
                let parameters = [
                    ("from", from.as_str()),
                    ("to", to.as_str()),
                    ("max_hops", &max_hops),
                    ("limit", &limit),
                ];
                remote.get("/api/v1/paths", &parameters).await
            }
        }
    }

    pub(crate) async fn status(&self) -> Result<wire::Status> {
        match self {
            Self::Local(local) => Ok(views::status(&local.engine, NO_MODEL).await?),
            Self::Remote(remote) => remote.get("/api/v1/status", &[]).await,
        }
    }

    pub(crate) async fn traces(&self, limit: usize) -> Result<wire::TracesResponse> {
        match self {
            Self::Local(local) => Ok(views::traces(&local.engine, limit).await?),
            Self::Remote(remote) => {
                remote
                    .get("/api/v1/traces", &[("limit", &limit.to_string())])
                    .await
            }
        }
    }

    pub(crate) async fn trace(&self, run: &str) -> Result<Trace> {
        match self {
            Self::Local(local) => Ok(views::trace(&local.engine, run).await?),
            Self::Remote(remote) => {
                remote
                    .get(&format!("/api/v1/traces/{}", remote::escape(run)), &[])
                    .await
            }
        }
    }

    pub(crate) async fn claims(&self, filter: &ClaimFilter) -> Result<wire::ClaimsResponse> {
        match self {
            Self::Local(local) => Ok(views::claims(&local.engine, filter).await?),
            Self::Remote(remote) => {
                let (limit, offset) = (filter.limit.to_string(), filter.offset.to_string());
                let mut parameters = vec![("limit", limit.as_str()), ("offset", offset.as_str())];
                if let Some(status) = filter.status {
                    parameters.push(("status", status.as_str()));
                }
                if let Some(run) = &filter.run {
                    parameters.push(("run", run.as_str()));
                }
                if let Some(about) = &filter.about {
                    parameters.push(("about", about.as_str()));
                }
                remote.get("/api/v1/claims", &parameters).await
            }
        }
    }

    pub(crate) async fn claim(&self, claim: &NamedNode) -> Result<wire::ClaimDetail> {
        match self {
            Self::Local(local) => Ok(views::claim(&local.engine, claim).await?),
            Self::Remote(remote) => {
                remote
                    .get(&format!("/api/v1/claims/{}", remote::escape(claim.as_str())), &[])
                    .await
            }
        }
    }

    /// Decides on a claim as it stands now.
    pub(crate) async fn decide(
        &self,
        claim: &NamedNode,
        decision: wire::Verdict,
    ) -> Result<wire::DecideResponse> {
        let revision = self.claim(claim).await?.claim.revision;
        match self {
            Self::Local(local) => {
                let by = CURATOR.into_owned();
                Ok(views::decide(&local.engine, claim, decision, &by, revision).await?)
            }
            Self::Remote(remote) => {
                let path = format!("/api/v1/claims/{}/decision", remote::escape(claim.as_str()));
                let body = wire::DecideBody {
                    decision,
                    revision,
                    by: Some(CURATOR.as_str().to_owned()),
                };
                remote.post(&path, &body).await
            }
        }
    }
}

impl AskOptions {
    fn body(&self) -> wire::AskBody {
        let budget = &self.budget;
        wire::AskBody {
            question: self.question.clone(),
            strategy: self.strategy.map(|strategy| strategy.name().to_owned()),
            budget: wire::AskBudget {
                calls: budget.calls,
                tokens: budget.tokens,
                seconds: budget.seconds,
                money: budget.money,
            },
            max_steps: Some(self.max_steps),
            write_memory: Some(self.write_memory),
        }
    }
}

/// What the settings mean for a server.
pub(crate) fn server_options(settings: &Settings, exposure: Exposure) -> ServerOptions {
    ServerOptions {
        query_deadline: settings.server.query_deadline,
        max_body_bytes: settings.server.max_body_bytes,
        exposure,
        ..ServerOptions::default()
    }
}
