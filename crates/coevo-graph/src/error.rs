//! What can go wrong in the graph crate: [`Error`], each variant naming its thing, with a hint for people.

use std::io;
use std::path::PathBuf;

/// Errors of stored triples, labels and traversal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another process holds the data directory.
    #[error("{} is in use by {holder}", dir.display())]
    LockHeld {
        /// The data directory.
        dir: PathBuf,
        /// Who holds it, as its lock file says.
        holder: String,
    },
    /// The directory holds no Coevo data.
    #[error("{} is not a Coevo data directory", .0.display())]
    NotInitialised(PathBuf),
    /// The directory holds something else.
    #[error("{} is not empty and is not a Coevo data directory", .0.display())]
    NotEmpty(PathBuf),
    /// The directory was written by a newer version.
    #[error("{} has format {found}; this program reads up to {supported}", dir.display())]
    NewerFormat {
        /// The data directory.
        dir: PathBuf,
        /// Format number found.
        found: u32,
        /// Newest format this program reads.
        supported: u32,
    },
    /// `coevo.json` cannot be understood.
    #[error("{} is damaged: {reason}", path.display())]
    DamagedMarker {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Reading or writing a file failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The disk is full.
    #[error("no space left on the disk of {}", .0.display())]
    DiskFull(PathBuf),
    /// The store cannot be written.
    #[error("{} cannot be written: {reason}", path.display())]
    NotWritable {
        /// The store's directory.
        path: PathBuf,
        /// The engine's words.
        reason: String,
    },
    /// The store itself failed.
    #[error("the store failed: {0}")]
    Store(#[source] Box<oxigraph::store::StorageError>),
    /// The store failed while a query read it.
    #[error("the store failed: {0}")]
    Read(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The query or update is not SPARQL 1.1.
    #[error("SPARQL syntax: {0}")]
    Syntax(#[source] Box<spargebra::SparqlSyntaxError>),
    /// The query or update is nested too deeply or has too many operators.
    #[error("the query is too complex: more than {nesting} nested brackets or {operators} operators")]
    TooComplex {
        /// Deepest nesting taken.
        nesting: usize,
        /// Most operators taken.
        operators: usize,
    },
    /// The query failed while it ran.
    #[error("the query failed: {0}")]
    Evaluation(#[source] Box<oxigraph::sparql::QueryEvaluationError>),
    /// The update failed while it ran.
    #[error("the update failed: {0}")]
    Update(#[source] Box<oxigraph::sparql::UpdateEvaluationError>),
    /// The deadline passed.
    #[error("the query was stopped after {seconds:.1} s")]
    Deadline {
        /// The deadline in seconds.
        seconds: f64,
    },
    /// The caller went away.
    #[error("the operation was cancelled")]
    Cancelled,
    /// The result form does not fit the query form.
    #[error("a {kind} query cannot be answered in {format}")]
    WrongFormat {
        /// Select, Ask or Graph.
        kind: &'static str,
        /// The format asked for.
        format: String,
    },
    /// A precondition of a change did not hold: somebody was faster.
    #[error("the change lost a race: {what}")]
    Conflict {
        /// The quad that was missing or in the way.
        what: String,
    },
    /// A name of a source, collection or space is malformed.
    #[error("`{name}` is not a valid name")]
    BadName {
        /// The name.
        name: String,
    },
    /// RDF that was sent cannot be parsed.
    #[error("RDF syntax: {0}")]
    RdfSyntax(#[source] Box<oxrdfio::RdfParseError>),
    /// RDF with named graphs was sent where one graph is meant.
    #[error("the data names graphs of its own, but one graph is being written")]
    NamedGraphsInGraph,
    /// The label index failed.
    #[error("the label index failed: {0}")]
    Labels(#[from] tantivy::TantivyError),
    /// A worker of the blocking pool died.
    #[error("a worker thread stopped unexpectedly")]
    Worker(#[from] tokio::task::JoinError),
}

impl Error {
    /// What a person can do about it, printed at the edge only.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::LockHeld { .. } => {
                "stop that process, or talk to it: use --server URL instead of --location DIR".to_owned()
            }
            Self::NotInitialised(dir) => format!("create one with `coevo init {}`", dir.display()),
            Self::NotEmpty(_) => "choose an empty or a new directory".to_owned(),
            Self::NewerFormat { .. } => "use the newer program, or ingest into a new directory".to_owned(),
            Self::DamagedMarker { .. } => "restore the file from a backup of the directory".to_owned(),
            Self::DiskFull(_) => "free some space and run the same command again; nothing half-written is kept".to_owned(),
            Self::NotWritable { .. } => "check that the disk is mounted read-write and the directory is yours".to_owned(),
            Self::TooComplex { .. } => "split it, or use VALUES instead of long chains of || and UNION".to_owned(),
            Self::Deadline { .. } => "narrow the query, add a LIMIT, or raise the timeout".to_owned(),
            Self::BadName { .. } => "names are lower-case letters, digits, '-', '_' and '.', at most 64, starting with a letter or digit".to_owned(),
            Self::WrongFormat { kind: "Graph", .. } => "CONSTRUCT and DESCRIBE give triples: ask for nt, ttl or json-ld".to_owned(),
            Self::WrongFormat { .. } => "SELECT and ASK give rows: ask for json, xml, csv, tsv or table".to_owned(),
            Self::NamedGraphsInGraph => "send a triples format (nt, ttl), or quads without naming a graph".to_owned(),
            Self::Io(error) => return io_hint(error),
            _ => return None,
        })
    }

    pub(crate) fn syntax(error: spargebra::SparqlSyntaxError) -> Self {
        Self::Syntax(Box::new(error))
    }

    pub(crate) fn rdf(error: oxrdfio::RdfParseError) -> Self {
        match error {
            oxrdfio::RdfParseError::Io(error) => Self::Io(error),
            syntax @ oxrdfio::RdfParseError::Syntax(_) => Self::RdfSyntax(Box::new(syntax)),
        }
    }
}

impl From<oxigraph::store::StorageError> for Error {
    fn from(error: oxigraph::store::StorageError) -> Self {
        Self::Store(Box::new(error))
    }
}

impl From<oxigraph::sparql::QueryEvaluationError> for Error {
    fn from(error: oxigraph::sparql::QueryEvaluationError) -> Self {
        match error {
            oxigraph::sparql::QueryEvaluationError::Cancelled => Self::Cancelled,
            oxigraph::sparql::QueryEvaluationError::Dataset(source) => Self::Read(source),
            other => Self::Evaluation(Box::new(other)),
        }
    }
}

fn io_hint(error: &io::Error) -> Option<String> {
    match error.kind() {
        io::ErrorKind::StorageFull => Some("free some space and run the same command again".to_owned()),
        io::ErrorKind::ReadOnlyFilesystem => {
            Some("mount the disk read-write, or choose another directory".to_owned())
        }
        io::ErrorKind::PermissionDenied => Some("check who owns the directory".to_owned()),
        _ => None,
    }
}
