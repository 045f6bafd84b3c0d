//! Parameters of a URL or a form, strictly: [`Parameters`]. Each may stand once unless it is read by [`Parameters::all`];
//! what is not UTF-8 after decoding is refused, not repaired.

use crate::names;
use crate::problem::{Handled, Problem};
use oxrdf::NamedNode;
use std::str::FromStr;

/// Parameters taken at most.
const MAX_PARAMETERS: usize = 1_000;

/// Names and values in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Of `a=b&c=d`, percent-encoded, `+` for a space.
    pub(crate) fn parse(text: &str) -> Handled<Self> {
        let mut pairs = Vec::new();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            if pairs.len() == MAX_PARAMETERS {
                return Err(Problem::parameter(format!(
                    "more than {MAX_PARAMETERS} parameters"
                )));
            }
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            pairs.push((decode(name)?, decode(value)?));
        }
        Ok(Self(pairs))
    }

    /// Those of a URL.
    pub(crate) fn of_uri(uri: &axum::http::Uri) -> Handled<Self> {
        Self::parse(uri.query().unwrap_or_default())
    }

    /// These and then `others`.
    pub(crate) fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// All values of a parameter that may be repeated.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0
            .iter()
            .filter(move |(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// The value of a parameter that may stand once.
    pub(crate) fn one<'a>(&'a self, name: &'a str) -> Handled<Option<&'a str>> {
        let mut values = self.all(name);
        let first = values.next();
        match values.next() {
            Some(_) => Err(Problem::parameter(format!(
                "the parameter `{name}` is given more than once"
            ))),
            None => Ok(first),
        }
    }

    /// The value of a parameter that must stand once and say something.
    pub(crate) fn required<'a>(&'a self, name: &'a str) -> Handled<&'a str> {
        self.one(name)?
            .filter(|value| !value.trim().is_empty())
            .ok_or_else(|| Problem::parameter(format!("the parameter `{name}` is missing")))
    }

    /// A number up to `most`; `default` when it is absent.
    pub(crate) fn number<T: FromStr + PartialOrd + std::fmt::Display + Copy>(
        &self,
        name: &str,
        default: T,
        least: T,
        most: T,
    ) -> Handled<T> {
        let Some(text) = self.one(name)? else {
            return Ok(default);
        };
        text.trim()
            .parse()
            .ok()
            .filter(|number| *number >= least && *number <= most)
            .ok_or_else(|| {
                Problem::parameter(format!(
                    "`{name}={}` is not a number from {least} to {most}",
                    shortened(text)
                ))
            })
    }

    /// An entity: an IRI or a prefixed name of a known prefix.
    pub(crate) fn entity(&self, name: &str) -> Handled<NamedNode> {
        names::resolve(self.required(name)?)
    }

    /// All values of a parameter as absolute IRIs; `None`: there is none.
    pub(crate) fn iris(&self, name: &str) -> Handled<Option<Vec<NamedNode>>> {
        let iris: Vec<NamedNode> = self.all(name).map(names::absolute).collect::<Handled<_>>()?;
        Ok((!iris.is_empty()).then_some(iris))
    }
}

/// The beginning of what somebody sent, for messages.
pub(crate) fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(80).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

fn decode(text: &str) -> Handled<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let digit = |at: usize| char::from(*rest.get(at)?).to_digit(16);
                let value = digit(0)
                    .zip(digit(1))
                    .and_then(|(high, low)| u8::try_from(high * 16 + low).ok())
                    .ok_or_else(|| Problem::parameter("a `%` is not followed by two hexadecimal digits"))?;
                bytes.push(value);
                rest = &rest[2..];
            }
            byte => bytes.push(*byte),
        }
    }
    String::from_utf8(bytes).map_err(|_invalid| Problem::parameter("a parameter is not UTF-8"))
}

#[cfg(test)]
mod tests {
    //! Decoding, once and repeated.
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::Parameters;

    #[test]
    fn decodes() {
        let parameters = Parameters::parse("query=a%2Bb+c%C3%A9&x&&y=1=2").unwrap();
        assert_eq!(parameters.required("query").unwrap(), "a+b cé");
        assert_eq!(parameters.one("x").unwrap(), Some(""));
        assert_eq!(parameters.one("y").unwrap(), Some("1=2"));
        assert_eq!(parameters.one("z").unwrap(), None);
    }

    #[test]
    fn refuses() {
        for text in ["q=%", "q=%2", "q=%zz", "q=%ff"] {
            assert!(Parameters::parse(text).is_err(), "{text}");
        }
        let twice = Parameters::parse("q=1&q=2").unwrap();
        assert!(twice.one("q").unwrap_err().detail.contains("more than once"));
        assert!(twice.required("r").unwrap_err().detail.contains("missing"));
        assert!(
            Parameters::parse("n=7")
                .unwrap()
                .number("n", 1, 1, 5)
                .unwrap_err()
                .detail
                .contains("from 1 to 5")
        );
        assert!(
            Parameters::parse("g=relative")
                .unwrap()
                .iris("g")
                .unwrap_err()
                .detail
                .contains("relative")
        );
    }
}
