//! The only words this crate says to a model. They are about the form of a reply, never about its matter.

use crate::ReplyProblem;

/// A model is shown at most this much of its own reply.
const MAX_SHOWN_CHARS: usize = 4000;

/// Follows the system message where the endpoint cannot enforce a schema itself.
pub(crate) fn form_of_reply(schema: &str) -> String {
    format!(
        "Reply with exactly one JSON value and nothing before or after it. It must fit this JSON Schema:\n{schema}"
    )
}

/// The model's reply as it is shown to it again.
pub(crate) fn shown_reply(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{} […]", &text[..end]),
        None => text.to_owned(),
    }
}

/// Asks for the same once more, naming what was wrong.
pub(crate) fn repair(problem: &ReplyProblem, schema: &str) -> String {
    let what = match problem {
        ReplyProblem::Truncated => {
            "Your reply was cut off before its JSON was complete. Give a shorter one: fewer items and shorter texts."
                .to_owned()
        }
        ReplyProblem::Empty => "Your reply was empty.".to_owned(),
        ReplyProblem::NotJson { .. } => "Your reply cannot be read: it holds no valid JSON value.".to_owned(),
        ReplyProblem::SchemaMismatch { pointer, message } if pointer.is_empty() => {
            format!("Your reply cannot be used: {message}.")
        }
        ReplyProblem::SchemaMismatch { pointer, message } => {
            format!("Your reply cannot be used. At {pointer}: {message}.")
        }
        other => format!("Your reply cannot be used: {other}."),
    };
    format!(
        "{what} Answer again with one JSON value only, without explanation, that fits this JSON Schema:\n{schema}"
    )
}

#[cfg(test)]
mod tests {
    use super::{repair, shown_reply};
    use crate::ReplyProblem;

    #[test]
    fn a_repair_names_the_problem_and_the_schema() {
        let mismatch = ReplyProblem::SchemaMismatch {
            pointer: "/a/0".to_owned(),
            message: "value is not one of \"P1\"".to_owned(),
        };
        let words = repair(&mismatch, "{}");
        assert!(
            words.contains("At /a/0: value is not one of \"P1\".") && words.ends_with("\n{}"),
            "{words}"
        );
        assert!(repair(&ReplyProblem::Truncated, "{}").contains("shorter"));
    }

    #[test]
    fn a_reply_is_shown_capped() {
        assert_eq!(shown_reply("é"), "é");
        assert_eq!(shown_reply(&"é".repeat(5000)).chars().count(), 4004);
    }
}
