//! Telling a model's thinking (`<think>…</think>`) from its reply: [`visible`] for a whole text, [`Splitter`] for pieces.
//!
//! A thought that never ends swallows the rest. In a whole text, a closing tag without an opening one ends a thought that began in the
//! prompt, as some chat templates have it; in pieces that cannot be known in time and is left as it is.

const TAGS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];

/// The reply without its thinking, trimmed.
pub(crate) fn visible(text: &str) -> String {
    let mut rest = text;
    for (open, close) in TAGS {
        if let Some(end) = rest.find(close)
            && rest.find(open).is_none_or(|start| start > end)
        {
            rest = &rest[end + close.len()..];
        }
    }
    let mut visible = String::new();
    while let Some((start, open, close)) = first_open(rest) {
        visible.push_str(&rest[..start]);
        let inside = &rest[start + open.len()..];
        rest = inside.find(close).map_or("", |end| &inside[end + close.len()..]);
    }
    visible.push_str(rest);
    visible.trim().to_owned()
}

fn first_open(text: &str) -> Option<(usize, &'static str, &'static str)> {
    let found = TAGS
        .iter()
        .filter_map(|(open, close)| Some((text.find(open)?, *open, *close)));
    found.min_by_key(|(start, ..)| *start)
}

/// A piece of a reply, sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    Thinking(String),
}

/// Sorts pieces as they come; holds back only what may be the beginning of a tag.
#[derive(Debug, Default)]
pub(crate) struct Splitter {
    pending: String,
    /// The tag that ends the present thought.
    until: Option<&'static str>,
}

impl Splitter {
    pub(crate) fn feed(&mut self, piece: &str) -> Vec<Piece> {
        self.pending.push_str(piece);
        let mut pieces = Vec::new();
        loop {
            let found = match self.until {
                Some(close) => self.pending.find(close).map(|start| (start, close.len(), None)),
                None => {
                    first_open(&self.pending).map(|(start, open, close)| (start, open.len(), Some(close)))
                }
            };
            let Some((start, length, until)) = found else {
                break;
            };
            let rest = self.pending.split_off(start + length);
            self.pending.truncate(start);
            let before = std::mem::replace(&mut self.pending, rest);
            self.push(&mut pieces, before);
            self.until = until;
        }
        let held = self.held_bytes();
        let rest = self.pending.split_off(self.pending.len() - held);
        let ready = std::mem::replace(&mut self.pending, rest);
        self.push(&mut pieces, ready);
        pieces
    }

    /// What was held back, at the end of the reply.
    pub(crate) fn finish(&mut self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let rest = std::mem::take(&mut self.pending);
        self.push(&mut pieces, rest);
        pieces
    }

    fn push(&self, pieces: &mut Vec<Piece>, text: String) {
        if !text.is_empty() {
            pieces.push(if self.until.is_some() {
                Piece::Thinking(text)
            } else {
                Piece::Text(text)
            });
        }
    }

    /// Bytes at the end that may be the beginning of a tag.
    fn held_bytes(&self) -> usize {
        let sought = |(open, close): &(&'static str, &'static str)| match self.until {
            Some(until) => (until == *close).then_some(*close),
            None => Some(*open),
        };
        let held = |tag: &str| {
            (1..tag.len())
                .rev()
                .find(|length| self.pending.ends_with(&tag[..*length]))
        };
        TAGS.iter().filter_map(sought).filter_map(held).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Piece, Splitter, visible};

    #[test]
    fn thinking_is_no_part_of_the_reply() {
        let cases = [
            ("yes", "yes"),
            ("<think>hm</think>\nyes", "yes"),
            ("a <think>x</think>b<thinking>y</thinking> c", "a b c"),
            ("hm, so\n</think> yes", "yes"),
            ("<think>never ends", ""),
            ("yes <think>never ends", "yes"),
            ("<think></think>", ""),
            ("1 < 2 <thin", "1 < 2 <thin"),
        ];
        for (text, expected) in cases {
            assert_eq!(visible(text), expected, "{text}");
        }
    }

    #[test]
    fn pieces_may_cut_a_tag_anywhere() {
        let text = "a<think>b é</think>c <d <thinking>e</thinking>f<thi";
        let expected = (String::from("ac <d f<thi"), String::from("b ée"));
        for size in 1..text.len() {
            let mut splitter = Splitter::default();
            let mut found = (String::new(), String::new());
            let chars: Vec<char> = text.chars().collect();
            let mut pieces = Vec::new();
            for chunk in chars.chunks(size) {
                pieces.extend(splitter.feed(&chunk.iter().collect::<String>()));
            }
            pieces.extend(splitter.finish());
            for piece in pieces {
                match piece {
                    Piece::Text(text) => found.0.push_str(&text),
                    Piece::Thinking(text) => found.1.push_str(&text),
                }
            }
            assert_eq!(found, expected, "size {size}");
        }
    }
}
