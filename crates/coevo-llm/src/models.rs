//! What an endpoint offers: reading `/models` and choosing a chat model. The reading and the choice are pure.

use std::time::Duration;

use coevo_http::{HttpClient, Request, Retry, Secret};
use serde_json::Value;

use crate::chat::{refusal, unsent};
use crate::{Error, Result};

const MAX_LIST_BYTES: u64 = 4 << 20;
/// Models read from one list.
const MAX_MODELS: usize = 10_000;
/// Parts of the names of models that do not chat.
const NOT_FOR_CHAT: [&str; 10] = [
    "embed",
    "minilm",
    "bge-",
    "gte-",
    "e5-",
    "rerank",
    "whisper",
    "tts",
    "moderation",
    "dall-e",
];

/// One model of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offered {
    pub(crate) id: String,
    pub(crate) context_tokens: Option<u32>,
}

/// Asks an endpoint for its models, once and without patience.
pub(crate) async fn list(
    http: &HttpClient,
    base: &str,
    key: Option<&Secret>,
    deadline: Duration,
) -> Result<Vec<Offered>> {
    let mut request = Request::get(format!("{base}/models"));
    request.secret_bearer = key.cloned();
    request.deadline = deadline;
    request.retry = Retry::NONE;
    request.max_bytes = MAX_LIST_BYTES;
    let response = http
        .send(&request)
        .await
        .map_err(|error| unsent(error, "models", &request.url))?;
    if !response.is_success() {
        return Err(refusal(response.status, &response.url, &response.body, key));
    }
    read(&response.body).ok_or(Error::NotCompatible {
        url: response.url,
        reason: "it gives no list of models".to_owned(),
    })
}

fn read(body: &[u8]) -> Option<Vec<Offered>> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let offered = |model: &Value| {
        let context = model.get("max_model_len").and_then(Value::as_u64);
        Some(Offered {
            id: model.get("id")?.as_str()?.to_owned(),
            context_tokens: context.and_then(|tokens| u32::try_from(tokens).ok()),
        })
    };
    Some(
        value
            .get("data")?
            .as_array()?
            .iter()
            .take(MAX_MODELS)
            .filter_map(offered)
            .collect(),
    )
}

/// The named model, or the first that chats. A name that is not in the list is used all the same: gateways do not list everything.
pub(crate) fn choose(offered: &[Offered], wanted: Option<&str>) -> Option<Offered> {
    let Some(wanted) = wanted else {
        let chats = |model: &&Offered| {
            !NOT_FOR_CHAT
                .iter()
                .any(|part| model.id.to_lowercase().contains(part))
        };
        return offered.iter().find(chats).cloned();
    };
    let listed = offered
        .iter()
        .find(|model| model.id == wanted || model.id.strip_suffix(":latest") == Some(wanted));
    if listed.is_none() {
        tracing::warn!(model = wanted, "the endpoint does not list this model");
    }
    Some(listed.cloned().unwrap_or_else(|| Offered {
        id: wanted.to_owned(),
        context_tokens: None,
    }))
}

#[cfg(test)]
mod tests {
    use super::{Offered, choose, read};

    fn offered(id: &str) -> Offered {
        Offered {
            id: id.to_owned(),
            context_tokens: None,
        }
    }

    #[test]
    fn lists_of_several_servers() {
        let vllm = br#"{"object":"list","data":[{"id":"a","max_model_len":8192},{"id":"b"},{"name":"c"}]}"#;
        let expected = vec![
            Offered {
                context_tokens: Some(8192),
                ..offered("a")
            },
            offered("b"),
        ];
        assert_eq!(read(vllm), Some(expected));
        for foreign in [b"<html>".as_slice(), b"{}", br#"{"data":{}}"#, b"[]"] {
            assert_eq!(read(foreign), None);
        }
    }

    #[test]
    fn the_first_that_chats_or_the_named_one() {
        let list = [
            offered("nomic-embed-text:latest"),
            offered("qwen:latest"),
            offered("other"),
        ];
        let cases = [
            (None, Some("qwen:latest")),
            (Some("other"), Some("other")),
            (Some("qwen"), Some("qwen:latest")),
            (Some("unlisted"), Some("unlisted")),
        ];
        for (wanted, expected) in cases {
            assert_eq!(choose(&list, wanted).map(|model| model.id).as_deref(), expected);
        }
        assert_eq!(choose(&list[..1], None), None);
    }
}
