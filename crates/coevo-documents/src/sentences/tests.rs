//! Sentences as a table of texts; the promises as properties.

use proptest::prelude::*;

use super::sentences;

fn check(text: &str, expected: &[&str]) {
    let found: Vec<_> = sentences(text).into_iter().map(|range| &text[range]).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn plain_sentences() {
    check("One. Two!  Three?\nFour", &["One.", "Two!", "Three?", "Four"]);
}

#[test]
fn titles_and_initials_stay_with_their_name() {
    check(
        "Dr. Watson met J. R. R. Tolkien in St. Louis. They spoke.",
        &["Dr. Watson met J. R. R. Tolkien in St. Louis.", "They spoke."],
    );
    check(
        "Martin Luther King Jr. Day is in Jan. 2020.",
        &["Martin Luther King Jr. Day is in Jan. 2020."],
    );
}

#[test]
fn acronyms_end_a_sentence_only_before_a_first_word() {
    check(
        "The U.S. Senate sat. He lives in the U.S. She does not.",
        &["The U.S. Senate sat.", "He lives in the U.S.", "She does not."],
    );
    check(
        "It began at 9 a.m. and ended.",
        &["It began at 9 a.m. and ended."],
    );
    check("Apple Inc. The firm grew.", &["Apple Inc.", "The firm grew."]);
}

#[test]
fn decimals_hosts_and_list_numbers_are_not_ends() {
    check(
        "Pi is 3.14 or so. See example.org for more.",
        &["Pi is 3.14 or so.", "See example.org for more."],
    );
    check("1. First point.", &["1. First point."]);
    check(
        "It rose in 1999. Then it fell.",
        &["It rose in 1999.", "Then it fell."],
    );
}

#[test]
fn words_that_look_like_abbreviations() {
    check("He said no. She left.", &["He said no.", "She left."]);
    check("See No. 5 for details.", &["See No. 5 for details."]);
}

#[test]
fn closing_marks_belong_to_the_sentence() {
    check(
        "\"Stop!\" he said. (It was late.) \"Go.\" She went.",
        &["\"Stop!\" he said.", "(It was late.)", "\"Go.\"", "She went."],
    );
    check(
        "Wait... What? “Yes.” Then",
        &["Wait...", "What?", "“Yes.”", "Then"],
    );
}

#[test]
fn a_blank_line_ends_a_heading() {
    check(
        "Heading\n\nText goes\non. End",
        &["Heading", "Text goes\non.", "End"],
    );
    check("Heading\r\n\r\nText", &["Heading", "Text"]);
}

#[test]
fn ideographic_full_stops_need_no_space() {
    check(
        "東京は首都です。人口は多い。",
        &["東京は首都です。", "人口は多い。"],
    );
}

#[test]
fn blank_text_has_no_sentence() {
    check("", &[]);
    check(" \n\n ", &[]);
}

proptest! {
    #[test]
    fn ranges_are_ordered_apart_and_cover_all_visible_text(
        text in "([A-Za-z]{1,6}|Dr\\.|U\\.S\\.|[ \n\r]|[.!?…。\"')]|\\PC){0,120}",
    ) {
        let ranges = sentences(&text);
        let mut last = 0;
        for range in &ranges {
            prop_assert!(range.start >= last && range.end > range.start);
            prop_assert!(text[last..range.start].trim().is_empty());
            prop_assert_eq!(text[range.clone()].trim(), &text[range.clone()]);
            last = range.end;
        }
        prop_assert!(text[last..].trim().is_empty());
    }
}
