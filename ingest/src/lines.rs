//! N-Triples and N-Quads, read by the line: [`spawn`] starts a thread that cuts the stream into chunks of whole lines and
//! two that parse them.
//!
//! A chunk without a fault is parsed in one go. In one with a fault, each line is parsed by itself and stands or falls
//! alone; so what is rejected does not depend on where chunks begin. Lines are counted by `\n`.

use std::io::Read;
use std::sync::Arc;
use std::thread::Scope;

use crossbeam_channel::{Receiver, Sender, bounded};
use oxrdf::{GraphName, NamedNode, NamedOrBlankNode, Quad, Term};
use oxrdfio::{RdfFormat, RdfParser};

use crate::error::{Error, Result};
use crate::input::{Opened, RawState};
use crate::place::{ByLabel, Place};
use crate::profile::RdfProfile;
use crate::rejects::{Reject, shown};
use crate::stream::Batch;

const N_PARSERS: usize = 2;
/// Chunks that wait in front of and behind each parser.
const QUEUE: usize = 2;
const CHUNK_BYTES: usize = 512 << 10;
const MAX_LINE_BYTES: usize = 64 << 20;
const BOM: &[u8] = b"\xef\xbb\xbf";

/// What the parsers need to know.
#[derive(Debug)]
pub(crate) struct LineOptions {
    pub(crate) name: String,
    pub(crate) format: RdfFormat,
    pub(crate) graph: NamedNode,
    pub(crate) profile: Arc<RdfProfile>,
}

/// Some lines of the input, or the end of it.
#[derive(Debug, PartialEq, Eq)]
enum Chunk {
    /// Whole lines.
    Lines(Lines),
    /// A line that is too long to be looked at, cut.
    Overlong(Lines),
    End,
}

#[derive(Debug, PartialEq, Eq)]
struct Lines {
    /// Line number of the first, from 1.
    first: u64,
    /// Byte offset of the first.
    offset: u64,
    bytes: Vec<u8>,
}

/// Starts reading and parsing. The receivers give batches by turns; they end with one that `is_last`, or an error.
pub(crate) fn spawn<'scope>(
    scope: &'scope Scope<'scope, '_>,
    opened: Opened,
    options: LineOptions,
) -> Vec<Receiver<Result<Batch>>> {
    let options = Arc::new(options);
    let Opened { reader, raw, seed } = opened;
    let seed: Arc<str> = seed.into();
    let mut chunk_senders = Vec::new();
    let mut batch_receivers = Vec::new();
    for _ in 0..N_PARSERS {
        let (chunk_sender, chunk_receiver) = bounded(QUEUE);
        let (batch_sender, batch_receiver) = bounded(QUEUE);
        chunk_senders.push(chunk_sender);
        batch_receivers.push(batch_receiver);
        let (options, seed) = (Arc::clone(&options), Arc::clone(&seed));
        scope.spawn(move || parse_chunks(&chunk_receiver, &batch_sender, &options, &seed));
    }
    scope.spawn(move || read_chunks(reader, &raw, &options.name, &chunk_senders));
    batch_receivers
}

/// Deals chunks to the parsers by turns. Ends early when they are gone.
fn read_chunks(reader: impl Read, raw: &RawState, name: &str, parsers: &[Sender<Result<Chunk>>]) {
    let mut chunker = Chunker::new(reader);
    for parser in parsers.iter().cycle() {
        let chunk = match chunker.next() {
            Ok(Chunk::End) if chunker.offset == 0 => Err(Error::Empty {
                name: name.to_owned(),
            }),
            Ok(chunk) => Ok(chunk),
            Err(error) => Err(raw.explain(error)),
        };
        let is_last = !matches!(chunk, Ok(Chunk::Lines(_) | Chunk::Overlong(_)));
        if parser.send(chunk).is_err() || is_last {
            return;
        }
    }
}

fn parse_chunks(
    chunks: &Receiver<Result<Chunk>>,
    batches: &Sender<Result<Batch>>,
    options: &LineOptions,
    seed: &str,
) {
    let parser = RdfParser::from_format(options.format).lenient();
    let mut place = Place {
        graph: &options.graph,
        skolem: ByLabel { seed },
    };
    for chunk in chunks {
        let batch = chunk.map(|chunk| {
            let mut batch = Batch::default();
            match chunk {
                Chunk::Lines(lines) => parse_lines(&parser, &lines, &mut batch),
                Chunk::Overlong(line) => batch.rejects.push(Reject {
                    line: line.first,
                    offset: line.offset,
                    reason: format!("longer than {MAX_LINE_BYTES} bytes"),
                    record: shown(&line.bytes),
                }),
                Chunk::End => batch.is_last = true,
            }
            batch.quads = batch.quads.into_iter().map(|quad| place.quad(quad)).collect();
            batch.counts = options.profile.counts(&batch.quads);
            batch
        });
        if batches.send(batch).is_err() {
            return;
        }
    }
}

fn parse_lines(parser: &RdfParser, lines: &Lines, batch: &mut Batch) {
    if let Ok(quads) = parse(parser, &lines.bytes) {
        batch.quads = quads;
        return;
    }
    let mut offset = lines.offset;
    for (n, line) in lines.bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        match parse(parser, line) {
            Ok(mut quads) => batch.quads.append(&mut quads),
            Err(reason) => batch.rejects.push(Reject {
                line: lines.first + n as u64,
                offset,
                reason,
                record: shown(line),
            }),
        }
        offset += line.len() as u64;
    }
}

/// All quads of some bytes, or what is wrong first.
fn parse(parser: &RdfParser, bytes: &[u8]) -> Result<Vec<Quad>, String> {
    let quads = parser
        .clone()
        .for_slice(bytes)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| reason(&error.to_string()))?;
    match quads.iter().find_map(forbidden_iri) {
        Some(iri) => Err(format!("<{iri}> is no IRI")),
        None => Ok(quads),
    }
}

/// An IRI of the quad that holds characters which no IRI may hold, or no scheme. The parser is lenient for the sake of odd
/// literals and language tags; such an IRI would break every export, and close a pattern it is pasted into.
fn forbidden_iri(quad: &Quad) -> Option<&str> {
    let subject = match &quad.subject {
        NamedOrBlankNode::NamedNode(node) => Some(node.as_str()),
        NamedOrBlankNode::BlankNode(_) => None,
    };
    let object = match &quad.object {
        Term::NamedNode(node) => Some(node.as_str()),
        Term::Literal(literal) => Some(literal.datatype().as_str()),
        Term::BlankNode(_) => None,
    };
    let graph = match &quad.graph_name {
        GraphName::NamedNode(node) => Some(node.as_str()),
        _ => None,
    };
    let forbidden = |byte: u8| byte <= b' ' || b"<>\"{}|\\^`".contains(&byte);
    [subject, Some(quad.predicate.as_str()), object, graph]
        .into_iter()
        .flatten()
        .find(|iri| !iri.contains(':') || iri.bytes().any(forbidden))
}

/// The parser's words without the place: its "line 1" is the line itself, whose true number stands beside.
fn reason(message: &str) -> String {
    match message
        .strip_prefix("Parser error ")
        .and_then(|rest| rest.split_once(": "))
    {
        Some((_, reason)) => reason.to_owned(),
        None => message.to_owned(),
    }
}

/// Cuts a stream into chunks of whole lines. Holds one chunk, or one line when that is longer.
struct Chunker<R> {
    reader: R,
    /// Read but not yet given out: begins with a line.
    kept: Vec<u8>,
    line: u64,
    offset: u64,
}

impl<R: Read> Chunker<R> {
    fn new(reader: R) -> Self {
        Self {
            reader,
            kept: Vec::new(),
            line: 1,
            offset: 0,
        }
    }

    fn next(&mut self) -> std::io::Result<Chunk> {
        let mut wanted = CHUNK_BYTES;
        loop {
            let is_at_end = self.fill(wanted)?;
            if self.offset == 0 && self.kept.starts_with(BOM) {
                self.kept.drain(..BOM.len());
                self.offset = BOM.len() as u64;
                continue;
            }
            if self.kept.is_empty() {
                return Ok(Chunk::End);
            }
            let last_newline = self.kept.iter().rposition(|&byte| byte == b'\n');
            let n_whole = if is_at_end {
                Some(self.kept.len())
            } else {
                last_newline.map(|at| at + 1)
            };
            if let Some(n_whole) = n_whole {
                let rest = self.kept.split_off(n_whole);
                let bytes = std::mem::replace(&mut self.kept, rest);
                return Ok(Chunk::Lines(self.advance(bytes)));
            }
            if self.kept.len() >= MAX_LINE_BYTES {
                return self.skip_line().map(Chunk::Overlong);
            }
            wanted = self.kept.len() + CHUNK_BYTES;
        }
    }

    /// Reads until `wanted` bytes are kept; returns whether the stream is at its end.
    fn fill(&mut self, wanted: usize) -> std::io::Result<bool> {
        let missing = wanted.saturating_sub(self.kept.len());
        let n_read = (&mut self.reader)
            .take(missing as u64)
            .read_to_end(&mut self.kept)?;
        Ok(n_read < missing)
    }

    /// Passes over the line that `kept` begins with, up to and with its `\n`.
    fn skip_line(&mut self) -> std::io::Result<Lines> {
        let mut line = std::mem::take(&mut self.kept);
        let mut n_bytes = line.len() as u64;
        line.truncate(4096);
        loop {
            let is_at_end = self.fill(CHUNK_BYTES)?;
            if let Some(at) = self.kept.iter().position(|&byte| byte == b'\n') {
                self.kept.drain(..=at);
                n_bytes += at as u64 + 1;
            } else {
                n_bytes += self.kept.len() as u64;
                self.kept.clear();
                if !is_at_end {
                    continue;
                }
            }
            let lines = Lines {
                first: self.line,
                offset: self.offset,
                bytes: line,
            };
            self.line += 1;
            self.offset += n_bytes;
            return Ok(lines);
        }
    }

    fn advance(&mut self, bytes: Vec<u8>) -> Lines {
        let lines = Lines {
            first: self.line,
            offset: self.offset,
            bytes,
        };
        self.offset += lines.bytes.len() as u64;
        self.line += n_newlines(&lines.bytes);
        lines
    }
}

fn n_newlines(bytes: &[u8]) -> u64 {
    bytes.iter().map(|&byte| u64::from(byte == b'\n')).sum()
}

#[cfg(test)]
mod tests;
