//! Settings, typed twice: what was written (file, environment, flag) and what it means ([`Settings`]). Every key stands in
//! [`keys::KEYS`] with its default and its documentation, and nowhere else.
//!
//! Weakest first: defaults, `OPENAI_*`/`OLLAMA_HOST`/`COEVO_MODELS_DIR`, `/etc/coevo/config.toml`, `./coevo.toml` (or
//! `--config`), `COEVO__SECTION__KEY`, `--set`. Nothing below this module reads the environment.

mod environment;
mod file;
mod keys;
mod origin;

pub(crate) use environment::Environment;
pub(crate) use origin::Layers;

use crate::failure::{Failure, Result};
use coevo_http::Secret;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Read after the defaults, when it is there.
const SYSTEM_FILE: &str = "/etc/coevo/config.toml";
/// Read after that, when it is there and no other file is named.
const LOCAL_FILE: &str = "coevo.toml";

/// What the settings mean.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) model: ModelSection,
    pub(crate) embedder: EmbedderSection,
    pub(crate) server: ServerSection,
    /// The memory space that answers write to.
    pub(crate) space: String,
    /// Languages of labels, most wanted first. Never empty.
    pub(crate) languages: Vec<String>,
}

/// `[model]`
#[derive(Debug, Clone)]
pub(crate) struct ModelSection {
    pub(crate) base_url: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) api_key: Option<Secret>,
    pub(crate) deadline: Duration,
    pub(crate) max_tokens: u32,
    pub(crate) context_tokens: Option<u32>,
    pub(crate) discover: bool,
    pub(crate) record_dir: Option<PathBuf>,
    pub(crate) replay_dir: Option<PathBuf>,
}

/// `[embedder]`
#[derive(Debug, Clone)]
pub(crate) struct EmbedderSection {
    pub(crate) dir: PathBuf,
    pub(crate) enabled: bool,
}

/// `[server]`
#[derive(Debug, Clone)]
pub(crate) struct ServerSection {
    pub(crate) query_deadline: Duration,
    pub(crate) max_body_bytes: usize,
}

impl Settings {
    /// Reads all layers and checks what they mean.
    pub(crate) fn load(config: Option<&Path>, set: &[String], environment: &Environment) -> Result<Self> {
        Self::of(&read_layers(config, set, environment)?)
    }

    pub(crate) fn of(layers: &Layers) -> Result<Self> {
        let model = ModelSection {
            base_url: layers
                .text("model.base_url")
                .map(|url| url.trim_end_matches('/').to_owned()),
            name: layers.text("model.name"),
            api_key: api_key(layers)?,
            deadline: layers.seconds("model.deadline_seconds")?,
            max_tokens: layers.count("model.max_tokens")?.unwrap_or(1024),
            context_tokens: layers.count("model.context_tokens")?,
            discover: layers.flag("model.discover"),
            record_dir: layers.text("model.record_dir").map(PathBuf::from),
            replay_dir: layers.text("model.replay_dir").map(PathBuf::from),
        };
        let server = ServerSection {
            query_deadline: layers.seconds("server.query_deadline_seconds")?,
            max_body_bytes: layers.count("server.max_body_bytes")?.unwrap_or(64 << 20),
        };
        let space = layers.text("memory.space").unwrap_or_else(|| "main".to_owned());
        coevo_graph::vocab::claims_graph(&space)?;
        let languages = layers.list("languages.preferred");
        Ok(Self {
            model,
            embedder: EmbedderSection {
                dir: PathBuf::from(layers.text("embedder.dir").unwrap_or_default()),
                enabled: layers.flag("embedder.enabled"),
            },
            server,
            space,
            languages: if languages.is_empty() {
                vec!["en".to_owned()]
            } else {
                languages
            },
        })
    }
}

/// Every layer, weakest first, merged.
pub(crate) fn read_layers(
    config: Option<&Path>,
    set: &[String],
    environment: &Environment,
) -> Result<Layers> {
    let mut layers = Layers::defaults();
    environment.foreign(&mut layers);
    file::read_if_there(Path::new(SYSTEM_FILE), &mut layers)?;
    match config {
        Some(path) => file::read(path, &mut layers)?,
        None => file::read_if_there(Path::new(LOCAL_FILE), &mut layers)?,
    }
    environment.own(&mut layers)?;
    for assignment in set {
        let (key, value) = assignment.split_once('=').ok_or_else(|| {
            Failure::refused(format!("--set {assignment}: no `=` in it"))
                .with_hint("write --set section.key=value, for example --set model.discover=false")
        })?;
        layers.set_text(key.trim(), value, origin::Origin::Flag)?;
    }
    Ok(layers)
}

fn api_key(layers: &Layers) -> Result<Option<Secret>> {
    // The stronger of the two wins; a key and a file of the same strength would be two answers to one question.
    let file = layers
        .text("model.api_key_file")
        .filter(|_| layers.strength("model.api_key_file") >= layers.strength("model.api_key"));
    let Some(path) = file else {
        return Ok(layers.text("model.api_key").map(Secret::new));
    };
    let text = fs_err::read_to_string(&path)?;
    let key = text.trim();
    if key.is_empty() {
        return Err(Failure::refused(format!("{path}: is empty"))
            .with_hint("it should hold the API key and nothing else"));
    }
    Ok(Some(Secret::new(key.to_owned())))
}

#[cfg(test)]
mod tests;
