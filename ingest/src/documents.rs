//! Document inputs: [`load`] reads documents in a thread of its own, splits them into passages and makes quads.
//!
//! IRIs are made of the document's content hash, so the same document again adds nothing. Offsets count characters
//! (Unicode scalar values) of the document's text, which the passages hold piece by piece.

use std::io::BufReader;

use coevo_documents::{Document, DocumentKind, ReadOptions, Record, SplitOptions, read_documents, split};
use coevo_graph::{Graph, vocab};
use crossbeam_channel::{Sender, bounded};
use oxrdf::vocab::{rdf, rdfs, xsd};
use oxrdf::{Literal, NamedNode, NamedNodeRef, Quad, Term};

use crate::error::{Error, Result};
use crate::input::{Opened, RawState, Source};
use crate::profile::DocumentsProfile;
use crate::rejects::{Reject, Rejects};
use crate::report::Counts;
use crate::stream::{Batch, Stream, StreamOptions};

const BATCH_QUADS: usize = 4096;
const QUEUE: usize = 4;

/// What to load where.
pub(crate) struct DocumentsInput<'a> {
    pub(crate) source: &'a Source,
    pub(crate) graph: &'a NamedNode,
    pub(crate) collection: &'a str,
    pub(crate) profile: &'a DocumentsProfile,
}

/// Loads one input into the store, wholly or not at all.
pub(crate) fn load(
    store: &Graph,
    input: &DocumentsInput<'_>,
    opened: Opened,
    rejects: &mut Rejects,
    options: StreamOptions<'_>,
) -> Result<Counts> {
    let name = options.name;
    let kind = DocumentKind::from_extension(&input.source.format).ok_or_else(|| Error::FormatNeeded {
        name: name.to_owned(),
        known: input.profile.formats.join(", "),
    })?;
    let mut counts = Counts::default();
    std::thread::scope(|scope| {
        let (sender, receiver) = bounded(QUEUE);
        scope.spawn(move || {
            if let Err(error) = read(input, kind, opened, &sender) {
                // A receiver that is gone has an error of its own to report.
                let _ = sender.send(Err(error));
            }
        });
        let stream = Stream::new(vec![receiver], rejects, &mut counts, options);
        store.bulk_load(stream)
    })?;
    Ok(counts)
}

/// Reads to the end and sends batches; ends early and without error when nobody receives them any more.
fn read(
    input: &DocumentsInput<'_>,
    kind: DocumentKind,
    opened: Opened,
    sender: &Sender<Result<Batch>>,
) -> Result<()> {
    let Opened { reader, raw, .. } = opened;
    let options = ReadOptions {
        name: input.source.name.clone(),
        stem: input.source.stem(),
        collection: input.collection.to_owned(),
    };
    let split_options = SplitOptions {
        max_chars: input.profile.max_passage_chars,
    };
    let mut is_empty = true;
    let mut batch = Batch::default();
    for record in read_documents(BufReader::new(reader), kind, options) {
        is_empty = false;
        match record.map_err(|error| explain(error, &raw))? {
            Record::Document(document) => {
                let quads = quads(&document, input.graph, &split_options, &mut batch.counts);
                batch.quads.extend(quads);
            }
            Record::Rejected(error) => batch.rejects.push(Reject {
                line: error.line,
                offset: error.offset,
                reason: error.reason,
                record: error.record,
            }),
        }
        if batch.quads.len() + batch.rejects.len() >= BATCH_QUADS
            && sender.send(Ok(std::mem::take(&mut batch))).is_err()
        {
            return Ok(());
        }
    }
    if is_empty {
        return Err(Error::Empty {
            name: input.source.name.clone(),
        });
    }
    batch.is_last = true;
    let _ = sender.send(Ok(batch));
    Ok(())
}

fn explain(error: coevo_documents::Error, raw: &RawState) -> Error {
    match error {
        coevo_documents::Error::Read { source, .. } => raw.explain(source),
        error => error.into(),
    }
}

/// The IRI of a document.
fn document_iri(document: &Document) -> NamedNode {
    NamedNode::new_unchecked(format!("urn:coevo:doc:{}", document.short_hash()))
}

fn quads(document: &Document, graph: &NamedNode, options: &SplitOptions, counts: &mut Counts) -> Vec<Quad> {
    let mut quads = Vec::new();
    let mut push = |subject: &NamedNode, predicate: NamedNodeRef<'_>, object: Term| {
        quads.push(Quad::new(subject.clone(), predicate, object, graph.clone()));
    };
    let node = document_iri(document);
    push(&node, rdf::TYPE, vocab::DOCUMENT.into_owned().into());
    push(&node, rdfs::LABEL, Literal::from(document.title.as_str()).into());
    push(
        &node,
        vocab::CONTENT_HASH,
        Literal::from(document.content_hash.as_str()).into(),
    );
    // What cannot be an IRI is kept as words: it still tells sources apart.
    let root_source = match NamedNode::new(&document.root_source) {
        Ok(iri) => iri.into(),
        Err(_) => Literal::from(document.root_source.as_str()).into(),
    };
    push(&node, vocab::ROOT_SOURCE, root_source);
    if let Some(language) = &document.language {
        push(&node, vocab::IN_LANGUAGE, Literal::from(language.as_str()).into());
    }
    for passage in split(&document.text, options) {
        let iri = format!("urn:coevo:passage:{}:{}", document.short_hash(), passage.ordinal);
        let iri = NamedNode::new_unchecked(iri);
        push(&iri, rdf::TYPE, vocab::PASSAGE.into_owned().into());
        push(&iri, vocab::IN_DOCUMENT, node.clone().into());
        push(&iri, vocab::OA_START, integer(passage.start));
        push(&iri, vocab::OA_END, integer(passage.end));
        push(&iri, vocab::TEXT, Literal::from(passage.text.as_str()).into());
        counts.passages += 1;
    }
    counts.documents += 1;
    counts.records += 1;
    quads
}

fn integer(value: usize) -> Term {
    Literal::new_typed_literal(value.to_string(), xsd::INTEGER).into()
}
