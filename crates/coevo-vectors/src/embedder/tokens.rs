//! Text to word pieces, bounded. The tokenizer's own file cuts and pads at 128; the model was made for 256, and padding is
//! added here per batch.

use tokenizers::{Tokenizer, TruncationParams};

use crate::error::Source;
use crate::{Error, Result};

/// What the model's authors use (`max_seq_length`), special tokens included.
pub(super) const MAX_TOKENS: usize = 256;

/// A word of more than 100 characters is one unknown token, so that 254 tokens never take more than 25,400 characters of
/// words; the rest of this bound is for white space.
const MAX_CHARACTERS: usize = 32_768;

pub(super) struct Tokens {
    tokenizer: Tokenizer,
}

impl Tokens {
    pub(super) fn load(json: &[u8]) -> Result<Self, Source> {
        let mut tokenizer = Tokenizer::from_bytes(json)?;
        tokenizer.with_padding(None);
        tokenizer.with_truncation(Some(TruncationParams {
            max_length: MAX_TOKENS,
            ..TruncationParams::default()
        }))?;
        Ok(Self { tokenizer })
    }

    /// Between 2 and [`MAX_TOKENS`] ids: the start mark, word pieces, the end mark.
    pub(super) fn encode(&self, text: &str) -> Result<Vec<i32>> {
        let encoding = self.tokenizer.encode_fast(head(text), true);
        let ids = encoding.map_err(|source| Error::Inference {
            n_texts: 1,
            n_tokens: MAX_TOKENS,
            source,
        })?;
        Ok(ids.get_ids().iter().map(|&id| id.cast_signed()).collect())
    }
}

/// The first [`MAX_CHARACTERS`] characters.
fn head(text: &str) -> &str {
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}
