//! The chat model of the settings, connected: [`connect`]. What to do without one is decided by the caller's [`Need`].

use crate::failure::{Exit, Failure, Result};
use crate::settings::ModelSection;
use coevo_http::{HttpClient, HttpOptions};
use coevo_llm::{ChatModel, ModelSettings};

/// How much a command depends on a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// Without one the command fails.
    Must,
    /// Without one the command goes on and says so.
    May,
}

/// A model, or why there is none.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) model: Option<ChatModel>,
    /// As it stands in an answer's notes before `: evidence only`.
    pub(crate) missing: Option<String>,
}

/// Connects to the configured model, replays recordings, or looks on loopback.
pub(crate) async fn connect(section: &ModelSection, need: Need) -> Result<Found> {
    let missing = match find(section).await {
        Ok(Some(model)) => {
            return Ok(Found {
                model: Some(model),
                missing: None,
            });
        }
        Ok(None) => Failure::failed("no chat model is configured and none answers on loopback").with_hint(
            "set [model] base_url to an OpenAI-compatible endpoint, or use --strategy evidence-only",
        ),
        Err(failure) => failure,
    };
    // A mistake in the settings is not a model that is away.
    if need == Need::Must || missing.exit == Exit::Refused {
        return Err(missing);
    }
    Ok(Found {
        model: None,
        missing: Some(missing.message),
    })
}

async fn find(section: &ModelSection) -> Result<Option<ChatModel>> {
    if let Some(dir) = &section.replay_dir {
        return Ok(Some(ChatModel::replay(dir)?));
    }
    let http = client()?;
    let base_url = match &section.base_url {
        Some(url) => Some(url.clone()),
        None if section.discover => {
            let found = coevo_llm::discover(&http).await;
            found
                .into_iter()
                .find(|endpoint| !endpoint.models.is_empty())
                .map(|endpoint| endpoint.base_url)
        }
        None => None,
    };
    let Some(base_url) = base_url else { return Ok(None) };
    let settings = ModelSettings {
        model: section.name.clone(),
        // A key is for the endpoint it was configured with, not for whoever answers on loopback.
        api_key: section.base_url.as_ref().and(section.api_key.clone()),
        deadline: section.deadline,
        max_tokens: section.max_tokens,
        context_tokens: section.context_tokens,
        ..ModelSettings::new(base_url)
    };
    let model = ChatModel::connect(settings, http).await?;
    Ok(Some(match &section.record_dir {
        Some(dir) => model.record(dir),
        None => model,
    }))
}

/// The door out, for models and for `--server`.
pub(crate) fn client() -> Result<HttpClient> {
    Ok(HttpClient::new(&HttpOptions::default())?)
}
