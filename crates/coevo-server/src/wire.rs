//! The bodies of REST under `/api/v1`, of `--json` and of what the command line reads from a server. `Answer`, `Trace` and
//! `NumberedEvent` of `coevo-reason` are used as they are: they are stored formats.
//!
//! Terms are strings: an IRI as it is (no angle brackets), a literal in N-Triples form (it starts with `"`), a blank node
//! as `_:name`.

use coevo_reason::{Answer, NumberedEvent, TraceSummary};
use serde::{Deserialize, Serialize};

/// `GET /version`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// `coevo`.
    pub name: String,
    /// Version of the program.
    pub version: String,
}

/// `GET /api/v1/prefixes`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prefixes {
    /// Prefix and namespace, as queries know them without declaring them.
    pub prefixes: Vec<(String, String)>,
}

/// `GET /api/v1/status`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// Version of the program.
    pub version: String,
    /// Named graphs, sorted by name.
    pub graphs: Vec<GraphSize>,
    /// Names in the label index.
    pub labels: u64,
    /// Passages with a vector.
    pub passages_embedded: u64,
    /// Name of the embedder; `None`: passages cannot be searched by meaning.
    pub embedder: Option<String>,
    /// Name of the chat model; `None`: questions are answered by evidence only.
    pub model: Option<String>,
    /// How to add what is missing; `None`: nothing is.
    pub model_hint: Option<String>,
    /// The memory space that answers write to.
    pub space: String,
    /// Claims by status, and answers.
    pub memory: MemorySize,
}

/// A named graph and its size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphSize {
    /// Its name.
    pub name: String,
    /// Triples in it.
    pub triples: u64,
}

/// What a memory space holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MemorySize {
    /// Claims that wait for a decision.
    pub proposed: u64,
    /// Claims that are live facts.
    pub accepted: u64,
    /// Claims that a curator refused.
    pub rejected: u64,
    /// Claims that others replaced.
    pub superseded: u64,
    /// Claims that are not grounded.
    pub quarantined: u64,
    /// Answers on record.
    pub answers: u64,
}

/// `GET /api/v1/link`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinkResponse {
    /// Mentions in the order of the text.
    pub mentions: Vec<Mention>,
}

/// Words that name something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mention {
    /// First byte in the text.
    pub start: usize,
    /// Behind its last byte.
    pub end: usize,
    /// The words.
    pub text: String,
    /// Candidates, best first.
    pub candidates: Vec<Candidate>,
}

/// An entity that a mention may mean.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The entity.
    pub iri: String,
    /// Its label.
    pub label: String,
    /// The name that matched.
    pub matched: String,
    /// Whether it matched word by word.
    pub exact: bool,
    /// In [0, 1].
    pub score: f32,
    /// A count that grows with how well known the entity is.
    pub popularity: u32,
}

/// `GET /api/v1/search`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchResponse {
    /// Passages, nearest first.
    pub hits: Vec<PassageHit>,
}

/// A passage found by meaning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PassageHit {
    /// The passage.
    pub iri: String,
    /// Its document.
    pub document: String,
    /// The document's title.
    pub title: String,
    /// The text.
    pub text: String,
    /// Cosine similarity in [0, 1].
    pub score: f32,
    /// The `docs` graph it is in.
    pub collection: String,
}

/// `GET /api/v1/khop`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KhopResponse {
    /// Edges, nearest first.
    pub edges: Vec<Edge>,
    /// What the budget cut, in words; empty: nothing.
    pub cut: String,
}

/// `GET /api/v1/paths`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PathsResponse {
    /// Paths, shortest first.
    pub paths: Vec<Path>,
    /// What the budget cut, in words; empty: nothing.
    pub cut: String,
}

/// A path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Path {
    /// First node.
    pub start: String,
    /// Its label.
    pub start_label: Option<String>,
    /// Hops in reading order.
    pub hops: Vec<Hop>,
    /// A query that returns exactly this path.
    pub sparql: String,
}

/// An edge crossed in a direction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hop {
    /// `forward` (subject to object) or `backward`.
    pub direction: String,
    /// The edge.
    pub edge: Edge,
}

/// A stored fact. With `statement` it goes through that node and `predicate` is its direct form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    /// Subject.
    pub subject: String,
    /// Its label.
    pub subject_label: Option<String>,
    /// Predicate.
    pub predicate: String,
    /// Its label.
    pub predicate_label: Option<String>,
    /// Object.
    pub object: String,
    /// Its label; `None` for literals.
    pub object_label: Option<String>,
    /// The named graph that asserts it.
    pub graph: String,
    /// The node it goes through.
    pub statement: Option<String>,
    /// Qualifiers: predicate and term.
    pub qualifiers: Vec<(String, String)>,
}

/// `GET /api/v1/describe`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DescribeResponse {
    /// The entity.
    pub iri: String,
    /// Its label.
    pub label: Option<String>,
    /// Its short description.
    pub description: Option<String>,
    /// Labels and aliases in every language loaded, at most 50.
    pub surfaces: Vec<String>,
    /// Edges in and out.
    pub edges: Vec<Edge>,
    /// What the budget cut, in words; empty: nothing.
    pub cut: String,
}

/// Body of `POST /api/v1/ask` and `/api/v1/ask/stream`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskBody {
    /// The question.
    pub question: String,
    /// `evidence-only` or `co-e-cot`; absent: `co-e-cot` with a model, else `evidence-only`.
    #[serde(default)]
    pub strategy: Option<String>,
    /// What may be spent.
    #[serde(default)]
    pub budget: AskBudget,
    /// Steps of a chain at most, 1 to 20; absent: 5.
    #[serde(default)]
    pub max_steps: Option<u32>,
    /// Whether claims and the answer are written to the memory; absent: yes.
    #[serde(default)]
    pub write_memory: Option<bool>,
}

/// Limits of a run; absent is no limit but the server's.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskBudget {
    /// Calls of the model.
    #[serde(default)]
    pub calls: Option<u32>,
    /// Tokens read and written.
    #[serde(default)]
    pub tokens: Option<u64>,
    /// Seconds.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// Money, in the currency of the configured prices.
    #[serde(default)]
    pub money: Option<f64>,
}

/// The data of one event of `POST /api/v1/ask/stream`. The SSE `event` is the `event` field, the SSE `id` is `seq`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StreamItem {
    /// The last item, behind `run.ended`.
    End(StreamEnd),
    /// What happened.
    Event(NumberedEvent),
}

/// How a stream ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event")]
pub enum StreamEnd {
    /// With the whole answer.
    #[serde(rename = "done")]
    Done {
        /// The answer.
        answer: Box<Answer>,
    },
    /// With the reason why there is none.
    #[serde(rename = "error")]
    Error {
        /// The reason.
        problem: Problem,
    },
}

/// `GET /api/v1/traces`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TracesResponse {
    /// Traces, newest first.
    pub traces: Vec<TraceSummary>,
}

/// `GET /api/v1/claims`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimsResponse {
    /// Claims, the most confident first.
    pub claims: Vec<Claim>,
    /// Claims that match.
    pub total: u64,
    /// Whether there are more than were counted.
    pub is_total_capped: bool,
}

/// A claim with its evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// Its identifier.
    pub iri: String,
    /// Subject.
    pub subject: String,
    /// Its label.
    pub subject_label: Option<String>,
    /// Predicate.
    pub predicate: String,
    /// Its label.
    pub predicate_label: Option<String>,
    /// Object.
    pub object: String,
    /// Its label; `None` for literals.
    pub object_label: Option<String>,
    /// `proposed`, `accepted`, `rejected`, `superseded` or `quarantined`.
    pub status: String,
    /// Counts from 1.
    pub revision: u64,
    /// In [0, 1].
    pub confidence: f32,
    /// Verification factors.
    pub factors: Factors,
    /// Start of validity.
    pub valid_from: Option<String>,
    /// End of validity.
    pub valid_to: Option<String>,
    /// Quoted sentences.
    pub evidence: Vec<Quotation>,
}

/// Verification factors in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Factors {
    /// Prior of the source.
    pub source: f32,
    /// Independent corroboration.
    pub corroboration: f32,
    /// Alignment with the graph.
    pub alignment: f32,
}

/// A quoted sentence of a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quotation {
    /// Its identifier.
    pub iri: String,
    /// The passage.
    pub passage: String,
    /// Where the document comes from in the end.
    pub root_source: String,
    /// The sentence.
    pub quoted: String,
    /// First character, counted in the document.
    pub start: usize,
    /// Behind its last character.
    pub end: usize,
    /// The words that are the subject.
    pub grounded_subject: Option<String>,
    /// The words that are the object.
    pub grounded_object: Option<String>,
    /// The run that read it.
    pub run: String,
}

/// `GET /api/v1/claims/{iri}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimDetail {
    /// The claim.
    pub claim: Claim,
    /// The runs that gave its evidence.
    pub runs: Vec<ClaimRun>,
    /// Decisions, oldest first.
    pub decisions: Vec<ClaimDecision>,
    /// Answers that stand on it.
    pub answers: Vec<String>,
}

/// A run that read a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimRun {
    /// The run.
    pub iri: String,
    /// What was asked.
    pub question: Option<String>,
    /// Strategy name.
    pub strategy: String,
    /// Model name.
    pub model: Option<String>,
    /// When it ended.
    pub ended: jiff::Timestamp,
    /// File of the trace.
    pub trace: Option<String>,
}

/// A decision about a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimDecision {
    /// The decision.
    pub iri: String,
    /// `urn:coevo:ns#Accept` or `urn:coevo:ns#Reject`.
    pub action: String,
    /// Revision before.
    pub from_revision: u64,
    /// Revision after.
    pub to_revision: u64,
    /// Who decided.
    pub by: String,
    /// When.
    pub at: jiff::Timestamp,
}

/// Body of `POST /api/v1/claims/{iri}/decision`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecideBody {
    /// What is decided.
    pub decision: Verdict,
    /// The claim's revision that the decision is about.
    pub revision: u64,
    /// Who decides: an IRI; absent: somebody over REST.
    #[serde(default)]
    pub by: Option<String>,
}

/// What is decided about a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is a fact.
    Accept,
    /// It is wrong.
    Reject,
}

/// `POST /api/v1/claims/{iri}/decision`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecideResponse {
    /// The decision; `None`: the claim stood so already and nothing was written.
    pub decision: Option<String>,
    /// The claim's revision now.
    pub revision: u64,
    /// Answers that became stale.
    pub n_stale: usize,
}

/// `GET /health/live` and `/health/ready`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Health {
    /// `ok`, `degraded` (works without a part) or `unready`.
    pub status: String,
    /// Each part: `ok`, `absent` or `failed`.
    pub parts: Vec<(String, String)>,
}

/// An error as `application/problem+json` (RFC 9457).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// `urn:coevo:problem:<code>`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Machine-readable: see [`Code`](crate::Code).
    pub code: String,
    /// What kind of thing went wrong.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What went wrong.
    pub detail: String,
    /// What a person can do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Finds the request in the log.
    #[serde(default)]
    pub request_id: String,
}
