//! Replies as they are written: [`ChatModel::stream`] yields text and thinking piece by piece, then the whole.

use std::collections::VecDeque;
use std::time::Duration;

use coevo_http::{BodyStream, Cassette};
use eventsource_stream::{Event, EventStream, EventStreamError, Eventsource};
use futures::stream::{self, BoxStream, StreamExt};
use tokio::time::timeout;

use crate::chat::{MAX_REFUSAL_BYTES, Ready, blank, opening};
use crate::dialect::Dialect;
use crate::thinking::{Piece, Splitter};
use crate::wire::{Delivery, read_event};
use crate::{
    Call, ChatModel, Completion, Delta, Error, Finish, Ledger, MAX_REPLY_BYTES, Outcome, Result, Tokens,
};

/// After the last event, a recording waits this long for the end of the body.
const DRAIN: Duration = Duration::from_secs(2);

/// Pieces of a reply. Ends with [`Delta::Done`] or with an error, never silently. Dropped early, the call is entered as cancelled.
pub type DeltaStream = BoxStream<'static, Result<Delta>>;

impl ChatModel {
    /// Asks for a text and yields it as it is written.
    pub async fn stream(&self, call: &Call, ledger: &Ledger) -> Result<DeltaStream> {
        let messages = opening(call);
        let asked = self.asked(call, &messages, Delivery::Stream);
        for _ in 0..=Dialect::MAX_STEPS {
            let ready = self.prepare(&asked, ledger).await?;
            let response = match self.http().stream(&ready.request).await {
                Ok(response) => response,
                Err(error) => return Err(ready.failed(error)),
            };
            if !(200..300).contains(&response.status) {
                let body = response
                    .body
                    .collect_up_to(MAX_REFUSAL_BYTES)
                    .await
                    .unwrap_or_default();
                self.refused(ready, &asked, response.status, response.attempts, &body)?;
                continue;
            }
            let listening = Listening {
                events: response.body.eventsource(),
                status: response.status,
                attempts: response.attempts,
                recorded_seconds: response.recorded_seconds,
                is_recording: matches!(self.http().cassette(), Some(Cassette::Record(_))),
                ready: Some(ready),
                splitter: Splitter::default(),
                text: String::new(),
                finish: None,
                tokens: None,
                queue: VecDeque::new(),
            };
            return Ok(stream::try_unfold(listening, Listening::next).boxed());
        }
        Err(Error::NotCompatible {
            url: self.endpoint(),
            reason: "it refused every known way of asking".to_owned(),
        })
    }
}

struct Listening {
    events: EventStream<BodyStream>,
    status: u16,
    attempts: u32,
    recorded_seconds: Option<f64>,
    is_recording: bool,
    /// Until the call is entered in the ledger.
    ready: Option<Ready>,
    splitter: Splitter,
    text: String,
    finish: Option<Finish>,
    tokens: Option<Tokens>,
    queue: VecDeque<Delta>,
}

impl Listening {
    async fn next(mut self) -> Result<Option<(Delta, Self)>> {
        loop {
            if let Some(delta) = self.queue.pop_front() {
                return Ok(Some((delta, self)));
            }
            let Some(ready) = self.ready.take() else {
                return Ok(None);
            };
            match self.events.next().await {
                Some(Ok(event)) if event.data.trim() == "[DONE]" => {
                    if self.is_recording {
                        // The recording is written when the body ends.
                        let rest = async { while self.events.next().await.is_some() {} };
                        let _ = timeout(DRAIN, rest).await;
                    }
                    self.conclude(ready)?;
                }
                Some(Ok(event)) => self.hear(ready, &event)?,
                Some(Err(EventStreamError::Transport(error))) => return Err(failed(ready, error)),
                Some(Err(error)) => return Err(broken(ready, self.attempts, &error.to_string())),
                None if self.finish.is_some() => self.conclude(ready)?,
                None => return Err(broken(ready, self.attempts, "it ended in the middle")),
            }
        }
    }

    fn hear(&mut self, mut ready: Ready, event: &Event) -> Result<()> {
        let piece = match read_event(&event.data) {
            Ok(piece) => piece,
            Err(no_reply) => {
                let seconds = ready.entry.elapsed();
                return Err(ready.no_reply(no_reply, self.status, seconds, self.attempts));
            }
        };
        ready.entry.hear(&piece.text);
        ready.entry.hear(&piece.thinking);
        if self.text.len() + piece.text.len() > MAX_REPLY_BYTES {
            let (tokens, seconds) = (ready.entry.estimated_tokens(), ready.entry.elapsed());
            ready
                .entry
                .close(Outcome::TooLarge, tokens, seconds, self.attempts);
            return Err(Error::TooLarge {
                purpose: ready.purpose.to_owned(),
                limit: MAX_REPLY_BYTES as u64,
            });
        }
        if !piece.thinking.is_empty() {
            self.queue.push_back(Delta::Thinking(piece.thinking));
        }
        let pieces = self.splitter.feed(&piece.text);
        self.enqueue(pieces);
        self.finish = piece.finish.or(self.finish);
        self.tokens = piece.tokens.or(self.tokens);
        self.ready = Some(ready);
        Ok(())
    }

    fn enqueue(&mut self, pieces: Vec<Piece>) {
        for piece in pieces {
            self.queue.push_back(match piece {
                Piece::Text(text) => {
                    self.text.push_str(&text);
                    Delta::Text(text)
                }
                Piece::Thinking(text) => Delta::Thinking(text),
            });
        }
    }

    fn conclude(&mut self, ready: Ready) -> Result<()> {
        let pieces = self.splitter.finish();
        self.enqueue(pieces);
        let tokens = self.tokens.unwrap_or_else(|| ready.entry.estimated_tokens());
        let seconds = self.recorded_seconds.unwrap_or_else(|| ready.entry.elapsed());
        let finish = self.finish.unwrap_or(Finish::Other);
        let text = self.text.trim().to_owned();
        let attempts = self.attempts;
        if text.is_empty() {
            return Err(blank(ready.purpose, finish, |outcome| {
                ready.entry.close(outcome, tokens, seconds, attempts);
            }));
        }
        ready.entry.close(Outcome::Ok, tokens, seconds, attempts);
        self.queue.push_back(Delta::Done(Completion {
            text,
            usage: tokens,
            seconds,
            finish,
        }));
        Ok(())
    }
}

fn failed(ready: Ready, error: coevo_http::Error) -> Error {
    let purpose = ready.purpose.to_owned();
    match ready.failed(error) {
        Error::Http(coevo_http::Error::Broken { reason, .. }) => Error::BrokenStream { purpose, reason },
        other => other,
    }
}

fn broken(ready: Ready, attempts: u32, reason: &str) -> Error {
    let (tokens, seconds) = (ready.entry.estimated_tokens(), ready.entry.elapsed());
    ready.entry.close(Outcome::Broken, tokens, seconds, attempts);
    Error::BrokenStream {
        purpose: ready.purpose.to_owned(),
        reason: reason.to_owned(),
    }
}
