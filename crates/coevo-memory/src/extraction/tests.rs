use super::EvidenceSpan;
use crate::testing::node;

/// What a model quoted → where it stands, and how it is written there. The passage begins at character 100.
#[track_caller]
fn check(quoted: &str, expected: Option<(usize, usize, &str)>) {
    let text = "Zoë said: “The Lyra  Array\nfound it.” It’s big.";
    let span = EvidenceSpan::locate(node("urn:x:passage"), 100, text, quoted);
    let found = span
        .as_ref()
        .map(|span| (span.start, span.end, span.quoted.as_str()));
    assert_eq!(found, expected, "{quoted}");
}

#[test]
fn quotations_are_found_as_they_stand() {
    check("It’s big.", Some((138, 147, "It’s big.")));
    check(" It’s big. ", Some((138, 147, "It’s big.")));
}

#[test]
fn quotations_are_found_in_other_dress() {
    check("it's BIG.", Some((138, 147, "It’s big.")));
    check(
        "\"The Lyra Array found it.\"",
        Some((110, 137, "“The Lyra  Array\nfound it.”")),
    );
    check("Zoe\u{308} said", Some((100, 108, "Zoë said")));
}

#[test]
fn what_is_not_there_is_not_found() {
    check("", None);
    check("  ", None);
    check("The Lyra Array lost it.", None);
    check("Zoe said", None);
}
