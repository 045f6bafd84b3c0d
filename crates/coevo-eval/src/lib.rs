//! Question sets, metrics and runs: how good are the answers. Entry points: [`read_questions`], [`run`], [`metrics`].
//!
//! The metrics are pure functions of an answer and its gold answers, after the published rules, strict and lenient side
//! by side. A run asks one question after the other; an answer that failed or refused is counted apart and stays in the
//! denominator. The crate knows no engine: whoever calls [`run`] brings the closure that asks.

mod error;
pub mod metrics;
mod questions;
mod run;

pub use error::Error;
pub use questions::{Question, read_questions};
pub use run::{Means, REPORT_VERSION, Report, Row, RowOutcome, run};

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
