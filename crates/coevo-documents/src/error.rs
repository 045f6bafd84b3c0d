//! The crate's [`Error`] and the [`RecordError`] of a damaged record.

use std::io;

/// Result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What ends the reading of a whole input. One damaged record does not: that is a [`RecordError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The reader failed, or the compressed data behind it ended early.
    #[error("{name}: reading failed")]
    Read {
        /// The input, as the caller named it.
        name: String,
        /// What the reader said.
        #[source]
        source: io::Error,
    },
    /// A text or Markdown file holds bytes that are not UTF-8.
    #[error("{name}: not UTF-8 at byte {byte}")]
    NotUtf8 {
        /// The input.
        name: String,
        /// Offset of the first bad byte, from 0, in the decompressed file.
        byte: u64,
    },
    /// A text or Markdown file is larger than one document may be.
    #[error("{name}: one document of more than {limit} bytes")]
    TooLarge {
        /// The input.
        name: String,
        /// The limit, in bytes.
        limit: u64,
    },
    /// A text or Markdown file holds white space only.
    #[error("{name}: no text in it")]
    Blank {
        /// The input.
        name: String,
    },
}

impl Error {
    /// What a person can do about it, printed at the edge only.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Read { .. } | Self::Blank { .. } => None,
            Self::NotUtf8 { name, .. } => Some(format!(
                "convert it first, for example: iconv -f WINDOWS-1252 -t UTF-8 {name}"
            )),
            Self::TooLarge { .. } => Some(
                "split the file, or give one document a line as JSON ({\"title\": …, \"text\": …}, extension .jsonl)"
                    .to_owned(),
            ),
        }
    }
}

/// One record that was not taken: where it stands, why, and its text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct RecordError {
    /// Line of the record, from 1.
    pub line: u64,
    /// Byte offset of the line's first byte in the decompressed input, from 0.
    pub offset: u64,
    /// Why it was not taken.
    pub reason: String,
    /// The record, cut at 2,048 bytes; bytes that are not UTF-8 replaced.
    pub record: String,
}
