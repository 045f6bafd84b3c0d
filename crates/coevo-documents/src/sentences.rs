//! A text into sentences: [`sentences`].
//!
//! A rule set, not a model: it must be fast (it runs over every passage that grounds a claim), the same everywhere and
//! explainable. It is tuned to *not* cut inside names (`Dr. Smith`, `J. R. R. Tolkien`, `U.S. Senate`), since a cut there
//! takes the quote away from under a claim; a missed boundary only makes a quote longer. English abbreviations; the
//! terminators of Chinese and Japanese are known.

use std::ops::Range;

/// Abbreviations that are followed by what they belong to: a full stop after one never ends a sentence.
const NEVER_LAST: &[&str] = &[
    "dr", "mr", "mrs", "ms", "prof", "st", "ste", "mt", "ft", "gen", "col", "lt", "sgt", "cpl", "capt",
    "cmdr", "adm", "maj", "rev", "fr", "hon", "sen", "rep", "gov", "pres", "messrs", "mme", "mlle", "sr.",
    "vs", "cf", "fig", "figs", "eq", "no", "nos", "vol", "vols", "pp", "approx", "ca", "viz", "ed", "eds",
    "trans", "sec", "ch", "art", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct",
    "nov", "dec",
];

/// Abbreviations that may end a sentence: they do when a usual first word follows.
const MAYBE_LAST: &[&str] = &[
    "jr", "sr", "inc", "ltd", "co", "corp", "bros", "etc", "al", "univ", "dept", "est", "ave", "blvd", "rd",
    "ph.d", "esq", "llc", "plc", "assn", "intl", "natl",
];

/// Words that open sentences often and names hardly ever.
const FIRST_WORDS: &[&str] = &[
    "The",
    "He",
    "She",
    "It",
    "They",
    "We",
    "You",
    "His",
    "Her",
    "Its",
    "Their",
    "This",
    "That",
    "These",
    "Those",
    "There",
    "In",
    "On",
    "At",
    "By",
    "As",
    "After",
    "Before",
    "During",
    "Since",
    "When",
    "While",
    "Although",
    "However",
    "But",
    "And",
    "For",
    "From",
    "With",
    "An",
    "One",
    "Both",
    "Some",
    "Many",
    "Most",
    "Later",
    "Then",
    "If",
    "Because",
    "Despite",
    "Under",
    "According",
    "Born",
    "Also",
    "Among",
    "Who",
    "What",
    "Where",
    "Which",
    "How",
    "Why",
    "Today",
    "Between",
    "Following",
    "Other",
    "Another",
    "Each",
    "Until",
    "Though",
    "Not",
    "Our",
    "My",
    "To",
];

/// The sentences of a text, as byte ranges on character boundaries: in order, without overlap, without surrounding white
/// space, and together covering every character that is not white space.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = at + c.len_utf8();
        if c == '\n' && is_blank_line(text, after) {
            push_trimmed(text, start..at, &mut ranges);
            start = after;
        } else if is_terminator(c) {
            let mut end = after;
            while let Some(&(next_at, next)) = chars.peek() {
                if !(is_terminator(next) || is_closer(next)) {
                    break;
                }
                end = next_at + next.len_utf8();
                chars.next();
            }
            if ends_here(text, start, at, end) {
                push_trimmed(text, start..end, &mut ranges);
                start = end;
            }
        }
    }
    push_trimmed(text, start..text.len(), &mut ranges);
    ranges
}

/// Whether the terminator at `at`, whose run of terminators and closing marks ends at `end`, ends the sentence begun at `start`.
fn ends_here(text: &str, start: usize, at: usize, end: usize) -> bool {
    let run = text.get(at..end).unwrap_or_default();
    let rest = text.get(end..).unwrap_or_default();
    if run.contains(['。', '！', '？']) {
        return true;
    }
    let Some(next) = rest.chars().next() else {
        return true;
    };
    if !next.is_whitespace() {
        // A decimal, a host name, an acronym in its middle.
        return false;
    }
    let following = rest.trim_start();
    // An opening quotation mark or bracket is looked through.
    let word = following.trim_start_matches(['"', '\'', '(', '[', '“', '‘', '«', '*', '_']);
    if word.chars().next().is_some_and(char::is_lowercase) {
        return false;
    }
    if run != "." {
        return true;
    }
    let before = text.get(start..at).unwrap_or_default();
    match stop_after(before) {
        Stop::EndsSentence => true,
        Stop::Never => false,
        Stop::BeforeFirstWord => FIRST_WORDS.contains(&first_word(word)),
    }
}

enum Stop {
    EndsSentence,
    Never,
    BeforeFirstWord,
}

/// What a full stop after this text means, by the last word of it.
fn stop_after(before: &str) -> Stop {
    let token = before
        .rsplit(|c: char| c.is_whitespace() || "(\"'[“‘–—/".contains(c))
        .next()
        .unwrap_or_default();
    if token.len() == before.trim_start().len()
        && !token.is_empty()
        && token.chars().all(|c| c.is_ascii_digit())
    {
        // "1. First point": the number of a list item.
        return Stop::Never;
    }
    let mut letters = token.chars();
    if let (Some(only), None) = (letters.next(), letters.next()) {
        return if only.is_uppercase() {
            Stop::BeforeFirstWord
        } else {
            Stop::EndsSentence
        };
    }
    let lower = token.to_lowercase();
    if NEVER_LAST.contains(&lower.as_str())
        && (token.chars().next().is_some_and(char::is_uppercase) || !is_word(&lower))
    {
        return Stop::Never;
    }
    if MAYBE_LAST.contains(&lower.as_str()) || is_acronym(token) {
        return Stop::BeforeFirstWord;
    }
    Stop::EndsSentence
}

/// Abbreviations that are words as well when they stand in lower case ("He said no.").
fn is_word(lower: &str) -> bool {
    matches!(
        lower,
        "no" | "art" | "mar" | "col" | "rep" | "gen" | "fig" | "sec" | "trans" | "dec" | "sen" | "ms"
    )
}

/// `U.S`, `D.C`, `a.m`, `e.g`: single letters parted by stops (the last stop is the one under question).
fn is_acronym(token: &str) -> bool {
    token.contains('.')
        && token
            .split('.')
            .all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic))
}

fn first_word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default()
}

fn is_terminator(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？')
}

fn is_closer(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»')
}

/// Whether the line that begins at `from` is blank: a paragraph ends there.
fn is_blank_line(text: &str, from: usize) -> bool {
    let rest = text.get(from..).unwrap_or_default();
    let line = rest.split_once('\n').map(|(line, _)| line);
    line.is_some_and(|line| line.trim().is_empty())
}

fn push_trimmed(text: &str, range: Range<usize>, ranges: &mut Vec<Range<usize>>) {
    let Some(part) = text.get(range.clone()) else {
        return;
    };
    let start = range.start + (part.len() - part.trim_start().len());
    let end = start + part.trim().len();
    if start < end {
        ranges.push(start..end);
    }
}

#[cfg(test)]
mod tests;
