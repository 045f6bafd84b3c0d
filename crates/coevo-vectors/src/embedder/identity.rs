//! Which model made a vector, and how: two vectors may be compared only if this is equal.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{files, tokens};

pub(super) const DIMENSION: usize = 384;

/// Everything that decides what vector a text gets. Stored beside the vectors it made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbedderIdentity {
    /// The model's name, as `all-MiniLM-L6-v2`.
    pub model: String,
    /// SHA-256 of its weights, in hexadecimal.
    pub sha256: String,
    /// SHA-256 of its tokenizer, in hexadecimal.
    pub tokenizer_sha256: String,
    /// Numbers in a vector.
    pub dimension: usize,
    /// What is put before each text; empty for none.
    pub prefix: String,
    /// Whether vectors have length 1.
    pub normalised: bool,
    /// Tokens of a text that count, the two special ones included.
    pub max_tokens: usize,
    /// How the vectors of the tokens become one: `mean`.
    pub pooling: String,
}

impl EmbedderIdentity {
    /// Twelve hexadecimal digits that differ when anything in the identity differs.
    pub fn fingerprint(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for part in [
            &self.model,
            &self.sha256,
            &self.tokenizer_sha256,
            &self.dimension.to_string(),
            &self.prefix,
            &self.normalised.to_string(),
            &self.max_tokens.to_string(),
            &self.pooling,
        ] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.finalize().to_hex()[..12].to_owned()
    }
}

/// For people: name, dimension and fingerprint.
impl fmt::Display for EmbedderIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} ({} dimensions, {})",
            self.model,
            self.dimension,
            self.fingerprint()
        )
    }
}

pub(super) fn minilm() -> EmbedderIdentity {
    EmbedderIdentity {
        model: "all-MiniLM-L6-v2".into(),
        sha256: files::WEIGHTS.sha256.into(),
        tokenizer_sha256: files::TOKENIZER.sha256.into(),
        dimension: DIMENSION,
        prefix: String::new(),
        normalised: true,
        max_tokens: tokens::MAX_TOKENS,
        pooling: "mean".into(),
    }
}
