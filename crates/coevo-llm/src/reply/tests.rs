#![expect(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{MAX_REPLY_BYTES, ReplyProblem, parse_json_reply};

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"answer": {"type": "string"}, "labels": {"type": "array", "items": {"enum": ["P1", "P2"]}}},
        "required": ["answer"],
        "additionalProperties": false
    })
}

fn value(text: &str) -> Value {
    parse_json_reply(text, &schema()).unwrap_or_else(|problem| panic!("{problem}: {text}"))
}

fn problem(text: &str) -> ReplyProblem {
    parse_json_reply(text, &schema()).unwrap_err()
}

fn mismatch(pointer: &str, message: &str) -> ReplyProblem {
    ReplyProblem::SchemaMismatch {
        pointer: pointer.to_owned(),
        message: message.to_owned(),
    }
}

#[test]
fn the_value_is_found_whatever_stands_around_it() {
    let cases = [
        r#"{"answer":"a"}"#,
        "  \n{\"answer\":\"a\"}\n",
        "```json\n{\"answer\":\"a\"}\n```",
        "```\n{\"answer\": \"a\"}",
        "Sure! Here it is:\n{\"answer\":\"a\"}\nAnything else?",
        "<think>Maybe {\"answer\":\"wrong\"}?</think>{\"answer\":\"a\"}",
        "It could be {\"answer\":\"wrong\"}.</think>\n```json\n{\"answer\":\"a\"}\n```",
        "As [1] and [2, 3] say, {see above}: {\"answer\":\"a\"} [",
        "Let {x be open and \" too: {\"answer\":\"a\"}",
        "{'answer': 'python'} no: {\"answer\":\"a\"}",
        "{\"answer\":\"a\"} or {\"answer\":\"b\"}",
        "{\"other\":1} {\"answer\":\"a\"}",
    ];
    for text in cases {
        assert_eq!(value(text), json!({"answer": "a"}), "{text}");
    }
    let tricky = json!({"answer": "</think> ``` \"}\\ {é"});
    assert_eq!(value(&tricky.to_string()), tricky);
    assert_eq!(
        value(&format!("So: {tricky}.").replace("</think>", "<b>")),
        json!({"answer": "<b> ``` \"}\\ {é"})
    );
}

#[test]
fn each_problem_is_told_apart() {
    let cases = [
        ("", ReplyProblem::Empty),
        (" \n\t", ReplyProblem::Empty),
        ("<think>only thoughts</think>", ReplyProblem::Empty),
        (
            "<think>{\"answer\":\"a thought that never ends\"}",
            ReplyProblem::Empty,
        ),
        (
            "I do\nnot know",
            ReplyProblem::NotJson {
                excerpt: "I do not know".to_owned(),
            },
        ),
        (
            "{answer: a}",
            ReplyProblem::NotJson {
                excerpt: "{answer: a}".to_owned(),
            },
        ),
        (r#"{"answer":"a"#, ReplyProblem::Truncated),
        (r#"{"answer":"a","labels":["P1","#, ReplyProblem::Truncated),
        (r#"{"labels":[{"answer":"inner"},"#, ReplyProblem::Truncated),
        ("Here: ```json\n{\"answer\":", ReplyProblem::Truncated),
        (
            r#"{"answer":1}"#,
            mismatch("/answer", "value is not of type \"string\""),
        ),
        (
            r#"{"labels":[]}"#,
            mismatch("", "\"answer\" is a required property"),
        ),
        (
            r#"{"answer":"a","labels":["P1","P9"]}"#,
            mismatch("/labels/1", "value is not one of \"P1\" or \"P2\""),
        ),
        ("\"text\"", mismatch("", "value is not of type \"object\"")),
        (
            "[1] {\"answer\": null} [2]",
            mismatch("/answer", "value is not of type \"string\""),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(problem(text), expected, "{text}");
    }
    let wrapped = problem(r#"{"result":{"answer":"inside"}}"#);
    assert!(
        matches!(wrapped, ReplyProblem::SchemaMismatch { .. }),
        "{wrapped:?}"
    );
}

#[test]
fn a_huge_reply_is_refused_unread() {
    let text = format!("{{\"answer\":\"{}\"}}", "x".repeat(10 << 20));
    assert_eq!(
        problem(&text),
        ReplyProblem::TooLarge {
            bytes: text.len(),
            limit: MAX_REPLY_BYTES
        }
    );
}

#[test]
fn hostile_brackets_take_bounded_work() {
    for unit in ["[", "{", "[0,", "{\"a\":", "[\"", "{}", "[1] ", "\\\""] {
        let text = unit.repeat(MAX_REPLY_BYTES / unit.len());
        assert!(parse_json_reply(&text, &schema()).is_err(), "{unit}");
    }
}

#[test]
fn a_bad_schema_is_a_problem_of_its_own() {
    let problem = parse_json_reply("{}", &json!({"type": 7})).unwrap_err();
    assert!(matches!(problem, ReplyProblem::BadSchema { .. }), "{problem:?}");
}

proptest! {
    #[test]
    fn never_panics_and_never_returns_what_does_not_fit(text in ".{0,200}") {
        if let Ok(value) = parse_json_reply(&text, &schema()) {
            prop_assert!(value["answer"].is_string());
        }
    }

    #[test]
    fn finds_any_answer_in_any_harmless_prose(answer in ".{0,40}", before in "[a-z .,{\\]]{0,40}", after in ".{0,40}") {
        let text = format!("{before}\n{}{after}", json!({"answer": answer}));
        if !text.contains("think") {
            let found = parse_json_reply(&text, &schema()).unwrap();
            prop_assert_eq!(&found["answer"], &json!(answer));
        }
    }
}
