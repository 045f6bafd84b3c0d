//! Asking: [`ask`] gives the answer at its end, [`stream`] the events as they happen. A client that leaves ends the run.

use crate::problem::{Handled, Problem};
use crate::request::RequestId;
use crate::state::{Server, Slot};
use crate::wire::{AskBody, StreamEnd};
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use coevo_llm::Budget;
use coevo_reason::{Answer, AskRequest, EventSink, NumberedEvent};
use serde::Serialize;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

/// Events that wait for a slow client.
const EVENTS: usize = 256;
/// A comment is sent when nothing happened for so long, so that no proxy gives up.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// `POST /api/v1/ask`.
pub(crate) async fn ask(
    State(server): State<Server>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Handled<Json<Answer>> {
    let request = request(&server, &headers, body)?;
    Ok(Json(server.engine.ask(&request, &EventSink::silent()).await?))
}

/// A run under way: its events, and its task, which ends when this is dropped.
struct Running {
    events: mpsc::Receiver<NumberedEvent>,
    task: AbortOnDropHandle<Result<Answer, coevo_reason::Error>>,
    request_id: String,
    _slot: Slot,
}

/// `POST /api/v1/ask/stream`. What fails before the first event has its own status.
pub(crate) async fn stream(
    State(server): State<Server>,
    Extension(slot): Extension<Slot>,
    Extension(RequestId(request_id)): Extension<RequestId>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Handled<Response> {
    let request = request(&server, &headers, body)?;
    let (sink, events) = EventSink::channel(EVENTS);
    let engine = server.engine.clone();
    let task = AbortOnDropHandle::new(tokio::spawn(async move { engine.ask(&request, &sink).await }));
    let mut running = Running {
        events,
        task,
        request_id,
        _slot: slot,
    };
    let Some(first) = running.events.recv().await else {
        let answer = (&mut running.task).await??;
        let end = sse(
            "done",
            None,
            &StreamEnd::Done {
                answer: Box::new(answer),
            },
        );
        return Ok(respond(futures::stream::iter([Ok(end)])));
    };
    let first = futures::stream::iter([Ok(numbered(&first))]);
    let rest = futures::stream::unfold(Some(running), next);
    Ok(respond(futures::StreamExt::chain(first, rest)))
}

/// The next event; behind the last one, how the run ended.
async fn next(running: Option<Running>) -> Option<(Result<Event, Infallible>, Option<Running>)> {
    let mut running = running?;
    if let Some(event) = running.events.recv().await {
        return Some((Ok(numbered(&event)), Some(running)));
    }
    let result = match (&mut running.task).await {
        Ok(result) => result.map_err(Problem::from),
        Err(error) => Err(Problem::from(error)),
    };
    let (name, end) = match result {
        Ok(answer) => (
            "done",
            StreamEnd::Done {
                answer: Box::new(answer),
            },
        ),
        Err(problem) => {
            let problem = problem.to_wire(&running.request_id);
            ("error", StreamEnd::Error { problem })
        }
    };
    Some((Ok(sse(name, None, &end)), None))
}

fn respond(events: impl futures::Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    let headers = [
        (
            HeaderName::from_static("x-accel-buffering"),
            HeaderValue::from_static("no"),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    let body = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE).text("working"));
    (headers, body).into_response()
}

fn numbered(event: &NumberedEvent) -> Event {
    // The event's own name is in its serialised form; nothing else lists all of them.
    let value = serde_json::to_value(event).unwrap_or_default();
    let name = value
        .get("event")
        .and_then(serde_json::Value::as_str)
        .unwrap_or("message");
    sse(name, Some(event.seq), &value)
}

fn sse(name: &str, seq: Option<u64>, data: &impl Serialize) -> Event {
    let event = Event::default().event(name);
    let event = match seq {
        Some(seq) => event.id(seq.to_string()),
        None => event,
    };
    event.data(serde_json::to_string(data).unwrap_or_default())
}

/// The request of a body, within the server's limits.
fn request(server: &Server, headers: &HeaderMap, body: Result<Bytes, BytesRejection>) -> Handled<AskRequest> {
    let body: AskBody = super::json(server, headers, body)?;
    let most = server.options.ask_deadline.as_secs_f64();
    let seconds = match body.budget.seconds {
        Some(seconds) if seconds > 0.0 => seconds.min(most),
        Some(_) => return Err(Problem::parameter("`budget.seconds` is not above 0")),
        None => most,
    };
    let max_steps = body.max_steps.unwrap_or(5);
    if !(1..=20).contains(&max_steps) {
        return Err(Problem::parameter("`max_steps` is not a number from 1 to 20"));
    }
    Ok(AskRequest {
        strategy: body.strategy.as_deref().map(str::parse).transpose()?,
        budget: Budget {
            calls: body.budget.calls,
            tokens: body.budget.tokens,
            seconds: Some(seconds),
            money: body.budget.money,
        },
        max_steps,
        write_memory: body.write_memory.unwrap_or(true),
        ..AskRequest::new(
            body.question,
            uuid::Uuid::now_v7().to_string(),
            jiff::Timestamp::now(),
        )
    })
}
