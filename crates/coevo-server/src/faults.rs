//! The one mapping from errors of the crates below to a [`Code`]: [`code_of`] and the `From` impls of [`Problem`]. Detail
//! and hint are the error's own words, so that a server says the same as the command line on a directory.
//!
//! The enums of other crates are `#[non_exhaustive]`, which makes a last arm unavoidable here; it stands once in each function, means
//! [`Code::Internal`], and a new variant must not be left to it.

#![expect(
    clippy::match_same_arms,
    reason = "the last arm of each table is for variants that this version does not know"
)]

use crate::code::Code;
use crate::problem::Problem;
use std::io;

/// The code of an error of a view. The enum is this crate's own: no last arm here.
fn view_code(error: &crate::Error) -> Code {
    use crate::Error as E;
    match error {
        E::NoEmbedder => Code::VectorsFailed,
        E::UnknownEntity { .. } => Code::NoEntity,
        E::Graph(error) => graph_code(error),
        E::Memory(error) => memory_code(error),
        E::Engine(error) => code_of(error),
    }
}

/// The code of an error of asking, and of everything that asking stands on.
pub(crate) fn code_of(error: &coevo_reason::Error) -> Code {
    use coevo_reason::Error as E;
    match error {
        E::EmptyQuestion | E::QuestionTooLong { .. } => Code::BadQuestion,
        E::NothingFound { .. } => Code::NothingFound,
        E::NoModel { .. } => Code::NoModel,
        E::UnknownStrategy(_) => Code::UnknownStrategy,
        E::NoTrace(_) => Code::NoTrace,
        E::DamagedTrace { .. } => Code::TraceDamaged,
        E::Io(error) => io_code(error),
        E::Graph(error) => graph_code(error),
        E::Vectors(error) => vectors_code(error),
        E::Model(error) => model_code(error),
        E::Memory(error) => memory_code(error),
        E::Prompt { .. } | E::Worker(_) => Code::Internal,
        _ => Code::Internal,
    }
}

fn graph_code(error: &coevo_graph::Error) -> Code {
    use coevo_graph::Error as E;
    match error {
        E::Syntax(_) => Code::SparqlSyntax,
        E::RdfSyntax(_) | E::NamedGraphsInGraph => Code::RdfSyntax,
        // A fault of the store itself is `Store`; what is left is about the query.
        E::Evaluation(_) | E::TooComplex { .. } => Code::QueryFailed,
        E::Update(_) => Code::UpdateFailed,
        E::Deadline { .. } => Code::QueryDeadline,
        E::Cancelled => Code::Stopping,
        E::WrongFormat { .. } => Code::NotAcceptable,
        E::Conflict { .. } => Code::Conflict,
        E::BadName { .. } => Code::BadName,
        E::DiskFull(_) => Code::DiskFull,
        E::NotWritable { .. } | E::Store(_) | E::Read(_) => Code::StoreFailed,
        E::Labels(_) => Code::LabelsFailed,
        E::Io(error) => io_code(error),
        E::LockHeld { .. }
        | E::NotInitialised(_)
        | E::NotEmpty(_)
        | E::NewerFormat { .. }
        | E::DamagedMarker { .. } => Code::StoreFailed,
        E::Worker(_) => Code::Internal,
        _ => Code::Internal,
    }
}

fn vectors_code(error: &coevo_vectors::Error) -> Code {
    use coevo_vectors::Error as E;
    match error {
        E::DiskFull { .. } => Code::DiskFull,
        E::Stopping => Code::Stopping,
        E::Io(error) => io_code(error),
        E::ModelMissing { .. }
        | E::WrongModel { .. }
        | E::ModelLoad { .. }
        | E::Inference { .. }
        | E::InUse { .. }
        | E::OtherEmbedder { .. }
        | E::FormatVersion { .. }
        | E::Damaged { .. }
        | E::Dimension { .. }
        | E::NotFinite { .. }
        | E::Store { .. } => Code::VectorsFailed,
        _ => Code::Internal,
    }
}

fn model_code(error: &coevo_llm::Error) -> Code {
    use coevo_llm::Error as E;
    match error {
        E::Unreachable { .. } => Code::ModelUnreachable,
        E::Refused { .. } | E::NoModel { .. } | E::NotCompatible { .. } => Code::ModelRefused,
        E::Deadline { .. } => Code::ModelDeadline,
        E::BrokenStream { .. }
        | E::Empty { .. }
        | E::Truncated { .. }
        | E::NotJson { .. }
        | E::SchemaMismatch { .. }
        | E::TooLarge { .. } => Code::ModelReply,
        E::BudgetSpent { .. } => Code::BudgetSpent,
        E::Http(error) => http_code(error),
        E::NoRecording { .. } | E::BadRecordings { .. } | E::BadSchema { .. } => Code::Internal,
        _ => Code::Internal,
    }
}

fn http_code(error: &coevo_http::Error) -> Code {
    use coevo_http::Error as E;
    match error {
        E::Connect { .. } | E::Broken { .. } => Code::ModelUnreachable,
        E::Deadline { .. } => Code::ModelDeadline,
        E::TooLarge { .. } => Code::ModelReply,
        E::AddressRefused { .. } | E::TooManyRedirects { .. } | E::BadRedirect { .. } => Code::ModelRefused,
        E::Io(error) => io_code(error),
        E::BadUrl { .. }
        | E::BadRequest { .. }
        | E::Setup { .. }
        | E::NoRecording { .. }
        | E::BadRecording { .. } => Code::Internal,
        _ => Code::Internal,
    }
}

fn memory_code(error: &coevo_memory::Error) -> Code {
    use coevo_memory::Error as E;
    match error {
        E::Graph(error) => graph_code(error),
        E::BadSpace { .. } | E::BadRunId { .. } | E::EmptyName { .. } => Code::BadName,
        E::TooLong { .. } | E::TooMany { .. } => Code::BadRequest,
        E::Conflict { .. } | E::NotGrounded { .. } => Code::Conflict,
        E::UnknownClaim { .. } => Code::NoClaim,
        E::Damaged { .. } => Code::MemoryDamaged,
        E::Inverse(_) | E::Worker(_) => Code::Internal,
        _ => Code::Internal,
    }
}

fn io_code(error: &io::Error) -> Code {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Code::DiskFull,
        _ => Code::FileFailed,
    }
}

impl From<crate::Error> for Problem {
    fn from(error: crate::Error) -> Self {
        let hint = match error {
            // Who reads this may have no command line.
            crate::Error::UnknownEntity { .. } => {
                Some("find its identifier with /api/v1/link or `coevo link`".to_owned())
            }
            _ => error.hint(),
        };
        Self::new(view_code(&error), error.to_string()).with_hint(hint)
    }
}

impl From<coevo_reason::Error> for Problem {
    fn from(error: coevo_reason::Error) -> Self {
        Self::new(code_of(&error), error.to_string()).with_hint(error.hint())
    }
}

impl From<coevo_graph::Error> for Problem {
    fn from(error: coevo_graph::Error) -> Self {
        Self::new(graph_code(&error), error.to_string()).with_hint(error.hint())
    }
}

impl From<tokio::task::JoinError> for Problem {
    fn from(_error: tokio::task::JoinError) -> Self {
        Self::new(Code::Internal, "a worker thread stopped unexpectedly")
    }
}
