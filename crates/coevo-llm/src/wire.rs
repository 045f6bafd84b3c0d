//! The OpenAI-compatible wire: building a request's body and reading replies. Pure.
//!
//! Replies are read by looking for what is needed in whatever comes, because every endpoint adds or leaves out something.

use serde_json::{Map, Value, json};

use crate::dialect::{Dialect, Format, LengthField, StreamUsage, Temperature};
use crate::{Finish, ReplySchema, Tokens, wording};

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    System,
    User,
    Assistant,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) role: Role,
    pub(crate) content: String,
}

/// How a reply is delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    Whole,
    Stream,
}

/// One request before it is put into a dialect.
#[derive(Clone, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) purpose: &'static str,
    pub(crate) messages: &'a [Message],
    pub(crate) temperature: f32,
    pub(crate) max_tokens: u32,
    pub(crate) schema: Option<&'a ReplySchema>,
    pub(crate) delivery: Delivery,
    pub(crate) repaired: bool,
}

impl Asked<'_> {
    /// The body of the request.
    pub(crate) fn body(&self, model: &str, dialect: Dialect) -> Value {
        let mut body = Map::new();
        body.insert("model".to_owned(), json!(model));
        body.insert("messages".to_owned(), self.messages(dialect));
        if dialect.temperature == Temperature::Sent {
            body.insert("temperature".to_owned(), json!(short(self.temperature)));
        }
        let length = match dialect.length {
            LengthField::MaxTokens => "max_tokens",
            LengthField::MaxCompletionTokens => "max_completion_tokens",
        };
        body.insert(length.to_owned(), json!(self.max_tokens));
        match (self.schema, dialect.format) {
            (Some(schema), Format::Schema) => {
                let schema = json!({"name": schema.name(), "schema": schema.wire(), "strict": true});
                body.insert(
                    "response_format".to_owned(),
                    json!({"type": "json_schema", "json_schema": schema}),
                );
            }
            (Some(_), Format::AnyObject) => {
                body.insert("response_format".to_owned(), json!({"type": "json_object"}));
            }
            (Some(_), Format::Words) | (None, _) => {}
        }
        if self.delivery == Delivery::Stream {
            body.insert("stream".to_owned(), json!(true));
            if dialect.stream_usage == StreamUsage::AskedFor {
                body.insert("stream_options".to_owned(), json!({"include_usage": true}));
            }
        }
        Value::Object(body)
    }

    /// Characters that the model reads, for estimates.
    pub(crate) fn prompt_chars(&self) -> usize {
        self.messages
            .iter()
            .map(|message| message.content.chars().count())
            .sum()
    }

    fn messages(&self, dialect: Dialect) -> Value {
        let form = match (self.schema, dialect.format) {
            (Some(schema), Format::AnyObject | Format::Words) => {
                wording::form_of_reply(&schema.value().to_string())
            }
            _ => String::new(),
        };
        let system = self
            .messages
            .iter()
            .filter(|message| message.role == Role::System);
        let system: Vec<&str> = system
            .map(|message| message.content.as_str())
            .chain([form.as_str()])
            .collect();
        let system = system
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join("\n\n");
        let mut messages = Vec::new();
        if !system.is_empty() {
            messages.push(json!({"role": "system", "content": system}));
        }
        for message in self.messages {
            match message.role {
                Role::System => {}
                Role::User => messages.push(json!({"role": "user", "content": message.content})),
                Role::Assistant => messages.push(json!({"role": "assistant", "content": message.content})),
            }
        }
        Value::Array(messages)
    }
}

/// A reply as the wire gives it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reply {
    /// What the model wrote, thinking tags included.
    pub(crate) text: String,
    /// What it thought, where the endpoint keeps that apart.
    pub(crate) thinking: String,
    pub(crate) finish: Option<Finish>,
    pub(crate) tokens: Option<Tokens>,
}

/// Why a body is no reply.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NoReply {
    /// The endpoint reports an error in the body of a successful reply.
    Error(String),
    /// It is something else altogether.
    Foreign(String),
}

/// Reads the body of a whole reply.
pub(crate) fn read_reply(body: &[u8]) -> Result<Reply, NoReply> {
    let value: Value =
        serde_json::from_slice(body).map_err(|error| NoReply::Foreign(format!("not JSON: {error}")))?;
    read_message(&value, "message")
}

/// Reads one event of a stream; an event without a choice (usage, keep-alive) is an empty piece.
pub(crate) fn read_event(data: &str) -> Result<Reply, NoReply> {
    let value: Value =
        serde_json::from_str(data).map_err(|error| NoReply::Foreign(format!("not JSON: {error}")))?;
    if value.get("choices").is_some_and(Value::is_array) && value.pointer("/choices/0").is_none() {
        let tokens = read_tokens(&value);
        return Ok(Reply {
            text: String::new(),
            thinking: String::new(),
            finish: None,
            tokens,
        });
    }
    read_message(&value, "delta")
}

fn read_message(value: &Value, key: &str) -> Result<Reply, NoReply> {
    if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
        let message = error
            .get("message")
            .and_then(Value::as_str)
            .map_or_else(|| error.to_string(), str::to_owned);
        return Err(NoReply::Error(message));
    }
    let choice = value
        .pointer("/choices/0")
        .ok_or_else(|| NoReply::Foreign("it has no choices".to_owned()))?;
    let message = choice.get(key).unwrap_or(&Value::Null);
    let first_text = |names: &[&str]| {
        let texts = names.iter().map(|name| flat_text(message.get(*name)));
        texts
            .into_iter()
            .find(|text| !text.is_empty())
            .unwrap_or_default()
    };
    Ok(Reply {
        text: first_text(&["content", "refusal"]),
        thinking: first_text(&["reasoning_content", "reasoning"]),
        finish: choice
            .get("finish_reason")
            .and_then(Value::as_str)
            .map(|reason| Finish::of(Some(reason))),
        tokens: read_tokens(value),
    })
}

/// A text, or a list of parts with texts.
fn flat_text(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts
            .iter()
            .filter_map(|part| part.get("text").and_then(Value::as_str))
            .collect(),
        _ => String::new(),
    }
}

fn read_tokens(value: &Value) -> Option<Tokens> {
    let count = |pointer| value.pointer(pointer).and_then(Value::as_u64);
    let prompt = count("/usage/prompt_tokens")?;
    let completion = count("/usage/completion_tokens")?;
    // Some endpoints count nothing and say so with zeros.
    (prompt + completion > 0).then_some(Tokens {
        prompt,
        completion,
        estimated: false,
    })
}

/// What a recording says about its reply: when it was made, by which model, and what it took. Streams are searched event by event.
pub(crate) fn describe_reply(body: &[u8]) -> (Option<String>, Map<String, Value>) {
    let text = String::from_utf8_lossy(body);
    let events = text
        .lines()
        .filter_map(|line| serde_json::from_str(line.strip_prefix("data:")?.trim()).ok());
    let whole = serde_json::from_slice::<Value>(body).ok();
    let mut date = None;
    let mut extra = Map::new();
    for value in whole.into_iter().chain(events) {
        if let Some(created) = value.get("created").and_then(Value::as_i64) {
            date = jiff::Timestamp::from_second(created)
                .ok()
                .map(|timestamp| timestamp.to_string());
        }
        for key in ["model", "usage"] {
            if let Some(found) = value.get(key).filter(|found| !found.is_null()) {
                extra.insert(key.to_owned(), found.clone());
            }
        }
    }
    (date, extra)
}

/// 0.4 instead of 0.4000000059604645.
fn short(number: f32) -> f64 {
    (f64::from(number) * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Asked, Delivery, Message, NoReply, Reply, Role, describe_reply, read_event, read_reply};
    use crate::dialect::{Dialect, Format, LengthField, StreamUsage, Temperature};
    use crate::{Finish, ReplySchema, Tokens};

    fn reply(text: &str, finish: Option<Finish>, tokens: Option<(u64, u64)>) -> Reply {
        let tokens = tokens.map(|(prompt, completion)| Tokens {
            prompt,
            completion,
            estimated: false,
        });
        Reply {
            text: text.to_owned(),
            thinking: String::new(),
            finish,
            tokens,
        }
    }

    #[test]
    fn bodies_in_every_dialect() {
        let schema = ReplySchema::new(
            "S",
            json!({"type": "object", "properties": {"a": {"type": "null"}}}),
        );
        let schema = schema.as_ref().ok();
        let message = |role, content: &str| Message {
            role,
            content: content.to_owned(),
        };
        let messages = [
            message(Role::System, "sys"),
            message(Role::User, "usr"),
            message(Role::Assistant, "ass"),
        ];
        let mut asked = Asked {
            purpose: "test",
            messages: &messages,
            temperature: 0.4,
            max_tokens: 9,
            schema,
            delivery: Delivery::Whole,
            repaired: false,
        };
        assert_eq!(
            asked.body("m", Dialect::default()),
            json!({
                "model": "m",
                "messages": [
                    {"role": "system", "content": "sys"},
                    {"role": "user", "content": "usr"},
                    {"role": "assistant", "content": "ass"}
                ],
                "temperature": 0.4,
                "max_tokens": 9,
                "response_format": {"type": "json_schema", "json_schema": {
                    "name": "S",
                    "schema": {"type": "object", "properties": {"a": {"type": "null"}}, "required": ["a"]},
                    "strict": true
                }}
            })
        );
        let plain = Dialect {
            format: Format::Words,
            length: LengthField::MaxCompletionTokens,
            temperature: Temperature::LeftOut,
            stream_usage: StreamUsage::LeftOut,
        };
        let body = asked.body("m", plain);
        assert_eq!(
            (
                &body["max_completion_tokens"],
                body.get("temperature"),
                body.get("response_format")
            ),
            (&json!(9), None, None)
        );
        let system = body["messages"][0]["content"].as_str().unwrap_or_default();
        assert!(
            system.starts_with("sys\n\nReply with exactly one JSON value") && system.contains("\"a\""),
            "{system}"
        );
        let body = asked.body(
            "m",
            Dialect {
                format: Format::AnyObject,
                ..Dialect::default()
            },
        );
        assert_eq!(body["response_format"], json!({"type": "json_object"}));
        asked.schema = None;
        asked.delivery = Delivery::Stream;
        let body = asked.body("m", Dialect::default());
        assert_eq!(
            (&body["stream"], &body["stream_options"]),
            (&json!(true), &json!({"include_usage": true}))
        );
        assert_eq!(asked.body("m", plain).get("stream_options"), None);
    }

    #[test]
    fn replies_of_many_forms() {
        let stop = Some(Finish::Stop);
        let cases = [
            (
                json!({"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 3, "completion_tokens": 1}}),
                Ok(reply("a", stop, Some((3, 1)))),
            ),
            (
                json!({"choices": [{"message": {"content": [{"type": "text", "text": "a"}, {"text": "b"}]}}]}),
                Ok(reply("ab", None, None)),
            ),
            (
                json!({"choices": [{"message": {"content": null, "refusal": "no"}, "finish_reason": "length"}]}),
                Ok(reply("no", Some(Finish::Length), None)),
            ),
            (
                json!({"choices": [{}], "usage": {"prompt_tokens": 0, "completion_tokens": 0}}),
                Ok(reply("", None, None)),
            ),
            (
                json!({"error": {"message": "overloaded"}}),
                Err(NoReply::Error("overloaded".to_owned())),
            ),
            (
                json!({"choices": []}),
                Err(NoReply::Foreign("it has no choices".to_owned())),
            ),
            (json!([]), Err(NoReply::Foreign("it has no choices".to_owned()))),
        ];
        for (body, expected) in cases {
            assert_eq!(read_reply(body.to_string().as_bytes()), expected, "{body}");
        }
        assert!(matches!(read_reply(b"<html>"), Err(NoReply::Foreign(_))));
    }

    #[test]
    fn events_of_many_forms() {
        let thinking = Reply {
            thinking: "hm".to_owned(),
            ..reply("", None, None)
        };
        let cases = [
            (
                json!({"choices": [{"delta": {"content": "a"}}]}),
                Ok(reply("a", None, None)),
            ),
            (
                json!({"choices": [{"delta": {"reasoning_content": "hm", "content": null}}]}),
                Ok(thinking),
            ),
            (
                json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}),
                Ok(reply("", Some(Finish::Stop), None)),
            ),
            (
                json!({"choices": [], "usage": {"prompt_tokens": 2, "completion_tokens": 5}}),
                Ok(reply("", None, Some((2, 5)))),
            ),
            (
                json!({"error": "out of memory"}),
                Err(NoReply::Error("\"out of memory\"".to_owned())),
            ),
        ];
        for (event, expected) in cases {
            assert_eq!(read_event(&event.to_string()), expected, "{event}");
        }
    }

    #[test]
    fn recordings_tell_when_and_by_whom() {
        let whole = json!({"created": 1_767_323_045, "model": "m", "usage": {"prompt_tokens": 1}, "id": "x"})
            .to_string();
        let stream = format!(
            "data: {{\"created\":1767323045,\"model\":\"m\",\"usage\":null}}\n\ndata: {}\n\ndata: [DONE]\n\n",
            json!({"usage": {"prompt_tokens": 1}})
        );
        for body in [whole, stream] {
            let (date, extra) = describe_reply(body.as_bytes());
            assert_eq!(date.as_deref(), Some("2026-01-02T03:04:05Z"), "{body}");
            assert_eq!(
                json!(extra),
                json!({"model": "m", "usage": {"prompt_tokens": 1}}),
                "{body}"
            );
        }
        assert_eq!(describe_reply(b"nothing"), (None, serde_json::Map::new()));
    }
}
