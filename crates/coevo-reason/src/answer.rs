//! A request and its answer as values: [`AskRequest`], [`Strategy`], [`Answer`]. `Answer` is a stored format.

use crate::event::{AnswerBody, EvidenceItem, UsageReport};
use crate::{Error, Result};
use coevo_llm::Budget;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Version of the stored answer.
pub const ANSWER_VERSION: u32 = 1;
/// Longest question read, in characters.
pub(crate) const MAX_QUESTION: usize = 2_000;

/// How a question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// Linked entities, ranked paths and passages; the best-supported end entity. No model.
    EvidenceOnly,
    /// Co-E as a chain of steps over a synchronised graph–text memory (Co-E §3.5).
    CoECot,
}

/// A question and how to answer it.
#[derive(Debug, Clone)]
pub struct AskRequest {
    /// The question.
    pub question: String,
    /// Strategy; `None`: `co-e-cot` with a model, else `evidence-only`.
    pub strategy: Option<Strategy>,
    /// What may be spent.
    pub budget: Budget,
    /// Steps of a chain at most.
    pub max_steps: u32,
    /// Whether claims and the answer are written to the memory.
    pub write_memory: bool,
    /// Identifier of the run: unique, file-name safe.
    pub run_id: String,
    /// When it was asked.
    pub asked_at: Timestamp,
}

impl AskRequest {
    /// A request with the defaults of the method: at most 5 steps, memory written, no budget.
    pub fn new(question: impl Into<String>, run_id: impl Into<String>, asked_at: Timestamp) -> Self {
        Self {
            question: question.into(),
            strategy: None,
            budget: Budget::default(),
            max_steps: 5,
            write_memory: true,
            run_id: run_id.into(),
            asked_at,
        }
    }
}

/// An answer with everything it stands on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// [`ANSWER_VERSION`].
    pub version: u32,
    /// The run, which is also its trace.
    pub run: String,
    /// The question.
    pub question: String,
    /// Strategy name.
    pub strategy: String,
    /// Model name.
    pub model: Option<String>,
    /// The answer.
    pub answer: AnswerBody,
    /// Evidence, best first.
    pub evidence: Vec<EvidenceItem>,
    /// Claims written or met again.
    pub claims: Vec<String>,
    /// Claims that failed the grounding gate.
    pub quarantined: usize,
    /// What it cost.
    pub usage: UsageReport,
    /// Things the reader should know: `no model is configured: evidence only`.
    pub notes: Vec<String>,
}

impl Strategy {
    /// Its name on every surface.
    pub fn name(self) -> &'static str {
        match self {
            Self::EvidenceOnly => "evidence-only",
            Self::CoECot => "co-e-cot",
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Strategy {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "evidence-only" => Ok(Self::EvidenceOnly),
            "co-e-cot" => Ok(Self::CoECot),
            other => Err(Error::UnknownStrategy(other.chars().take(60).collect())),
        }
    }
}
