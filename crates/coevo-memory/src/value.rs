//! Literals against the words they are read from: [`check_value`] asks whether a typed value is well-formed and whether the
//! quoted words state it; [`validity`] types a stated date. Pure.
//!
//! Days and years must be there as digits; numbers may be spelled out ("three"), which cannot be checked and passes.

use crate::ground::ground;
use crate::surface::fold;
use oxrdf::Literal;
use oxrdf::vocab::{rdf, xsd};

/// What is wrong with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueProblem {
    /// Its datatype is not one that memory keeps, or its lexical form is not of that datatype.
    IllTyped,
    /// The words say something else.
    NotStated,
}

/// Months as English texts write them; the first three letters decide.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Powers that a word behind a number may stand for: thousand, lakh, million, crore, billion, trillion.
const SCALES: [f64; 7] = [1.0, 1e3, 1e5, 1e6, 1e7, 1e9, 1e12];

/// Whether `text`, the words found in the quotation, states `literal`.
pub(crate) fn check_value(text: &str, literal: &Literal) -> Result<(), ValueProblem> {
    let datatype = literal.datatype();
    let value = literal.value();
    if datatype == xsd::STRING || datatype == rdf::LANG_STRING {
        return stated(ground(value, &[], text).is_some());
    }
    if datatype == xsd::BOOLEAN {
        let known = matches!(value, "true" | "false" | "1" | "0");
        return if known {
            stated(fold(text) == value)
        } else {
            Err(ValueProblem::IllTyped)
        };
    }
    if [xsd::DATE, xsd::G_YEAR, xsd::G_YEAR_MONTH, xsd::DATE_TIME].contains(&datatype) {
        let date = match value.split_once('T') {
            Some((day, clock)) if datatype == xsd::DATE_TIME && is_clock(clock) => PartialDate::parse(day),
            None if datatype != xsd::DATE_TIME => PartialDate::parse(value),
            _ => None,
        };
        let date = date.ok_or(ValueProblem::IllTyped)?;
        let parts = if datatype == xsd::G_YEAR {
            1
        } else if datatype == xsd::G_YEAR_MONTH {
            2
        } else {
            3
        };
        return if date.parts() == parts {
            stated(date.is_stated(text))
        } else {
            Err(ValueProblem::IllTyped)
        };
    }
    let number = if datatype == xsd::INTEGER {
        is_decimal(value, false)
    } else if datatype == xsd::DECIMAL {
        is_decimal(value, true)
    } else {
        datatype == xsd::DOUBLE
    };
    match value.parse::<f64>() {
        Ok(parsed) if number && parsed.is_finite() => stated(is_number_stated(parsed, text)),
        _ => Err(ValueProblem::IllTyped),
    }
}

/// The date as a typed literal when it is one (`YYYY`, `YYYY-MM` or `YYYY-MM-DD`, `-` before years BCE) and the quotation
/// states it.
pub(crate) fn validity(date: &str, quoted: &str) -> Option<Literal> {
    let parsed = PartialDate::parse(date)?;
    let datatype = match parsed.parts() {
        1 => xsd::G_YEAR,
        2 => xsd::G_YEAR_MONTH,
        _ => xsd::DATE,
    };
    parsed
        .is_stated(quoted)
        .then(|| Literal::new_typed_literal(date, datatype))
}

fn stated(holds: bool) -> Result<(), ValueProblem> {
    if holds {
        Ok(())
    } else {
        Err(ValueProblem::NotStated)
    }
}

struct PartialDate {
    year: u64,
    month: Option<u64>,
    day: Option<u64>,
}

impl PartialDate {
    fn parse(date: &str) -> Option<Self> {
        let mut parts = date.strip_prefix('-').unwrap_or(date).split('-');
        let year = parts.next().filter(|part| (4..=9).contains(&part.len()))?;
        let month = parts.next();
        let day = parts.next();
        if parts.next().is_some() {
            return None;
        }
        let two_digits = |part: &str, range: std::ops::RangeInclusive<u64>| {
            let value = digits(part).filter(|_| part.len() == 2)?;
            range.contains(&value).then_some(value)
        };
        let month = month
            .map(|part| two_digits(part, 1..=12).ok_or(()))
            .transpose()
            .ok()?;
        let longest = match month {
            Some(2) => 29,
            Some(4 | 6 | 9 | 11) => 30,
            _ => 31,
        };
        let day = day
            .map(|part| two_digits(part, 1..=longest).ok_or(()))
            .transpose()
            .ok()?;
        Some(Self {
            year: digits(year)?,
            month,
            day,
        })
    }

    fn parts(&self) -> usize {
        1 + usize::from(self.month.is_some()) + usize::from(self.day.is_some())
    }

    /// Year and day stand there as numbers, and the month as a number or a word; an English month must be the right one.
    fn is_stated(&self, text: &str) -> bool {
        let folded = fold(text);
        let mut numbers: Vec<u64> = folded
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(digits)
            .collect();
        let mut take = |wanted: u64| match numbers.iter().position(|number| *number == wanted) {
            Some(at) => {
                numbers.remove(at);
                true
            }
            None => false,
        };
        if !take(self.year) || !self.day.is_none_or(&mut take) {
            return false;
        }
        let Some(month) = self.month else { return true };
        let named: Vec<u64> = folded
            .split(|c: char| !c.is_alphabetic())
            .filter_map(month_number)
            .collect();
        named.contains(&month) || take(month) || (named.is_empty() && folded.chars().any(char::is_alphabetic))
    }
}

/// "september", "sept" and "sep" are 9; "marching" is none.
fn month_number(word: &str) -> Option<u64> {
    let at = MONTHS
        .iter()
        .position(|month| word.len() >= 3 && month.starts_with(word))?;
    u64::try_from(at + 1).ok()
}

fn digits(text: &str) -> Option<u64> {
    let only_digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    only_digits.then(|| text.parse().ok())?
}

fn is_clock(clock: &str) -> bool {
    let clock = clock.strip_suffix('Z').unwrap_or(clock);
    let mut parts = clock.split(':');
    let mut part = |limit: u64| {
        parts
            .next()
            .filter(|part| part.len() == 2)
            .and_then(digits)
            .is_some_and(|value| value < limit)
    };
    part(24) && part(60) && part(60) && parts.next().is_none()
}

fn is_decimal(value: &str, with_fraction: bool) -> bool {
    let unsigned = value.strip_prefix(['+', '-']).unwrap_or(value);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let has_digit = !whole.is_empty() || !fraction.is_empty();
    has_digit && all_digits(whole) && all_digits(fraction) && (with_fraction || !unsigned.contains('.'))
}

/// Whether some number in the text has this magnitude, thousands separators and scale words allowed for. A text without
/// digits spells its number out and passes.
fn is_number_stated(value: f64, text: &str) -> bool {
    let folded = fold(text);
    let has_words = folded.chars().any(char::is_alphabetic);
    if !folded.bytes().any(|b| b.is_ascii_digit()) {
        return has_words;
    }
    let scales = if has_words { &SCALES[..] } else { &SCALES[..1] };
    let wanted = value.abs();
    readings(&folded).iter().any(|number| {
        scales
            .iter()
            .any(|scale| (number * scale - wanted).abs() <= 1e-9 * wanted.max(1.0))
    })
}

/// Every value that the numbers of a text may have: "1,234" is 1234 or 1.234, "1 234.5" is 1, 234.5 or 1234.5.
fn readings(text: &str) -> Vec<f64> {
    let bytes = text.as_bytes();
    let mut values = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len()
            && (bytes[at].is_ascii_digit()
                || (matches!(bytes[at], b'.' | b',' | b'\'' | b' ')
                    && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)))
        {
            at += 1;
        }
        read_chain(&text[start..at], &mut values);
    }
    values
}

fn read_chain(chain: &str, values: &mut Vec<f64>) {
    let separators = ['.', ',', '\'', ' '];
    let joined: String = chain.chars().filter(char::is_ascii_digit).collect();
    let groups: Vec<&str> = chain.split(separators).collect();
    let grouped = |groups: &[&str]| groups.iter().skip(1).all(|group| group.len() == 3);
    if grouped(&groups) {
        values.extend(joined.parse::<f64>().ok());
    }
    if let Some(at) = chain.rfind(['.', ',']) {
        let whole: String = chain[..at].chars().filter(char::is_ascii_digit).collect();
        let whole_groups: Vec<&str> = chain[..at].split(separators).collect();
        if grouped(&whole_groups) {
            values.extend(format!("{whole}.{}", &chain[at + 1..]).parse::<f64>().ok());
        }
    }
    if chain.contains(' ') {
        for part in chain.split(' ') {
            read_chain(part, values);
        }
    }
}

#[cfg(test)]
mod tests;
