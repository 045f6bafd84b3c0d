//! A run over a question set: [`run`] asks one question after the other and gives a [`Report`]. Sequential on purpose: the
//! seconds and the ledger of a question are its own. Does not know how a question is asked.

use crate::{Question, metrics};
use coevo_reason::Answer;
use serde::{Deserialize, Serialize};

/// Version of the report's format.
pub const REPORT_VERSION: u32 = 1;

/// What a run found: one row a question, and their means.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`REPORT_VERSION`].
    pub version: u32,
    /// Means over all questions.
    pub means: Means,
    /// One for each question, in order.
    pub rows: Vec<Row>,
}

/// Means of a run. The denominator is always `n`: whatever failed or refused scored 0.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Means {
    /// Questions asked.
    pub n: usize,
    /// Questions whose run ended in an error.
    pub failed: usize,
    /// Questions that got no answer: no evidence, or not enough of it.
    pub refused: usize,
    /// Strict exact match, in [0, 1].
    pub exact_match: f64,
    /// Strict token F1, in [0, 1].
    pub f1: f64,
    /// First item equal to a gold answer, in [0, 1].
    pub hits_at_1: f64,
    /// Containment on the answer (as `ToG`), in [0, 1].
    pub containment: f64,
    /// Calls of the model.
    pub calls: f64,
    /// Tokens read and written by the model.
    pub tokens: f64,
    /// Wall seconds.
    pub seconds: f64,
}

/// How a question ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowOutcome {
    /// There is an answer.
    Answered,
    /// The run ended well, without an answer.
    Refused,
    /// The run ended in an error.
    Failed,
}

/// One question of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The question's id.
    pub id: String,
    /// The question.
    pub question: String,
    /// Gold answers.
    pub golds: Vec<String>,
    /// How it ended.
    pub outcome: RowOutcome,
    /// Run identifier, which is the trace's; `None` where the run failed before it had one.
    pub run: Option<String>,
    /// The answer's words.
    pub answer: String,
    /// Answer items, best first.
    pub items: Vec<String>,
    /// Strict exact match of the first item (of the words, where there are no items).
    pub exact_match: bool,
    /// Strict F1 of the same.
    pub f1: f64,
    /// First item equal to a gold answer.
    pub hits_at_1: bool,
    /// Containment on the words or any item.
    pub containment: bool,
    /// Calls of the model.
    pub calls: u32,
    /// Tokens read and written by the model.
    pub tokens: u64,
    /// Wall seconds.
    pub seconds: f64,
    /// The error, when it failed.
    pub error: Option<String>,
}

/// Asks every question by `ask`, tells each row to `on_row` as it comes, and sums up. An error of one question is a row,
/// not the end of the run.
pub async fn run<E: std::fmt::Display>(
    questions: &[Question],
    mut ask: impl AsyncFnMut(&Question) -> Result<Answer, E>,
    mut on_row: impl FnMut(&Row),
) -> Report {
    let mut rows = Vec::with_capacity(questions.len());
    for question in questions {
        let row = match ask(question).await {
            Ok(answer) => Row::of_answer(question, &answer),
            Err(error) => Row::of_failure(question, error.to_string()),
        };
        on_row(&row);
        rows.push(row);
    }
    Report {
        version: REPORT_VERSION,
        means: Means::of(&rows),
        rows,
    }
}

impl Row {
    fn of_answer(question: &Question, answer: &Answer) -> Self {
        let items: Vec<String> = answer.answer.items.iter().map(|item| item.text.clone()).collect();
        let text = answer.answer.text.clone();
        let refused = matches!(answer.answer.state.as_str(), "insufficient" | "no-evidence")
            || (text.trim().is_empty() && items.is_empty());
        let mut row = Self {
            run: Some(answer.run.clone()),
            calls: answer.usage.calls,
            tokens: answer.usage.prompt_tokens + answer.usage.completion_tokens,
            seconds: answer.usage.seconds,
            ..Self::empty(question)
        };
        if refused {
            row.outcome = RowOutcome::Refused;
        } else {
            let golds = &question.answers;
            let prediction = items.first().unwrap_or(&text);
            row.outcome = RowOutcome::Answered;
            row.exact_match = metrics::best_exact_match(prediction, golds);
            row.f1 = metrics::best_f1(prediction, golds);
            row.hits_at_1 = metrics::hits_at_1(&items, golds);
            row.containment = std::iter::once(&text)
                .chain(&items)
                .any(|words| metrics::contains(words, golds));
        }
        Self {
            answer: text,
            items,
            ..row
        }
    }

    fn of_failure(question: &Question, error: String) -> Self {
        Self {
            error: Some(error),
            ..Self::empty(question)
        }
    }

    fn empty(question: &Question) -> Self {
        Self {
            id: question.id.clone(),
            question: question.question.clone(),
            golds: question.answers.clone(),
            outcome: RowOutcome::Failed,
            run: None,
            answer: String::new(),
            items: Vec::new(),
            exact_match: false,
            f1: 0.0,
            hits_at_1: false,
            containment: false,
            calls: 0,
            tokens: 0,
            seconds: 0.0,
            error: None,
        }
    }
}

impl Means {
    fn of(rows: &[Row]) -> Self {
        let n = rows.len();
        let mean = |value: &dyn Fn(&Row) -> f64| {
            if n == 0 {
                0.0
            } else {
                rows.iter().map(value).sum::<f64>() / n as f64
            }
        };
        let count = |outcome| rows.iter().filter(|row| row.outcome == outcome).count();
        let flag = |set: bool| f64::from(u8::from(set));
        Self {
            n,
            failed: count(RowOutcome::Failed),
            refused: count(RowOutcome::Refused),
            exact_match: mean(&|row| flag(row.exact_match)),
            f1: mean(&|row| row.f1),
            hits_at_1: mean(&|row| flag(row.hits_at_1)),
            containment: mean(&|row| flag(row.containment)),
            calls: mean(&|row| f64::from(row.calls)),
            tokens: mean(&|row| row.tokens as f64),
            seconds: mean(&|row| row.seconds),
        }
    }
}

#[cfg(test)]
mod tests;
