//! What can go wrong while a question is answered: [`Error`].

use std::path::PathBuf;

/// Errors of asking.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The question is empty.
    #[error("the question is empty")]
    EmptyQuestion,
    /// The question is longer than any strategy reads.
    #[error("the question has {length} characters; at most {limit} are read")]
    QuestionTooLong {
        /// Its length.
        length: usize,
        /// The limit.
        limit: usize,
    },
    /// No entity of the question is known and no passage is near it.
    #[error("nothing in the graph or the documents matches the question `{question}`")]
    NothingFound {
        /// The question, shortened.
        question: String,
    },
    /// The strategy needs a model and none is configured.
    #[error("the strategy {strategy} needs a chat model and none is configured")]
    NoModel {
        /// The strategy.
        strategy: &'static str,
    },
    /// The model was asked and not one of its replies was of use.
    #[error("no reply of the model was of use; the last: {problem}")]
    UselessModel {
        /// The last problem.
        problem: String,
    },
    /// An unknown strategy name.
    #[error("there is no strategy `{0}`")]
    UnknownStrategy(String),
    /// There is no such trace.
    #[error("there is no trace `{0}`")]
    NoTrace(String),
    /// A stored trace cannot be read.
    #[error("{} cannot be read: {reason}", path.display())]
    DamagedTrace {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A prompt template failed (a defect of the program).
    #[error("the prompt `{name}` failed: {source}")]
    Prompt {
        /// Template name.
        name: &'static str,
        /// The template engine's error.
        source: minijinja::Error,
    },
    /// Reading or writing a file failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The graph failed.
    #[error(transparent)]
    Graph(#[from] coevo_graph::Error),
    /// The vectors failed.
    #[error(transparent)]
    Vectors(#[from] coevo_vectors::Error),
    /// The model failed.
    #[error(transparent)]
    Model(#[from] coevo_llm::Error),
    /// The memory failed.
    #[error(transparent)]
    Memory(#[from] coevo_memory::Error),
    /// A worker of the blocking pool died.
    #[error("a worker thread stopped unexpectedly")]
    Worker(#[from] tokio::task::JoinError),
}

impl Error {
    /// What a person can do about it, printed at the edge only.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::EmptyQuestion => Some("write the question between quotation marks".to_owned()),
            Self::QuestionTooLong { .. } => Some("ask one thing at a time".to_owned()),
            Self::NothingFound { .. } => {
                Some("check the spelling of its names with `coevo link`, or ingest a source that knows them".to_owned())
            }
            Self::NoModel { .. } => Some(
                "set [model] base_url in coevo.toml (any OpenAI-compatible endpoint), or use --strategy evidence-only"
                    .to_owned(),
            ),
            Self::UselessModel { .. } => {
                Some("use a model that can write JSON, or --strategy evidence-only".to_owned())
            }
            Self::UnknownStrategy(_) => Some("known: evidence-only, co-e-cot".to_owned()),
            Self::NoTrace(_) => Some("list them with `coevo trace list`".to_owned()),
            Self::Graph(error) => error.hint(),
            Self::Vectors(error) => error.hint(),
            Self::Model(error) => error.hint(),
            Self::Memory(error) => error.hint(),
            _ => None,
        }
    }
}
