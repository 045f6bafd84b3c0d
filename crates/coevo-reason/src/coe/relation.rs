//! Relations in active form, and objects as values: [`active`], [`literal_of`]. Pure.

use jiff::civil::Date;
use oxrdf::Literal;
use oxrdf::vocab::xsd;

const AUXILIARIES: &[&str] = &[
    "is", "was", "are", "were", "be", "been", "being", "has", "had", "have",
];

/// A relation in active form (Co-E §E.4.3: never passive, never inverse), and whether subject and object change places:
/// `was written by` → `written` with places changed; `is capital of` → `has capital` with places changed.
pub(crate) fn active(phrase: &str) -> (String, bool) {
    let lower = phrase.replace(['_', '-'], " ").to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let start = words.iter().take_while(|word| AUXILIARIES.contains(word)).count();
    let (passive, rest) = (
        start > 0,
        if start < words.len() {
            &words[start..]
        } else {
            &words[..]
        },
    );
    match rest {
        [verb @ .., "by"] if !verb.is_empty() => (verb.join(" "), true),
        [noun, "of"] | ["a" | "an" | "the", noun, "of"] => (format!("has {noun}"), true),
        // `has won` and `has population` lose nothing, but `has` alone before a noun carries the meaning.
        _ if passive && words[0].starts_with("ha") && rest.len() == 1 => (words.join(" "), false),
        _ => (rest.join(" "), false),
    }
}

/// Whether a phrase relates nothing by itself: `is`, `was`, `has been`. Such a relation is a broken reading, not a fact.
pub(crate) fn is_bare(phrase: &str) -> bool {
    phrase.split_whitespace().all(|word| AUXILIARIES.contains(&word))
}

/// The typed value of an object that is a date, a year or a number; `None`: it is a name or words.
pub(crate) fn literal_of(text: &str) -> Option<Literal> {
    let text = text.trim();
    let digits = text.replace(',', "");
    if digits.len() == 4 && text.bytes().all(|b| b.is_ascii_digit()) {
        return Some(Literal::new_typed_literal(text, xsd::G_YEAR));
    }
    if let Ok(number) = digits.parse::<i64>() {
        return Some(Literal::new_typed_literal(number.to_string(), xsd::INTEGER));
    }
    date_of(text).map(|date| Literal::new_typed_literal(date.to_string(), xsd::DATE))
}

/// `15 March 1879`, `March 15, 1879`, `1879-03-15`.
fn date_of(text: &str) -> Option<Date> {
    let plain = text.replace(',', " ");
    let words: Vec<&str> = plain.split_whitespace().collect();
    let (day, month, year) = match words.as_slice() {
        [iso] => return iso.parse().ok(),
        [day, month, year] if month_number(month).is_some() => (day, month, year),
        [month, day, year] if month_number(month).is_some() => (day, month, year),
        _ => return None,
    };
    let day = day.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    Date::new(year.parse().ok()?, month_number(month)?, day.parse().ok()?).ok()
}

fn month_number(name: &str) -> Option<i8> {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let lower = name.to_lowercase();
    let place = MONTHS.iter().position(|month| lower.starts_with(month))?;
    i8::try_from(place + 1).ok()
}

#[cfg(test)]
mod tests {
    //! Phrases and values by hand.
    use super::*;

    #[test]
    fn passive_and_inverse_phrases_turn_around() {
        for (phrase, expected) in [
            ("was written by", ("written", true)),
            ("directed_by", ("directed", true)),
            ("is the capital of", ("has capital", true)),
            ("member of", ("has member", true)),
            ("was born in", ("born in", false)),
            ("discovered", ("discovered", false)),
            ("has population", ("has population", false)),
            ("is", ("is", false)),
            ("by", ("by", false)),
        ] {
            assert_eq!(active(phrase), (expected.0.to_owned(), expected.1), "{phrase}");
        }
    }

    #[test]
    fn auxiliaries_alone_relate_nothing() {
        for (phrase, expected) in [
            ("is", true),
            ("has been", true),
            ("", true),
            ("is mayor of", false),
            ("born", false),
        ] {
            assert_eq!(is_bare(phrase), expected, "{phrase}");
        }
    }

    #[test]
    fn dates_years_and_numbers_are_values() {
        for (text, expected) in [
            (
                "15 March 1879",
                Some("\"1879-03-15\"^^<http://www.w3.org/2001/XMLSchema#date>"),
            ),
            (
                "March 15, 1879",
                Some("\"1879-03-15\"^^<http://www.w3.org/2001/XMLSchema#date>"),
            ),
            (
                "1st May 2001",
                Some("\"2001-05-01\"^^<http://www.w3.org/2001/XMLSchema#date>"),
            ),
            ("1879", Some("\"1879\"^^<http://www.w3.org/2001/XMLSchema#gYear>")),
            (
                "12,345",
                Some("\"12345\"^^<http://www.w3.org/2001/XMLSchema#integer>"),
            ),
            ("31 February 1900", None),
            ("Marcus Aurelius Antoninus", None),
            ("Paris", None),
            ("", None),
        ] {
            assert_eq!(
                literal_of(text).map(|literal| literal.to_string()).as_deref(),
                expected,
                "{text}"
            );
        }
    }
}
