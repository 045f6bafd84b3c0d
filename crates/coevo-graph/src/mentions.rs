//! Mentions of known entities in running text, found without a model: [`LabelIndex::mentions`]. Longest match over the
//! label index; capital letters and digits decide whether a single word is a name.

use crate::labels::{Candidate, LabelIndex};
use crate::{FoldedToken, Result, fold_tokens};

/// Words of the longest name looked up.
const MAX_WORDS: usize = 8;
/// Words of a text looked at.
const MAX_TEXT_WORDS: usize = 400;

/// How mentions are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MentionOptions {
    /// Candidates kept of each mention.
    pub candidates: usize,
    /// Mentions returned at most.
    pub limit: usize,
}

impl Default for MentionOptions {
    fn default() -> Self {
        Self {
            candidates: 5,
            limit: 8,
        }
    }
}

/// A stretch of text that may name an entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Mention {
    /// Byte offset of its start.
    pub start: usize,
    /// Byte offset behind its end.
    pub end: usize,
    /// The words as written.
    pub text: String,
    /// Entities it may mean, best first.
    pub candidates: Vec<Candidate>,
}

impl LabelIndex {
    /// Mentions in `text`, in the order of the text, without overlap. Blocking. Only exact (folded) names count: a
    /// question's words are not searched one by one, or every text would mention something.
    pub fn mentions(&self, text: &str, options: &MentionOptions) -> Result<Vec<Mention>> {
        let mut tokens = fold_tokens(text);
        tokens.truncate(MAX_TEXT_WORDS);
        let mut mentions = self.scan(text, &tokens, options, Names::Written)?;
        if mentions.is_empty() {
            // People type in lower case too: then any known name that is not a function word counts.
            mentions = self.scan(text, &tokens, options, Names::Any)?;
        }
        Ok(mentions)
    }

    fn scan(
        &self,
        text: &str,
        tokens: &[FoldedToken],
        options: &MentionOptions,
        names: Names,
    ) -> Result<Vec<Mention>> {
        let mut mentions = Vec::new();
        let mut at = 0;
        while at < tokens.len() && mentions.len() < options.limit {
            match self.longest(text, &tokens[at..], at == 0, names)? {
                Some(n_words) => {
                    let (start, end) = (tokens[at].start, tokens[at + n_words - 1].end);
                    let surface = &text[start..end];
                    let mut candidates = self.link(surface, options.candidates)?;
                    candidates.retain(|candidate| candidate.exact);
                    mentions.push(Mention {
                        start,
                        end,
                        text: surface.to_owned(),
                        candidates,
                    });
                    at += n_words;
                }
                None => at += 1,
            }
        }
        Ok(mentions)
    }

    /// Words of the longest name that begins here.
    fn longest(
        &self,
        text: &str,
        tokens: &[FoldedToken],
        first: bool,
        names: Names,
    ) -> Result<Option<usize>> {
        for n_words in (1..=tokens.len().min(MAX_WORDS)).rev() {
            let words = &tokens[..n_words];
            if !names.allow(text, words, first) {
                continue;
            }
            let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
            if self.has_exact(&folded.join(" "))? {
                return Ok(Some(n_words));
            }
        }
        Ok(None)
    }
}

/// What counts as a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// Begins and ends with a capital letter or digit; the first word of the text only as part of a longer name, unless
    /// it is no function word.
    Written,
    /// Any words that do not begin or end with a function word.
    Any,
}

impl Names {
    fn allow(self, text: &str, words: &[FoldedToken], first: bool) -> bool {
        let (Some(head), Some(tail)) = (words.first(), words.last()) else {
            return false;
        };
        let functional = |word: &FoldedToken| FUNCTION_WORDS.contains(&word.folded.as_str());
        match self {
            Self::Written => {
                let marked = |word: &FoldedToken| {
                    text[word.start..]
                        .chars()
                        .next()
                        .is_some_and(|c| !c.is_lowercase() && c.is_alphanumeric())
                };
                let lone_function_word = words.len() == 1 && functional(head);
                let question_word = first && functional(head) && !TITLE_WORDS.contains(&head.folded.as_str());
                marked(head) && marked(tail) && !lone_function_word && !question_word
            }
            Self::Any => {
                let alone = words.len() == 1;
                let long_enough = !alone
                    || (head.folded.chars().count() > 2 && !ASKED_NOUNS.contains(&head.folded.as_str()));
                let title = words.len() > 2 && TITLE_WORDS.contains(&head.folded.as_str());
                long_enough && (!functional(head) || title) && !functional(tail)
            }
        }
    }
}

/// Function words that may begin a title (`The Godfather`, `A Beautiful Mind`).
const TITLE_WORDS: &[&str] = &["the", "a", "an", "in", "on", "of", "for"];

/// Nouns that name what is asked for rather than what is asked about: in lower case and alone they are no mention.
const ASKED_NOUNS: &[&str] = &[
    "actor",
    "album",
    "artist",
    "author",
    "award",
    "band",
    "birth",
    "birthplace",
    "book",
    "books",
    "capital",
    "cause",
    "city",
    "continent",
    "country",
    "currency",
    "date",
    "death",
    "director",
    "family",
    "father",
    "film",
    "films",
    "game",
    "gender",
    "genre",
    "group",
    "husband",
    "instrument",
    "kind",
    "label",
    "language",
    "languages",
    "location",
    "mother",
    "movie",
    "movies",
    "music",
    "musician",
    "name",
    "nationality",
    "occupation",
    "parents",
    "people",
    "person",
    "place",
    "player",
    "position",
    "president",
    "producer",
    "profession",
    "religion",
    "river",
    "series",
    "show",
    "singer",
    "sister",
    "song",
    "sort",
    "spouse",
    "state",
    "style",
    "team",
    "time",
    "title",
    "town",
    "wife",
    "writer",
    "year",
];

/// English function and question words: never a mention by themselves.
const FUNCTION_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "an", "and", "are", "as", "at", "be", "before", "born", "by",
    "called", "came", "come", "did", "die", "died", "do", "does", "during", "first", "for", "from", "give",
    "had", "has", "have", "he", "her", "him", "his", "how", "i", "in", "into", "is", "it", "its", "known",
    "last", "list", "located", "made", "many", "me", "most", "much", "name", "named", "near", "not", "of",
    "on", "one", "or", "other", "our", "out", "same", "she", "show", "since", "some", "than", "that", "the",
    "their", "them", "then", "there", "they", "this", "those", "to", "type", "under", "until", "up", "was",
    "we", "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "will", "with", "would",
    "you", "your",
];

#[cfg(test)]
mod tests;
