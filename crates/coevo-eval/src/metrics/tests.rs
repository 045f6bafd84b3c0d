//! Scores, with the vectors that catch re-implementations of the official script.

use super::{best_f1, contains, exact_match, f1, hits_at_1, normalise};

fn close(got: f64, expected: f64) {
    assert!((got - expected).abs() < 1e-12, "{got} is not {expected}");
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|&text| text.to_owned()).collect()
}

#[test]
fn normal_form() {
    for (text, expected) in [
        ("The  Nobel Prize", "nobel prize"),
        ("well-known", "wellknown"),
        ("U.S.", "us"),
        ("1939–1945", "1939–1945"),
        ("O’Hara", "o’hara"),
        // Articles go after punctuation: `A.` is `a` by then.
        ("A. Lincoln", "lincoln"),
        ("a-ha", "aha"),
        ("Theatre", "theatre"),
        // A non-ASCII dash bounds a word, as `\b` does.
        ("the–end", "–end"),
        ("The", ""),
        ("ÉCOLE", "école"),
    ] {
        assert_eq!(normalise(text), expected, "{text}");
    }
}

#[test]
fn exact_and_f1_differ_on_articles() {
    assert!(exact_match("The", "the"));
    close(f1("The", "the"), 0.0);
}

#[test]
fn token_overlap() {
    for (prediction, gold, expected) in [
        ("Barack Obama", "Barack Obama", 1.0),
        // Shared 1 of 2 and of 1: 2 · ½ · 1 / (½ + 1).
        ("Barack Obama", "Obama", 2.0 / 3.0),
        // A repeated word is shared as often as both have it.
        ("New York New York", "New York", 2.0 / 3.0),
        ("Paris", "London", 0.0),
        ("", "London", 0.0),
        ("yes", "yes it is", 0.0),
        ("yes it is", "yes", 0.0),
        ("yes", "Yes.", 1.0),
        ("no", "noanswer", 0.0),
    ] {
        close(f1(prediction, gold), expected);
    }
    close(best_f1("Obama", &texts(&["Paris", "Barack Obama"])), 2.0 / 3.0);
}

#[test]
fn first_item_only() {
    let golds = texts(&["San Francisco", "SF"]);
    assert!(hits_at_1(&texts(&["the San Francisco!", "Oakland"]), &golds));
    assert!(!hits_at_1(&texts(&["Oakland", "San Francisco"]), &golds));
    assert!(!hits_at_1(&[], &golds));
    assert!(!hits_at_1(&texts(&["the"]), &texts(&["a"])));
}

#[test]
fn containment() {
    let golds = texts(&["New York City"]);
    assert!(contains("It is new yorkcity, of course", &golds));
    assert!(contains("York", &golds));
    assert!(!contains("", &golds));
    assert!(!contains("y", &golds));
    assert!(!contains("It is five", &texts(&["5", ""])));
    // No punctuation rule here: that is the family's own.
    assert!(!contains("U.S.", &texts(&["US"])));
}
