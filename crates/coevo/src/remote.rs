//! A running server as a backend: [`Remote`] speaks REST and the SPARQL Protocol through the one outbound door. What the
//! server refuses comes back as the failure that a directory would have given.

use crate::failure::{Exit, Failure, Result};
use crate::model;
use crate::results::{Body, ResultFormat};
use coevo_http::{HttpClient, Method, Request, Response, Retry, StreamResponse};
use coevo_reason::{Answer, NumberedEvent};
use coevo_server::wire::{AskBody, Problem, StreamEnd, StreamItem};
use futures::StreamExt;
use serde::de::DeserializeOwned;
use std::io::{self, Write};
use std::time::Duration;

/// Time for a call that no other bound ends.
const PATIENCE: Duration = Duration::from_mins(35);
/// Bytes of a reply that is kept whole.
const MAX_BODY: u64 = 64 << 20;
/// Bytes of an error's text.
const MAX_PROBLEM: usize = 64 << 10;

/// A server at an address.
pub(crate) struct Remote {
    url: String,
    /// The address as it may be shown.
    shown: String,
    http: HttpClient,
}

impl Remote {
    pub(crate) fn new(url: &str) -> Result<Self> {
        Ok(Self {
            shown: coevo_http::public_url(url).trim_end_matches('/').to_owned(),
            url: url.to_owned(),
            http: model::client()?,
        })
    }

    /// `GET` of a path with its query.
    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        parameters: &[(&str, &str)],
    ) -> Result<T> {
        let url = format!("{}{path}{}", self.url, query_string(parameters));
        self.json(Request {
            deadline: PATIENCE,
            max_bytes: MAX_BODY,
            ..Request::get(url)
        })
        .await
    }

    /// `POST` of a JSON body. One attempt: what it does may not be done twice.
    pub(crate) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl serde::Serialize,
    ) -> Result<T> {
        self.json(self.posting(path, body)?).await
    }

    fn posting(&self, path: &str, body: &impl serde::Serialize) -> Result<Request> {
        let body = serde_json::to_value(body).map_err(|error| Failure::failed(error.to_string()))?;
        let request = Request::post_json(format!("{}{path}", self.url), &body);
        Ok(Request {
            deadline: PATIENCE,
            max_bytes: MAX_BODY,
            retry: Retry::NONE,
            ..request
        })
    }

    async fn json<T: DeserializeOwned>(&self, request: Request) -> Result<T> {
        self.read(&self.send(&request).await?.body)
    }

    fn read<T: DeserializeOwned>(&self, body: &[u8]) -> Result<T> {
        serde_json::from_slice(body).map_err(|error| {
            Failure::failed(format!("{} answered something unexpected: {error}", self.shown))
                .with_hint("is it a Coevo server of this version?")
        })
    }

    /// `POST /update`.
    pub(crate) async fn update(&self, update: &str) -> Result<()> {
        let request = Request {
            method: Method::Post,
            headers: vec![content_type("application/sparql-update")],
            body: Some(update.as_bytes().to_vec()),
            deadline: PATIENCE,
            retry: Retry::NONE,
            ..Request::get(format!("{}/update", self.url))
        };
        self.send(&request).await.map(drop)
    }

    /// `POST /query`, the whole result.
    pub(crate) async fn query_to_memory(&self, query: &str, timeout: Option<Duration>) -> Result<Body> {
        let request = Request {
            max_bytes: MAX_BODY,
            ..self.querying(query, timeout, ResultFormat::Table)
        };
        let response = self.send(&request).await?;
        let is_triples = response
            .header("content-type")
            .is_some_and(|form| form.starts_with("application/n-triples"));
        Ok(if is_triples {
            Body::Triples(response.body)
        } else {
            Body::Json(response.body)
        })
    }

    /// `POST /query`, streamed.
    pub(crate) async fn query_to(
        &self,
        query: &str,
        timeout: Option<Duration>,
        format: ResultFormat,
        out: &mut impl Write,
    ) -> Result<()> {
        let mut body = self.open(&self.querying(query, timeout, format)).await?.body;
        while let Some(piece) = body.next().await {
            out.write_all(&piece?)?;
        }
        Ok(out.flush()?)
    }

    fn querying(&self, query: &str, timeout: Option<Duration>, format: ResultFormat) -> Request {
        let seconds = timeout.map(|timeout| timeout.as_secs_f64().to_string());
        let parameters: Vec<(&str, &str)> = seconds
            .iter()
            .map(|seconds| ("timeout", seconds.as_str()))
            .collect();
        Request {
            method: Method::Post,
            headers: vec![
                content_type("application/sparql-query"),
                ("accept".to_owned(), format.accept().to_owned()),
            ],
            body: Some(query.as_bytes().to_vec()),
            deadline: timeout.map_or(PATIENCE, |timeout| timeout + Duration::from_secs(30)),
            max_bytes: u64::MAX,
            ..Request::get(format!("{}/query{}", self.url, query_string(&parameters)))
        }
    }

    /// `POST /api/v1/ask/stream`.
    pub(crate) async fn ask_streaming(
        &self,
        body: &AskBody,
        print: impl Fn(&NumberedEvent) -> io::Result<()>,
    ) -> Result<Answer> {
        let mut request = self.posting("/api/v1/ask/stream", body)?;
        request
            .headers
            .push(("accept".to_owned(), "text/event-stream".to_owned()));
        let mut body = self.open(&request).await?.body;
        let mut events = EventLines::default();
        while let Some(piece) = body.next().await {
            for data in events.push(&piece?)? {
                match self.read(data.as_bytes())? {
                    StreamItem::Event(event) => print(&event)?,
                    StreamItem::End(StreamEnd::Done { answer }) => return Ok(*answer),
                    StreamItem::End(StreamEnd::Error { problem }) => return Err(refusal(problem)),
                }
            }
        }
        Err(Failure::failed(format!(
            "{} ended the stream without an answer",
            self.shown
        )))
    }

    async fn send(&self, request: &Request) -> Result<Response> {
        let response = self.http.send(request).await.map_err(away)?;
        if response.is_success() {
            Ok(response)
        } else {
            Err(self.refused(response.status, &response.body))
        }
    }

    async fn open(&self, request: &Request) -> Result<StreamResponse> {
        let response = self.http.stream(request).await.map_err(away)?;
        if (200..300).contains(&response.status) {
            return Ok(response);
        }
        let body = response.body.collect_up_to(MAX_PROBLEM).await?;
        Err(self.refused(response.status, &body))
    }

    /// The failure behind an error status.
    fn refused(&self, status: u16, body: &[u8]) -> Failure {
        match serde_json::from_slice(body) {
            Ok(problem) => refusal(problem),
            Err(_no_problem) => Failure {
                exit: exit_of(status),
                ..Failure::failed(format!("{} answered with status {status}", self.shown))
            },
        }
    }
}

/// The failure that the server had.
fn refusal(problem: Problem) -> Failure {
    Failure {
        message: problem.detail,
        hint: problem.hint,
        exit: exit_of(problem.status),
    }
}

/// The server sorts its errors as [`Failure`] does: 4xx is the input saying no. What only a busy or stopping server says is
/// no input's fault.
fn exit_of(status: u16) -> Exit {
    if (400..500).contains(&status) && status != 429 {
        Exit::Refused
    } else {
        Exit::Failed
    }
}

/// A server that cannot be asked at all.
fn away(error: coevo_http::Error) -> Failure {
    let failure = Failure::from(error);
    match failure.exit {
        Exit::Failed => failure.with_hint("is it running? Start it by `coevo serve --location DIR`"),
        _ => failure,
    }
}

fn content_type(form: &str) -> (String, String) {
    ("content-type".to_owned(), form.to_owned())
}

/// `?a=b&c=d`, escaped; empty without parameters.
fn query_string(parameters: &[(&str, &str)]) -> String {
    let pairs: Vec<String> = parameters
        .iter()
        .map(|(name, value)| format!("{}={}", escape(name), escape(value)))
        .collect();
    if pairs.is_empty() {
        String::new()
    } else {
        format!("?{}", pairs.join("&"))
    }
}

/// A segment of a path or a value of a query, escaped.
pub(crate) fn escape(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    text.bytes()
        .map(|byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

/// Server-sent events out of pieces of bytes. Only their data is used: every event carries its own number and name.
#[derive(Default)]
struct EventLines {
    rest: Vec<u8>,
    data: Vec<String>,
}

impl EventLines {
    /// Takes a piece; gives the data of the events that are complete now.
    fn push(&mut self, piece: &[u8]) -> Result<Vec<String>> {
        self.rest.extend_from_slice(piece);
        if self.rest.len() as u64 > MAX_BODY {
            return Err(Failure::failed("the server sends an event without end"));
        }
        let mut complete = Vec::new();
        while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches(['\r', '\n']);
            if let Some(data) = line.strip_prefix("data:") {
                self.data.push(data.strip_prefix(' ').unwrap_or(data).to_owned());
            } else if line.is_empty() && !self.data.is_empty() {
                complete.push(std::mem::take(&mut self.data).join("\n"));
            }
        }
        Ok(complete)
    }
}

#[cfg(test)]
mod tests {
    //! Escaping and events in pieces.
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::{EventLines, query_string};

    #[test]
    fn queries_are_escaped() {
        assert_eq!(query_string(&[]), "");
        assert_eq!(
            query_string(&[("iri", "http://é/?a&b"), ("k", "2")]),
            "?iri=http%3A%2F%2F%C3%A9%2F%3Fa%26b&k=2"
        );
    }

    #[test]
    fn events_arrive_in_pieces() {
        let mut events = EventLines::default();
        assert!(events.push(b": hello\nid: 1\nda").unwrap().is_empty());
        assert_eq!(
            events.push(b"ta: {\"a\"\r\ndata: :1}\n\ndata:x\n").unwrap(),
            ["{\"a\"\n:1}"]
        );
        assert_eq!(events.push(b"\n\n").unwrap(), ["x"]);
    }
}
