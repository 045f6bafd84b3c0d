//! The one list of all settings, [`KEYS`]: name, kind, default, documentation. `coevo config show`, `--set`, the files and
//! the environment read it; so does whoever writes the reference page.

/// One setting.
#[derive(Debug)]
pub(crate) struct Key {
    /// `section.key`.
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// As it would be written by `--set`; `None`: unset.
    pub(crate) default: Option<&'static str>,
    pub(crate) doc: &'static str,
}

/// What a value may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Any text but an empty one.
    Text,
    /// Text that is never shown.
    Secret,
    /// An `http(s)` URL.
    Url,
    /// A positive whole number.
    Count,
    /// Seconds, more than none.
    Seconds,
    /// `true` or `false`.
    Flag,
    /// A list of texts; separated by commas outside TOML.
    List,
}

macro_rules! keys {
    ($($name:literal $kind:ident $default:expr, $doc:literal;)*) => {
        &[$(Key { name: $name, kind: Kind::$kind, default: $default, doc: $doc }),*]
    };
}

/// Every setting there is.
pub(crate) const KEYS: &[Key] = keys! {
    "model.base_url" Url None, "OpenAI-compatible endpoint up to and with /v1. Also OPENAI_BASE_URL, OLLAMA_HOST";
    "model.name" Text None, "model to ask for; unset, the endpoint's first";
    "model.api_key" Secret None, "key of the endpoint; better in api_key_file. Also OPENAI_API_KEY";
    "model.api_key_file" Text None, "file that holds the key of the endpoint";
    "model.deadline_seconds" Seconds Some("120"), "time for one call of the model";
    "model.max_tokens" Count Some("1024"), "tokens of one reply at most";
    "model.context_tokens" Count None, "context window of the model; unset, what the endpoint says";
    "model.discover" Flag Some("true"), "look for a model on loopback (ports 11434, 8080, 8000) when no base_url is set";
    "model.record_dir" Text None, "record every exchange with the model into this directory";
    "model.replay_dir" Text None, "answer from recordings in this directory instead of a model";
    "embedder.dir" Text None, "directory of model.safetensors and tokenizer.json; unset, minilm under COEVO_MODELS_DIR or ~/.cache/coevo-models";
    "embedder.enabled" Flag Some("true"), "search passages by meaning";
    "server.query_deadline_seconds" Seconds Some("60"), "time for one SPARQL query";
    "server.max_body_bytes" Count Some("67108864"), "bytes of a request body at most";
    "memory.space" Text Some("main"), "memory space that claims and answers are written to";
    "languages.preferred" List Some("en"), "languages of labels, most wanted first";
};

/// The setting of this name; else an error message that names the nearest one.
pub(crate) fn find(name: &str) -> Result<&'static Key, String> {
    if let Some(key) = KEYS.iter().find(|key| key.name == name) {
        return Ok(key);
    }
    let (section, rest) = name.split_once('.').unwrap_or((name, ""));
    let nearest = KEYS
        .iter()
        .map(|key| {
            let (known_section, known_rest) = key.name.split_once('.').unwrap_or((key.name, ""));
            // A right key in a wrong section, or the other way round, is one slip, however long the words are.
            let section_cost = if section == known_section {
                0
            } else {
                distance(section, known_section).min(3)
            };
            (section_cost + distance(rest, known_rest), key.name)
        })
        .min();
    match nearest {
        Some((cost, known)) if cost <= 4 => {
            Err(format!("there is no setting `{name}`; did you mean `{known}`?"))
        }
        _ => Err(format!("there is no setting `{name}`")),
    }
}

/// Levenshtein distance in characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(left != *right);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
