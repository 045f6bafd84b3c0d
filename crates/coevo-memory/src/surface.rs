//! Folding of surfaces with their places: [`Folded`] brings a text into one form (NFKC, lower case, plain quotes and
//! dashes, single spaces, no invisible characters) and remembers which bytes each folded character came from. Accents
//! stay: "Godel" is not "Gödel" here, a gate must not guess. Pure.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// One character of a folded text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FoldedChar {
    /// The folded character.
    pub(crate) value: char,
    /// Byte offset of the cluster it came from.
    pub(crate) start: usize,
    /// Byte offset behind that cluster.
    pub(crate) end: usize,
    /// Whether it is the first that its cluster folded to ("ﬁ" folds to two).
    pub(crate) first: bool,
    /// Whether it is the last that its cluster folded to.
    pub(crate) last: bool,
}

/// A text, folded.
#[derive(Debug, Clone)]
pub(crate) struct Folded<'a> {
    pub(crate) text: &'a str,
    pub(crate) chars: Vec<FoldedChar>,
}

impl<'a> Folded<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let mut chars: Vec<FoldedChar> = Vec::with_capacity(text.len());
        let mut rest = text.char_indices().peekable();
        while let Some((start, lead)) = rest.next() {
            let mut end = start + lead.len_utf8();
            while let Some(&(offset, next)) = rest.peek() {
                if !continues(next) {
                    break;
                }
                end = offset + next.len_utf8();
                rest.next();
            }
            push_cluster(text, start, end, &mut chars);
        }
        Self { text, chars }
    }
}

/// The folded form of a text, without white space at its ends.
pub(crate) fn fold(text: &str) -> String {
    let folded: String = Folded::new(text).chars.iter().map(|c| c.value).collect();
    folded.trim_matches(' ').to_owned()
}

fn push_cluster(text: &str, start: usize, end: usize, chars: &mut Vec<FoldedChar>) {
    let from = chars.len();
    for value in text[start..end]
        .nfkc()
        .filter(|c| !is_ignorable(*c))
        .flat_map(char::to_lowercase)
    {
        let value = plain(value);
        let repeated_space = value == ' ' && chars.last().is_some_and(|previous| previous.value == ' ');
        if !repeated_space {
            chars.push(FoldedChar {
                value,
                start,
                end,
                first: false,
                last: false,
            });
        }
    }
    if chars.len() > from {
        chars[from].first = true;
        if let Some(last) = chars.last_mut() {
            last.last = true;
        }
    }
}

/// Whether a character belongs to the cluster before it: combining marks, and the vowels and finals of Hangul.
fn continues(c: char) -> bool {
    is_combining_mark(c) || matches!(c, '\u{1160}'..='\u{11FF}' | '\u{D7B0}'..='\u{D7FF}')
}

/// Soft hyphens, zero-width characters, direction marks, variation selectors.
fn is_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
    )
}

fn plain(c: char) -> char {
    match c {
        'ς' => 'σ',
        '\u{2018}'..='\u{201B}' | '\u{2032}' | '\u{02BC}' => '\'',
        '\u{201C}'..='\u{201F}' | '\u{2033}' | '«' | '»' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        c if c.is_whitespace() => ' ',
        c => c,
    }
}
