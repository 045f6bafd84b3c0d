use super::ground;
use crate::surface::fold;
use proptest::prelude::*;

/// Mention, aliases, sentence → the words found.
#[track_caller]
fn check(mention: &str, aliases: &[&str], quoted: &str, expected: Option<&str>) {
    let aliases: Vec<String> = aliases.iter().map(|alias| (*alias).to_owned()).collect();
    let found = ground(mention, &aliases, quoted).map(|span| &quoted[span]);
    assert_eq!(found, expected, "{mention} in {quoted}");
}

#[test]
fn words_are_found_whole() {
    check("Rome", &[], "He saw Rome burn.", Some("Rome"));
    check("Rome", &[], "Romeo saw it.", None);
    check("Rome", &[], "Jerome saw it.", None);
    check("Rome", &[], "Romeo saw Rome.", Some("Rome"));
    check("Rome", &[], "Rome", Some("Rome"));
    check("Rome", &[], "the Rome-born king", Some("Rome"));
    check("Rome", &[], "rome_2 is a file", None);
    check(
        "Lyra Array",
        &[],
        "the Lyra\n Array, they say",
        Some("Lyra\n Array"),
    );
    check("lyra array", &[], "the LYRA ARRAY", Some("LYRA ARRAY"));
    check("  Lyra Array ", &[], "the Lyra Array", Some("Lyra Array"));
}

#[test]
fn possessives_are_no_hindrance() {
    check("Einstein", &[], "Einstein's theory", Some("Einstein"));
    check("Einstein", &[], "Einstein’s theory", Some("Einstein"));
    check(
        "Einstein's theory",
        &[],
        "in Einstein’s theory of it",
        Some("Einstein’s theory"),
    );
    check("Wales", &[], "the Prince of Wales' house", Some("Wales"));
}

#[test]
fn accents_count_but_their_encoding_does_not() {
    check("Gödel", &[], "Kurt Go\u{308}del wrote", Some("Go\u{308}del"));
    check("Go\u{308}del", &[], "Kurt GÖDEL wrote", Some("GÖDEL"));
    check("Godel", &[], "Kurt Gödel wrote", None);
    check("Gode", &[], "Kurt Gode\u{301}l wrote", None);
    check("São Paulo", &[], "in são paulo.", Some("são paulo"));
    check("Malmo", &["Malmö"], "from Malmö to Lund", Some("Malmö"));
    check("ΟΔΥΣΣΕΥΣ", &[], "ο Οδυσσευς ειναι", Some("Οδυσσευς"));
    check("fi", &[], "an ﬁ ligature", Some("ﬁ"));
    check("f", &[], "an ﬁ ligature", None);
    check("１２", &[], "about 12 of them", Some("12"));
    check("coop", &[], "the co\u{ad}op shop", Some("co\u{ad}op"));
}

#[test]
fn numbers_are_found_whole() {
    check(
        "15 March 1879",
        &[],
        "born on 15 March 1879 in Ulm",
        Some("15 March 1879"),
    );
    check("1879", &[], "born on 1879-03-15", Some("1879"));
    check("1879", &[], "number 18790", None);
    check("3", &[], "3.5 metres", None);
    check("5", &[], "3.5 metres", None);
    check("234", &[], "1,234 ships", None);
    check("1,234", &[], "1,234 ships", Some("1,234"));
    check("3.5", &[], "It is 3.5. Yes.", Some("3.5"));
    check("2019", &[], "It ended in 2019.", Some("2019"));
}

#[test]
fn short_acronyms_need_capitals() {
    check("US", &[], "as he told us", None);
    check("US", &[], "as the US said", Some("US"));
    check("United States", &["US"], "they told us", None);
    check("WHO", &[], "Who said it?", None);
    check("NASA", &[], "nasa said it", Some("nasa"));
}

#[test]
fn scripts_without_spaces_have_no_word_boundary() {
    check("東京", &[], "東京都は日本の首都です", Some("東京"));
    check("서울", &[], "서울은 수도이다", Some("서울"));
    check("กรุงเทพ", &[], "ในกรุงเทพมหานคร", Some("กรุงเทพ"));
    check("Мир", &[], "Мирон пришёл", None);
}

#[test]
fn nothing_is_found_by_nothing() {
    check("", &[], "some text", None);
    check("...", &[], "some text...", None);
    check("'", &["", " "], "it's", None);
    check("a", &[], "", None);
}

proptest! {
    /// Whatever is found folds to what was sought.
    #[test]
    fn the_span_is_the_mention(mention in "\\PC{1,12}", before in "\\PC{0,20}", after in "\\PC{0,20}") {
        let quoted = [before.as_str(), " ", mention.as_str(), " ", after.as_str()].concat();
        if let Some(span) = ground(&mention, &[], &quoted) {
            prop_assert_eq!(fold(&quoted[span]), fold(&mention));
        }
    }

    /// A word that stands alone in the text is found there.
    #[test]
    fn a_word_between_spaces_is_found(mention in "[A-Za-zäöüßéñçŠžА-Яа-я]{4,12}( [A-Za-zé0-9]{1,8})?", before in "[a-z ]{0,20}", after in "[a-z ]{0,20}") {
        let quoted = [before.as_str(), " (", mention.as_str(), "), ", after.as_str()].concat();
        prop_assert!(ground(&mention, &[], &quoted).is_some());
    }

    /// A mention inside a longer word is not found.
    #[test]
    fn a_part_of_a_word_is_not_found(mention in "[b-y]{2,8}") {
        let quoted = ["z", mention.as_str(), "z"].concat();
        prop_assert_eq!(ground(&mention, &[], &quoted), None);
    }
}
