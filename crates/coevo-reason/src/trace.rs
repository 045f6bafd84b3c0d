//! Stored traces: [`Trace`], one compressed JSON file a run, written whole or not at all, reopened by run id.

use crate::event::{NumberedEvent, TRACE_VERSION};
use crate::{Answer, Error, Result};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Largest trace that is opened, unpacked.
const MAX_BYTES: u64 = 64 << 20;

/// Everything that happened in one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// [`TRACE_VERSION`].
    pub version: u32,
    /// The run.
    pub run: String,
    /// The question.
    pub question: String,
    /// When it was asked.
    pub asked_at: jiff::Timestamp,
    /// The answer; `None`: the run failed (its last events say why).
    pub answer: Option<Answer>,
    /// All events in order.
    pub events: Vec<NumberedEvent>,
}

/// A line of the list of traces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TraceSummary {
    /// The run.
    pub run: String,
    /// The question.
    pub question: String,
    /// When it was asked.
    pub asked_at: jiff::Timestamp,
    /// The answer's text, if the run gave one.
    pub answer: Option<String>,
}

/// Whether a run id can be a file name and nothing else.
fn is_run_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= 64 && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

pub(crate) fn file_name(run: &str) -> String {
    format!("{run}.json.zst")
}

pub(crate) fn write(dir: &Path, trace: &Trace) -> Result<()> {
    if !is_run_id(&trace.run) {
        return Err(Error::NoTrace(trace.run.clone()));
    }
    fs_err::create_dir_all(dir)?;
    let json = serde_json::to_vec(trace).map_err(std::io::Error::other)?;
    let packed = zstd::encode_all(json.as_slice(), 3)?;
    let staged = dir.join(format!(".{}.new", trace.run));
    fs_err::write(&staged, packed)?;
    fs_err::rename(staged, dir.join(file_name(&trace.run)))?;
    Ok(())
}

pub(crate) fn read(dir: &Path, run: &str) -> Result<Trace> {
    if !is_run_id(run) {
        return Err(Error::NoTrace(run.chars().take(80).collect()));
    }
    read_file(&dir.join(file_name(run)), run)
}

fn read_file(path: &Path, run: &str) -> Result<Trace> {
    let damaged = |reason: String| Error::DamagedTrace {
        path: path.to_owned(),
        reason,
    };
    let file = match fs_err::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Error::NoTrace(run.to_owned()));
        }
        Err(error) => return Err(error.into()),
    };
    let mut json = Vec::new();
    let decoder = zstd::Decoder::new(file).map_err(|error| damaged(error.to_string()))?;
    decoder
        .take(MAX_BYTES)
        .read_to_end(&mut json)
        .map_err(|error| damaged(error.to_string()))?;
    let trace: Trace = serde_json::from_slice(&json).map_err(|error| damaged(error.to_string()))?;
    if trace.version > TRACE_VERSION {
        return Err(damaged(format!(
            "its version is {}, this program reads up to {TRACE_VERSION}",
            trace.version
        )));
    }
    Ok(trace)
}

/// The newest traces first (run ids sort by time). Damaged ones are skipped with a warning in the log.
pub(crate) fn list(dir: &Path, limit: usize) -> Result<Vec<TraceSummary>> {
    if !dir.exists() {
        return Ok(Vec::new());
    }
    let mut runs: Vec<(String, PathBuf)> = Vec::new();
    for entry in fs_err::read_dir(dir)? {
        let path = entry?.path();
        if let Some(run) = path
            .file_name()
            .and_then(|name| name.to_str())
            .and_then(|name| name.strip_suffix(".json.zst"))
        {
            runs.push((run.to_owned(), path.clone()));
        }
    }
    runs.sort_by(|a, b| b.0.cmp(&a.0));
    let mut summaries = Vec::new();
    for (run, path) in runs.into_iter().take(limit) {
        match read_file(&path, &run) {
            Ok(trace) => summaries.push(TraceSummary {
                run: trace.run,
                question: trace.question,
                asked_at: trace.asked_at,
                answer: trace.answer.map(|answer| answer.answer.text),
            }),
            Err(error) => tracing::warn!(%error, "skipping a damaged trace"),
        }
    }
    Ok(summaries)
}

#[cfg(test)]
mod tests;
