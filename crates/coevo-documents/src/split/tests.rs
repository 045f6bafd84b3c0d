//! Spans are exact: `chars[start..end]` is the passage.

use proptest::prelude::*;

use super::{Passage, SplitOptions, split};

fn check(text: &str, max_chars: usize, expected: &[(usize, usize, &str)]) {
    let found = split(text, &SplitOptions { max_chars });
    let found: Vec<_> = found.iter().map(|p| (p.start, p.end, p.text.as_str())).collect();
    assert_eq!(found, expected);
}

fn slice(text: &str, passage: &Passage) -> String {
    text.chars()
        .skip(passage.start)
        .take(passage.end - passage.start)
        .collect()
}

#[test]
fn short_text_is_one_passage_without_its_margins() {
    check("  Ångström was born.\n", 100, &[(2, 20, "Ångström was born.")]);
}

#[test]
fn paragraphs_part_before_sentences() {
    check(
        "Näive one. Two.\n\nThird part.",
        16,
        &[(0, 15, "Näive one. Two."), (17, 28, "Third part.")],
    );
}

#[test]
fn characters_outside_the_basic_plane_count_as_one() {
    check("😀😀 b", 2, &[(0, 2, "😀😀"), (3, 4, "b")]);
}

#[test]
fn blank_text_has_no_passage() {
    check(" \r\n\t ", 10, &[]);
    check("", 10, &[]);
}

#[test]
fn zero_is_taken_as_one() {
    check("ab", 0, &[(0, 1, "a"), (1, 2, "b")]);
}

proptest! {
    #[test]
    fn spans_are_exact_ordered_and_bounded(text in "(\\PC|[ \n\r.!?äé😀]){0,200}", max_chars in 1_usize..60) {
        let passages = split(&text, &SplitOptions { max_chars });
        let mut last = 0;
        for (n, passage) in passages.iter().enumerate() {
            prop_assert_eq!(passage.ordinal as usize, n);
            prop_assert!(passage.start >= last);
            prop_assert!(passage.end > passage.start);
            prop_assert!(passage.end - passage.start <= max_chars);
            prop_assert_eq!(&slice(&text, passage), &passage.text);
            last = passage.end;
        }
    }

    #[test]
    fn no_visible_character_is_lost(text in "(\\PC|[ \n\r.!?äé😀]){0,200}", max_chars in 1_usize..60) {
        let visible = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let joined: String = split(&text, &SplitOptions { max_chars }).iter().map(|p| visible(&p.text)).collect();
        prop_assert_eq!(joined, visible(&text));
    }
}
