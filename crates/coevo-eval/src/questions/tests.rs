//! Question sets: what is read and what is refused.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::read;
use std::path::Path;

fn check(input: &str, expected: Result<&[&str], &str>) {
    let got = read(input.as_bytes(), Path::new("set.jsonl"), 10)
        .map(|questions| {
            questions
                .into_iter()
                .map(|question| question.id)
                .collect::<Vec<_>>()
        })
        .map_err(|error| error.to_string());
    match (got, expected) {
        (Ok(got), Ok(expected)) => assert_eq!(got, expected),
        (Err(got), Err(expected)) => assert!(got.contains(expected), "{got} should say {expected}"),
        (got, expected) => panic!("{got:?} is not {expected:?}"),
    }
}

#[test]
fn reads_lines_and_skips_empty_ones() {
    let two = "{\"id\": \"a\", \"question\": \"Q?\", \"answers\": [\"x\"], \"hops\": 2}\n\n\
               {\"id\": \"b\", \"question\": \"R?\", \"answers\": [\"y\", \"z\"]}";
    check(two, Ok(&["a", "b"]));
}

#[test]
fn refuses_what_is_no_question() {
    check("", Err("no questions"));
    check("[1]", Err("set.jsonl, line 1"));
    check(
        "{\"id\": \"a\", \"question\": \"Q?\"}",
        Err("missing field `answers`"),
    );
    check(
        "{\"id\": \"a\", \"question\": \"Q?\", \"answers\": []}",
        Err("line 1: no gold answer"),
    );
    check(
        "{\"id\": \"a\", \"question\": \" \", \"answers\": [\"x\"]}",
        Err("the question is empty"),
    );
    let line = "{\"id\": \"a\", \"question\": \"Q?\", \"answers\": [\"x\"]}\n";
    check(&line.repeat(2), Err("line 2: id `a` occurs twice"));
    check(&" ".repeat(super::MAX_LINE + 1), Err("longer than 1048576 bytes"));
}

#[test]
fn stops_at_the_limit() {
    let text = "{\"id\": \"a\", \"question\": \"Q?\", \"answers\": [\"x\"]}\nnot read";
    assert_eq!(read(text.as_bytes(), Path::new("set.jsonl"), 1).unwrap().len(), 1);
}
