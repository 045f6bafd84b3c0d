//! What can go wrong between a question and a checked reply. Messages are one line and hold no key.

use std::path::PathBuf;

use crate::BudgetPart;

/// The result of everything here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why there is no usable reply. What the model itself got wrong is reported after its one repair turn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No connection to the endpoint.
    #[error("no model at {url}: {reason}")]
    Unreachable {
        /// The endpoint.
        url: String,
        /// The innermost cause.
        reason: String,
    },
    /// The endpoint answered with an error.
    #[error("{url} refused with status {status}: {body}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// What was called.
        url: String,
        /// The beginning of what it said, on one line.
        body: String,
    },
    /// The endpoint offers no chat model, and none was named.
    #[error("{url} offers no chat model")]
    NoModel {
        /// The endpoint.
        url: String,
    },
    /// The reply is not of the OpenAI-compatible form.
    #[error("{url} does not answer like an OpenAI-compatible endpoint: {reason}")]
    NotCompatible {
        /// What was called.
        url: String,
        /// What is missing.
        reason: String,
    },
    /// No complete reply in time.
    #[error("{purpose}: no complete reply from {url} within {seconds} s")]
    Deadline {
        /// The purpose of the call.
        purpose: String,
        /// What was called.
        url: String,
        /// The deadline of the call.
        seconds: f64,
    },
    /// A stream ended before the reply did.
    #[error("{purpose}: the reply broke off: {reason}")]
    BrokenStream {
        /// The purpose of the call.
        purpose: String,
        /// How it ended.
        reason: String,
    },
    /// A reply without a word (thinking does not count).
    #[error("{purpose}: the model's reply is empty")]
    Empty {
        /// The purpose of the call.
        purpose: String,
    },
    /// A reply that was cut off before its JSON, or any of its text, was complete.
    #[error("{purpose}: the model's reply is cut off")]
    Truncated {
        /// The purpose of the call.
        purpose: String,
    },
    /// A reply without JSON.
    #[error("{purpose}: the model's reply holds no JSON: {excerpt}")]
    NotJson {
        /// The purpose of the call.
        purpose: String,
        /// The beginning of the reply, on one line.
        excerpt: String,
    },
    /// JSON that does not fit.
    #[error("{purpose}: the model's JSON does not fit at \"{pointer}\": {message}")]
    SchemaMismatch {
        /// The purpose of the call.
        purpose: String,
        /// JSON pointer to the place; empty for the whole value.
        pointer: String,
        /// What is wrong there.
        message: String,
    },
    /// A reply that is larger than any sensible one.
    #[error("{purpose}: the model's reply is larger than {limit} bytes")]
    TooLarge {
        /// The purpose of the call.
        purpose: String,
        /// The cap.
        limit: u64,
    },
    /// The next call might exceed the budget, so it was not made (or it ran into the end of the budget's time).
    #[error("the budget of {which} is spent")]
    BudgetSpent {
        /// Which part of the budget.
        which: BudgetPart,
    },
    /// Replaying, and this call was never recorded.
    #[error("{purpose}: no recording {hash} in {}", dir.display())]
    NoRecording {
        /// The purpose of the call.
        purpose: String,
        /// The hash of the request.
        hash: String,
        /// The directory that is replayed.
        dir: PathBuf,
    },
    /// A directory that cannot be replayed.
    #[error("{}: cannot be replayed: {reason}", dir.display())]
    BadRecordings {
        /// The directory.
        dir: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A schema that cannot be used to check replies: a mistake of the program, not of the model.
    #[error("the reply schema {name} cannot be used: {reason}")]
    BadSchema {
        /// Its name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Anything else on the way.
    #[error(transparent)]
    Http(coevo_http::Error),
}

impl Error {
    /// Whether the model answered, but in a form that cannot be used even after its repair turn. A caller with a
    /// fallback may go on; anything else that failed will fail again.
    pub fn is_malformed_reply(&self) -> bool {
        matches!(
            self,
            Self::Empty { .. }
                | Self::Truncated { .. }
                | Self::NotJson { .. }
                | Self::SchemaMismatch { .. }
                | Self::TooLarge { .. }
        )
    }

    /// What a person can do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Unreachable { .. } => {
                "start an OpenAI-compatible server there (llama-server, Ollama, vLLM, …) or give another address"
            }
            Self::Refused {
                status: 401 | 403, ..
            } => "check the API key of this endpoint",
            Self::Refused { status: 404, .. } => {
                "check the address (it usually ends in /v1) and the name of the model"
            }
            Self::Refused { status: 429, .. } => "the endpoint limits its use: wait, or allow fewer calls",
            Self::NoModel { .. } => "load a chat model there, or name one",
            Self::NotCompatible { .. } => "check the address: it usually ends in /v1",
            Self::Deadline { .. } => "allow more time for a call, or use a faster model",
            Self::Truncated { .. } => "allow more tokens for a reply",
            Self::Empty { .. } | Self::NotJson { .. } | Self::SchemaMismatch { .. } => {
                "the model failed twice to answer in the form it was asked for: try again or use a larger model"
            }
            Self::BudgetSpent { .. } => "allow a larger budget",
            Self::NoRecording { .. } => {
                "the call differs from what was recorded: record it again with a model"
            }
            Self::BadRecordings { .. } => "give a directory that was recorded from one chat model",
            Self::Http(error) => return error.hint(),
            Self::Refused { .. }
            | Self::BrokenStream { .. }
            | Self::TooLarge { .. }
            | Self::BadSchema { .. } => {
                return None;
            }
        };
        Some(hint.to_owned())
    }
}

/// The beginning of a text on one line, for messages.
pub(crate) fn excerpt(text: &str, max_chars: usize) -> String {
    let mut line = String::new();
    let mut n_chars = 0;
    for word in text.split_whitespace() {
        let space = if line.is_empty() { "" } else { " " };
        for character in space.chars().chain(word.chars()) {
            if n_chars == max_chars {
                line.push('…');
                return line;
            }
            line.push(character);
            n_chars += 1;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn excerpts_are_one_bounded_line() {
        assert_eq!(excerpt("  a\n\tb  c ", 10), "a b c");
        assert_eq!(excerpt("ééééé", 3), "ééé…");
        assert_eq!(excerpt("abc def", 3), "abc…");
        assert_eq!(excerpt(" \n", 3), "");
    }
}
