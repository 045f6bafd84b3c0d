//! A blocking writer as a response body: [`respond`]. Bytes go through a channel of a few chunks, so that memory stays
//! bounded however large the result; a reader that leaves stops the writer.
//!
//! The first chunk is awaited before the response begins: what fails until then has its own status. What fails later breaks
//! the body off (the connection is closed inside a chunked body), so that no client takes half a result for a whole one.

use crate::problem::{Handled, Problem};
use crate::state::Slot;
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;
use coevo_graph::Cancel;
use futures::StreamExt;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// Bytes of a chunk.
const CHUNK: usize = 32 << 10;
/// Chunks that wait for a slow reader.
const CHUNKS: usize = 4;
/// A slow writer's rows are passed on at least this often.
const PATIENCE: Duration = Duration::from_millis(200);

/// One thing that comes out of the writer. A channel that closes without `End` is a writer that died.
enum Piece {
    Chunk(Bytes),
    End(Result<(), Problem>),
}

/// Runs `write` on the blocking pool and streams what it writes. `cancel` is pulled when the reader leaves.
pub(crate) async fn respond(
    content_type: HeaderValue,
    slot: Slot,
    cancel: Cancel,
    write: impl FnOnce(&mut dyn Write) -> Handled<()> + Send + 'static,
) -> Handled {
    let (sender, mut pieces) = mpsc::channel(CHUNKS);
    let leaving = Leaving { cancel, _slot: slot };
    tokio::task::spawn_blocking(move || {
        let mut out = Chunks::new(sender);
        let result = write(&mut out);
        out.end(result);
    });
    let first = pieces.recv().await;
    let body = match first {
        Some(Piece::End(Err(problem))) => return Err(problem),
        Some(Piece::End(Ok(()))) => Body::empty(),
        None => return Err(died()),
        // A result of one chunk is sent with its length.
        Some(Piece::Chunk(chunk)) => match pieces.recv().await {
            Some(Piece::End(Ok(()))) => Body::from(chunk),
            Some(Piece::End(Err(problem))) => return Err(problem),
            second => streamed(chunk, second, pieces, leaving),
        },
    };
    Ok(([(header::CONTENT_TYPE, content_type)], body).into_response())
}

/// The body of a result that did not fit one chunk.
fn streamed(first: Bytes, second: Option<Piece>, pieces: mpsc::Receiver<Piece>, leaving: Leaving) -> Body {
    let begun = [Ok(first)].into_iter().chain(chunk(second));
    let rest = futures::stream::unfold(Some((pieces, leaving)), |state| async move {
        let (mut pieces, leaving) = state?;
        let piece = pieces.recv().await;
        let is_more = matches!(piece, Some(Piece::Chunk(_)));
        let chunk = chunk(piece)?;
        Some((chunk, is_more.then_some((pieces, leaving))))
    });
    Body::from_stream(futures::stream::iter(begun).chain(rest))
}

/// What a piece is to the body: `None` is its proper end.
fn chunk(piece: Option<Piece>) -> Option<io::Result<Bytes>> {
    let problem = match piece {
        Some(Piece::Chunk(chunk)) => return Some(Ok(chunk)),
        Some(Piece::End(Ok(()))) => return None,
        Some(Piece::End(Err(problem))) => problem,
        None => died(),
    };
    tracing::warn!(code = problem.code.name(), "a result broke off");
    Some(Err(io::Error::other(problem.detail)))
}

fn died() -> Problem {
    Problem::new(crate::Code::Internal, "a worker thread stopped unexpectedly")
}

/// Cancels the work when it is dropped; for work that is done that changes nothing.
struct Leaving {
    cancel: Cancel,
    _slot: Slot,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// Gathers bytes into chunks and sends them; blocks while the channel is full.
struct Chunks {
    sender: mpsc::Sender<Piece>,
    buffer: Vec<u8>,
    sent: Instant,
}

impl Chunks {
    fn new(sender: mpsc::Sender<Piece>) -> Self {
        Self {
            sender,
            buffer: Vec::with_capacity(CHUNK),
            sent: Instant::now(),
        }
    }

    fn send(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let chunk = std::mem::replace(&mut self.buffer, Vec::with_capacity(CHUNK));
        self.sent = Instant::now();
        self.sender
            .blocking_send(Piece::Chunk(chunk.into()))
            .map_err(|_left| io::ErrorKind::BrokenPipe.into())
    }

    fn end(mut self, result: Handled<()>) {
        // What an unfinished writer left in the buffer is not sent: until here it may be the whole body.
        let result = result.and_then(|()| {
            self.send()
                .map_err(|error| Problem::new(crate::Code::Internal, error.to_string()))
        });
        // A reader that left needs no end.
        drop(self.sender.blocking_send(Piece::End(result)));
    }
}

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= CHUNK || self.sent.elapsed() >= PATIENCE {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        // The serialisers flush at their end, which `end` does too.
        Ok(())
    }
}
