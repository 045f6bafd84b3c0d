#![expect(clippy::unwrap_used, reason = "tests")]

use super::{ValueProblem, check_value, validity};
use crate::testing::node;
use ValueProblem::{IllTyped, NotStated};
use oxrdf::Literal;

#[track_caller]
fn check(text: &str, lexical: &str, datatype: &str, expected: Result<(), ValueProblem>) {
    let datatype = node(&["http://www.w3.org/2001/XMLSchema#", datatype].concat());
    let literal = Literal::new_typed_literal(lexical, datatype);
    assert_eq!(check_value(text, &literal), expected, "{literal} from {text}");
}

#[test]
fn dates() {
    check("15 March 1879", "1879-03-15", "date", Ok(()));
    check("March 15th, 1879", "1879-03-15", "date", Ok(()));
    check("15. März 1879", "1879-03-15", "date", Ok(()));
    check("1879-03-15", "1879-03-15", "date", Ok(()));
    check("3/15/1879", "1879-03-15", "date", Ok(()));
    check("15 March 1879", "1880-03-15", "date", Err(NotStated));
    check("15 March 1879", "1879-04-15", "date", Err(NotStated));
    check("15 March 1879", "1879-03-16", "date", Err(NotStated));
    check("1879", "1879-01-01", "date", Err(NotStated));
    check("1879", "1879", "gYear", Ok(()));
    check("the 1870s", "1870", "gYear", Ok(()));
    check("in 18790", "1879", "gYear", Err(NotStated));
    check("44 BC", "-0044", "gYear", Ok(()));
    check("May 2019", "2019-05", "gYearMonth", Ok(()));
    check("June 2019", "2019-05", "gYearMonth", Err(NotStated));
    check("2019-05", "2019-05", "gYearMonth", Ok(()));
    check("5 May 2019", "2019-05-05", "date", Ok(()));
    check("15 March 1879", "1879-03-15T00:00:00Z", "dateTime", Ok(()));
    check("1879", "1879-13", "gYearMonth", Err(IllTyped));
    check("1879", "1879-02-30", "date", Err(IllTyped));
    check("1879", "1879", "date", Err(IllTyped));
    check("1879", "79", "gYear", Err(IllTyped));
    check("1879", "1879-03-15", "gYear", Err(IllTyped));
    check("1879", "1879-03-15", "dateTime", Err(IllTyped));
    check("1879", "1879-03-15T25:00:00Z", "dateTime", Err(IllTyped));
    check("1879", "", "date", Err(IllTyped));
}

#[test]
fn numbers() {
    check("42", "42", "integer", Ok(()));
    check("1,234", "1234", "integer", Ok(()));
    check("1.234", "1234", "integer", Ok(()));
    check("1 234 567", "1234567", "integer", Ok(()));
    check("3,5 m", "3.5", "decimal", Ok(()));
    check("1,234.5", "1234.5", "decimal", Ok(()));
    check("3.5 million", "3500000", "integer", Ok(()));
    check("3.5", "3500000", "integer", Err(NotStated));
    check("three", "3", "integer", Ok(()));
    check("42", "43", "integer", Err(NotStated));
    check("-40 °C", "-40", "integer", Ok(()));
    check("12.5 %", "12.5", "double", Ok(()));
    check("42", "42.0", "integer", Err(IllTyped));
    check("42", "forty", "integer", Err(IllTyped));
    check("42", "NaN", "double", Err(IllTyped));
    check("42", "INF", "double", Err(IllTyped));
    check("42", "42", "short", Err(IllTyped));
    check("42", ".", "decimal", Err(IllTyped));
}

#[test]
fn texts() {
    check("the Nobel Prize", "Nobel Prize", "string", Ok(()));
    check("Nobel Prize", "nobel prize", "string", Ok(()));
    check("Nobel Prize", "Fields Medal", "string", Err(NotStated));
    check("true", "true", "boolean", Ok(()));
    check("it holds", "true", "boolean", Err(NotStated));
    check("true", "yes", "boolean", Err(IllTyped));
    check("http://x.example", "http://x.example", "anyURI", Err(IllTyped));
    let tagged = Literal::new_language_tagged_literal("Mailand", "de").unwrap();
    assert_eq!(check_value("in Mailand", &tagged), Ok(()));
}

#[test]
fn validity_is_typed_by_its_length_and_must_be_stated() {
    #[track_caller]
    fn check(date: &str, quoted: &str, expected: Option<&str>) {
        assert_eq!(
            validity(date, quoted)
                .map(|literal| literal.to_string())
                .as_deref(),
            expected,
            "{date}"
        );
    }
    let sentence = "In May 2019 the Lyra Array discovered 2019 KX4.";
    check(
        "2019",
        sentence,
        Some("\"2019\"^^<http://www.w3.org/2001/XMLSchema#gYear>"),
    );
    check(
        "2019-05",
        sentence,
        Some("\"2019-05\"^^<http://www.w3.org/2001/XMLSchema#gYearMonth>"),
    );
    check("2019-06", sentence, None);
    check("2019-05-01", sentence, None);
    check("2020", sentence, None);
    check("May 2019", sentence, None);
    check("", sentence, None);
}
