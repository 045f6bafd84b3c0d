//! Claims with provenance: the only writer of knowledge that a model proposed. Entry type: [`Memory`].
//!
//! What it promises: a triple reaches `urn:coevo:memory:<space>:proposed` only when its subject and its object are found
//! in a sentence that really stands in a stored passage of a document; everything else is quarantined or refused with a
//! [`Reason`]. Decisions stick: a rejected triple never comes back by being read again. Proposing is idempotent, and each
//! call is one atomic change of the store under a revision check.
//! What it refuses: it runs no model and holds no prompt, it reads no clock and makes no identifiers of its own (time and
//! run identifiers come in as values), and it never takes evidence from memory, from verbalised triples or from a model's
//! prediction: only passages in `urn:coevo:docs:*` count.

mod answer;
mod check;
mod claim;
mod decide;
mod draft;
mod error;
mod extraction;
mod gate;
mod ground;
mod list;
mod memory;
mod names;
mod propose;
mod read;
mod surface;
mod value;

pub use answer::AnswerRecord;
pub use check::Inconsistency;
pub use claim::{Claim, ClaimDetail, DecisionRecord, Evidence, RunDetail, Status};
pub use decide::{Decided, Decision};
pub use error::Error;
pub use extraction::{EntityRef, EvidenceSpan, ExtractedTriple, Factors, ObjectRef, RunRecord};
pub use gate::Reason;
pub use ground::ground;
pub use list::{ClaimFilter, ClaimPage};
pub use memory::{Memory, MemoryStats};
pub use names::{claim_iri, entity_iri, relation_iri};
pub use propose::ProposeReport;

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[cfg(test)]
mod testing;
