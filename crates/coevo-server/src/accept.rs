//! Content negotiation (RFC 9110 §12.5.1): [`Accept`] holds what a client takes, [`Accept::best`] chooses. The most specific
//! range decides about a type, `q=0` forbids it, the highest weight wins; between equals a type that was named wins over a
//! wildcard, then the server's order decides.

use axum::http::{HeaderMap, header};

/// Ranges looked at; a longer header is cut.
const MAX_RANGES: usize = 100;

/// What a client takes.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Accept {
    /// `None`: no header, everything is taken.
    ranges: Option<Vec<Range>>,
    text: String,
}

#[derive(Debug, Clone, PartialEq)]
struct Range {
    kind: String,
    subtype: String,
    /// Thousandths.
    weight: u16,
}

impl Accept {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let values: Vec<String> = headers
            .get_all(header::ACCEPT)
            .iter()
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            .collect();
        Self::parse(&values.join(","))
    }

    /// Ranges that cannot be understood are skipped; a header with none that can accepts nothing.
    pub(crate) fn parse(text: &str) -> Self {
        let ranges = (!text.trim().is_empty()).then(|| {
            split(text, ',')
                .take(MAX_RANGES)
                .filter_map(Range::parse)
                .collect()
        });
        Self {
            ranges,
            text: text.trim().to_owned(),
        }
    }

    /// The header as sent.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Index of the best of `types`. Of those, the `named_only` ones are chosen only when the client names them.
    pub(crate) fn best(&self, types: &[&str], named_only: &[&str]) -> Option<usize> {
        let Some(ranges) = &self.ranges else {
            return (!types.is_empty()).then_some(0);
        };
        let mut best: Option<(usize, (u16, u8))> = None;
        for (index, media_type) in types.iter().enumerate() {
            let Some((specificity, weight)) = weigh(ranges, media_type) else {
                continue;
            };
            if weight == 0 || (specificity < 2 && named_only.contains(media_type)) {
                continue;
            }
            let rank = (weight, specificity);
            if best.is_none_or(|(_, known)| rank > known) {
                best = Some((index, rank));
            }
        }
        best.map(|(index, _)| index)
    }
}

/// Specificity (2: named, 1: `type/*`, 0: `*/*`) and weight of the most specific range that matches.
fn weigh(ranges: &[Range], media_type: &str) -> Option<(u8, u16)> {
    let (kind, subtype) = media_type.split_once('/')?;
    ranges
        .iter()
        .filter_map(|range| match (range.kind.as_str(), range.subtype.as_str()) {
            ("*", "*") => Some((0, range.weight)),
            (wanted, "*") if wanted == kind => Some((1, range.weight)),
            (wanted, named) if wanted == kind && named == subtype => Some((2, range.weight)),
            _ => None,
        })
        .max_by_key(|(specificity, _)| *specificity)
}

impl Range {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = split(text, ';');
        let (kind, subtype) = parts.next()?.trim().split_once('/')?;
        let is_token = |text: &str| {
            !text.is_empty()
                && text
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
        };
        if !is_token(kind) || !is_token(subtype) || (kind == "*" && subtype != "*") {
            return None;
        }
        let mut weight = 1000;
        for parameter in parts {
            let Some((name, value)) = parameter.split_once('=') else {
                continue;
            };
            if name.trim().eq_ignore_ascii_case("q") {
                weight = thousandths(value.trim())?;
                break;
            }
        }
        Some(Self {
            kind: kind.to_ascii_lowercase(),
            subtype: subtype.to_ascii_lowercase(),
            weight,
        })
    }
}

/// `0`, `0.25`, `1.000` as thousandths.
fn thousandths(text: &str) -> Option<u16> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if fraction.len() > 3 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let fraction: u16 = format!("{fraction:0<3}").parse().ok()?;
    match (whole, fraction) {
        ("0", fraction) => Some(fraction),
        ("1", 0) => Some(1000),
        _ => None,
    }
}

/// Splits outside quotation marks.
fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    let mut is_escaped = false;
    text.split(move |character| {
        if is_escaped {
            is_escaped = false;
            return false;
        }
        match character {
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ => return character == separator && !is_quoted,
        }
        false
    })
}

#[cfg(test)]
mod tests {
    //! Headers and what they choose.
    use super::Accept;

    const TYPES: [&str; 5] = [
        "application/sparql-results+json",
        "application/sparql-results+xml",
        "text/csv",
        "application/json",
        "text/xml",
    ];

    fn check(header: &str, expected: Option<&str>) {
        let best = Accept::parse(header).best(&TYPES, &["application/json", "text/xml"]);
        assert_eq!(best.map(|index| TYPES[index]), expected, "{header}");
    }

    #[test]
    fn chooses_by_weight_then_name_then_order() {
        check("", Some("application/sparql-results+json"));
        check("*/*", Some("application/sparql-results+json"));
        check("application/json", Some("application/json"));
        check("APPLICATION/JSON; charset=utf-8", Some("application/json"));
        check("application/*", Some("application/sparql-results+json"));
        check("text/*", Some("text/csv"));
        check("*/*, text/csv", Some("text/csv"));
        check(
            "text/csv;q=0.5, application/sparql-results+xml",
            Some("application/sparql-results+xml"),
        );
        check("text/csv;q=0.501, text/xml;q=0.5", Some("text/csv"));
    }

    #[test]
    fn zero_forbids_and_the_most_specific_decides() {
        check(
            "*/*;q=1, application/sparql-results+json;q=0, text/csv;q=0.5",
            Some("application/sparql-results+xml"),
        );
        check("application/*;q=0, */*", Some("text/csv"));
        check("text/csv;q=0", None);
        check("image/png", None);
    }

    #[test]
    fn what_cannot_be_understood_is_skipped() {
        check("nonsense, text/csv", Some("text/csv"));
        check("text/csv;q=2", None);
        check("text/csv;q=0.1234", None);
        check("*/csv", None);
        check(",,,", None);
        check("text/csv;note=\"a,b;q=0\"", Some("text/csv"));
    }
}
