//! Recordings: one JSON file for each request, named after the request's hash, so that an exchange can be replayed exactly.
//!
//! The hash covers the method, the path with its query, and the body (JSON in canonical form): the same request to
//! another host or port finds the same recording. While recording, a request that is recorded already is answered from
//! its file, so that a recorded run and its replays see the same replies and an interrupted recording can go on.
//!
//! Request headers, user information and keys are never written; a key that a server repeats in its reply is blotted out.
//! Kept are replies that say something lasting: not those that depend on the key (401, 403, 407) or the moment (408, 425, 429, 5xx).

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Error, Method, Request, Response, Result};

/// The version of the file format that is written. Version 1 is the first.
const FORMAT: u32 = 1;
/// A recording larger than this is refused: it was not written here.
const MAX_FILE_BYTES: u64 = 64 << 20;
/// A directory with more recordings than this is refused.
const MAX_RECORDINGS: usize = 100_000;
/// Characters of the hash that are kept (128 bits).
const HASH_CHARS: usize = 32;

/// What a client does with a directory of recordings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cassette {
    /// Answer from the directory what is there; send the rest and keep its replies.
    Record(PathBuf),
    /// Answer from the directory only; a request without a recording is [`Error::NoRecording`]. Nothing is ever sent.
    Replay(PathBuf),
}

impl Cassette {
    pub(crate) fn dir(&self) -> &Path {
        match self {
            Self::Record(dir) | Self::Replay(dir) => dir,
        }
    }

    pub(crate) fn file(&self, hash: &str) -> PathBuf {
        self.dir().join(format!("{hash}.json"))
    }
}

/// What the maker of a request adds to its recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotation {
    /// When the exchange took place; without it the reply's `Date` header.
    pub date: Option<String>,
    /// Anything else worth reading.
    pub extra: Map<String, Value>,
}

/// One recorded exchange, as stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// Version of the format.
    pub format: u32,
    /// Hash of the request, which is also the name of the file.
    pub hash: String,
    /// The method.
    pub method: String,
    /// The path and, if there is one, the query.
    pub path: String,
    /// The request's body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Content>,
    /// Status of the reply.
    pub status: u16,
    /// Content type of the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// The reply's body; of a stream, all of it.
    pub reply: Content,
    /// When the exchange took place, if the reply tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// How long it took, to the millisecond.
    pub seconds: f64,
    /// Notes of the request's maker.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

/// A body, in the most legible form that gives the same value back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// JSON, stored as a value.
    Json(Value),
    /// Other UTF-8 text.
    Text(String),
    /// Anything else, in hexadecimal.
    Hex(String),
}

impl Content {
    pub(crate) fn of(bytes: &[u8], scrub: impl Fn(&str) -> String) -> Self {
        let Ok(text) = std::str::from_utf8(bytes) else {
            let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
            return Self::Hex(
                digits
                    .filter_map(|digit| char::from_digit(digit.into(), 16))
                    .collect(),
            );
        };
        let text = scrub(text);
        match serde_json::from_str::<Value>(&text) {
            // A number that changes on its way through the parser is kept as text.
            Ok(value)
                if serde_json::from_str::<Value>(&value.to_string()).is_ok_and(|again| again == value) =>
            {
                Self::Json(value)
            }
            _ => Self::Text(text),
        }
    }

    fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Json(value) => Some(value.to_string().into_bytes()),
            Self::Text(text) => Some(text.clone().into_bytes()),
            Self::Hex(hex) => {
                let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
                hex.as_bytes().chunks(2).map(pair).collect()
            }
        }
    }
}

/// All recordings of a directory in the order of their hashes.
pub fn recordings(dir: &Path) -> Result<Vec<Recording>> {
    let mut files = Vec::new();
    for entry in fs_err::read_dir(dir)? {
        let path = entry?.path();
        let named = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .is_some_and(|stem| stem.len() == HASH_CHARS);
        if named && path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
        if files.len() > MAX_RECORDINGS {
            let reason = format!("it holds more than {MAX_RECORDINGS} recordings");
            return Err(Error::BadRecording {
                path: dir.to_owned(),
                reason,
            });
        }
    }
    files.sort();
    files
        .iter()
        .map(|path| parse(path, &fs_err::read(path)?))
        .collect()
}

/// The hash that names a request's recording. `path` holds the query as well.
pub(crate) fn hash(method: Method, path: &str, body: Option<&[u8]>) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(format!("{} {path}\n", method.as_str()).as_bytes());
    if let Some(body) = body {
        match serde_json::from_slice::<Value>(body) {
            Ok(value) => hasher.update(canonical(&value).as_bytes()),
            Err(_) => hasher.update(body),
        };
    }
    hasher.finalize().to_hex()[..HASH_CHARS].to_owned()
}

/// Compact JSON with the keys of every object in order.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<(&String, &Value)> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            let entry = |(key, value): (&String, &Value)| {
                format!("{}:{}", Value::from(key.as_str()), canonical(value))
            };
            format!(
                "{{{}}}",
                entries.into_iter().map(entry).collect::<Vec<_>>().join(",")
            )
        }
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        scalar => scalar.to_string(),
    }
}

/// Whether a reply with this status says something lasting.
pub(crate) fn is_lasting(status: u16) -> bool {
    status < 500 && !matches!(status, 401 | 403 | 407 | 408 | 425 | 429)
}

/// The recording of a request, or nothing when there is none.
pub(crate) async fn load(cassette: &Cassette, hash: &str) -> Result<Option<Recording>> {
    let path = cassette.file(hash);
    match fs_err::tokio::metadata(&path).await {
        Ok(found) if found.len() > MAX_FILE_BYTES => {
            let reason = format!("it is larger than {MAX_FILE_BYTES} bytes");
            Err(Error::BadRecording { path, reason })
        }
        Ok(_) => {
            let bytes = fs_err::tokio::read(&path).await?;
            let recording = parse(&path, &bytes)?;
            if recording.hash == hash {
                Ok(Some(recording))
            } else {
                Err(Error::BadRecording {
                    path,
                    reason: "its hash and its name differ".to_owned(),
                })
            }
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Writes the recording of an exchange: beside its place first, then moved there whole.
pub(crate) async fn save(
    cassette: &Cassette,
    hash: &str,
    path: &str,
    request: &Request,
    reply: &Response,
) -> Result<()> {
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    let scrub = |text: &str| {
        request
            .secret_bearer
            .as_ref()
            .map_or_else(|| text.to_owned(), |secret| secret.scrub(text))
    };
    let annotation = request
        .annotate
        .as_ref()
        .map(|annotate| annotate(reply))
        .unwrap_or_default();
    let recording = Recording {
        format: FORMAT,
        hash: hash.to_owned(),
        method: request.method.as_str().to_owned(),
        path: scrub(path),
        request: request.body.as_deref().map(|body| Content::of(body, scrub)),
        status: reply.status,
        content_type: reply.header("content-type").map(str::to_owned),
        reply: Content::of(&reply.body, scrub),
        date: annotation
            .date
            .or_else(|| reply.header("date").map(str::to_owned)),
        seconds: reply.seconds,
        extra: annotation.extra,
    };
    let file = cassette.file(hash);
    let mut text = serde_json::to_vec_pretty(&recording).map_err(|error| Error::BadRecording {
        path: file.clone(),
        reason: error.to_string(),
    })?;
    text.push(b'\n');
    fs_err::tokio::create_dir_all(cassette.dir()).await?;
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let aside = cassette
        .dir()
        .join(format!(".{hash}.{}.{number}", std::process::id()));
    fs_err::tokio::write(&aside, text).await?;
    fs_err::tokio::rename(&aside, &file).await?;
    Ok(())
}

impl Recording {
    /// The reply as it was, without the headers that are not kept.
    pub(crate) fn into_response(self, cassette: &Cassette, url: String, max_bytes: u64) -> Result<Response> {
        let body = self.reply.bytes().ok_or_else(|| Error::BadRecording {
            path: cassette.file(&self.hash),
            reason: "its hexadecimal reply cannot be read".to_owned(),
        })?;
        if body.len() as u64 > max_bytes {
            return Err(Error::TooLarge {
                url,
                limit: max_bytes,
            });
        }
        let content_type = self.content_type.map(|value| ("content-type".to_owned(), value));
        Ok(Response {
            status: self.status,
            headers: content_type.into_iter().collect(),
            body,
            url,
            attempts: 1,
            seconds: self.seconds,
        })
    }
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Recording> {
    let bad = |reason: String| Error::BadRecording {
        path: path.to_owned(),
        reason,
    };
    let value: Value = serde_json::from_slice(bytes).map_err(|error| bad(error.to_string()))?;
    match value.get("format").and_then(Value::as_u64) {
        Some(version) if version == u64::from(FORMAT) => {
            serde_json::from_value(value).map_err(|error| bad(error.to_string()))
        }
        Some(version) => Err(bad(format!(
            "its format is version {version}, this program reads version {FORMAT}"
        ))),
        None => Err(bad("it names no format version".to_owned())),
    }
}

#[cfg(test)]
mod tests;
