//! A scripted endpoint for the tests of this crate: it plays the wire, not a model.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use coevo_http::{HttpClient, HttpOptions};
use futures::stream::{self, StreamExt};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::{ChatModel, ModelSettings};

/// What happens to one chat request.
pub(crate) enum Step {
    /// A status with extra headers and a body.
    Status(u16, Vec<(&'static str, &'static str)>, String),
    /// A whole reply with usage.
    Says(String),
    /// A body as it is.
    Body(Value),
    /// Events; with `false` the connection breaks after them.
    Events(Vec<String>, bool),
    /// Nothing, ever.
    Hang,
}

pub(crate) fn says(text: &str) -> Step {
    Step::Says(text.to_owned())
}

/// A reply that reached its limit.
pub(crate) fn cut(text: &str) -> Step {
    Step::Body(json!({
        "created": 1_767_323_045,
        "model": "small",
        "choices": [{"message": {"content": text}, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 5}
    }))
}

/// A refusal in the usual form.
pub(crate) fn refuses(status: u16, message: &str) -> Step {
    Step::Status(
        status,
        Vec::new(),
        json!({"error": {"message": message}}).to_string(),
    )
}

/// One event of a stream.
pub(crate) fn event(delta: &Value, finish: Option<&str>) -> String {
    json!({"choices": [{"delta": delta, "finish_reason": finish}]}).to_string()
}

#[derive(Clone)]
struct Script {
    steps: Arc<Mutex<VecDeque<Step>>>,
    seen: Arc<Mutex<Vec<Value>>>,
}

pub(crate) struct Fake {
    pub(crate) base: String,
    script: Script,
    task: JoinHandle<()>,
}

impl Fake {
    /// Plays the steps in order; what comes after the last is refused.
    pub(crate) async fn start(steps: Vec<Step>) -> Self {
        let script = Script {
            steps: Arc::new(Mutex::new(steps.into())),
            seen: Arc::default(),
        };
        let models = || async { axum::Json(json!({"data": [{"id": "nomic-embed"}, {"id": "small"}]})) };
        let router = Router::new()
            .route("/v1/models", get(models))
            .route("/v1/chat/completions", post(chat))
            .with_state(script.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { base, script, task }
    }

    /// The bodies of the chat requests so far.
    pub(crate) fn seen(&self) -> Vec<Value> {
        self.script.seen.lock().unwrap().clone()
    }

    pub(crate) async fn model(&self) -> ChatModel {
        self.model_with(|_| {}).await
    }

    pub(crate) async fn model_with(&self, change: impl FnOnce(&mut ModelSettings)) -> ChatModel {
        let mut settings = ModelSettings::new(self.base.clone());
        change(&mut settings);
        let http = HttpClient::new(&HttpOptions::default()).unwrap();
        ChatModel::connect(settings, http).await.unwrap().impatient()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn chat(State(script): State<Script>, body: String) -> Response {
    script
        .seen
        .lock()
        .unwrap()
        .push(serde_json::from_str(&body).unwrap());
    let step = script.steps.lock().unwrap().pop_front();
    match step {
        Some(Step::Status(status, headers, body)) => {
            let mut response = (StatusCode::from_u16(status).unwrap(), body).into_response();
            for (name, value) in headers {
                response.headers_mut().insert(name, value.parse().unwrap());
            }
            response
        }
        Some(Step::Says(text)) => axum::Json(json!({
            "created": 1_767_323_045,
            "model": "small",
            "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7}
        }))
        .into_response(),
        Some(Step::Body(body)) => axum::Json(body).into_response(),
        Some(Step::Events(events, is_whole)) => {
            let events = events.into_iter().map(|event| Ok(format!("data: {event}\n\n")));
            let cut = async {
                // Long enough for the events before it to be on their way.
                tokio::time::sleep(Duration::from_millis(50)).await;
                Err(std::io::Error::other("cut"))
            };
            let cut = stream::once(cut).take(usize::from(!is_whole));
            Body::from_stream(stream::iter(events).chain(cut)).into_response()
        }
        Some(Step::Hang) => {
            tokio::time::sleep(Duration::from_hours(1)).await;
            StatusCode::OK.into_response()
        }
        None => (StatusCode::IM_A_TEAPOT, "the script is over").into_response(),
    }
}
