//! Finding the JSON in a model's reply: [`parse_json_reply`] is pure, and never trusts what it reads.
//!
//! Thinking, code fences and prose around the value are passed over. The first balanced object or array that fits the schema is the
//! value; a value inside one that was read but does not fit is not looked at, because a part of a wrong answer is not an answer.
//! Work is bounded by the size of the reply, and a reply beyond [`MAX_REPLY_BYTES`] is refused unread.

use jsonschema::Validator;
use serde_json::Value;
use serde_json::error::Category;

use crate::error::excerpt;
use crate::thinking::visible;

/// Largest reply that is looked at, in bytes of text.
pub const MAX_REPLY_BYTES: usize = 1 << 20;

/// Brackets may be scanned for this many times the length of the reply in all.
const MAX_PASSES: usize = 16;
const MAX_EXCERPT_CHARS: usize = 160;
const MAX_MESSAGE_CHARS: usize = 240;

/// A value that fits, or what is wrong with the reply.
pub type ParsedReply = Result<Value, ReplyProblem>;

/// What is wrong with a reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplyProblem {
    /// Nothing but space and thinking.
    #[error("it is empty")]
    Empty,
    /// No JSON value.
    #[error("it holds no JSON value")]
    NotJson {
        /// The beginning of the reply, on one line.
        excerpt: String,
    },
    /// A value that does not fit the schema.
    #[error("its JSON does not fit at \"{pointer}\": {message}")]
    SchemaMismatch {
        /// JSON pointer to the place; empty for the whole value.
        pointer: String,
        /// What is wrong there.
        message: String,
    },
    /// The text ends inside a value.
    #[error("it ends before its JSON is complete")]
    Truncated,
    /// More than [`MAX_REPLY_BYTES`].
    #[error("it is {bytes} bytes long, more than {limit}")]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The cap.
        limit: usize,
    },
    /// The schema itself cannot be used.
    #[error("the schema cannot be used: {message}")]
    BadSchema {
        /// What is wrong with it.
        message: String,
    },
}

/// Finds the value of a reply that fits a schema (draft 2020-12).
pub fn parse_json_reply(text: &str, schema: &Value) -> ParsedReply {
    match jsonschema::draft202012::new(schema) {
        Ok(validator) => parse_checked(text, &validator),
        Err(error) => Err(ReplyProblem::BadSchema {
            message: excerpt(&error.to_string(), MAX_MESSAGE_CHARS),
        }),
    }
}

pub(crate) fn parse_checked(text: &str, validator: &Validator) -> ParsedReply {
    if text.len() > MAX_REPLY_BYTES {
        return Err(ReplyProblem::TooLarge {
            bytes: text.len(),
            limit: MAX_REPLY_BYTES,
        });
    }
    // The plain case first, so that nothing inside a string can be taken for a tag or a fence.
    let whole = serde_json::from_str::<Value>(text.trim());
    if let Ok(value) = whole {
        return fit(&value, validator).map(|()| value);
    }
    let text = visible(text);
    if text.is_empty() {
        return Err(ReplyProblem::Empty);
    }
    search(&text, validator)
}

/// Walks from one opening bracket to the next.
fn search(text: &str, validator: &Validator) -> ParsedReply {
    let mut work_left = MAX_PASSES * text.len();
    let mut mismatch: Option<(usize, ReplyProblem)> = None;
    let mut at = 0;
    while let Some(offset) = text[at..].find(['{', '[']) {
        let start = at + offset;
        at = start + 1;
        let length = balanced_bytes(&text[start..]);
        let scanned = length.unwrap_or(text.len() - start);
        let Some(left) = work_left.checked_sub(scanned) else {
            break;
        };
        work_left = left;
        let candidate = &text[start..start + scanned];
        match serde_json::from_str::<Value>(candidate) {
            Ok(value) => match fit(&value, validator) {
                Ok(()) => return Ok(value),
                Err(problem) => {
                    // The longest value is the one that was meant; `[1]` in the prose before it is not.
                    if mismatch.as_ref().is_none_or(|(longest, _)| scanned > *longest) {
                        mismatch = Some((scanned, problem));
                    }
                    at = start + scanned;
                }
            },
            Err(error) if length.is_none() && error.classify() == Category::Eof => {
                return Err(ReplyProblem::Truncated);
            }
            Err(_) => {}
        }
    }
    Err(mismatch.map_or_else(
        || ReplyProblem::NotJson {
            excerpt: excerpt(text, MAX_EXCERPT_CHARS),
        },
        |(_, problem)| problem,
    ))
}

/// Bytes of the bracketed text at the beginning, up to the bracket that closes the first one.
fn balanced_bytes(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

fn fit(value: &Value, validator: &Validator) -> Result<(), ReplyProblem> {
    validator
        .validate(value)
        .map_err(|error| ReplyProblem::SchemaMismatch {
            pointer: error.instance_path().as_str().to_owned(),
            message: excerpt(&error.masked().to_string(), MAX_MESSAGE_CHARS),
        })
}

#[cfg(test)]
mod tests;
