//! Stored triples, wherever they are: an embedded Oxigraph store with its named graphs, the label index over it, and
//! bounded traversal (k-hop, paths). Entry types: [`Location`] (the locked data directory), [`Graph`], [`LabelIndex`].
//!
//! What it promises: a failed store, an empty result and a capped result are three different outcomes; every
//! expansion has a budget and returns what it cut; a write is one atomic transaction.
//! What it refuses: it knows nothing of questions, models, prompts or documents' formats, and it lets no `oxigraph`
//! type through its face. The terms of `oxrdf` are the shared vocabulary.

mod bulk;
mod edge;
mod error;
mod expand;
mod fold;
mod graph_store;
mod khop;
mod labels;
mod location;
mod mediators;
mod mentions;
mod names;
mod paths;
mod sparql;
mod store;
pub mod vocab;

pub use bulk::BulkError;
pub use edge::{Cut, Direction, Edge, Hop, Path};
pub use error::Error;
pub use fold::{FoldedToken, fold, fold_tokens};
pub use graph_store::GraphInfo;
pub use khop::{HopBudget, HopDirection, HopOptions, Neighbourhood};
pub use labels::{Candidate, LabelIndex, LabelKind, LabelRecord};
pub use location::{Holder, Location};
pub use mediators::Mediators;
pub use mentions::{Mention, MentionOptions};
pub use paths::{PathOptions, PathsFound};
pub use sparql::{
    Cancel, DefaultDataset, OutputFormat, PreparedQuery, QueryKind, QueryOptions, Rows, UpdateOptions,
    Written,
};
pub use store::{Change, Graph};

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
