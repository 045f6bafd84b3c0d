//! The values that go out and come back: [`Request`] with its limits, [`Response`] with the whole body.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::{Annotation, Secret};

/// Makes the notes of a recording from the reply that is about to be kept. Runs only while recording.
pub type Annotate = Arc<dyn Fn(&Response) -> Annotation + Send + Sync>;

/// The methods that anything here uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of HTTP")]
pub enum Method {
    Get,
    Head,
    Post,
    Put,
    Delete,
}

impl Method {
    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }
}

/// Which addresses a request may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addresses {
    /// Any: for endpoints that the operator configured.
    Any,
    /// Public ones only, checked after name resolution and on every redirect: for addresses that came from data.
    PublicOnly,
}

/// Whether redirects are followed. Only `GET` and `HEAD` ever follow one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redirects {
    /// A redirect is a reply like any other.
    Returned,
    /// Follow up to this many; the key and the request's own headers stay with their origin.
    AtMost(u8),
}

/// When and how often a request is tried again. Connection errors always count as worth another attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// Attempts in all; 1 means no retry.
    pub attempts: u32,
    /// Ceiling of the first pause; it doubles with every further one.
    pub first_pause: Duration,
    /// Ceiling of every pause that the server did not ask for itself with `Retry-After`.
    pub longest_pause: Duration,
    /// Statuses worth another attempt.
    pub statuses: &'static [u16],
}

impl Retry {
    /// One attempt.
    pub const NONE: Self = Self {
        attempts: 1,
        first_pause: Duration::ZERO,
        longest_pause: Duration::ZERO,
        statuses: &[],
    };
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            attempts: 3,
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(10),
            statuses: &[429, 502, 503, 504],
        }
    }
}

/// One request with all of its limits. `Debug` shows neither header values nor the body.
#[derive(Clone)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// Absolute `http` or `https` URL. Its query is recorded, so it must not hold a key.
    pub url: String,
    /// Names and values. Never recorded.
    pub headers: Vec<(String, String)>,
    /// Sent as `Authorization: Bearer …`. Never recorded, logged or shown.
    pub secret_bearer: Option<Secret>,
    /// The body; JSON bodies are hashed in canonical form.
    pub body: Option<Vec<u8>>,
    /// Time for everything: attempts, pauses, redirects and reading the reply.
    pub deadline: Duration,
    /// When to try again.
    pub retry: Retry,
    /// Which addresses may be reached.
    pub addresses: Addresses,
    /// Whether redirects are followed.
    pub redirects: Redirects,
    /// Cap of the reply's body in bytes.
    pub max_bytes: u64,
    /// Notes for the recording.
    pub annotate: Option<Annotate>,
}

impl Request {
    /// A `GET` to a configured endpoint: 30 s, 3 attempts, 8 MiB.
    pub fn get(url: impl Into<String>) -> Self {
        Self {
            method: Method::Get,
            url: url.into(),
            headers: Vec::new(),
            secret_bearer: None,
            body: None,
            deadline: Duration::from_secs(30),
            retry: Retry::default(),
            addresses: Addresses::Any,
            redirects: Redirects::Returned,
            max_bytes: 8 << 20,
            annotate: None,
        }
    }

    /// A `POST` of a JSON value with the same limits as [`Request::get`].
    pub fn post_json(url: impl Into<String>, body: &Value) -> Self {
        Self {
            method: Method::Post,
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: Some(body.to_string().into_bytes()),
            ..Self::get(url)
        }
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header_names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        formatter
            .debug_struct("Request")
            .field("method", &self.method)
            .field("url", &crate::public_url(&self.url))
            .field("header_names", &header_names)
            .field("secret_bearer", &self.secret_bearer)
            .field("body_bytes", &self.body.as_ref().map(Vec::len))
            .field("deadline", &self.deadline)
            .field("retry", &self.retry)
            .field("addresses", &self.addresses)
            .field("redirects", &self.redirects)
            .field("max_bytes", &self.max_bytes)
            .finish_non_exhaustive()
    }
}

/// A whole reply, of any status.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// Lower-case names and their values; of a recording only `content-type`.
    pub headers: Vec<(String, String)>,
    /// The body, within the request's cap.
    pub body: Vec<u8>,
    /// Where the body came from after redirects, as far as it may be shown.
    pub url: String,
    /// Attempts that were needed; 1 for a recording.
    pub attempts: u32,
    /// Seconds from the first attempt to the last byte, to the millisecond; of a recording, those of the recorded exchange.
    pub seconds: f64,
}

impl Response {
    /// Whether the status is 200–299.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The first value of a header; `name` in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

/// The first value of a header; `name` in lower case.
pub(crate) fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers
        .iter()
        .find(|(found, _)| found == name)
        .map(|(_, value)| value.as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Request;
    use crate::Secret;

    #[test]
    fn debug_shows_no_key_header_or_body() {
        let mut request =
            Request::post_json("http://u:hidden1@host/p?key=hidden2", &json!({"text": "hidden3"}));
        request
            .headers
            .push(("x-api-key".to_owned(), "hidden4".to_owned()));
        request.secret_bearer = Some(Secret::new("hidden5"));
        let shown = format!("{request:?}");
        assert!(!shown.contains("hidden"), "{shown}");
        assert!(
            shown.contains("x-api-key") && shown.contains("http://host/p"),
            "{shown}"
        );
    }
}
