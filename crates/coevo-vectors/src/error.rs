//! What can go wrong with models and vectors, each naming the file, collection or point it is about.

use std::path::{Path, PathBuf};

/// The crate's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of another library, kept as the source without its type.
pub(crate) type Source = Box<dyn std::error::Error + Send + Sync>;

/// Why an embedder or an index refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file of the embedding model is not there.
    #[error("the model file {} does not exist", path.display())]
    ModelMissing {
        /// The file looked for.
        path: PathBuf,
    },
    /// A file of the embedding model is another one than this version was built for.
    #[error("{} is not the expected model file: its SHA-256 is {found}, not {expected}", path.display())]
    WrongModel {
        /// The file.
        path: PathBuf,
        /// SHA-256 in hexadecimal of the file this version knows.
        expected: String,
        /// SHA-256 in hexadecimal of the file found.
        found: String,
    },
    /// The model's files have the right hashes, yet the runtime cannot use them.
    #[error("the embedding model in {} cannot be loaded", dir.display())]
    ModelLoad {
        /// The model's directory.
        dir: PathBuf,
        /// What the runtime said.
        #[source]
        source: Source,
    },
    /// The model failed while running.
    #[error("the embedding model failed on a batch of {n_texts} texts of at most {n_tokens} tokens")]
    Inference {
        /// Texts in the batch.
        n_texts: usize,
        /// Tokens of the longest.
        n_tokens: usize,
        /// What the runtime said.
        #[source]
        source: Source,
    },
    /// Reading or writing a file failed; the source names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The collection is open elsewhere, in this process or another.
    #[error("the vectors of collection '{collection}' in {} are in use by another process", dir.display())]
    InUse {
        /// The collection.
        collection: String,
        /// Its directory.
        dir: PathBuf,
    },
    /// The collection's vectors were made by another embedder: the two cannot be compared.
    #[error("the vectors of collection '{collection}' in {} were made by {found}, not by {expected}", dir.display())]
    OtherEmbedder {
        /// The collection.
        collection: String,
        /// The directory of its vectors.
        dir: PathBuf,
        /// The embedder asked for.
        expected: String,
        /// The embedder that made the stored vectors.
        found: String,
    },
    /// The index was written by a later version.
    #[error("{} has format version {found}; this version reads up to {supported}", path.display())]
    FormatVersion {
        /// The identity file.
        path: PathBuf,
        /// The version found.
        found: u32,
        /// The highest version known here.
        supported: u32,
    },
    /// A file of the index cannot be understood.
    #[error("{} is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A vector has another length than the collection's.
    #[error(
        "the vector of {what} has {found} numbers; collection '{collection}' holds vectors of {expected}"
    )]
    Dimension {
        /// The point's IRI, or "the query".
        what: String,
        /// The collection.
        collection: String,
        /// Its dimension.
        expected: usize,
        /// Length of the vector given.
        found: usize,
    },
    /// A vector holds a NaN or an infinity.
    #[error("the vector of {what} holds a number that is not finite")]
    NotFinite {
        /// The point's IRI, or "the query".
        what: String,
    },
    /// Too little space is left on the disk: nothing was begun, for the store would not survive running out.
    #[error("only {} MB are free on the disk of {}; {} MB are needed", free >> 20, dir.display(), (needed >> 20) + 1)]
    DiskFull {
        /// The collection's directory.
        dir: PathBuf,
        /// Free bytes.
        free: u64,
        /// Bytes that must be free before it starts.
        needed: u64,
    },
    /// The vector store failed.
    #[error("the vector store in {} could not {action}", dir.display())]
    Store {
        /// The collection's directory.
        dir: PathBuf,
        /// What was attempted, as "write points".
        action: &'static str,
        /// What the store said.
        #[source]
        source: Source,
    },
    /// The program is shutting down, so that the work was not started.
    #[error("the program is stopping")]
    Stopping,
}

impl Error {
    /// What a person can do about it, when something can be said.
    pub fn hint(&self) -> Option<String> {
        let fetch = "run scripts/fetch-models.sh embedder; COEVO_MODELS_DIR says where models are";
        match self {
            Self::ModelMissing { .. } => Some(fetch.into()),
            Self::WrongModel { path, .. } => Some(format!("remove {} and {fetch}", path.display())),
            Self::InUse { .. } => Some("stop the other process, or ask it with --server URL".into()),
            Self::OtherEmbedder { dir, .. } => Some(format!(
                "use the embedder that made them, or remove {} and ingest again",
                dir.display()
            )),
            Self::FormatVersion { .. } => Some("use the newer version that wrote it".into()),
            Self::Damaged { path, .. } => {
                let dir = path.parent().unwrap_or(path);
                Some(format!(
                    "vectors can be rebuilt: remove {} and ingest again",
                    dir.display()
                ))
            }
            Self::DiskFull { .. } => {
                Some("free some space, or move the data directory to a bigger disk".into())
            }
            Self::Store { dir, .. } => Some(format!(
                "check the free space and the permissions of {}",
                dir.display()
            )),
            Self::ModelLoad { .. }
            | Self::Inference { .. }
            | Self::Io(_)
            | Self::Dimension { .. }
            | Self::NotFinite { .. }
            | Self::Stopping => None,
        }
    }

    pub(crate) fn store(dir: &Path, action: &'static str, source: impl Into<Source>) -> Self {
        Self::Store {
            dir: dir.to_owned(),
            action,
            source: source.into(),
        }
    }
}
