//! What can go wrong in memory: [`Error`]. What a proposed triple is refused for is no error but a [`Reason`](crate::Reason).

use oxrdf::NamedNode;

/// Errors of memory.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The store failed.
    #[error(transparent)]
    Graph(#[from] coevo_graph::Error),
    /// The name of a space is malformed.
    #[error("`{space}` is not a valid name of a memory space")]
    BadSpace {
        /// The name.
        space: String,
    },
    /// The identifier of a run cannot stand in an IRI.
    #[error("`{id}` is not a valid identifier of a run")]
    BadRunId {
        /// The identifier.
        id: String,
    },
    /// A mention or a relation holds no letter or digit to name it by.
    #[error("`{text}` has no letter or digit to make a name of")]
    EmptyName {
        /// The text.
        text: String,
    },
    /// A text is longer than memory keeps.
    #[error("the {what} has {length} characters; at most {limit} are kept")]
    TooLong {
        /// Which text.
        what: &'static str,
        /// Its length in characters.
        length: usize,
        /// The limit in characters.
        limit: usize,
    },
    /// More items than one call takes.
    #[error("{n} {what} in one call; at most {limit} are taken")]
    TooMany {
        /// Which items.
        what: &'static str,
        /// How many there were.
        n: usize,
        /// How many are taken.
        limit: usize,
    },
    /// Somebody else changed the claims first.
    #[error("the change of {what} lost a race")]
    Conflict {
        /// What was being changed.
        what: String,
    },
    /// There is no such claim in this space.
    #[error("there is no claim {claim}")]
    UnknownClaim {
        /// The claim.
        claim: NamedNode,
    },
    /// The claim has no quotation that holds its subject and its object.
    #[error("{claim} has no quotation that holds its subject and its object, so it cannot be accepted")]
    NotGrounded {
        /// The claim.
        claim: NamedNode,
    },
    /// A node in the store lacks a part or holds nonsense.
    #[error("{node} is damaged: {what}")]
    Damaged {
        /// The claim, evidence, run or decision.
        node: NamedNode,
        /// What is wrong.
        what: String,
    },
    /// The inverse of a decision could not be written.
    #[error("the inverse of a decision could not be written")]
    Inverse(#[from] serde_json::Error),
    /// A worker of the blocking pool died, or the program is ending.
    #[error("a worker thread stopped unexpectedly")]
    Worker(#[from] tokio::task::JoinError),
}

impl Error {
    /// What a person can do about it, printed at the edge only.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Graph(error) => return error.hint(),
            Self::BadSpace { .. } => {
                "names of spaces are lower-case letters, digits and '-', at most 64, starting with a letter or digit".to_owned()
            }
            Self::BadRunId { .. } => {
                "identifiers of runs are ASCII letters, digits, '-', '_' and '.', at most 64".to_owned()
            }
            Self::TooMany { limit, .. } => format!("send them in parts of at most {limit}"),
            Self::Conflict { .. } => "look at the claim again and repeat the action if it is still wanted".to_owned(),
            Self::UnknownClaim { .. } => "`coevo claims list` shows the claims of the space".to_owned(),
            Self::Damaged { .. } => "an update from outside changed the claims graph; `coevo check` lists what is affected".to_owned(),
            _ => return None,
        })
    }
}
