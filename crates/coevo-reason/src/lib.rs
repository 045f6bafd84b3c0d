//! Questions answered over graph, text and memory together. Entry types: [`Engine`] (the parts, opened) and
//! [`AskRequest`] → [`Answer`]; [`EventSink`] carries what happens on the way.
//!
//! Strategies: `evidence-only` (no model) and `co-e-cot` (synchronised graph–text memory). Ranking, verbalising,
//! prompt building and reply parsing are pure functions; input and output stand thin around them. This crate writes
//! knowledge only through `coevo-memory`, and knows nothing of serving HTTP or of the command line.

mod answer;
mod answer_kind;
mod claims;
mod coe;
mod engine;
mod error;
mod event;
mod evidence;
mod evidence_only;
mod graph_retrieval;
mod linking;
mod rank;
mod sink;
mod text_retrieval;
mod trace;
mod verbalise;

pub use answer::{ANSWER_VERSION, Answer, AskRequest, Strategy};
pub use engine::{Engine, EngineParts, EngineSettings, PassageHit, Status};
pub use error::Error;
pub use event::{
    AnswerBody, AnswerItem, Event, EvidenceItem, EvidenceKind, LinkCandidate, NumberedEvent, Outcome,
    PathStep, TRACE_VERSION, UsageReport,
};
pub use sink::EventSink;
pub use trace::{Trace, TraceSummary};

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
