//! Chat models behind any OpenAI-compatible endpoint: [`ChatModel`] completes, streams and answers in checked JSON.
//!
//! A reply is input, never trusted: JSON is found, validated against its schema and read into a type, with exactly one
//! repair turn before a typed failure. Budgets are hard and checked before every call; every call, failed and repairing
//! ones included, stands in the [`Ledger`]. Recordings make a conversation repeatable without a model.
//!
//! It holds no prompt (its only words are about the *form* of a reply) and knows nothing of graphs, questions or settings files.

mod call;
mod chat;
mod dialect;
mod discover;
mod error;
mod json;
mod ledger;
mod models;
mod reply;
mod schema;
mod settings;
mod stream;
mod thinking;
mod wire;
mod wording;

#[cfg(test)]
mod fake;

pub use call::{Call, Completion, Delta, Finish, Tokens};
pub use chat::ChatModel;
pub use discover::{Discovered, LOOPBACK_ENDPOINTS, discover, discover_at};
pub use error::{Error, Result};
pub use ledger::{Budget, BudgetPart, Ledger, LedgerEntry, Outcome, Usage};
pub use reply::{MAX_REPLY_BYTES, ParsedReply, ReplyProblem, parse_json_reply};
pub use schema::{ReplySchema, reply_schema};
pub use settings::{ModelSettings, Prices};
pub use stream::DeltaStream;
