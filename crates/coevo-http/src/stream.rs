//! Replies that are read as they come: [`StreamResponse`] with a [`BodyStream`] under the request's cap and deadline.
//!
//! While recording, the body is kept as it passes and written when it ended well; a broken or abandoned stream leaves nothing.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures::Stream;
use futures::stream::{self, BoxStream, StreamExt};
use tokio::time::{Instant, timeout_at};

use crate::client::{Opened, Target, broken, deadline_passed, round_millis};
use crate::{Cassette, Error, Request, Response, Result, cassette};

/// A reply of any status whose body is still to come.
#[derive(Debug)]
pub struct StreamResponse {
    /// The status.
    pub status: u16,
    /// Lower-case names and their values; of a recording only `content-type`.
    pub headers: Vec<(String, String)>,
    /// Attempts that were needed; 1 for a recording.
    pub attempts: u32,
    /// Seconds of the recorded exchange, when this is a recording.
    pub recorded_seconds: Option<f64>,
    /// The body.
    pub body: BodyStream,
}

/// Pieces of a body. Ends after the first error.
pub struct BodyStream(BoxStream<'static, Result<Vec<u8>>>);

impl BodyStream {
    /// A body that is there already.
    pub(crate) fn whole(body: Vec<u8>) -> Self {
        Self(stream::iter([Ok(body)]).boxed())
    }

    /// A body that is still being sent.
    pub(crate) fn live(
        opened: Opened,
        request: &Request,
        target: Target,
        until: Instant,
        kept: Option<Cassette>,
    ) -> Self {
        let state = Live {
            received: 0,
            keep: kept.map(|cassette| Keep {
                cassette,
                body: Vec::new(),
            }),
            opened,
            request: request.clone(),
            target,
            until,
        };
        Self(stream::try_unfold(state, Live::next).boxed())
    }

    /// The rest of the body up to `limit` bytes; what lies beyond is dropped. For reading the message of an error reply.
    pub async fn collect_up_to(mut self, limit: usize) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        while body.len() < limit
            && let Some(piece) = self.next().await
        {
            body.extend_from_slice(&piece?);
        }
        body.truncate(limit);
        Ok(body)
    }
}

impl Stream for BodyStream {
    type Item = Result<Vec<u8>>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next_unpin(context)
    }
}

impl fmt::Debug for BodyStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("BodyStream")
    }
}

struct Live {
    received: u64,
    keep: Option<Keep>,
    opened: Opened,
    request: Request,
    target: Target,
    until: Instant,
}

struct Keep {
    cassette: Cassette,
    body: Vec<u8>,
}

impl Live {
    async fn next(mut self) -> Result<Option<(Vec<u8>, Self)>> {
        let piece = timeout_at(self.until, self.opened.reply.chunk())
            .await
            .map_err(|_| deadline_passed(&self.opened.url, &self.request))?
            .map_err(|error| broken(&self.opened.url, &error))?;
        let Some(piece) = piece else {
            self.save().await?;
            return Ok(None);
        };
        self.received += piece.len() as u64;
        if self.received > self.request.max_bytes {
            return Err(Error::TooLarge {
                url: self.opened.shown(),
                limit: self.request.max_bytes,
            });
        }
        if let Some(keep) = &mut self.keep {
            keep.body.extend_from_slice(&piece);
        }
        Ok(Some((piece.to_vec(), self)))
    }

    async fn save(self) -> Result<()> {
        let Some(Keep { cassette, body }) = self.keep else {
            return Ok(());
        };
        let reply = Response {
            status: self.opened.status,
            url: self.opened.shown(),
            headers: self.opened.headers,
            body,
            attempts: self.opened.attempts,
            seconds: round_millis(self.opened.started.elapsed()),
        };
        cassette::save(
            &cassette,
            &self.target.hash,
            &self.target.path,
            &self.request,
            &reply,
        )
        .await
    }
}
