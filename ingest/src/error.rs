//! The crate's [`Error`]: each variant names its input and, where there is one, the place in it.

use std::io;
use std::path::PathBuf;

use coevo_graph::BulkError;
use oxrdf::NamedNode;

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What ends a run. Nothing of the input that is named was loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No input was given.
    #[error("no input given")]
    NoInput,
    /// An input cannot be opened.
    #[error("{}: cannot be opened: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// A directory was given where a file is meant.
    #[error("{}: is a directory", .0.display())]
    Directory(PathBuf),
    /// Nothing is in the input, or nothing comes out of its compression.
    #[error("{name}: is empty")]
    Empty {
        /// The input.
        name: String,
    },
    /// Reading failed.
    #[error("{name}: reading failed after {bytes} bytes: {source}")]
    Read {
        /// The input.
        name: String,
        /// Bytes read from it before.
        bytes: u64,
        /// The system's words.
        source: io::Error,
    },
    /// A compression that this version cannot read.
    #[error("{name}: {compression} compression is not supported yet")]
    Compression {
        /// The input.
        name: String,
        /// Its compression.
        compression: &'static str,
    },
    /// The compressed data ends in the middle.
    #[error("{name}: the {compression} data ends early, after {bytes} bytes of the file")]
    Truncated {
        /// The input.
        name: String,
        /// Its compression.
        compression: &'static str,
        /// Compressed bytes there were.
        bytes: u64,
    },
    /// The compressed data is damaged, or something else follows it.
    #[error("{name}: the {compression} data is damaged within the first {bytes} bytes of the file: {reason}")]
    Damaged {
        /// The input.
        name: String,
        /// Its compression.
        compression: &'static str,
        /// Compressed bytes read when it was noticed (reading runs ahead by up to 256 KiB).
        bytes: u64,
        /// The decoder's words.
        reason: String,
    },
    /// The file was written to while it was read.
    #[error("{name}: changed while it was read")]
    Changed {
        /// The input.
        name: String,
    },
    /// No profile of this name.
    #[error("no profile `{name}`; there are: {known}")]
    UnknownProfile {
        /// The name given.
        name: String,
        /// Those there are, comma separated.
        known: String,
    },
    /// A built-in profile cannot be read.
    #[error("profile `{name}`: {reason}")]
    BadProfile {
        /// The profile.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The format is unknown, or not one of the profile's.
    #[error("{name}: profile `{profile}` does not read format `{format}`; it reads: {known}")]
    UnknownFormat {
        /// The input.
        name: String,
        /// The profile.
        profile: String,
        /// Extension or given format.
        format: String,
        /// Those it reads, comma separated.
        known: String,
    },
    /// Nothing says what format an input has.
    #[error("{name}: the name does not say what format it has")]
    FormatNeeded {
        /// The input.
        name: String,
        /// Those the profile reads, comma separated.
        known: String,
    },
    /// Standard input was named twice.
    #[error("standard input can be read only once")]
    StdinTwice,
    /// An option that the profile does not take.
    #[error("profile `{profile}` does not take {option}")]
    OptionNotTaken {
        /// The option.
        option: &'static str,
        /// The profile.
        profile: String,
    },
    /// A graph that dumps may not be loaded into.
    #[error("{graph} is not a graph that can be loaded into")]
    ReservedGraph {
        /// The graph.
        graph: NamedNode,
    },
    /// A record is damaged and the run is strict.
    #[error("{name}, line {line} (byte {offset}): {reason}")]
    Rejected {
        /// The input.
        name: String,
        /// Line of the record, from 1.
        line: u64,
        /// Byte offset of the record in the decompressed input, from 0.
        offset: u64,
        /// What is wrong.
        reason: String,
    },
    /// A document of one piece (RDF/XML, JSON-LD) is damaged: there is no next record to go on with.
    #[error("{name}: {reason}")]
    Syntax {
        /// The input.
        name: String,
        /// What is wrong, with its place where the parser knows it.
        reason: String,
    },
    /// Every record was damaged.
    #[error("{name}: none of its {n_rejects} records can be read; the first, line {line}: {reason}")]
    NothingUsable {
        /// The input.
        name: String,
        /// Number of records.
        n_rejects: u64,
        /// Line of the first, from 1.
        line: u64,
        /// What is wrong with the first.
        reason: String,
    },
    /// More blank nodes without a label than are kept track of.
    #[error("{name}: more than {limit} blank nodes")]
    TooManyBlankNodes {
        /// The input.
        name: String,
        /// The limit.
        limit: usize,
    },
    /// A thread of the pipeline ended without a word.
    #[error("{name}: reading stopped unexpectedly")]
    Stopped {
        /// The input.
        name: String,
    },
    /// Writing a file of the data directory failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The graph or the label index failed.
    #[error(transparent)]
    Graph(#[from] coevo_graph::Error),
    /// Embedding or the vector index failed.
    #[error(transparent)]
    Vectors(#[from] coevo_vectors::Error),
    /// A text file cannot be read as a document.
    #[error(transparent)]
    Documents(#[from] coevo_documents::Error),
}

impl Error {
    /// What a person can do about it, printed at the edge only.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoInput => Some("name one or more files, or - for standard input".to_owned()),
            Self::Directory(path) => Some(format!("name the files in it, for example {}/*", path.display())),
            Self::Compression { name, .. } => Some(format!(
                "decompress on the way: xz -dc {name} | coevo ingest … --format nt -"
            )),
            Self::Empty { .. } => Some("was the download finished?".to_owned()),
            Self::Truncated { .. } => Some(
                "the download is probably not complete: compare its size and checksum with the publisher's, and fetch it again"
                    .to_owned(),
            ),
            Self::Damaged { .. } => {
                Some("compare its checksum with the publisher's; a resumed download can have a web page glued to its end".to_owned())
            }
            Self::Changed { .. } => Some("run the command again once nothing writes to it".to_owned()),
            Self::FormatNeeded { known, .. } => Some(format!("say it with --format, one of: {known}")),
            Self::UnknownFormat { .. } => Some("say the right one with --format, or choose another profile".to_owned()),
            Self::ReservedGraph { .. } => {
                Some("use urn:coevo:kg:<name>, or an IRI of your own outside urn:coevo:".to_owned())
            }
            Self::Rejected { .. } => {
                Some("without --strict, damaged records go to a rejects file and the rest is loaded".to_owned())
            }
            Self::NothingUsable { .. } => Some("is this the right --format?".to_owned()),
            Self::TooManyBlankNodes { .. } => {
                Some("convert it to N-Triples first: labels there need no book-keeping".to_owned())
            }
            Self::Graph(error) => error.hint(),
            Self::Vectors(error) => error.hint(),
            Self::Documents(error) => error.hint(),
            Self::Open { .. }
            | Self::Read { .. }
            | Self::UnknownProfile { .. }
            | Self::BadProfile { .. }
            | Self::StdinTwice
            | Self::OptionNotTaken { .. }
            | Self::Syntax { .. }
            | Self::Stopped { .. }
            | Self::Io(_) => None,
        }
    }
}

impl From<BulkError<Error>> for Error {
    fn from(error: BulkError<Error>) -> Self {
        match error {
            BulkError::Input(error) => error,
            BulkError::Store(error) => Self::Graph(error),
        }
    }
}
