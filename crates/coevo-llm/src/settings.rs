//! What is needed to talk to one model: [`ModelSettings`].

use std::time::Duration;

use coevo_http::Secret;

/// One model at one endpoint. `Debug` shows no key, but the address as it was given.
#[derive(Clone, Debug)]
pub struct ModelSettings {
    /// Where the OpenAI-compatible API begins, as `http://127.0.0.1:8080/v1`. Without a path, `/v1` is added.
    pub base_url: String,
    /// Which model; without it the first one that the endpoint offers and that is no embedder.
    pub model: Option<String>,
    /// Sent as a bearer token.
    pub api_key: Option<Secret>,
    /// Most time for one call, its retries included.
    pub deadline: Duration,
    /// Most tokens of one reply; a call that asks for more gets this. A repair of a reply that was cut off gets up to twice as much.
    pub max_tokens: u32,
    /// What prompt and reply must fit into together; when known, the reply is limited to what the prompt leaves.
    pub context_tokens: Option<u32>,
    /// What the model costs; without it every call costs nothing, and a budget of money is never spent.
    pub prices: Option<Prices>,
}

/// Money for a million tokens, in any one currency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// Of the prompt.
    pub prompt: f64,
    /// Of the reply.
    pub completion: f64,
}

impl ModelSettings {
    /// Any model at an address: 120 s and 1024 tokens a call, no key, no price.
    pub fn new(base_url: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            model: None,
            api_key: None,
            deadline: Duration::from_mins(2),
            max_tokens: 1024,
            context_tokens: None,
            prices: None,
        }
    }

    /// The base without a final slash, with `/v1` where no path was given.
    pub(crate) fn base(&self) -> String {
        let base = self.base_url.trim().trim_end_matches('/');
        let after_scheme = base.split_once("://").map_or(base, |(_, rest)| rest);
        if after_scheme.contains('/') {
            base.to_owned()
        } else {
            format!("{base}/v1")
        }
    }
}

impl Prices {
    pub(crate) fn cost(&self, prompt_tokens: u64, completion_tokens: u64) -> f64 {
        (self.prompt * prompt_tokens as f64 + self.completion * completion_tokens as f64) / 1_000_000.0
    }
}

#[cfg(test)]
mod tests {
    use coevo_http::Secret;

    use super::{ModelSettings, Prices};

    #[test]
    fn a_bare_address_gets_the_usual_path() {
        let cases = [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1"),
            ("https://host/openai/v1/", "https://host/openai/v1"),
        ];
        for (given, expected) in cases {
            assert_eq!(ModelSettings::new(given).base(), expected);
        }
    }

    #[test]
    fn debug_shows_no_key() {
        let mut settings = ModelSettings::new("http://127.0.0.1:8080/v1");
        settings.api_key = Some(Secret::new("hidden"));
        assert!(!format!("{settings:?}").contains("hidden"));
    }

    #[test]
    fn prices_are_for_a_million() {
        let cost = Prices {
            prompt: 2.0,
            completion: 8.0,
        }
        .cost(500_000, 250_000);
        assert!((cost - 3.0).abs() < 1e-12, "{cost}");
    }
}
