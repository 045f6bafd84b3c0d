//! What goes in and what comes out: [`IngestRequest`], [`Targets`], [`Progress`], [`Report`]. Plain values; how they are
//! printed or sent is the caller's business, and so are seconds and rates: nothing here reads a clock.

use std::path::PathBuf;

use coevo_graph::{Graph, LabelIndex, Location};
use coevo_vectors::{Embedder, VectorIndex};
use oxrdf::NamedNode;

/// One input of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A file.
    Path(PathBuf),
    /// Standard input; at most once in a run, and [`IngestRequest::format`] must be given.
    Stdin,
}

/// What to load.
#[derive(Debug, Clone)]
pub struct IngestRequest {
    /// Name of a profile (see [`crate::profile_names`]).
    pub profile: String,
    /// The inputs, in order.
    pub inputs: Vec<Input>,
    /// A format of the profile (a file name extension without its dot) for all inputs; unset, each file's name says it.
    pub format: Option<String>,
    /// The graph that RDF goes into; unset, the profile's. Of Coevo's own graphs only `urn:coevo:kg:…` are allowed.
    pub graph: Option<NamedNode>,
    /// The collection that documents go into; unset, the profile's.
    pub collection: Option<String>,
    /// Stop at the first damaged record with nothing of its input loaded, instead of setting it aside.
    pub strict: bool,
    /// The time noted in the registry and in the name of the rejects file.
    pub now: jiff::Timestamp,
}

/// Where things go.
#[derive(Debug, Clone, Copy)]
pub struct Targets<'a> {
    /// The data directory (for rejects).
    pub location: &'a Location,
    /// The graph.
    pub graph: &'a Graph,
    /// The label index.
    pub labels: &'a LabelIndex,
    /// Embedder and passage index; without them passages stay unembedded and the report says so.
    pub vectors: Option<(&'a Embedder, &'a VectorIndex)>,
}

/// What a run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Reading a file to see whether it is already in. Bytes count.
    Hashing,
    /// Decompressing, parsing, storing. Bytes (of the file, compressed) and records count.
    Loading,
    /// Deriving the label index from the graph. Records count: quads looked at.
    Labels,
    /// Embedding passages. Records count: passages.
    Embedding,
}

/// One report of progress; sent every few thousand records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub phase: Phase,
    /// To which input (a graph's name in [`Phase::Labels`] and [`Phase::Embedding`]).
    pub input: String,
    /// Bytes read so far.
    pub bytes_done: u64,
    /// Bytes there are; unknown for standard input, and where bytes do not count.
    pub bytes_total: Option<u64>,
    /// Records so far (see [`Phase`]).
    pub records: u64,
    /// Records there are, where that is known.
    pub records_total: Option<u64>,
    /// Records set aside so far.
    pub rejects: u64,
}

/// What a run did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The graph that was loaded into.
    pub graph: NamedNode,
    /// One for each input, in order.
    pub inputs: Vec<InputReport>,
    /// Records of the label index for the graph; `None` when the index was up to date (or the profile has no labels).
    pub labels: Option<u64>,
    /// What happened to the passages.
    pub embedding: Embedding,
    /// The file of rejected records, when there are any.
    pub rejects_path: Option<PathBuf>,
}

/// What happened to one input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputReport {
    /// The path as given, or `-`.
    pub name: String,
    /// Loaded, or known already.
    pub outcome: Outcome,
    /// `blake3:…` of the bytes of the file as it is (compressed).
    pub content_hash: String,
    /// Bytes of the file as it is.
    pub bytes: u64,
    /// What was in it; of an unchanged input, as noted when it was loaded.
    pub counts: Counts,
}

/// Whether an input was loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was loaded.
    Loaded,
    /// The same bytes were loaded into the same graph with the same profile before: nothing was done.
    Unchanged,
}

/// What was in one input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Records read, damaged ones included: triples of RDF, documents otherwise.
    pub records: u64,
    /// Triples stored (one that is repeated, or there already, counts).
    pub triples: u64,
    /// Records set aside.
    pub rejects: u64,
    /// Triples that name or describe their subject, by the profile's predicates.
    pub names: u64,
    /// Triples that tie an entity to another source, by the profile's predicates.
    pub alignments: u64,
    /// Statement nodes with a value, by the profile's predicates.
    pub statements: u64,
    /// Documents.
    pub documents: u64,
    /// Passages.
    pub passages: u64,
}

/// What happened to the passages of the collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Embedding {
    /// The profile has no passages.
    NoPassages,
    /// There is no embedder: this many passages of the collection are searchable by SPARQL, not by meaning. The next run
    /// with an embedder embeds them.
    NoEmbedder {
        /// Passages in the collection.
        passages: u64,
    },
    /// All passages of the collection are in the index.
    Done {
        /// Embedded in this run.
        embedded: u64,
        /// In the index before.
        present: u64,
    },
}
