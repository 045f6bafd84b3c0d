//! The environment as a value: [`Environment`], read once at the edge. Ours are `COEVO__SECTION__KEY` (settings) and
//! `COEVO_LOCATION`, `COEVO_SERVER`, `COEVO_MODELS_DIR`; others' are honoured under their own names.

use super::origin::{Layers, Origin};
use crate::failure::Result;
use std::collections::BTreeMap;

/// Prefix of variables that are settings.
const OWN: &str = "COEVO__";

/// Variables that are readable as text and not empty.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment {
    variables: BTreeMap<String, String>,
}

impl Environment {
    /// The environment of this process.
    pub(crate) fn of_process() -> Self {
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        std::env::vars_os().filter_map(text).collect()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    /// Variables under other programs' names, and the place of the models. They are no reason to refuse: what cannot be
    /// used is left alone.
    pub(super) fn foreign(&self, layers: &mut Layers) {
        let mut set = |key: &str, name: &'static str, value: Option<String>| {
            if let Some(value) = value
                && let Err(failure) = layers.set_text(key, &value, Origin::Foreign(name))
            {
                tracing::warn!("{}", failure.message);
            }
        };
        let home = self.get("HOME").map(|home| format!("{home}/.cache/coevo-models"));
        set(
            "embedder.dir",
            "default",
            home.map(|models| format!("{models}/minilm")),
        );
        let models = self
            .get("COEVO_MODELS_DIR")
            .map(|models| format!("{models}/minilm"));
        set("embedder.dir", "COEVO_MODELS_DIR", models);
        set(
            "model.base_url",
            "OLLAMA_HOST",
            self.get("OLLAMA_HOST").map(ollama_url),
        );
        set(
            "model.base_url",
            "OPENAI_BASE_URL",
            self.get("OPENAI_BASE_URL").map(str::to_owned),
        );
        set(
            "model.api_key",
            "OPENAI_API_KEY",
            self.get("OPENAI_API_KEY").map(str::to_owned),
        );
    }

    /// `COEVO__SECTION__KEY`.
    pub(super) fn own(&self, layers: &mut Layers) -> Result<()> {
        for (name, value) in &self.variables {
            let Some(rest) = name.strip_prefix(OWN) else {
                continue;
            };
            let key = rest.to_lowercase().replacen("__", ".", 1);
            layers.set_text(&key, value, Origin::Variable(name.clone()))?;
        }
        Ok(())
    }
}

impl FromIterator<(String, String)> for Environment {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(variables: I) -> Self {
        Self {
            variables: variables
                .into_iter()
                .filter(|(_, value)| !value.is_empty())
                .collect(),
        }
    }
}

/// Ollama's own forms (`host`, `host:port`, a URL) as an OpenAI-compatible base. `0.0.0.0` is what a server binds to; a
/// client reaches it on loopback.
fn ollama_url(host: &str) -> String {
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    let rest = rest.trim_end_matches('/');
    let (name, port) = match rest.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (name, port),
        _ if scheme == "https" => (rest, "443"),
        _ => (rest, "11434"),
    };
    let name = if name == "0.0.0.0" || name.is_empty() {
        "127.0.0.1"
    } else {
        name
    };
    format!("{scheme}://{name}:{port}/v1")
}

#[cfg(test)]
mod tests {
    //! Forms of `OLLAMA_HOST`.
    use super::ollama_url;

    #[test]
    fn forms_of_ollama_host() {
        for (host, expected) in [
            ("127.0.0.1", "http://127.0.0.1:11434/v1"),
            ("0.0.0.0:9000", "http://127.0.0.1:9000/v1"),
            ("https://models.example/", "https://models.example:443/v1"),
            (":1234", "http://127.0.0.1:1234/v1"),
        ] {
            assert_eq!(ollama_url(host), expected, "{host}");
        }
    }
}
