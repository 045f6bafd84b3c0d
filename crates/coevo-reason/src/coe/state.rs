//! The working memory `M = (T, G)` of Co-E: [`WorkingMemory`]. Text items and graph facts share one dictionary of
//! entities. All operations are pure; the model's part of synchronisation stands in `sync.rs`.

use crate::graph_retrieval::{RankedPath, edges_key};
use crate::text_retrieval::Sentence;
use coevo_graph::fold;
use oxrdf::{NamedNode, Term};
use rustc_hash::FxHashMap;

/// Text items shown to the model at most.
const SHOWN_ITEMS: usize = 24;
/// Characters of an item shown to the model.
const SHOWN_CHARS: usize = 320;

/// Where a text item comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Provenance {
    /// A sentence of a document.
    Retrieval,
    /// The model's own intermediate answer.
    Prediction,
    /// A verbalised triple.
    Graph,
    /// A claim of an earlier run.
    Memory,
}

/// One item of the textual memory.
#[derive(Debug, Clone)]
pub(crate) struct TextItem {
    /// `M1`, `M2`, …
    pub(crate) id: String,
    pub(crate) content: String,
    pub(crate) provenance: Provenance,
    /// The sentence, for [`Provenance::Retrieval`].
    pub(crate) sentence: Option<Sentence>,
    /// Step it came in; 0: recalled.
    pub(crate) hop: u32,
}

/// One fact of the graph memory.
#[derive(Debug, Clone)]
pub(crate) struct Fact {
    pub(crate) subject: FactNode,
    pub(crate) relation: String,
    pub(crate) object: FactNode,
    pub(crate) origin: Origin,
    pub(crate) hop: u32,
}

/// An end of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FactNode {
    pub(crate) iri: Option<NamedNode>,
    pub(crate) label: String,
}

/// Where a fact comes from.
#[derive(Debug, Clone)]
pub(crate) enum Origin {
    /// A canonical triple, with the path that led to it.
    Kb(Box<RankedPath>),
    /// Read out of a sentence.
    Open(Box<Sentence>),
    /// A claim of the memory space.
    Claim(NamedNode),
}

/// A surviving path, and its edges as facts.
pub(crate) type PathWithFacts = (RankedPath, Vec<(FactNode, String, FactNode)>);

/// Text, graph and their shared dictionary.
#[derive(Debug, Default)]
pub(crate) struct WorkingMemory {
    pub(crate) text: Vec<TextItem>,
    pub(crate) facts: Vec<Fact>,
    /// Paths that survived pruning, best first within their step.
    pub(crate) paths: Vec<RankedPath>,
    /// Folded mention → entity.
    entities: FxHashMap<String, NamedNode>,
    n_items: usize,
    step: u32,
}

impl WorkingMemory {
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.facts.is_empty()
    }

    /// From here on, what comes in came in this step.
    pub(crate) fn begin_step(&mut self, step: u32) {
        self.step = step;
    }

    /// Whether anything but the model's own predictions stands in it.
    pub(crate) fn has_evidence(&self) -> bool {
        !self.facts.is_empty()
            || self
                .text
                .iter()
                .any(|item| item.provenance != Provenance::Prediction)
    }

    /// Enters a mention into the dictionary; the first entity wins.
    pub(crate) fn know(&mut self, mention: &str, iri: NamedNode) {
        self.entities.entry(fold(mention)).or_insert(iri);
    }

    pub(crate) fn entity(&self, mention: &str) -> Option<&NamedNode> {
        self.entities.get(&fold(mention))
    }

    /// Entities of the facts, newest first, at most `limit`: where graph retrieval goes on from.
    pub(crate) fn frontier(&self, limit: usize) -> Vec<NamedNode> {
        let mut nodes: Vec<NamedNode> = Vec::new();
        for fact in self.facts.iter().rev() {
            for node in [&fact.object, &fact.subject] {
                if let Some(iri) = &node.iri
                    && !nodes.contains(iri)
                {
                    nodes.push(iri.clone());
                }
            }
        }
        nodes.truncate(limit);
        nodes
    }

    /// Adds sentences that are not there yet. Returns the ids of the new items.
    pub(crate) fn add_sentences(&mut self, sentences: Vec<Sentence>) -> Vec<String> {
        let mut added = Vec::new();
        for sentence in sentences {
            let known = self.text.iter().any(|item| {
                item.sentence
                    .as_ref()
                    .is_some_and(|s| s.passage.iri == sentence.passage.iri && s.range == sentence.range)
            });
            if !known {
                let content = format!("{}: {}", sentence.passage.title, sentence.text());
                added.push(self.push(content, Provenance::Retrieval, Some(sentence)));
            }
        }
        added
    }

    /// Adds surviving paths and their edges as canonical facts.
    pub(crate) fn add_paths(&mut self, paths: Vec<PathWithFacts>) {
        for (ranked, edges) in paths {
            if self
                .paths
                .iter()
                .any(|known| edges_key(&known.path) == edges_key(&ranked.path))
            {
                continue;
            }
            for (subject, relation, object) in edges {
                let origin = Origin::Kb(Box::new(ranked.clone()));
                self.add_fact(Fact {
                    subject,
                    relation,
                    object,
                    origin,
                    hop: self.step,
                });
            }
            self.paths.push(ranked);
        }
    }

    /// Adds a fact; one with the same ends and relation is the same fact. Returns whether it is new.
    pub(crate) fn add_fact(&mut self, fact: Fact) -> bool {
        for node in [&fact.subject, &fact.object] {
            if let Some(iri) = &node.iri {
                self.know(&node.label, iri.clone());
            }
        }
        let same = |known: &Fact| {
            known.subject.same(&fact.subject)
                && known.object.same(&fact.object)
                && fold(&known.relation) == fold(&fact.relation)
        };
        if self.facts.iter().any(same) {
            return false;
        }
        self.facts.push(fact);
        true
    }

    pub(crate) fn add_prediction(&mut self, subquestions: &[String], answer: &str) {
        let content = format!("{} → {answer}", subquestions.join(" "));
        self.push(content, Provenance::Prediction, None);
    }

    pub(crate) fn add_text(&mut self, content: String, provenance: Provenance) {
        self.push(content, provenance, None);
    }

    fn push(&mut self, content: String, provenance: Provenance, sentence: Option<Sentence>) -> String {
        self.n_items += 1;
        let id = format!("M{}", self.n_items);
        self.text.push(TextItem {
            id: id.clone(),
            content,
            provenance,
            sentence,
            hop: self.step,
        });
        id
    }

    /// Consolidation by rule: of two items where one says all that the other says, the better founded one stays (a
    /// sentence before a claim before a verbalised triple before a prediction), of equally founded ones the longer.
    /// Returns how many were merged away.
    pub(crate) fn merge_repeated(&mut self) -> usize {
        let before = self.text.len();
        let folded: Vec<String> = self
            .text
            .iter()
            .map(|item| format!(" {} ", fold(&item.content)))
            .collect();
        let mut gone = vec![false; before];
        for kept in 0..before {
            for other in 0..before {
                if kept == other
                    || gone[kept]
                    || gone[other]
                    || !folded[kept].contains(folded[other].as_str())
                {
                    continue;
                }
                let (a, b) = (&self.text[kept], &self.text[other]);
                let better = a.provenance.rank() < b.provenance.rank()
                    || (a.provenance.rank() == b.provenance.rank()
                        && (folded[kept].len() > folded[other].len() || kept < other));
                gone[other] = better;
            }
        }
        let mut flags = gone.into_iter();
        self.text.retain(|_| !flags.next().unwrap_or(false));
        before - self.text.len()
    }

    /// Takes items back. A small model tends to name everything: a reply that would take back more than half is only
    /// believed about the model's own predictions. Returns how many went.
    pub(crate) fn retract(&mut self, ids: &[String]) -> usize {
        let before = self.text.len();
        let named = self.text.iter().filter(|item| ids.contains(&item.id)).count();
        let believed = named * 2 <= before;
        self.text.retain(|item| {
            !ids.contains(&item.id) || !(believed || item.provenance == Provenance::Prediction)
        });
        before - self.text.len()
    }

    /// Drops facts that hang together with nothing: neither end is a topic, an end of another fact, or named in the text.
    /// Returns how many went.
    pub(crate) fn drop_isolated(&mut self, topics: &[NamedNode]) -> usize {
        let before = self.facts.len();
        let facts = std::mem::take(&mut self.facts);
        let text: Vec<String> = self
            .text
            .iter()
            .map(|item| format!(" {} ", fold(&item.content)))
            .collect();
        let connected = |index: usize, fact: &Fact| {
            [&fact.subject, &fact.object].into_iter().any(|node| {
                let topic = node.iri.as_ref().is_some_and(|iri| topics.contains(iri));
                let shared = facts.iter().enumerate().any(|(other, known)| {
                    other != index && (known.subject.same(node) || known.object.same(node))
                });
                let name = format!(" {} ", fold(&node.label));
                topic || shared || text.iter().any(|content| content.contains(&name))
            })
        };
        let keep: Vec<bool> = facts
            .iter()
            .enumerate()
            .map(|(index, fact)| connected(index, fact))
            .collect();
        self.facts = facts
            .into_iter()
            .zip(keep)
            .filter_map(|(fact, keep)| keep.then_some(fact))
            .collect();
        before - self.facts.len()
    }

    /// Everything but predictions as lines for a prompt: verbalised paths that are not text items yet come last.
    pub(crate) fn evidence_lines(&self) -> Vec<String> {
        let evidence: Vec<&TextItem> = self
            .text
            .iter()
            .filter(|item| item.provenance != Provenance::Prediction)
            .collect();
        let skip = evidence.len().saturating_sub(SHOWN_ITEMS);
        let mut lines: Vec<String> = evidence.into_iter().skip(skip).map(TextItem::line).collect();
        let paths = self
            .paths
            .iter()
            .filter(|ranked| !self.text.iter().any(|item| item.content == ranked.text));
        lines.extend(paths.map(|ranked| format!("- [graph] {}", ranked.text)));
        lines
    }

    /// The memory as lines for a prompt: `M3 [retrieval] …`.
    pub(crate) fn lines(&self) -> Vec<String> {
        let skip = self.text.len().saturating_sub(SHOWN_ITEMS);
        self.text.iter().skip(skip).map(TextItem::line).collect()
    }
}

impl TextItem {
    pub(crate) fn line(&self) -> String {
        let content: String = self.content.chars().take(SHOWN_CHARS).collect();
        format!(
            "{} [{}, step {}] {content}",
            self.id,
            self.provenance.name(),
            self.hop
        )
    }
}

impl Provenance {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Retrieval => "retrieval",
            Self::Prediction => "prediction",
            Self::Graph => "graph",
            Self::Memory => "memory",
        }
    }

    fn rank(self) -> u8 {
        match self {
            Self::Retrieval => 0,
            Self::Memory => 1,
            Self::Graph => 2,
            Self::Prediction => 3,
        }
    }
}

impl FactNode {
    pub(crate) fn of(term: &Term, label: String) -> Self {
        let iri = match term {
            Term::NamedNode(iri) => Some(iri.clone()),
            _ => None,
        };
        Self { iri, label }
    }

    /// Equal identifiers, or equal names where one has no identifier.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (&self.iri, &other.iri) {
            (Some(a), Some(b)) => a == b,
            _ => fold(&self.label) == fold(&other.label),
        }
    }
}

#[cfg(test)]
mod tests;
