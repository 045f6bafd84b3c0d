//! Dumps and documents into the graph, the label index and the vectors: [`ingest`].
//!
//! A run takes inputs one by one. Each is loaded wholly or not at all, and noted in `urn:coevo:system` once it is in;
//! loading it again unchanged does nothing. Labels and vectors are derived from the graph afterwards, so a run that was
//! killed anywhere ends in the same state when the same command is run again.
//!
//! Streams: no input is held whole. Memory: about 20 MiB of text and triples between the threads (up to six times 64 MiB
//! where single lines are that long), the store's loader (batches of a million quads: about 1.1 GB with one in hand, 1.8 GB
//! with two), and at most 0.5 GB for counting popularity, after the loader is done.
//! The crate reads no clock, no environment and no configuration.

mod compression;
mod documents;
mod embed;
mod error;
mod input;
mod labels;
mod lines;
mod place;
mod profile;
mod rdf;
mod registry;
mod rejects;
mod report;
mod run;
mod stream;

pub use error::{Error, Result};
pub use labels::reindex_labels;
pub use profile::profile_names;
pub use report::{
    Counts, Embedding, IngestRequest, Input, InputReport, Outcome, Phase, Progress, Report, Targets,
};
pub use run::ingest;

#[cfg(test)]
mod tests;
