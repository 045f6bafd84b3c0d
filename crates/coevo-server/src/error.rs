//! What can go wrong in a view: [`Error`]. What goes wrong over HTTP is a `Problem`; `faults.rs` maps the one to the other.

use oxrdf::NamedNode;

/// Errors of [`views`](crate::views).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Passages are searched and there is no embedder.
    #[error("passages cannot be searched by meaning: no embedding model is loaded")]
    NoEmbedder,
    /// Nothing in the store names this entity.
    #[error("nothing is known about {iri}")]
    UnknownEntity {
        /// The entity.
        iri: NamedNode,
    },
    /// The graph failed.
    #[error(transparent)]
    Graph(#[from] coevo_graph::Error),
    /// The memory failed, or it refused.
    #[error(transparent)]
    Memory(#[from] coevo_memory::Error),
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] coevo_reason::Error),
}

impl Error {
    /// What a person can do about it, printed at the edge only.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoEmbedder => Some(
                "run scripts/fetch-models.sh embedder; COEVO_MODELS_DIR says where models are".to_owned(),
            ),
            Self::UnknownEntity { .. } => Some("find its identifier with `coevo link`".to_owned()),
            Self::Graph(error) => error.hint(),
            Self::Memory(error) => error.hint(),
            Self::Engine(error) => error.hint(),
        }
    }
}
