//! Folding of names: [`fold`] makes two spellings of one name equal (case, accents, punctuation, possessive 's), and
//! [`fold_tokens`] does it word by word with the places in the text. Pure.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A word of a text, folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoldedToken {
    /// Byte offset of its first character.
    pub start: usize,
    /// Byte offset behind its last character.
    pub end: usize,
    /// The folded word.
    pub folded: String,
}

/// The folded form of a name: folded words joined by one space.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for token in fold_tokens(text) {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(&token.folded);
    }
    folded
}

/// The folded words of a text. A word is a run of letters, digits and combining marks; the `s` of a possessive and
/// words that fold to nothing are left out.
pub fn fold_tokens(text: &str) -> Vec<FoldedToken> {
    let mut tokens: Vec<FoldedToken> = Vec::new();
    let mut start = None;
    let end_of_text = std::iter::once((text.len(), ' '));
    for (offset, character) in text.char_indices().chain(end_of_text) {
        let inside = character.is_alphanumeric() || is_combining_mark(character);
        match (inside, start) {
            (true, None) => start = Some(offset),
            (false, Some(from)) => {
                push(text, from, offset, &mut tokens);
                start = None;
            }
            _ => {}
        }
    }
    tokens
}

fn push(text: &str, start: usize, end: usize, tokens: &mut Vec<FoldedToken>) {
    let word = &text[start..end];
    let possessive = matches!(word, "s" | "S")
        && text[..start].ends_with(['\'', '’'])
        && tokens
            .last()
            .is_some_and(|token| text[token.end..start].chars().count() == 1);
    if possessive {
        return;
    }
    let folded: String = word
        .nfkd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .filter(|c| c.is_alphanumeric())
        .collect();
    if !folded.is_empty() {
        tokens.push(FoldedToken { start, end, folded });
    }
}

#[cfg(test)]
mod tests;
