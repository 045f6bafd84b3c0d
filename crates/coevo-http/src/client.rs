//! [`HttpClient`]: the attempts, pauses and redirects of one request, and its recording.
//!
//! Two connection pools stand behind it: one for configured endpoints, one whose resolver yields public addresses only. Both ignore
//! the environment's proxy settings: a proxy would resolve names itself and make the address policy void.

use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, Url, redirect};
use tokio::time::{Instant, sleep, timeout_at};

use crate::address::{PublicResolver, Refused, check_literal};
use crate::cassette::{self, Cassette, Recording};
use crate::request::{Redirects, Response, header};
use crate::stream::{BodyStream, StreamResponse};
use crate::url::{parse, redirected, same_origin, shown};
use crate::{Addresses, Error, Method, Request, Result, backoff};

/// Settings of the whole client.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// Sent with every request.
    pub user_agent: String,
    /// Time to make one connection; the request's deadline holds as well.
    pub connect_timeout: Duration,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            user_agent: concat!("coevo/", env!("CARGO_PKG_VERSION")).to_owned(),
            connect_timeout: Duration::from_secs(10),
        }
    }
}

/// The door. Clones share their connections.
#[derive(Clone, Debug)]
pub struct HttpClient {
    pools: Arc<Pools>,
    cassette: Option<Cassette>,
}

#[derive(Debug)]
struct Pools {
    any: Client,
    public: Client,
}

impl HttpClient {
    /// A client that sends. Installs the process-wide TLS provider if nobody did before.
    pub fn new(options: &HttpOptions) -> Result<Self> {
        // Refused only when a provider is installed already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let any = build(|| builder(options))?;
        let public = build(|| builder(options).dns_resolver(PublicResolver))?;
        Ok(Self {
            pools: Arc::new(Pools { any, public }),
            cassette: None,
        })
    }

    /// The same client over a directory of recordings.
    #[must_use]
    pub fn with_cassette(&self, cassette: Cassette) -> Self {
        Self {
            pools: Arc::clone(&self.pools),
            cassette: Some(cassette),
        }
    }

    /// The directory of recordings, if there is one.
    pub fn cassette(&self) -> Option<&Cassette> {
        self.cassette.as_ref()
    }

    /// Whether the request would be answered from a recording.
    pub async fn has_recording(&self, request: &Request) -> Result<bool> {
        let Some(cassette) = &self.cassette else {
            return Ok(false);
        };
        Ok(cassette::load(cassette, &Target::of(request)?.hash)
            .await?
            .is_some())
    }

    /// Sends a request and reads the whole reply. Statuses are not errors.
    pub async fn send(&self, request: &Request) -> Result<Response> {
        let target = Target::of(request)?;
        if let Some((recording, cassette)) = self.recorded(request, &target).await? {
            return recording.into_response(cassette, shown(&target.url), request.max_bytes);
        }
        let until = Instant::now() + request.deadline;
        let mut opened = self.open(request, &target, until).await?;
        let body = timeout_at(until, opened.read_all(request.max_bytes))
            .await
            .map_err(|_| deadline_passed(&opened.url, request))??;
        let mut response = Response {
            status: opened.status,
            url: opened.shown(),
            headers: opened.headers,
            body,
            attempts: opened.attempts,
            seconds: round_millis(opened.started.elapsed()),
        };
        if let Some(cassette) = self.keeps(response.status) {
            // Blotted out before anybody sees it: what follows from this reply must be the same when it is replayed.
            if let (Some(secret), Ok(text)) = (&request.secret_bearer, std::str::from_utf8(&response.body)) {
                response.body = secret.scrub(text).into_bytes();
            }
            cassette::save(cassette, &target.hash, &target.path, request, &response).await?;
        }
        Ok(response)
    }

    /// Sends a request and hands over its body as it comes. Retries end with the first byte of a reply.
    pub async fn stream(&self, request: &Request) -> Result<StreamResponse> {
        let target = Target::of(request)?;
        if let Some((recording, cassette)) = self.recorded(request, &target).await? {
            let whole = recording.into_response(cassette, shown(&target.url), request.max_bytes)?;
            return Ok(StreamResponse {
                status: whole.status,
                headers: whole.headers,
                attempts: whole.attempts,
                recorded_seconds: Some(whole.seconds),
                body: BodyStream::whole(whole.body),
            });
        }
        let until = Instant::now() + request.deadline;
        let opened = self.open(request, &target, until).await?;
        Ok(StreamResponse {
            status: opened.status,
            headers: opened.headers.clone(),
            attempts: opened.attempts,
            recorded_seconds: None,
            body: {
                let kept = self.keeps(opened.status).cloned();
                BodyStream::live(opened, request, target, until, kept)
            },
        })
    }

    async fn recorded(&self, request: &Request, target: &Target) -> Result<Option<(Recording, &Cassette)>> {
        let Some(cassette) = &self.cassette else {
            return Ok(None);
        };
        match (cassette::load(cassette, &target.hash).await?, cassette) {
            (Some(recording), _) => Ok(Some((recording, cassette))),
            (None, Cassette::Record(_)) => Ok(None),
            (None, Cassette::Replay(dir)) => Err(Error::NoRecording {
                method: request.method.as_str(),
                path: target.url.path().to_owned(),
                hash: target.hash.clone(),
                dir: dir.clone(),
            }),
        }
    }

    fn keeps(&self, status: u16) -> Option<&Cassette> {
        self.cassette.as_ref().filter(|_| cassette::is_lasting(status))
    }

    /// The retry loop. What comes back is the last attempt's outcome, whatever it was.
    async fn open(&self, request: &Request, target: &Target, until: Instant) -> Result<Opened> {
        let started = Instant::now();
        let mut attempt = 1;
        loop {
            let outcome = timeout_at(until, self.follow(request, target, started, attempt))
                .await
                .map_err(|_| deadline_passed(&target.url, request))?;
            let asked = match &outcome {
                Ok(opened) if request.retry.statuses.contains(&opened.status) => backoff::asked_pause(
                    header(&opened.headers, "retry-after"),
                    header(&opened.headers, "date"),
                ),
                Err(Error::Connect { .. }) => None,
                _ => return outcome,
            };
            let pause = backoff::pause(&request.retry, &target.hash, attempt, asked);
            if attempt >= request.retry.attempts || Instant::now() + pause >= until {
                return outcome;
            }
            tracing::debug!(
                url = shown(&target.url),
                attempt,
                pause_ms = pause.as_millis(),
                "trying again"
            );
            drop(outcome);
            sleep(pause).await;
            attempt += 1;
        }
    }

    /// One attempt: the request and the redirects it may follow.
    async fn follow(
        &self,
        request: &Request,
        target: &Target,
        started: Instant,
        attempts: u32,
    ) -> Result<Opened> {
        let mut url = target.url.clone();
        let mut followed = 0;
        loop {
            check_literal(&url, request.addresses)?;
            let opened = self.once(request, target, url, started, attempts).await?;
            let limit = match request.redirects {
                Redirects::AtMost(limit) if matches!(request.method, Method::Get | Method::Head) => limit,
                _ => return Ok(opened),
            };
            let target_of = (opened.status, header(&opened.headers, "location"));
            let (301 | 302 | 303 | 307 | 308, Some(location)) = target_of else {
                return Ok(opened);
            };
            if followed == limit {
                return Err(Error::TooManyRedirects {
                    url: shown(&target.url),
                    limit,
                });
            }
            url = redirected(&opened.url, location)?;
            followed += 1;
        }
    }

    async fn once(
        &self,
        request: &Request,
        target: &Target,
        url: Url,
        started: Instant,
        attempts: u32,
    ) -> Result<Opened> {
        let pool = match request.addresses {
            Addresses::Any => &self.pools.any,
            Addresses::PublicOnly => &self.pools.public,
        };
        let mut outgoing = pool.request(method(request.method), url.clone());
        if same_origin(&url, &target.url) {
            for (name, value) in &request.headers {
                outgoing = outgoing.header(name, value);
            }
            if let Some(secret) = &request.secret_bearer {
                outgoing = outgoing.bearer_auth(secret.expose());
            }
        }
        if let Some(body) = &request.body {
            outgoing = outgoing.body(body.clone());
        }
        let reply = outgoing.send().await.map_err(|error| unsent(&url, &error))?;
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        let headers = reply
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), text(value.as_bytes())));
        Ok(Opened {
            status: reply.status().as_u16(),
            headers: headers.collect(),
            url,
            attempts,
            started,
            reply,
        })
    }
}

/// A request, read once: its URL and the identity of its recording.
pub(crate) struct Target {
    pub(crate) url: Url,
    /// Path and query.
    pub(crate) path: String,
    pub(crate) hash: String,
}

impl Target {
    fn of(request: &Request) -> Result<Self> {
        let url = parse(&request.url)?;
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        let path = format!("{}{query}", url.path());
        let hash = cassette::hash(request.method, &path, request.body.as_deref());
        Ok(Self { url, path, hash })
    }
}

/// A reply whose body is still to be read.
pub(crate) struct Opened {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) url: Url,
    pub(crate) attempts: u32,
    pub(crate) started: Instant,
    pub(crate) reply: reqwest::Response,
}

impl Opened {
    pub(crate) fn shown(&self) -> String {
        shown(&self.url)
    }

    async fn read_all(&mut self, limit: u64) -> Result<Vec<u8>> {
        let too_large = |url: &Url| Error::TooLarge {
            url: shown(url),
            limit,
        };
        if self.reply.content_length().is_some_and(|length| length > limit) {
            return Err(too_large(&self.url));
        }
        let mut body = Vec::new();
        while let Some(piece) = self
            .reply
            .chunk()
            .await
            .map_err(|error| broken(&self.url, &error))?
        {
            if (body.len() + piece.len()) as u64 > limit {
                return Err(too_large(&self.url));
            }
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }
}

pub(crate) fn deadline_passed(url: &Url, request: &Request) -> Error {
    Error::Deadline {
        url: shown(url),
        seconds: round_millis(request.deadline),
    }
}

pub(crate) fn broken(url: &Url, error: &reqwest::Error) -> Error {
    Error::Broken {
        url: shown(url),
        reason: innermost(error).to_string(),
    }
}

pub(crate) fn round_millis(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1000.0).round() / 1000.0
}

fn unsent(url: &Url, error: &reqwest::Error) -> Error {
    if let Some(refused) = chain(error).find_map(|cause| cause.downcast_ref::<Refused>()) {
        return Error::AddressRefused {
            host: refused.host.clone(),
            address: refused.address,
        };
    }
    let reason = innermost(error).to_string();
    if error.is_builder() {
        Error::BadRequest {
            url: shown(url),
            reason,
        }
    } else if error.is_connect() {
        Error::Connect {
            url: shown(url),
            reason,
        }
    } else {
        Error::Broken {
            url: shown(url),
            reason,
        }
    }
}

/// The innermost cause: it says what happened and, unlike the outer ones, repeats no URL.
fn innermost(error: &reqwest::Error) -> &(dyn std::error::Error + 'static) {
    chain(error).last().unwrap_or(error)
}

fn chain(error: &reqwest::Error) -> impl Iterator<Item = &(dyn std::error::Error + 'static)> {
    std::iter::successors(std::error::Error::source(error), |cause| cause.source())
}

fn method(method: Method) -> reqwest::Method {
    match method {
        Method::Get => reqwest::Method::GET,
        Method::Head => reqwest::Method::HEAD,
        Method::Post => reqwest::Method::POST,
        Method::Put => reqwest::Method::PUT,
        Method::Delete => reqwest::Method::DELETE,
    }
}

fn builder(options: &HttpOptions) -> reqwest::ClientBuilder {
    Client::builder()
        .user_agent(&options.user_agent)
        .connect_timeout(options.connect_timeout)
        .redirect(redirect::Policy::none())
        .referer(false)
        .no_proxy()
}

/// A machine without certificates can still talk to a model on loopback, so their absence is not fatal here.
fn build(builder: impl Fn() -> reqwest::ClientBuilder) -> Result<Client> {
    builder().build().or_else(|error| {
        tracing::warn!(reason = %innermost(&error), "no system certificates: https:// addresses will not be trusted");
        let bare = builder().tls_certs_only([]).build();
        bare.map_err(|error| Error::Setup { reason: innermost(&error).to_string() })
    })
}

#[cfg(test)]
mod tests;
