//! RDF inputs: [`load`] picks the way in by format. N-Triples and N-Quads go by the line (`lines`); Turtle, `TriG`, RDF/XML
//! and JSON-LD are one document each and go through one parser, in a thread of its own.
//!
//! In Turtle and `TriG` the parser finds the next statement after a fault, and what it passed over is set aside (its text is
//! gone by then, so that the reject has a place and a reason only). RDF/XML and JSON-LD have no such next statement.

use std::io::{BufReader, Read};
use std::sync::Arc;

use coevo_graph::Graph;
use crossbeam_channel::{Sender, bounded};
use oxrdf::{BlankNode, NamedNode};
use oxrdfio::{RdfFormat, RdfParseError, RdfParser, RdfSyntaxError};
use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::input::{Opened, RawState};
use crate::lines::{self, LineOptions};
use crate::place::{ByLabel, Place, Skolem};
use crate::profile::RdfProfile;
use crate::rejects::{Reject, Rejects};
use crate::report::Counts;
use crate::stream::{Batch, Stream, StreamOptions};

const BATCH_QUADS: usize = 4096;
const QUEUE: usize = 4;
/// Blank nodes without a label that are kept track of in one document.
const MAX_UNLABELLED: usize = 10_000_000;

/// What to load where.
pub(crate) struct RdfInput<'a> {
    pub(crate) graph: &'a NamedNode,
    pub(crate) profile: &'a Arc<RdfProfile>,
    /// One of the profile's formats.
    pub(crate) format: &'a str,
}

/// Loads one input into the store, wholly or not at all.
pub(crate) fn load(
    store: &Graph,
    input: &RdfInput<'_>,
    opened: Opened,
    rejects: &mut Rejects,
    options: StreamOptions<'_>,
) -> Result<Counts> {
    let name = options.name.to_owned();
    let format = rdf_format(input.format).ok_or_else(|| Error::FormatNeeded {
        name: name.clone(),
        known: input.profile.formats.join(", "),
    })?;
    let mut counts = Counts::default();
    std::thread::scope(|scope| {
        let workers = if matches!(format, RdfFormat::NTriples | RdfFormat::NQuads) {
            let (graph, profile) = (input.graph.clone(), Arc::clone(input.profile));
            lines::spawn(
                scope,
                opened,
                LineOptions {
                    name,
                    format,
                    graph,
                    profile,
                },
            )
        } else {
            let (sender, receiver) = bounded(QUEUE);
            let (graph, profile) = (input.graph, input.profile);
            scope.spawn(move || {
                let document = Document {
                    name: &name,
                    format,
                    graph,
                    profile,
                    sender: &sender,
                };
                if let Err(error) = document.parse(opened) {
                    // A receiver that is gone has an error of its own to report.
                    let _ = sender.send(Err(error));
                }
            });
            vec![receiver]
        };
        let stream = Stream::new(workers, rejects, &mut counts, options);
        store.bulk_load(stream)
    })?;
    Ok(counts)
}

/// The serialisation of a file name extension.
fn rdf_format(extension: &str) -> Option<RdfFormat> {
    match extension {
        // Some publishers' names that the library does not know.
        "owl" => Some(RdfFormat::RdfXml),
        "json" => RdfFormat::from_extension("jsonld"),
        extension => RdfFormat::from_extension(extension),
    }
}

/// One document of a serialisation that is not read by the line.
struct Document<'a> {
    name: &'a str,
    format: RdfFormat,
    graph: &'a NamedNode,
    profile: &'a RdfProfile,
    sender: &'a Sender<Result<Batch>>,
}

impl Document<'_> {
    /// Parses to the end and sends batches; ends early and without error when nobody receives them any more.
    fn parse(&self, opened: Opened) -> Result<()> {
        let Opened { reader, raw, seed } = opened;
        let mut place = Place {
            graph: self.graph,
            skolem: ByFirstUse::new(&seed),
        };
        let reader = self.non_empty(reader, &raw)?;
        let mut batch = Batch::default();
        for quad in RdfParser::from_format(self.format).for_reader(reader) {
            match quad {
                Ok(quad) => batch.quads.push(place.quad(quad)),
                Err(RdfParseError::Io(error)) => return Err(raw.explain(error)),
                Err(RdfParseError::Syntax(error)) => batch.rejects.push(self.reject(&error)?),
            }
            if place.skolem.known.len() > MAX_UNLABELLED {
                return Err(Error::TooManyBlankNodes {
                    name: self.name.to_owned(),
                    limit: MAX_UNLABELLED,
                });
            }
            if batch.quads.len() + batch.rejects.len() >= BATCH_QUADS
                && !self.send(std::mem::take(&mut batch))
            {
                return Ok(());
            }
        }
        batch.is_last = true;
        self.send(batch);
        Ok(())
    }

    /// The reader without its byte order mark; an error when there is nothing in it.
    fn non_empty<R: Read>(&self, mut reader: R, raw: &RawState) -> Result<impl Read + use<R>> {
        let mut head = Vec::new();
        (&mut reader)
            .take(3)
            .read_to_end(&mut head)
            .map_err(|error| raw.explain(error))?;
        if head.is_empty() {
            return Err(Error::Empty {
                name: self.name.to_owned(),
            });
        }
        if head == b"\xef\xbb\xbf" {
            head.clear();
        }
        Ok(BufReader::new(std::io::Cursor::new(head).chain(reader)))
    }

    fn send(&self, mut batch: Batch) -> bool {
        batch.counts = self.profile.counts(&batch.quads);
        self.sender.send(Ok(batch)).is_ok()
    }

    fn reject(&self, error: &RdfSyntaxError) -> Result<Reject> {
        match error.location() {
            Some(place) if matches!(self.format, RdfFormat::Turtle | RdfFormat::TriG) => Ok(Reject {
                line: place.start.line + 1,
                offset: place.start.offset,
                reason: error.to_string(),
                record: String::new(),
            }),
            _ => Err(Error::Syntax {
                name: self.name.to_owned(),
                reason: error.to_string(),
            }),
        }
    }
}

/// Names blank nodes of a document that is read from its beginning to its end by one parser. Labels that stand in it are
/// used; nodes without one get a random number from the parser, and here the ordinal of their first use in its place.
struct ByFirstUse<'a> {
    by_label: ByLabel<'a>,
    known: FxHashMap<u128, u64>,
}

impl<'a> ByFirstUse<'a> {
    fn new(seed: &'a str) -> Self {
        Self {
            by_label: ByLabel { seed },
            known: FxHashMap::default(),
        }
    }
}

impl Skolem for ByFirstUse<'_> {
    fn iri(&mut self, node: &BlankNode) -> NamedNode {
        let Some(number) = node.as_ref().unique_id() else {
            return self.by_label.iri(node);
        };
        let next = self.known.len() as u64;
        let ordinal = *self.known.entry(number).or_insert(next);
        // No label can begin with "~".
        NamedNode::new_unchecked(format!("urn:coevo:bnode:{}:~{ordinal}", self.by_label.seed))
    }
}
