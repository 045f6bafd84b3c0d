//! What extraction hands to memory: [`RunRecord`] and [`ExtractedTriple`]. Values only; nothing here is believed before
//! the gate has looked at it.

use crate::surface::Folded;
use crate::surface::fold;
use jiff::Timestamp;
use oxrdf::{Literal, NamedNode};

/// One run of a strategy: what was asked, by which means, when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRecord {
    /// Identifier, ASCII letters, digits, `-`, `_`, `.`; at most 64.
    pub id: String,
    /// The question.
    pub question: String,
    /// Name of the strategy, as `co-e-cot`.
    pub strategy: String,
    /// Name of the chat model, when one was used.
    pub model: Option<String>,
    /// When the run began.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Timestamp,
    /// File of the trace, relative to the data directory.
    pub trace: Option<String>,
}

/// A triple that a model read out of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtractedTriple {
    /// What it is about.
    pub subject: EntityRef,
    /// The relation as an open-vocabulary phrase: "discovered", "was born in".
    pub relation: String,
    /// What it says.
    pub object: ObjectRef,
    /// Where it stands.
    pub evidence: EvidenceSpan,
    /// In [0, 1].
    pub confidence: f32,
    /// The parts of its verification.
    pub factors: Factors,
    /// Start of validity as the text states it: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    pub valid_from: Option<String>,
    /// End of validity, likewise.
    pub valid_to: Option<String>,
}

/// An entity as the text names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntityRef {
    /// The linker knows which entity is meant.
    Linked {
        /// The entity.
        iri: NamedNode,
        /// The words of the text, or the entity's name.
        mention: String,
        /// Other names of the entity that count as finding it.
        aliases: Vec<String>,
    },
    /// No knowledge graph knows it: it gets `urn:coevo:ent:<space>:<slug>`.
    Open {
        /// The words of the text.
        mention: String,
    },
}

/// The object of an extracted triple.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObjectRef {
    /// An entity.
    Entity(EntityRef),
    /// A value.
    Value {
        /// The words of the text that state it, as "15 March 1879".
        text: String,
        /// The typed value, as `"1879-03-15"^^xsd:date`: string, language-tagged string, boolean, integer, decimal,
        /// double, date, dateTime, gYear or gYearMonth.
        literal: Literal,
    },
}

/// A quoted sentence and its place. The text itself is read from the store, so nothing else needs to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceSpan {
    /// The passage, in some `urn:coevo:docs:*` graph.
    pub passage: NamedNode,
    /// First character of the quotation, counted in characters of the document like `oa:start` of passages.
    pub start: usize,
    /// Behind its last character.
    pub end: usize,
    /// The quotation, exactly as it stands there.
    pub quoted: String,
}

/// The three verification factors, each in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    /// Prior of the source.
    pub source: f32,
    /// Independent corroboration.
    pub corroboration: f32,
    /// Agreement with the knowledge graph.
    pub alignment: f32,
}

impl EvidenceSpan {
    /// Finds what a model quoted in the text of a passage that begins at character `passage_start` of its document.
    /// Case, white space and the style of quotes and dashes may differ; the span and the quotation are the passage's own.
    /// `None`: the passage does not say it.
    pub fn locate(
        passage: NamedNode,
        passage_start: usize,
        passage_text: &str,
        quoted: &str,
    ) -> Option<Self> {
        let bytes = match passage_text.find(quoted.trim()) {
            Some(at) if !quoted.trim().is_empty() => at..at + quoted.trim().len(),
            _ => find_folded(passage_text, quoted)?,
        };
        let start = passage_start + passage_text[..bytes.start].chars().count();
        let quoted = passage_text[bytes].to_owned();
        let end = start + quoted.chars().count();
        Some(Self {
            passage,
            start,
            end,
            quoted,
        })
    }
}

impl Factors {
    pub(crate) fn all(&self) -> [f32; 3] {
        [self.source, self.corroboration, self.alignment]
    }
}

fn find_folded(text: &str, quoted: &str) -> Option<std::ops::Range<usize>> {
    let needle: Vec<char> = fold(quoted).chars().collect();
    if needle.is_empty() {
        return None;
    }
    let folded = Folded::new(text);
    let window = folded.chars.windows(needle.len()).find(|window| {
        window[0].first
            && window[needle.len() - 1].last
            && window.iter().zip(&needle).all(|(c, wanted)| c.value == *wanted)
    })?;
    Some(window[0].start..window[needle.len() - 1].end)
}

#[cfg(test)]
mod tests;
