//! Embeddings and nearest neighbours, in process.
//!
//! [`Embedder`] turns text into unit vectors (all-MiniLM-L6-v2, full precision, run by rten). [`VectorIndex`] keeps one
//! collection of such vectors on disk (Qdrant Edge) and finds the nearest. The two are tied by [`EmbedderIdentity`]: an index
//! refuses vectors made by another model, other weights or other settings.
//!
//! ```no_run
//! use coevo_vectors::{Embedder, Point, VectorIndex};
//! # fn main() -> Result<(), coevo_vectors::Error> {
//! let embedder = Embedder::load("models/minilm".as_ref())?;
//! let index = VectorIndex::open("data/vectors".as_ref(), "passages", embedder.identity())?;
//! let vector = embedder.embed(&["Ada Lovelace wrote the first program."])?.remove(0);
//! index.upsert(vec![Point { iri: "urn:p:1".into(), vector, group: "notes".into(), document: "urn:d:1".into() }])?;
//! let question = embedder.embed(&["Who was the first programmer?"])?.remove(0);
//! assert_eq!(index.search(&question, 5, None)?[0].iri, "urn:p:1");
//! # Ok(()) }
//! ```
//!
//! Everything takes `&self`, is `Send + Sync` and cheap to clone. Plain methods block; those ending in `_async` run the same on
//! the blocking pool. Vectors are derived data: the texts and what they belong to live in the graph, which this crate does not
//! know, and an index can be rebuilt from there. It downloads nothing and reads no environment.

mod blocking;
mod embedder;
mod error;
mod index;

pub use embedder::{Embedder, EmbedderIdentity, EmbedderOptions};
pub use error::{Error, Result};
pub use index::{Hit, Point, VectorIndex};
