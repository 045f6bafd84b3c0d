//! Spellings that must meet, and spellings that must not.

use super::*;

#[test]
fn spellings_of_one_name_meet() {
    for (text, expected) in [
        ("São Paulo", "sao paulo"),
        ("SÃO  PAULO", "sao paulo"),
        ("Einstein's", "einstein"),
        ("Einstein’s theory", "einstein theory"),
        ("AC/DC", "ac dc"),
        ("U.S.", "u s"),
        ("s", "s"),
        ("Ｆｕｌｌｗｉｄｔｈ", "fullwidth"),
        ("北京", "北京"),
        ("", ""),
        ("—", ""),
    ] {
        assert_eq!(fold(text), expected, "{text}");
    }
}

#[test]
fn tokens_know_their_places() {
    let text = "In São Paulo's";
    let places: Vec<&str> = fold_tokens(text)
        .iter()
        .map(|token| &text[token.start..token.end])
        .collect();
    assert_eq!(places, ["In", "São", "Paulo"]);
}

#[test]
fn a_decomposed_accent_is_the_same_letter() {
    assert_eq!(fold("Sa\u{303}o"), fold("São"));
}
