//! The parts opened and put together: [`Engine`]. Asking dispatches to a strategy, then stores trace and answer.

use crate::answer::{ANSWER_VERSION, Answer, AskRequest, MAX_QUESTION, Strategy};
use crate::event::{Event, Outcome, TRACE_VERSION, UsageReport};
use crate::rank::Ranker;
use crate::trace::{self, Trace, TraceSummary};
use crate::{Error, EventSink, Result, claims, coe, evidence_only, linking, text_retrieval};
use coevo_graph::{Graph, LabelIndex, Mention, vocab};
use coevo_llm::{ChatModel, Ledger};
use coevo_memory::{Memory, MemoryStats};
use coevo_vectors::{Embedder, VectorIndex};
use oxrdf::NamedNode;
use std::path::PathBuf;
use std::sync::Arc;

/// What an engine is made of.
#[derive(Clone)]
pub struct EngineParts {
    /// The graph.
    pub graph: Graph,
    /// Names of its entities.
    pub labels: Arc<LabelIndex>,
    /// The embedder; `None`: texts are compared by words and passages cannot be searched by meaning.
    pub embedder: Option<Embedder>,
    /// Vectors of the passages.
    pub passages: Option<Arc<VectorIndex>>,
    /// The chat model; `None`: `evidence-only`.
    pub model: Option<ChatModel>,
    /// Claims and answers.
    pub memory: Memory,
    /// Where traces are kept.
    pub traces_dir: PathBuf,
    /// Settings.
    pub settings: EngineSettings,
}

/// What can be set.
#[derive(Debug, Clone)]
pub struct EngineSettings {
    /// Languages of labels, best first.
    pub languages: Vec<String>,
    /// Why there is no model, for the notes of an answer (`no model is configured`).
    pub no_model_note: String,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            languages: vec!["en".to_owned()],
            no_model_note: "no model is configured".to_owned(),
        }
    }
}

/// Answers questions. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    parts: Arc<EngineParts>,
    ranker: Ranker,
}

/// A passage found by meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageHit {
    /// The passage.
    pub iri: String,
    /// Its document.
    pub document: String,
    /// The document's title.
    pub title: String,
    /// The text.
    pub text: String,
    /// Cosine similarity, clamped at 0.
    pub score: f32,
    /// The `docs` graph it is in.
    pub collection: String,
}

/// What the platform holds.
#[derive(Debug, Clone)]
pub struct Status {
    /// Named graphs with their numbers of triples.
    pub graphs: Vec<(String, u64)>,
    /// Names in the label index.
    pub labels: u64,
    /// Passages with a vector.
    pub passages_embedded: u64,
    /// Name of the embedder.
    pub embedder: Option<String>,
    /// Name of the chat model.
    pub model: Option<String>,
    /// Claims and answers by status.
    pub memory: MemoryStats,
}

/// What a strategy gives back.
pub(crate) struct Finished {
    pub(crate) answer: crate::AnswerBody,
    pub(crate) evidence: Vec<crate::EvidenceItem>,
    pub(crate) extracted: Vec<coevo_memory::ExtractedTriple>,
    /// Triples that the answer stands on.
    pub(crate) triples: Vec<oxrdf::Quad>,
    pub(crate) notes: Vec<String>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("graph", &self.parts.graph)
            .field("model", &self.model_name())
            .finish_non_exhaustive()
    }
}

impl Engine {
    /// Puts the parts together.
    pub fn new(parts: EngineParts) -> Self {
        let ranker = Ranker::new(parts.embedder.clone());
        Self {
            parts: Arc::new(parts),
            ranker,
        }
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.parts.graph
    }

    /// The label index.
    pub fn labels(&self) -> &Arc<LabelIndex> {
        &self.parts.labels
    }

    /// The memory.
    pub fn memory(&self) -> &Memory {
        &self.parts.memory
    }

    /// Name of the chat model.
    pub fn model_name(&self) -> Option<&str> {
        self.parts.model.as_ref().map(ChatModel::name)
    }

    /// The embedder.
    pub fn embedder(&self) -> Option<&Embedder> {
        self.parts.embedder.as_ref()
    }

    /// Languages of labels, best first.
    pub fn languages(&self) -> &[String] {
        &self.parts.settings.languages
    }

    pub(crate) fn passages(&self) -> Option<&Arc<VectorIndex>> {
        self.parts.passages.as_ref()
    }

    pub(crate) fn ranker(&self) -> &Ranker {
        &self.ranker
    }

    pub(crate) async fn traversal_graphs(&self) -> Result<Vec<NamedNode>> {
        let mut graphs = self.graph().named_graphs().await?;
        graphs.retain(|graph| vocab::is_traversal_graph(graph.as_str()));
        Ok(graphs)
    }

    /// Entities that `text` mentions, each with at most `limit` candidates. A text that is itself (nearly) a name is one
    /// mention.
    pub async fn link(&self, text: &str, limit: usize) -> Result<Vec<Mention>> {
        let found = linking::mentions(self, text, limit).await?;
        if !found.is_empty() {
            return Ok(found);
        }
        let (labels, whole) = (self.labels().clone(), text.to_owned());
        let candidates = tokio::task::spawn_blocking(move || labels.link(&whole, limit)).await??;
        if candidates.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![Mention {
            start: 0,
            end: text.len(),
            text: text.to_owned(),
            candidates,
        }])
    }

    /// Passages nearest in meaning, best first. [`Error::Vectors`] when there is no embedder is left to the caller: see
    /// [`Engine::embedder`].
    pub async fn search(&self, text: &str, limit: usize) -> Result<Vec<PassageHit>> {
        let passages = text_retrieval::passages(self, &[text.to_owned()], limit).await?;
        Ok(passages
            .into_iter()
            .map(|passage| PassageHit {
                iri: passage.iri.into_string(),
                document: passage.document,
                title: passage.title,
                text: passage.text,
                score: passage.score,
                collection: passage.graph,
            })
            .collect())
    }

    /// What the platform holds.
    pub async fn status(&self) -> Result<Status> {
        let graphs = self.graph().graph_sizes().await?;
        let passages_embedded = match self.passages().cloned() {
            Some(index) => tokio::task::spawn_blocking(move || index.count()).await?? as u64,
            None => 0,
        };
        Ok(Status {
            graphs: graphs
                .into_iter()
                .map(|info| (info.name.into_string(), info.triples))
                .collect(),
            labels: self.labels().len(),
            passages_embedded,
            embedder: self.embedder().map(|embedder| embedder.identity().model.clone()),
            model: self.model_name().map(str::to_owned),
            memory: self.memory().stats().await?,
        })
    }

    /// Reopens a stored trace.
    pub fn trace(&self, run: &str) -> Result<Trace> {
        trace::read(&self.parts.traces_dir, run)
    }

    /// The newest traces, at most `limit`.
    pub fn traces(&self, limit: usize) -> Result<Vec<TraceSummary>> {
        trace::list(&self.parts.traces_dir, limit)
    }

    /// Answers a question. The trace is stored in any case; claims and the answer only when the request says so.
    pub async fn ask(&self, request: &AskRequest, events: &EventSink) -> Result<Answer> {
        let question = request.question.trim();
        if question.is_empty() {
            return Err(Error::EmptyQuestion);
        }
        let length = question.chars().count();
        if length > MAX_QUESTION {
            return Err(Error::QuestionTooLong {
                length,
                limit: MAX_QUESTION,
            });
        }
        let (strategy, mut notes) = self.strategy(request)?;
        let model = match strategy {
            Strategy::EvidenceOnly => None,
            Strategy::CoECot => self.parts.model.as_ref(),
        };
        let ledger = Ledger::new(request.budget);
        events
            .emit(Event::RunStarted {
                run: request.run_id.clone(),
                question: question.to_owned(),
                strategy: strategy.name().to_owned(),
                model: model.map(|model| model.name().to_owned()),
            })
            .await;
        let finished = match model {
            None => evidence_only::run(self, question, events).await,
            Some(model) => coe::run(self, model, question, request, &ledger, events).await,
        };
        let result = match finished {
            Ok(finished) => {
                notes.extend(finished.notes.iter().cloned());
                let mut answer = Answer {
                    version: ANSWER_VERSION,
                    run: request.run_id.clone(),
                    question: question.to_owned(),
                    strategy: strategy.name().to_owned(),
                    model: model.map(|model| model.name().to_owned()),
                    answer: finished.answer.clone(),
                    evidence: finished.evidence.clone(),
                    claims: Vec::new(),
                    quarantined: 0,
                    usage: usage(&ledger, events),
                    notes,
                };
                let kept = match request.write_memory {
                    true => claims::write(self, request, finished, &mut answer, events).await,
                    false => Ok(()),
                };
                kept.map(|()| answer)
            }
            Err(error) => Err(error),
        };
        self.close(request, result, &ledger, events).await
    }

    /// Emits the end of the run and stores its trace.
    async fn close(
        &self,
        request: &AskRequest,
        result: Result<Answer>,
        ledger: &Ledger,
        events: &EventSink,
    ) -> Result<Answer> {
        events.emit(Event::Usage(usage(ledger, events))).await;
        let (outcome, reason) = match &result {
            Ok(answer) => match answer.answer.state.as_str() {
                "no-evidence" => (Outcome::Empty, None),
                "capped" => (Outcome::Capped, Some("a budget was spent".to_owned())),
                _ => (Outcome::Ok, None),
            },
            Err(error @ Error::NothingFound { .. }) => (Outcome::Empty, Some(error.to_string())),
            Err(error) => (Outcome::Failed, Some(error.to_string())),
        };
        events.emit(Event::RunEnded { outcome, reason }).await;
        let trace = Trace {
            version: TRACE_VERSION,
            run: request.run_id.clone(),
            question: request.question.trim().to_owned(),
            asked_at: request.asked_at,
            answer: result.as_ref().ok().cloned(),
            events: events.events(),
        };
        let dir = self.parts.traces_dir.clone();
        tokio::task::spawn_blocking(move || trace::write(&dir, &trace)).await??;
        result
    }

    fn strategy(&self, request: &AskRequest) -> Result<(Strategy, Vec<String>)> {
        match (request.strategy, &self.parts.model) {
            (Some(Strategy::EvidenceOnly), _) => Ok((Strategy::EvidenceOnly, Vec::new())),
            (Some(Strategy::CoECot) | None, Some(_)) => Ok((Strategy::CoECot, Vec::new())),
            (Some(strategy @ Strategy::CoECot), None) => Err(Error::NoModel {
                strategy: strategy.name(),
            }),
            (None, None) => {
                let note = format!("{}: evidence only", self.parts.settings.no_model_note);
                Ok((Strategy::EvidenceOnly, vec![note]))
            }
        }
    }
}

fn usage(ledger: &Ledger, events: &EventSink) -> UsageReport {
    let usage = ledger.usage();
    UsageReport {
        calls: usage.calls,
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens,
        seconds: events.seconds(),
        cost: (usage.cost > 0.0).then_some(usage.cost),
    }
}
