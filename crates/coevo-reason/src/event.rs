//! The one vocabulary of a running answer: [`Event`]. The page, the command line, MCP and the stored trace all read it.
//! A stored format: [`TRACE_VERSION`] changes when a field changes its meaning.

use serde::{Deserialize, Serialize};

/// Version of the trace format.
pub const TRACE_VERSION: u32 = 1;

/// An event with its place in the total order of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NumberedEvent {
    /// From 1, without gaps.
    pub seq: u64,
    /// Seconds since the run started.
    pub at: f64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// What happens while a question is answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event")]
pub enum Event {
    /// A run begins.
    #[serde(rename = "run.started")]
    RunStarted {
        /// Identifier of the run and of its trace.
        run: String,
        /// The question as asked.
        question: String,
        /// Strategy name.
        strategy: String,
        /// Model name, if a model takes part.
        model: Option<String>,
    },
    /// A step begins.
    #[serde(rename = "step.started")]
    StepStarted {
        /// Step identifier.
        id: String,
        /// What kind of step: `link`, `request`, `retrieve-graph`, `retrieve-text`, `response`, `synchronise`, …
        kind: String,
        /// The step it is part of.
        parent: Option<String>,
    },
    /// A mention was linked (or was not).
    #[serde(rename = "link")]
    Link {
        /// The words of the question or of the memory.
        mention: String,
        /// Candidates, best first.
        candidates: Vec<LinkCandidate>,
        /// IRI that was chosen; `None`: no candidate was good enough.
        chosen: Option<String>,
    },
    /// The question was taken apart.
    #[serde(rename = "analysis")]
    Analysis {
        /// Sub-questions in order.
        subquestions: Vec<String>,
        /// Skyline indicator, where the strategy has one.
        indicator: Option<String>,
        /// Predicted depth.
        depth: Option<u32>,
    },
    /// Sources were chosen.
    #[serde(rename = "sources")]
    Sources {
        /// Sources that could be used.
        available: Vec<String>,
        /// Sources that are used.
        chosen: Vec<String>,
        /// Why.
        why: String,
    },
    /// A source was searched.
    #[serde(rename = "expand")]
    Expand {
        /// `kg:wikidata`, `docs:demo`, `memory`.
        source: String,
        /// Edges or passages found.
        found: usize,
        /// What the budget cut; empty: nothing.
        cut: String,
    },
    /// A piece of evidence stands.
    #[serde(rename = "evidence")]
    Evidence(Box<EvidenceItem>),
    /// Candidates were reduced.
    #[serde(rename = "prune")]
    Prune {
        /// Candidates before.
        from: usize,
        /// Candidates after.
        to: usize,
        /// By what: `embedding`, `model`, `budget`.
        by: String,
    },
    /// The memory changed.
    #[serde(rename = "memory")]
    Memory {
        /// Items or triples added.
        added: usize,
        /// Items or triples merged.
        merged: usize,
        /// Items or triples taken back.
        retracted: usize,
        /// What it says in words.
        note: String,
    },
    /// A piece of the answer's text.
    #[serde(rename = "token")]
    Token {
        /// The text.
        text: String,
    },
    /// The answer.
    #[serde(rename = "answer")]
    Answer(Box<AnswerBody>),
    /// What it cost so far.
    #[serde(rename = "usage")]
    Usage(UsageReport),
    /// A step ends.
    #[serde(rename = "step.ended")]
    StepEnded {
        /// Step identifier.
        id: String,
        /// How it ended.
        outcome: Outcome,
        /// Why, when it is not `ok`.
        reason: Option<String>,
    },
    /// The run ends.
    #[serde(rename = "run.ended")]
    RunEnded {
        /// How it ended.
        outcome: Outcome,
        /// Why, when it is not `ok`.
        reason: Option<String>,
    },
}

/// How a step or run ended: four different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It did what it is for.
    Ok,
    /// It worked and found nothing.
    Empty,
    /// It failed.
    Failed,
    /// A budget or cap ended it.
    Capped,
}

/// A candidate of a link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinkCandidate {
    /// IRI.
    pub iri: String,
    /// Label.
    pub label: String,
    /// Score in [0, 1].
    pub score: f32,
}

/// One piece of evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvidenceItem {
    /// Stable within the run: `P1`, `T1` ….
    pub id: String,
    /// `path`, `passage` or `claim`.
    pub kind: EvidenceKind,
    /// `kg:wikidata`, `docs:demo`, `memory:main`.
    pub source: String,
    /// The evidence in words: a verbalised path, or the quoted sentence(s).
    pub text: String,
    /// Relevance to the question in [0, 1].
    pub relevance: f32,
    /// SPARQL that returns exactly this path.
    pub sparql: Option<String>,
    /// The path's nodes and hops.
    pub path: Option<Vec<PathStep>>,
    /// Passage IRI.
    pub passage: Option<String>,
    /// Title of the passage's document.
    pub title: Option<String>,
    /// Claim IRI.
    pub claim: Option<String>,
}

/// Kind of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EvidenceKind {
    /// A path in a graph.
    Path,
    /// A passage of a document.
    Passage,
    /// A claim of the memory.
    Claim,
}

/// One hop of a path as people read it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PathStep {
    /// IRI or literal the hop starts from (in reading order).
    pub from: String,
    /// Its label.
    pub from_label: String,
    /// Predicate IRI.
    pub predicate: String,
    /// Its label.
    pub predicate_label: String,
    /// `forward` or `backward`: the direction of the stored triple.
    pub direction: String,
    /// IRI or literal the hop ends at.
    pub to: String,
    /// Its label.
    pub to_label: String,
    /// Qualifiers, verbalised: `start time: 1999`.
    pub qualifiers: Vec<String>,
    /// Named graph of the triple.
    pub graph: String,
}

/// The answer itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerBody {
    /// The answer in words.
    pub text: String,
    /// Answer entities or values, best first.
    pub items: Vec<AnswerItem>,
    /// Ids of the evidence it stands on.
    pub citations: Vec<String>,
    /// What supports it: `graph`, `text`, `graph+text`, `memory`, `model` (no evidence), `none`.
    pub verification: String,
    /// `answered`, `insufficient`, `no-evidence`, `capped`.
    pub state: String,
}

/// One answer entity or value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerItem {
    /// Words.
    pub text: String,
    /// IRI, when it is an entity.
    pub iri: Option<String>,
}

/// What a run cost.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct UsageReport {
    /// Calls of the model, repairs included.
    pub calls: u32,
    /// Tokens read by the model.
    pub prompt_tokens: u64,
    /// Tokens written by the model.
    pub completion_tokens: u64,
    /// Wall seconds of the run.
    pub seconds: f64,
    /// Money, when prices are configured.
    pub cost: Option<f64>,
}
