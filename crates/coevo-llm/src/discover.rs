//! Looking for models on this machine: [`discover`] asks the usual ports at once and keeps those that answer like a model.

use std::time::Duration;

use coevo_http::{HttpClient, public_url};
use futures::future::join_all;

use crate::models;

/// Where Ollama, llama-server and vLLM listen unless told otherwise.
pub const LOOPBACK_ENDPOINTS: [&str; 3] = [
    "http://127.0.0.1:11434/v1",
    "http://127.0.0.1:8080/v1",
    "http://127.0.0.1:8000/v1",
];

/// Somebody who listens on loopback answers sooner, or is not worth waiting for.
const PATIENCE: Duration = Duration::from_secs(2);
/// Endpoints asked in one go.
const MAX_ENDPOINTS: usize = 32;

/// An endpoint that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discovered {
    /// Its base, as for [`crate::ModelSettings`].
    pub base_url: String,
    /// The models it offers; may be empty.
    pub models: Vec<String>,
}

/// Those of [`LOOPBACK_ENDPOINTS`] that answer like an OpenAI-compatible server.
pub async fn discover(http: &HttpClient) -> Vec<Discovered> {
    discover_at(http, &LOOPBACK_ENDPOINTS).await
}

/// Those of the given endpoints that answer like an OpenAI-compatible server, in the given order.
pub async fn discover_at(http: &HttpClient, endpoints: &[&str]) -> Vec<Discovered> {
    let ask = async |base_url: &&str| match models::list(http, base_url, None, PATIENCE).await {
        Ok(offered) => {
            let models = offered.into_iter().map(|model| model.id).collect();
            Some(Discovered {
                base_url: (*base_url).to_owned(),
                models,
            })
        }
        Err(error) => {
            tracing::debug!(url = public_url(base_url), %error, "no model here");
            None
        }
    };
    join_all(endpoints.iter().take(MAX_ENDPOINTS).map(ask))
        .await
        .into_iter()
        .flatten()
        .collect()
}
