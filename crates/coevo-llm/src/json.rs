//! Replies in checked JSON: one question, at most one repair turn, then a value or a typed failure.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;

use crate::chat::opening;
use crate::error::excerpt;
use crate::reply::parse_checked;
use crate::thinking::visible;
use crate::wire::{Asked, Delivery, Message, Role};
use crate::{Call, ChatModel, Error, Finish, Ledger, Outcome, ReplyProblem, ReplySchema, Result, wording};

const MAX_MESSAGE_CHARS: usize = 240;

impl ChatModel {
    /// Asks for a value of a type. The endpoint is asked to enforce the type's schema where it can; the reply is checked always.
    pub async fn json<T>(&self, call: &Call, ledger: &Ledger) -> Result<T>
    where
        T: DeserializeOwned + JsonSchema,
    {
        self.json_as(&ReplySchema::of::<T>()?, call, ledger).await
    }

    /// Like [`ChatModel::json`], with a schema made at run time, as one whose choices are labels of the prompt.
    pub async fn json_as<T>(&self, schema: &ReplySchema, call: &Call, ledger: &Ledger) -> Result<T>
    where
        T: DeserializeOwned,
    {
        let mut messages = opening(call);
        let mut asked = self.asked(call, &messages, Delivery::Whole);
        asked.schema = Some(schema);
        let max_tokens = asked.max_tokens;
        let bad = match self.turn(asked, ledger).await? {
            Ok(value) => return Ok(value),
            Err(bad) if matches!(bad.problem, ReplyProblem::TooLarge { .. }) => {
                return Err(bad.into_error(call));
            }
            Err(bad) => bad,
        };
        tracing::debug!(purpose = call.purpose, problem = %bad.problem, "asking the model to repair its reply");
        add_repair(&mut messages, &bad, schema);
        let mut asked = self.asked(call, &messages, Delivery::Whole);
        asked.schema = Some(schema);
        asked.repaired = true;
        if bad.problem == ReplyProblem::Truncated {
            asked.max_tokens = max_tokens.saturating_mul(2);
        }
        self.turn(asked, ledger)
            .await?
            .map_err(|bad| bad.into_error(call))
    }

    async fn turn<T: DeserializeOwned>(
        &self,
        asked: Asked<'_>,
        ledger: &Ledger,
    ) -> Result<Result<T, BadReply>> {
        let Some(schema) = asked.schema.cloned() else {
            return Err(Error::BadSchema {
                name: asked.purpose.to_owned(),
                reason: "there is none".to_owned(),
            });
        };
        let heard = self.exchange(asked, ledger).await?;
        let read = parse_checked(&heard.reply.text, schema.validator()).and_then(typed);
        let is_cut = heard.reply.finish == Some(Finish::Length);
        let text = heard.reply.text.clone();
        match read {
            Ok(value) => {
                heard.close(Outcome::Ok);
                Ok(Ok(value))
            }
            Err(problem) => {
                let problem = if is_cut { cut_off(problem) } else { problem };
                heard.close(outcome(&problem));
                Ok(Err(BadReply { problem, text }))
            }
        }
    }
}

/// A reply that cannot be used.
struct BadReply {
    problem: ReplyProblem,
    text: String,
}

impl BadReply {
    fn into_error(self, call: &Call) -> Error {
        let purpose = call.purpose.to_owned();
        match self.problem {
            ReplyProblem::Empty => Error::Empty { purpose },
            ReplyProblem::NotJson { excerpt } => Error::NotJson { purpose, excerpt },
            ReplyProblem::SchemaMismatch { pointer, message } => Error::SchemaMismatch {
                purpose,
                pointer,
                message,
            },
            ReplyProblem::Truncated => Error::Truncated { purpose },
            ReplyProblem::TooLarge { limit, .. } => Error::TooLarge {
                purpose,
                limit: limit as u64,
            },
            ReplyProblem::BadSchema { message } => Error::BadSchema {
                name: purpose,
                reason: message,
            },
        }
    }
}

fn outcome(problem: &ReplyProblem) -> Outcome {
    match problem {
        ReplyProblem::Empty => Outcome::Empty,
        ReplyProblem::NotJson { .. } => Outcome::NotJson,
        ReplyProblem::SchemaMismatch { .. } | ReplyProblem::BadSchema { .. } => Outcome::SchemaMismatch,
        ReplyProblem::Truncated => Outcome::Truncated,
        ReplyProblem::TooLarge { .. } => Outcome::TooLarge,
    }
}

/// A reply that reached its limit is cut off, whatever else is wrong with what there is of it.
fn cut_off(problem: ReplyProblem) -> ReplyProblem {
    match problem {
        ReplyProblem::TooLarge { .. } | ReplyProblem::BadSchema { .. } => problem,
        _ => ReplyProblem::Truncated,
    }
}

fn typed<T: DeserializeOwned>(value: Value) -> Result<T, ReplyProblem> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let step = |segment: &Segment| match segment {
            Segment::Seq { index } => format!("/{index}"),
            Segment::Map { key } => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
            Segment::Enum { .. } | Segment::Unknown => String::new(),
        };
        ReplyProblem::SchemaMismatch {
            pointer: error.path().iter().map(step).collect(),
            message: excerpt(&error.inner().to_string(), MAX_MESSAGE_CHARS),
        }
    })
}

/// Continues the conversation with what was wrong. Without a word to show, the question is asked again with the complaint below it,
/// because some chat templates insist that user and assistant take turns.
fn add_repair(messages: &mut Vec<Message>, bad: &BadReply, schema: &ReplySchema) {
    let complaint = wording::repair(&bad.problem, &schema.value().to_string());
    let shown = wording::shown_reply(&visible(&bad.text));
    if let Some(question) = messages.last_mut().filter(|_| shown.is_empty()) {
        question.content = format!("{}\n\n{complaint}", question.content);
        return;
    }
    messages.push(Message {
        role: Role::Assistant,
        content: shown,
    });
    messages.push(Message {
        role: Role::User,
        content: complaint,
    });
}
