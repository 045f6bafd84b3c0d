//! What can go wrong with a question set: [`Error`], naming file and line. A question that fails is not an error here: it
//! is a row of the report.

use std::io;
use std::path::PathBuf;

/// Errors of reading a question set.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Opening or reading the file failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not a question.
    #[error("{}, line {line}: {reason}", path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A line is longer than any question.
    #[error("{}, line {line}: longer than {limit} bytes", path.display())]
    LineTooLong {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// An id occurs twice.
    #[error("{}, line {line}: id `{id}` occurs twice", path.display())]
    RepeatedId {
        /// The file.
        path: PathBuf,
        /// The second line, from 1.
        line: usize,
        /// The id.
        id: String,
    },
    /// The file holds no question.
    #[error("{}: no questions in it", .0.display())]
    NoQuestions(PathBuf),
}

impl Error {
    /// What a person can do about it, printed at the edge only.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::BadLine { .. } | Self::NoQuestions(_) => {
                Some(r#"one JSON object a line: {"id": "q1", "question": "…", "answers": ["…"]}"#.to_owned())
            }
            Self::LineTooLong { .. } => {
                Some("is it one JSON object a line (JSON Lines), not one big array?".to_owned())
            }
            Self::RepeatedId { .. } => Some("ids name the rows of the report: make them unique".to_owned()),
            Self::Io(_) => None,
        }
    }
}
