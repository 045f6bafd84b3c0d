//! The grounding gate: [`ground`] finds a surface in a quoted sentence, as whole words. Pure.
//!
//! Why it is strict: what it lets through is shown to traversal as a fact that the text states. "Rome" is not in "Romeo",
//! "3" is not in "3.5", and "US" is not in "told us". What the text says in other words is for a curator, in quarantine.

use crate::surface::{Folded, FoldedChar, fold};
use std::ops::Range;
use unicode_normalization::char::is_combining_mark;

/// Names of at most this many letters, all capitals, must be written in capitals in the text too: "US", "WHO", "IT".
const SHORT_ACRONYM: usize = 3;

/// The byte range in `quoted` where the mention, or else the first alias that is there, stands as whole words.
///
/// Compared after folding (NFKC, lower case, plain quotes and dashes, white space collapsed); accents count. Scripts
/// that write without spaces have no word boundary to respect. `None`: nothing of it is there, or it has no letter or digit.
pub fn ground(mention: &str, aliases: &[String], quoted: &str) -> Option<Range<usize>> {
    let text = Folded::new(quoted);
    std::iter::once(mention)
        .chain(aliases.iter().map(String::as_str))
        .find_map(|surface| occurrences(surface, &text).next())
}

/// All places of one surface, from left to right, as byte ranges; they may overlap.
pub(crate) fn occurrences<'t>(
    surface: &str,
    text: &'t Folded<'_>,
) -> impl Iterator<Item = Range<usize>> + use<'t> {
    let mut needle: Vec<char> = fold(surface).chars().collect();
    if !needle.iter().any(|c| c.is_alphanumeric()) {
        needle.clear();
    }
    let capitals_only = is_short_acronym(surface);
    let chars = &text.chars;
    let n_places = if needle.is_empty() {
        0
    } else {
        (chars.len() + 1).saturating_sub(needle.len())
    };
    (0..n_places).filter_map(move |from| {
        let to = from + needle.len();
        let matched = chars[from].first
            && chars[to - 1].last
            && chars[from..to]
                .iter()
                .zip(&needle)
                .all(|(c, wanted)| c.value == *wanted)
            && is_word_start(chars, from)
            && is_word_end(chars, to);
        let range = chars[from].start..chars[to - 1].end;
        let in_case = !capitals_only || !text.text[range.clone()].chars().any(char::is_lowercase);
        (matched && in_case).then_some(range)
    })
}

fn is_short_acronym(surface: &str) -> bool {
    let surface = surface.trim();
    !surface.is_empty() && surface.chars().count() <= SHORT_ACRONYM && surface.chars().all(char::is_uppercase)
}

fn is_word_start(chars: &[FoldedChar], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|index| chars[index].value) else {
        return true;
    };
    let first = chars[at].value;
    let inside_number = first.is_numeric()
        && matches!(before, '.' | ',')
        && at
            .checked_sub(2)
            .is_some_and(|index| chars[index].value.is_numeric());
    !inside_number && !joins(before, first)
}

fn is_word_end(chars: &[FoldedChar], at: usize) -> bool {
    let Some(after) = chars.get(at).map(|c| c.value) else {
        return true;
    };
    let last = chars[at - 1].value;
    let inside_number = last.is_numeric()
        && matches!(after, '.' | ',')
        && chars.get(at + 1).is_some_and(|c| c.value.is_numeric());
    !inside_number && !joins(last, after)
}

/// Whether two neighbouring characters belong to one word.
fn joins(left: char, right: char) -> bool {
    is_word(left) && is_word(right) && !is_unspaced(left) && !is_unspaced(right)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || is_combining_mark(c)
}

/// Scripts that put no space between words, or none between a name and its particle: Thai, Lao, Tibetan, Myanmar,
/// Khmer, kana, Han, Hangul.
fn is_unspaced(c: char) -> bool {
    matches!(
        c,
        '\u{0E00}'..='\u{0FFF}' | '\u{1000}'..='\u{109F}' | '\u{1100}'..='\u{11FF}' | '\u{1780}'..='\u{17FF}'
            | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}'
    )
}

#[cfg(test)]
mod tests;
