//! [`ChatModel`]: one model at one endpoint, live, recorded or replayed; and the single exchange that everything else is made of.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use coevo_http::{
    Annotation, Cassette, Content, HttpClient, HttpOptions, Recording, Request, Retry, Secret, public_url,
    recordings,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::call::estimate_tokens;
use crate::dialect::Dialect;
use crate::error::excerpt;
use crate::ledger::{OpenEntry, Planned};
use crate::thinking::visible;
use crate::wire::{Asked, Delivery, Message, NoReply, Reply, Role, describe_reply, read_reply};
use crate::{
    BudgetPart, Call, Completion, Error, Finish, Ledger, MAX_REPLY_BYTES, ModelSettings, Outcome, Prices,
    Result, Tokens, models,
};

/// Cap of a whole reply on the wire: the text, its escapes, the thinking and what endpoints add.
pub(crate) const MAX_WIRE_BYTES: u64 = 4 << 20;
/// Of an error's body, this much is read.
pub(crate) const MAX_REFUSAL_BYTES: usize = 64 << 10;
const MAX_REFUSAL_CHARS: usize = 300;
/// Time to say which models there are.
const LIST_DEADLINE: Duration = Duration::from_secs(10);
/// A reply is never limited to less than this, however full the context seems.
const MIN_REPLY_TOKENS: u32 = 64;
/// 500 is on the list because model servers use it for passing trouble.
const RETRY: Retry = Retry {
    attempts: 3,
    first_pause: Duration::from_millis(500),
    longest_pause: Duration::from_secs(20),
    statuses: &[429, 500, 502, 503, 504],
};

/// A chat model. Clones share what was learned about the endpoint.
#[derive(Clone)]
pub struct ChatModel {
    inner: Arc<Inner>,
}

struct Inner {
    http: HttpClient,
    base: String,
    name: String,
    api_key: Option<Secret>,
    deadline: Duration,
    kept: Kept,
    retry: Retry,
    dialect: Mutex<Dialect>,
}

/// The settings that shape requests and costs. Recordings hold them, so that a replay asks in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Kept {
    max_tokens: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    context_tokens: Option<u32>,
    /// Prompt and completion, for a million tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prices: Option<(f64, f64)>,
}

impl ChatModel {
    /// Asks the endpoint for its models and takes the named one, or the first that chats.
    pub async fn connect(settings: ModelSettings, http: HttpClient) -> Result<Self> {
        let base = settings.base();
        let deadline = settings.deadline.min(LIST_DEADLINE);
        let offered = match models::list(&http, &base, settings.api_key.as_ref(), deadline).await {
            // Some endpoints keep no list; a named model needs none.
            Err(Error::Refused {
                status: 404 | 405 | 501,
                ..
            }) if settings.model.is_some() => Vec::new(),
            other => other?,
        };
        let chosen = models::choose(&offered, settings.model.as_deref()).ok_or_else(|| Error::NoModel {
            url: public_url(&base),
        })?;
        let kept = Kept {
            max_tokens: settings.max_tokens,
            context_tokens: settings.context_tokens.or(chosen.context_tokens),
            prices: settings.prices.map(|prices| (prices.prompt, prices.completion)),
        };
        let (api_key, deadline) = (settings.api_key, settings.deadline);
        let dialect = Mutex::default();
        let inner = Inner {
            http,
            base,
            name: chosen.id,
            api_key,
            deadline,
            kept,
            retry: RETRY,
            dialect,
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// The model that a directory was recorded from. Needs neither network nor model; a call that was not recorded
    /// is [`Error::NoRecording`].
    pub fn replay(dir: &Path) -> Result<Self> {
        let bad = |reason: String| Error::BadRecordings {
            dir: dir.to_owned(),
            reason,
        };
        let mut found = BTreeSet::new();
        for recording in recordings(dir).map_err(Error::Http)? {
            found
                .extend(recorded_from(&recording).map(|(model, base, kept)| (model, base, kept.to_string())));
        }
        let Some((name, base, kept)) = found.pop_first() else {
            return Err(bad("it holds no recorded call".to_owned()));
        };
        if let Some(other) = found.pop_first() {
            let differ = if other.0 == name {
                "different settings".to_owned()
            } else {
                format!("{name} and {}", other.0)
            };
            return Err(bad(format!("it was recorded from several models: {differ}")));
        }
        let kept = serde_json::from_str(&kept)
            .map_err(|error| bad(format!("its settings cannot be read: {error}")))?;
        let http = HttpClient::new(&HttpOptions::default()).map_err(Error::Http)?;
        let inner = Inner {
            http: http.with_cassette(Cassette::Replay(dir.to_owned())),
            base: format!("http://recorded.invalid{base}"),
            name,
            api_key: None,
            deadline: Duration::from_mins(1),
            kept,
            retry: Retry::NONE,
            dialect: Mutex::default(),
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// The same model, keeping every exchange in a directory. What is recorded there already is not asked again.
    #[must_use]
    pub fn record(self, dir: &Path) -> Self {
        let inner = Inner {
            http: self.inner.http.with_cassette(Cassette::Record(dir.to_owned())),
            base: self.inner.base.clone(),
            name: self.inner.name.clone(),
            api_key: self.inner.api_key.clone(),
            deadline: self.inner.deadline,
            kept: self.inner.kept,
            retry: self.inner.retry,
            dialect: Mutex::default(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// The model's name at its endpoint.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The endpoint, as it may be shown.
    pub fn endpoint(&self) -> String {
        public_url(&self.inner.base)
    }

    /// What prompt and reply must fit into together, when known.
    pub fn context_tokens(&self) -> Option<u32> {
        self.inner.kept.context_tokens
    }

    /// Asks for a text. It is never blank; whether it is cut off stands in [`Completion::finish`].
    pub async fn complete(&self, call: &Call, ledger: &Ledger) -> Result<Completion> {
        let messages = opening(call);
        let heard = self
            .exchange(self.asked(call, &messages, Delivery::Whole), ledger)
            .await?;
        let text = visible(&heard.reply.text);
        let finish = heard.reply.finish.unwrap_or(Finish::Other);
        if text.len() > MAX_REPLY_BYTES {
            heard.close(Outcome::TooLarge);
            return Err(Error::TooLarge {
                purpose: call.purpose.to_owned(),
                limit: MAX_REPLY_BYTES as u64,
            });
        }
        if text.is_empty() {
            return Err(blank(call.purpose, finish, |outcome| heard.close(outcome)));
        }
        let completion = Completion {
            text,
            usage: heard.tokens,
            seconds: heard.seconds,
            finish,
        };
        heard.close(Outcome::Ok);
        Ok(completion)
    }

    /// A call with nothing but its own two messages.
    pub(crate) fn asked<'a>(&self, call: &Call, messages: &'a [Message], delivery: Delivery) -> Asked<'a> {
        Asked {
            purpose: call.purpose,
            messages,
            temperature: call.temperature,
            max_tokens: call.max_tokens.min(self.inner.kept.max_tokens),
            schema: None,
            delivery,
            repaired: false,
        }
    }

    /// One question and its reply, in whatever dialect the endpoint turns out to understand. The ledger's entry stays open for the
    /// caller, who knows whether the reply is any good.
    pub(crate) async fn exchange(&self, asked: Asked<'_>, ledger: &Ledger) -> Result<Heard> {
        for _ in 0..=Dialect::MAX_STEPS {
            let mut ready = self.prepare(&asked, ledger).await?;
            let response = match self.inner.http.send(&ready.request).await {
                Ok(response) => response,
                Err(error) => return Err(ready.failed(error)),
            };
            if !response.is_success() {
                self.refused(ready, &asked, response.status, response.attempts, &response.body)?;
                continue;
            }
            return match read_reply(&response.body) {
                Ok(reply) => {
                    ready.entry.hear(&reply.text);
                    ready.entry.hear(&reply.thinking);
                    let tokens = reply.tokens.unwrap_or_else(|| ready.entry.estimated_tokens());
                    let (seconds, attempts) = (response.seconds, response.attempts);
                    Ok(Heard {
                        reply,
                        tokens,
                        seconds,
                        attempts,
                        entry: ready.entry,
                    })
                }
                Err(no_reply) => {
                    Err(ready.no_reply(no_reply, response.status, response.seconds, response.attempts))
                }
            };
        }
        Err(Error::NotCompatible {
            url: self.endpoint(),
            reason: "it refused every known way of asking".to_owned(),
        })
    }

    /// Reserves the budget and makes the request.
    pub(crate) async fn prepare(&self, asked: &Asked<'_>, ledger: &Ledger) -> Result<Ready> {
        let mut asked = asked.clone();
        let prompt_tokens = estimate_tokens(asked.prompt_chars());
        if let Some(context) = self.inner.kept.context_tokens {
            let room = context.saturating_sub(u32::try_from(prompt_tokens).unwrap_or(u32::MAX));
            asked.max_tokens = asked.max_tokens.min(room.max(MIN_REPLY_TOKENS));
        }
        let planned = Planned {
            purpose: asked.purpose,
            prompt_tokens,
            max_tokens: asked.max_tokens,
            prices: self
                .inner
                .kept
                .prices
                .map(|(prompt, completion)| Prices { prompt, completion }),
            repaired: asked.repaired,
        };
        let entry = ledger.reserve(&planned)?;
        let (deadline, by_budget) = entry.deadline(self.inner.deadline);
        let mut request = self.request(&asked, self.dialect(), deadline);
        let mut dialect = self.dialect();
        if let Some(Cassette::Replay(_)) = self.inner.http.cassette() {
            for candidate in dialect.all_from() {
                let in_dialect = self.request(&asked, candidate, deadline);
                if matches!(self.inner.http.has_recording(&in_dialect).await, Ok(true)) {
                    (request, dialect) = (in_dialect, candidate);
                    break;
                }
            }
        }
        tracing::debug!(
            purpose = asked.purpose,
            model = self.name(),
            prompt_tokens,
            "asking the model"
        );
        let api_key = self.inner.api_key.clone();
        Ok(Ready {
            purpose: asked.purpose,
            request,
            dialect,
            entry,
            by_budget,
            api_key,
        })
    }

    /// Enters a refusal. Comes back only when there is a plainer way to ask.
    pub(crate) fn refused(
        &self,
        ready: Ready,
        asked: &Asked<'_>,
        status: u16,
        attempts: u32,
        body: &[u8],
    ) -> Result<()> {
        let plainer = ready
            .dialect
            .plainer(status, &String::from_utf8_lossy(body), asked.schema.is_some());
        let seconds = ready.entry.elapsed();
        ready
            .entry
            .close(Outcome::Refused, Tokens::default(), seconds, attempts);
        let Some(plainer) = plainer else {
            return Err(refusal(
                status,
                &public_url(&ready.request.url),
                body,
                self.inner.api_key.as_ref(),
            ));
        };
        tracing::info!(status, ?plainer, "the endpoint asks for a plainer request");
        let mut dialect = self.inner.dialect.lock().unwrap_or_else(PoisonError::into_inner);
        *dialect = dialect.merged(plainer);
        Ok(())
    }

    pub(crate) fn http(&self) -> &HttpClient {
        &self.inner.http
    }

    fn dialect(&self) -> Dialect {
        *self.inner.dialect.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn request(&self, asked: &Asked<'_>, dialect: Dialect, deadline: Duration) -> Request {
        let url = format!("{}/chat/completions", self.inner.base);
        let mut request = Request::post_json(url, &asked.body(self.name(), dialect));
        request.secret_bearer.clone_from(&self.inner.api_key);
        request.deadline = deadline;
        request.retry = self.inner.retry;
        request.max_bytes = MAX_WIRE_BYTES;
        let (purpose, kept) = (asked.purpose, self.inner.kept);
        request.annotate = Some(Arc::new(move |reply| {
            let (date, mut extra) = describe_reply(&reply.body);
            extra.insert("purpose".to_owned(), json!(purpose));
            extra.insert("settings".to_owned(), json!(kept));
            Annotation { date, extra }
        }));
        request
    }
}

impl fmt::Debug for ChatModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("ChatModel");
        shown
            .field("name", &self.name())
            .field("endpoint", &self.endpoint())
            .finish_non_exhaustive()
    }
}

/// A request whose worst case is reserved.
pub(crate) struct Ready {
    pub(crate) purpose: &'static str,
    pub(crate) request: Request,
    pub(crate) dialect: Dialect,
    pub(crate) entry: OpenEntry,
    /// Whether the deadline is the end of the budget's time.
    pub(crate) by_budget: bool,
    api_key: Option<Secret>,
}

impl Ready {
    /// Enters a call that brought no reply.
    pub(crate) fn failed(self, error: coevo_http::Error) -> Error {
        let error = match unsent(error, self.purpose, &self.request.url) {
            Error::Deadline { .. } if self.by_budget => Error::BudgetSpent {
                which: BudgetPart::Seconds,
            },
            other => other,
        };
        let (outcome, is_billed) = match &error {
            Error::NoRecording { .. } => {
                self.entry.void();
                return error;
            }
            Error::Unreachable { .. } => (Outcome::Unreachable, false),
            Error::Deadline { .. } | Error::BudgetSpent { .. } => (Outcome::Deadline, true),
            Error::TooLarge { .. } => (Outcome::TooLarge, true),
            _ => (Outcome::Broken, true),
        };
        let tokens = if is_billed {
            self.entry.estimated_tokens()
        } else {
            Tokens::default()
        };
        let seconds = self.entry.elapsed();
        self.entry.close(outcome, tokens, seconds, 1);
        error
    }

    /// Enters a reply that is none.
    pub(crate) fn no_reply(self, no_reply: NoReply, status: u16, seconds: f64, attempts: u32) -> Error {
        let url = public_url(&self.request.url);
        let (outcome, error) = match no_reply {
            NoReply::Error(message) => (
                Outcome::Refused,
                refusal(status, &url, message.as_bytes(), self.api_key.as_ref()),
            ),
            NoReply::Foreign(reason) => (Outcome::NotCompatible, Error::NotCompatible { url, reason }),
        };
        let tokens = self.entry.estimated_tokens();
        self.entry.close(outcome, tokens, seconds, attempts);
        error
    }
}

/// A reply whose ledger entry is still open.
pub(crate) struct Heard {
    pub(crate) reply: Reply,
    pub(crate) tokens: Tokens,
    pub(crate) seconds: f64,
    attempts: u32,
    entry: OpenEntry,
}

impl Heard {
    pub(crate) fn close(self, outcome: Outcome) {
        self.entry
            .close(outcome, self.tokens, self.seconds, self.attempts);
    }
}

/// The messages of a call.
pub(crate) fn opening(call: &Call) -> Vec<Message> {
    let message = |role, content: &str| Message {
        role,
        content: content.to_owned(),
    };
    vec![
        message(Role::System, &call.system),
        message(Role::User, &call.user),
    ]
}

/// A reply without a word: cut off while thinking, or empty.
pub(crate) fn blank(purpose: &str, finish: Finish, close: impl FnOnce(Outcome)) -> Error {
    let purpose = purpose.to_owned();
    if finish == Finish::Length {
        close(Outcome::Truncated);
        Error::Truncated { purpose }
    } else {
        close(Outcome::Empty);
        Error::Empty { purpose }
    }
}

/// What an error status says, on one line and without the key.
pub(crate) fn refusal(status: u16, url: &str, body: &[u8], key: Option<&Secret>) -> Error {
    let text = String::from_utf8_lossy(&body[..body.len().min(MAX_REFUSAL_BYTES)]);
    let value: Option<Value> = serde_json::from_str(&text).ok();
    let message = value.as_ref().and_then(|value| {
        let places = ["/error/message", "/error", "/message", "/detail"];
        places.iter().find_map(|place| value.pointer(place)?.as_str())
    });
    let message = message.unwrap_or(&text);
    let message = key.map_or_else(|| message.to_owned(), |key| key.scrub(message));
    let body = match excerpt(&message, MAX_REFUSAL_CHARS) {
        empty if empty.is_empty() => "it gives no reason".to_owned(),
        said => said,
    };
    Error::Refused {
        status,
        url: url.to_owned(),
        body,
    }
}

/// An error of the door in this crate's terms.
pub(crate) fn unsent(error: coevo_http::Error, purpose: &str, url: &str) -> Error {
    use coevo_http::Error as Http;
    let (purpose, url) = (purpose.to_owned(), public_url(url));
    match error {
        Http::Connect { reason, .. } => Error::Unreachable { url, reason },
        Http::Deadline { seconds, .. } => Error::Deadline {
            purpose,
            url,
            seconds,
        },
        Http::TooLarge { limit, .. } => Error::TooLarge { purpose, limit },
        Http::NoRecording { hash, dir, .. } => Error::NoRecording { purpose, hash, dir },
        other => Error::Http(other),
    }
}

/// Model, path before `/chat/completions`, and settings of a recorded call.
fn recorded_from(recording: &Recording) -> Option<(String, String, Value)> {
    let base = recording.path.strip_suffix("/chat/completions")?.to_owned();
    let Some(Content::Json(request)) = &recording.request else {
        return None;
    };
    let model = request.get("model")?.as_str()?.to_owned();
    Some((model, base, recording.extra.get("settings")?.clone()))
}

#[cfg(test)]
mod tests;
