//! Mentions in questions.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::{Error, LabelKind, LabelRecord};

fn check(text: &str, expected: &[&str]) {
    let index = LabelIndex::in_memory().unwrap();
    let names = [
        "Andrew Johnson",
        "Johnson",
        "The Godfather",
        "Paris",
        "film",
        "director",
        "Which",
        "Who",
        "University of Oxford",
        "Oxford",
        "2012",
        "US",
    ];
    let records = names.map(|name| {
        Ok::<_, Error>(LabelRecord {
            iri: name.to_owned(),
            text: name.to_owned(),
            language: "en".to_owned(),
            kind: LabelKind::Label,
            popularity: 1,
        })
    });
    index.replace_graph("g", records.into_iter()).unwrap();
    let mentions = index.mentions(text, &MentionOptions::default()).unwrap();
    assert_eq!(
        mentions
            .iter()
            .map(|mention| mention.text.as_str())
            .collect::<Vec<_>>(),
        expected,
        "{text}"
    );
    for mention in mentions {
        assert_eq!(&text[mention.start..mention.end], mention.text);
        assert!(!mention.candidates.is_empty());
    }
}

#[test]
fn longest_names_win_and_function_words_are_no_names() {
    check("What did Andrew Johnson die from?", &["Andrew Johnson"]);
    check("what did andrew johnson die from?", &["andrew johnson"]);
    check("Who was the director of The Godfather?", &["The Godfather"]);
    check(
        "Which film was shot in Paris and at the University of Oxford in 2012?",
        &["Paris", "University of Oxford", "2012"],
    );
    check("Was Johnson's house in the US?", &["Johnson", "US"]);
    check("who is nobody in particular", &[]);
    check("", &[]);
}
