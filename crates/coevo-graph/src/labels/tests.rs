//! Linking by spelling and popularity.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;

fn record(iri: &str, text: &str, kind: LabelKind, popularity: u32) -> LabelRecord {
    LabelRecord {
        iri: iri.to_owned(),
        text: text.to_owned(),
        language: "en".to_owned(),
        kind,
        popularity,
    }
}

fn index() -> LabelIndex {
    let index = LabelIndex::in_memory().unwrap();
    let names = [
        record("Paris-city", "Paris", LabelKind::Label, 5_000),
        record("Paris-texas", "Paris", LabelKind::Label, 40),
        record("Paris-hilton", "Paris Hilton", LabelKind::Label, 300),
        record("Sao", "São Paulo", LabelKind::Label, 900),
        record("Sao", "Sampa", LabelKind::Alias, 900),
        record("Einstein", "Albert Einstein", LabelKind::Label, 800),
        record("Film", "Einstein", LabelKind::Label, 2),
        record("Nothing", "—", LabelKind::Label, 2),
    ];
    assert_eq!(
        index
            .replace_graph("g", names.into_iter().map(Ok::<_, Error>))
            .unwrap(),
        7
    );
    index
}

fn check(mention: &str, expected: &[&str]) {
    let found = index().link(mention, 3).unwrap();
    let iris: Vec<&str> = found.iter().map(|candidate| candidate.iri.as_str()).collect();
    assert_eq!(iris, expected, "{mention}: {found:?}");
    assert!(
        found
            .iter()
            .all(|candidate| (0.0..=1.0).contains(&candidate.score)),
        "{found:?}"
    );
}

#[test]
fn exact_names_come_first_and_popularity_orders_namesakes() {
    check("paris", &["Paris-city", "Paris-texas", "Paris-hilton"]);
    check("Sao Paulo", &["Sao"]);
    check("SAMPA", &["Sao"]);
    check("Einstein", &["Film", "Einstein"]);
}

#[test]
fn misspelt_partial_unknown_and_empty_mentions() {
    check("Albrt Einstein", &["Einstein"]);
    check("Hilton", &["Paris-hilton"]);
    check("Zaphod Beeblebrox", &[]);
    check("", &[]);
    check("?!", &[]);
}

#[test]
fn an_alias_shows_the_label() {
    let found = index().link("Sampa", 1).unwrap();
    assert_eq!(
        (found[0].label.as_str(), found[0].matched.as_str(), found[0].exact),
        ("São Paulo", "Sampa", true)
    );
}

#[test]
fn replacing_a_graph_leaves_the_others() {
    let index = index();
    let one = [record("Lyon", "Lyon", LabelKind::Label, 1)];
    index
        .replace_graph("h", one.into_iter().map(Ok::<_, Error>))
        .unwrap();
    assert_eq!(index.len(), 8);
    index
        .replace_graph("g", std::iter::empty::<Result<_, Error>>())
        .unwrap();
    assert_eq!(index.len(), 1);
    assert_eq!(index.link("Lyon", 1).unwrap().len(), 1);
    let failing = [Ok(record("X", "X", LabelKind::Label, 1)), Err(Error::Cancelled)];
    index.replace_graph("h", failing.into_iter()).unwrap_err();
    assert_eq!(
        index.link("Lyon", 1).unwrap().len(),
        1,
        "a failed replacement keeps the old names"
    );
}

#[test]
fn it_reopens_from_disk() {
    let dir = tempfile::tempdir().unwrap();
    let names = [record("Lyon", "Lyon", LabelKind::Label, 1)];
    LabelIndex::open(dir.path())
        .unwrap()
        .replace_graph("g", names.into_iter().map(Ok::<_, Error>))
        .unwrap();
    assert_eq!(
        LabelIndex::open(dir.path()).unwrap().link("lyon", 1).unwrap()[0].iri,
        "Lyon"
    );
}

#[test]
fn dice_by_hand() {
    // " ab " has the bigrams " a", "ab", "b "; " ac " has " a", "ac", "c ": one of three is shared.
    assert!((bigram_dice("ab", "ac") - 2.0 / 6.0).abs() < 1e-6);
    assert!((bigram_dice("ab", "ab") - 1.0).abs() < 1e-6);
}
