//! A text into passages: [`split`].
//!
//! Boundaries come from `text-splitter` (paragraphs, then lines, then sentences, then words). This module adds what Coevo
//! promises: exact *character* offsets, so that `text.chars()` from `start` to `end` is the passage, in every client
//! language. Passages do not overlap.

use text_splitter::{ChunkConfig, TextSplitter};

/// One stretch of a document's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Position among the document's passages, from 0.
    pub ordinal: u32,
    /// First character, counted in Unicode scalar values from 0.
    pub start: usize,
    /// One past the last character.
    pub end: usize,
    /// The text between `start` and `end`.
    pub text: String,
}

/// How to split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitOptions {
    /// Largest passage, in characters; 0 counts as 1.
    pub max_chars: usize,
}

impl Default for SplitOptions {
    /// 1,200 characters: about 250 tokens of English, what the default embedder reads of one text.
    fn default() -> Self {
        Self { max_chars: 1200 }
    }
}

/// Splits a text into passages of at most `max_chars` characters at the largest boundaries that fit; surrounding white
/// space belongs to no passage. A blank text gives none.
pub fn split(text: &str, options: &SplitOptions) -> Vec<Passage> {
    let splitter = TextSplitter::new(ChunkConfig::new(options.max_chars.max(1)).with_trim(true));
    let mut passages = Vec::new();
    let mut byte_at = 0;
    let mut char_at = 0;
    for (byte, chunk) in splitter.chunk_indices(text) {
        if chunk.is_empty() {
            continue;
        }
        char_at += count_chars(text, byte_at, byte);
        let end = char_at + chunk.chars().count();
        passages.push(Passage {
            ordinal: u32::try_from(passages.len()).unwrap_or(u32::MAX),
            start: char_at,
            end,
            text: chunk.to_owned(),
        });
        byte_at = byte + chunk.len();
        char_at = end;
    }
    passages
}

fn count_chars(text: &str, from: usize, to: usize) -> usize {
    text.get(from..to).map_or(0, |gap| gap.chars().count())
}

#[cfg(test)]
mod tests;
