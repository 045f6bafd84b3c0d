//! The label index: names of entities → candidates with scores ([`LabelIndex::link`]). Derived data over tantivy: it can
//! be rebuilt from the graph at any time. Knows spellings and popularity; meaning is decided elsewhere.
//!
//! Two ways in: the folded name as one exact term, and its words for partial and misspelt names.

use crate::{Error, Result, fold};
use std::cmp::Ordering;
use std::path::Path;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, FuzzyTermQuery, Occur, Query, TermQuery};
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value,
};
use tantivy::{Index, IndexReader, IndexWriter, Order, ReloadPolicy, TantivyDocument, Term, doc};

/// Memory of the writer in bytes.
const WRITER_MEMORY: usize = 64 << 20;
/// Documents looked at for one look-up.
const FETCH: usize = 200;
/// Words of a mention that are searched.
const MAX_WORDS: usize = 12;
/// Weight of popularity in a score: enough to order namesakes, too little to beat a better spelling.
const POPULARITY_WEIGHT: f32 = 0.2;
/// Popularity at which that weight is fully given (edges of a well-connected entity).
const POPULARITY_FULL: f32 = 10_000.0;
/// Score of an exact alias against an exact label.
const ALIAS: f32 = 0.95;
/// Highest spelling score of a name that is not exactly the mention.
const PARTIAL: f32 = 0.85;

/// Whether a name is the main one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelKind {
    /// `rdfs:label` and what a profile counts as such.
    Label,
    /// `skos:altLabel` and the like.
    Alias,
}

/// One name of one entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelRecord {
    /// The entity.
    pub iri: String,
    /// The name as written.
    pub text: String,
    /// Language tag, empty when there is none.
    pub language: String,
    /// Label or alias.
    pub kind: LabelKind,
    /// Edges of the entity.
    pub popularity: u32,
}

/// An entity that a mention may mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The entity.
    pub iri: String,
    /// Its label in the index (the matched name, when that is all there is).
    pub label: String,
    /// The name that matched.
    pub matched: String,
    /// Whether the folded name equals the folded mention.
    pub exact: bool,
    /// In [0, 1]: spelling × popularity.
    pub score: f32,
    /// Edges of the entity.
    pub popularity: u32,
}

/// Names of entities over a tantivy index.
pub struct LabelIndex {
    index: Index,
    reader: IndexReader,
    fields: Fields,
}

#[derive(Clone, Copy)]
struct Fields {
    graph: Field,
    iri: Field,
    text: Field,
    folded: Field,
    words: Field,
    language: Field,
    alias: Field,
    popularity: Field,
}

impl std::fmt::Debug for LabelIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LabelIndex")
            .field("names", &self.len())
            .finish_non_exhaustive()
    }
}

impl LabelIndex {
    /// Opens (or creates) the index in a directory. Blocking.
    pub fn open(dir: &Path) -> Result<Self> {
        fs_err::create_dir_all(dir)?;
        let (schema, fields) = schema();
        let directory = tantivy::directory::MmapDirectory::open(dir).map_err(tantivy::TantivyError::from)?;
        Self::over(Index::open_or_create(directory, schema)?, fields)
    }

    /// An empty index in memory.
    pub fn in_memory() -> Result<Self> {
        let (schema, fields) = schema();
        Self::over(Index::create_in_ram(schema), fields)
    }

    fn over(index: Index, fields: Fields) -> Result<Self> {
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        Ok(Self {
            index,
            reader,
            fields,
        })
    }

    /// Replaces all names of one graph by `records` in one commit. Blocking; names that fold to nothing are skipped.
    /// An error of the iterator leaves the old names in place. Returns the number of names written.
    pub fn replace_graph<E: From<Error>>(
        &self,
        graph: &str,
        records: impl Iterator<Item = Result<LabelRecord, E>>,
    ) -> Result<u64, E> {
        let mut writer: IndexWriter = self
            .index
            .writer_with_num_threads(1, WRITER_MEMORY)
            .map_err(Error::from)?;
        let Fields {
            graph: in_graph,
            iri,
            text,
            folded,
            words,
            language,
            alias,
            popularity,
        } = self.fields;
        writer.delete_term(Term::from_field_text(in_graph, graph));
        let mut n_names = 0;
        for record in records {
            let record = record?;
            let folded_name = fold(&record.text);
            if folded_name.is_empty() {
                continue;
            }
            let entry = doc!(
                in_graph => graph,
                iri => record.iri,
                text => record.text,
                words => folded_name.as_str(),
                folded => folded_name,
                language => record.language,
                alias => u64::from(record.kind == LabelKind::Alias),
                popularity => u64::from(record.popularity),
            );
            writer.add_document(entry).map_err(Error::from)?;
            n_names += 1;
        }
        writer.commit().map_err(Error::from)?;
        writer.wait_merging_threads().map_err(Error::from)?;
        self.reader.reload().map_err(Error::from)?;
        Ok(n_names)
    }

    /// Names in the index.
    pub fn len(&self) -> u64 {
        self.reader.searcher().num_docs()
    }

    /// Whether the index holds no name.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Entities that `mention` may mean, best first, at most `limit`. Blocking (micro- to milliseconds).
    pub fn link(&self, mention: &str, limit: usize) -> Result<Vec<Candidate>> {
        let folded_mention = fold(mention);
        if folded_mention.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let mut names = self.fetch(&self.exact_query(&folded_mention))?;
        if names.len() < limit {
            names.extend(self.fetch(&self.words_query(&folded_mention, Spelling::AsWritten))?);
        }
        if names.is_empty() {
            names.extend(self.fetch(&self.words_query(&folded_mention, Spelling::OneOff))?);
        }
        let mut candidates: Vec<Candidate> = Vec::new();
        for name in names {
            let candidate = name.score(&folded_mention);
            match candidates.iter_mut().find(|known| known.iri == candidate.iri) {
                Some(known) if known.score >= candidate.score => {}
                Some(known) => *known = candidate,
                None => candidates.push(candidate),
            }
        }
        candidates.sort_by(best_first);
        candidates.truncate(limit);
        for candidate in &mut candidates {
            if let Some(label) = self.main_label(&candidate.iri)? {
                candidate.label = label;
            }
        }
        Ok(candidates)
    }

    /// Whether some entity has exactly this (folded) name.
    pub(crate) fn has_exact(&self, folded_name: &str) -> Result<bool> {
        let hits = self
            .reader
            .searcher()
            .search(&self.exact_query(folded_name), &tantivy::collector::Count)?;
        Ok(hits > 0)
    }

    fn main_label(&self, iri: &str) -> Result<Option<String>> {
        let query = BooleanQuery::new(vec![
            (
                Occur::Must,
                term_query(Term::from_field_text(self.fields.iri, iri)),
            ),
            (
                Occur::Must,
                term_query(Term::from_field_u64(self.fields.alias, 0)),
            ),
        ]);
        let mut names = self.fetch(&query)?;
        names.sort_by_key(|name| (name.language != "en", name.language.clone(), name.text.clone()));
        Ok(names.into_iter().next().map(|name| name.text))
    }

    fn exact_query(&self, folded_name: &str) -> Box<dyn Query> {
        term_query(Term::from_field_text(self.fields.folded, folded_name))
    }

    /// All words of the mention must be in the name (one-letter differences allowed for longer words, if asked).
    fn words_query(&self, folded_mention: &str, spelling: Spelling) -> Box<dyn Query> {
        let words = folded_mention.split(' ').take(MAX_WORDS).map(|word| {
            let term = Term::from_field_text(self.fields.words, word);
            let query: Box<dyn Query> = match spelling {
                Spelling::OneOff if word.chars().count() >= 4 => Box::new(FuzzyTermQuery::new(term, 1, true)),
                _ => term_query(term),
            };
            (Occur::Must, query)
        });
        Box::new(BooleanQuery::new(words.collect()))
    }

    /// The most popular names that match.
    fn fetch(&self, query: &dyn Query) -> Result<Vec<Name>> {
        let searcher = self.reader.searcher();
        let collector = TopDocs::with_limit(FETCH).order_by_fast_field::<u64>("popularity", Order::Desc);
        let mut names = Vec::new();
        for (popularity, address) in searcher.search(query, &collector)? {
            let document: TantivyDocument = searcher.doc(address)?;
            let text_of = |field| {
                document
                    .get_first(field)
                    .and_then(|value| value.as_str())
                    .unwrap_or_default()
                    .to_owned()
            };
            names.push(Name {
                iri: text_of(self.fields.iri),
                text: text_of(self.fields.text),
                language: text_of(self.fields.language),
                alias: document
                    .get_first(self.fields.alias)
                    .and_then(|value| value.as_u64())
                    == Some(1),
                popularity: u32::try_from(popularity.unwrap_or_default()).unwrap_or(u32::MAX),
            });
        }
        Ok(names)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    AsWritten,
    OneOff,
}

/// A name as stored.
struct Name {
    iri: String,
    text: String,
    language: String,
    alias: bool,
    popularity: u32,
}

impl Name {
    fn score(self, folded_mention: &str) -> Candidate {
        let folded_name = fold(&self.text);
        let exact = folded_name == folded_mention;
        let spelling = if exact {
            1.0
        } else {
            PARTIAL * bigram_dice(&folded_name, folded_mention)
        };
        let kind = if self.alias { ALIAS } else { 1.0 };
        let known = ((1.0 + self.popularity as f32).ln() / (1.0 + POPULARITY_FULL).ln()).min(1.0);
        let score = spelling * kind * (1.0 - POPULARITY_WEIGHT + POPULARITY_WEIGHT * known);
        Candidate {
            iri: self.iri,
            label: self.text.clone(),
            matched: self.text,
            exact,
            score,
            popularity: self.popularity,
        }
    }
}

pub(crate) fn best_first(a: &Candidate, b: &Candidate) -> Ordering {
    b.score
        .total_cmp(&a.score)
        .then_with(|| b.popularity.cmp(&a.popularity))
        .then_with(|| a.iri.cmp(&b.iri))
}

/// Sørensen–Dice coefficient over character bigrams (with multiplicity) of two folded names, in [0, 1].
fn bigram_dice(a: &str, b: &str) -> f32 {
    let bigrams = |text: &str| -> Vec<(char, char)> {
        let padded: Vec<char> = std::iter::once(' ')
            .chain(text.chars())
            .chain(std::iter::once(' '))
            .collect();
        padded.windows(2).map(|pair| (pair[0], pair[1])).collect()
    };
    let (left, mut right) = (bigrams(a), bigrams(b));
    let total = left.len() + right.len();
    let mut shared = 0;
    for pair in left {
        if let Some(place) = right.iter().position(|other| *other == pair) {
            right.swap_remove(place);
            shared += 1;
        }
    }
    2.0 * shared as f32 / total as f32
}

fn term_query(term: Term) -> Box<dyn Query> {
    Box::new(TermQuery::new(term, IndexRecordOption::Basic))
}

fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("whitespace")
        .set_index_option(IndexRecordOption::Basic);
    let fields = Fields {
        graph: builder.add_text_field("graph", STRING),
        iri: builder.add_text_field("iri", STRING | STORED),
        text: builder.add_text_field("text", STORED),
        folded: builder.add_text_field("folded", STRING),
        words: builder.add_text_field("words", TextOptions::default().set_indexing_options(indexing)),
        language: builder.add_text_field("language", STRING | STORED),
        alias: builder.add_u64_field("alias", INDEXED | STORED),
        popularity: builder.add_u64_field("popularity", FAST),
    };
    (builder.build(), fields)
}

#[cfg(test)]
mod tests;
