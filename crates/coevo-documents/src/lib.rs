//! Text from files: documents, passages with exact character spans, sentences.
//!
//! Start at [`read_documents`] (records of a `.jsonl`, `.md` or `.txt` stream), then [`split`] a document's text into
//! [`Passage`]s and a passage into [`sentences`].
//!
//! The crate knows files and text only: no graph, no embedding, no model. It opens no file itself; a reader comes in, so
//! that decompression, hashing and progress stay with the caller.

mod document;
mod error;
mod read;
mod sentences;
mod split;

pub use document::Document;
pub use error::{Error, RecordError, Result};
pub use read::{DocumentKind, Documents, ReadOptions, Record, read_documents};
pub use sentences::sentences;
pub use split::{Passage, SplitOptions, split};
