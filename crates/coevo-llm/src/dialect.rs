//! What an endpoint understands: [`Dialect`] begins with everything and gives up one thing for each complaint.
//!
//! Pure: a refusal goes in, a plainer dialect comes out, or nothing when the complaint is about something else.

use crate::error::excerpt;

/// Beyond this nothing of a refusal is read.
const MAX_COMPLAINT_CHARS: usize = 4000;

/// The ways of asking that differ between endpoints. Every part only ever moves towards its last variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(crate) format: Format,
    pub(crate) length: LengthField,
    pub(crate) temperature: Temperature,
    pub(crate) stream_usage: StreamUsage,
}

/// How a reply's form is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Format {
    #[default]
    Schema,
    AnyObject,
    Words,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LengthField {
    #[default]
    MaxTokens,
    MaxCompletionTokens,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Temperature {
    #[default]
    Sent,
    LeftOut,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StreamUsage {
    #[default]
    AskedFor,
    LeftOut,
}

impl Dialect {
    /// Refusals that one call can get before every part is at its plainest.
    pub(crate) const MAX_STEPS: usize = 5;

    /// The dialect to try after a refusal, or nothing when the refusal is not about the way of asking.
    pub(crate) fn plainer(self, status: u16, body: &str, asks_for_json: bool) -> Option<Self> {
        if !matches!(status, 400 | 404 | 415 | 422 | 501) {
            return None;
        }
        let complaint = excerpt(body, MAX_COMPLAINT_CHARS).to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| complaint.contains(word));
        let is_unsupported = says(&[
            "unsupported",
            "not support",
            "unknown",
            "unrecognized",
            "not permitted",
            "extra",
        ]);
        if says(&["max_completion_tokens"]) && self.length == LengthField::MaxTokens {
            Some(Self {
                length: LengthField::MaxCompletionTokens,
                ..self
            })
        } else if says(&["stream_options", "include_usage"]) && self.stream_usage == StreamUsage::AskedFor {
            Some(Self {
                stream_usage: StreamUsage::LeftOut,
                ..self
            })
        } else if asks_for_json
            && says(&[
                "response_format",
                "json_schema",
                "json schema",
                "json_object",
                "grammar",
            ])
        {
            match self.format {
                Format::Schema => Some(Self {
                    format: Format::AnyObject,
                    ..self
                }),
                Format::AnyObject => Some(Self {
                    format: Format::Words,
                    ..self
                }),
                Format::Words => None,
            }
        } else if says(&["temperature"]) && is_unsupported && self.temperature == Temperature::Sent {
            Some(Self {
                temperature: Temperature::LeftOut,
                ..self
            })
        } else {
            None
        }
    }

    /// What both have learned.
    pub(crate) fn merged(self, other: Self) -> Self {
        Self {
            format: self.format.max(other.format),
            length: self.length.max(other.length),
            temperature: self.temperature.max(other.temperature),
            stream_usage: self.stream_usage.max(other.stream_usage),
        }
    }

    /// Every dialect, this one first. A replay looks for the one that was recorded.
    pub(crate) fn all_from(self) -> Vec<Self> {
        let mut all = vec![self];
        for format in [Format::Schema, Format::AnyObject, Format::Words] {
            for length in [LengthField::MaxTokens, LengthField::MaxCompletionTokens] {
                for temperature in [Temperature::Sent, Temperature::LeftOut] {
                    for stream_usage in [StreamUsage::AskedFor, StreamUsage::LeftOut] {
                        all.push(Self {
                            format,
                            length,
                            temperature,
                            stream_usage,
                        });
                    }
                }
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{Dialect, Format, LengthField, StreamUsage, Temperature};

    #[test]
    fn a_complaint_takes_away_what_it_is_about() {
        let full = Dialect::default();
        let object = Dialect {
            format: Format::AnyObject,
            ..full
        };
        let cases = [
            (full, 400, "response_format.type must be text", Some(object)),
            (
                object,
                422,
                "Invalid field: RESPONSE_FORMAT",
                Some(Dialect {
                    format: Format::Words,
                    ..full
                }),
            ),
            (
                Dialect {
                    format: Format::Words,
                    ..full
                },
                400,
                "response_format",
                None,
            ),
            (
                full,
                400,
                "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
                Some(Dialect {
                    length: LengthField::MaxCompletionTokens,
                    ..full
                }),
            ),
            (
                full,
                400,
                "Unsupported value: 'temperature' does not support 0.4",
                Some(Dialect {
                    temperature: Temperature::LeftOut,
                    ..full
                }),
            ),
            (full, 400, "temperature must be at most 2", None),
            (
                full,
                400,
                "unknown field stream_options",
                Some(Dialect {
                    stream_usage: StreamUsage::LeftOut,
                    ..full
                }),
            ),
            (full, 400, "the request exceeds the available context size", None),
            (full, 500, "response_format", None),
            (full, 401, "response_format", None),
        ];
        for (dialect, status, body, expected) in cases {
            assert_eq!(dialect.plainer(status, body, true), expected, "{body}");
        }
        assert_eq!(full.plainer(400, "response_format", false), None);
    }

    #[test]
    fn what_was_learned_is_kept_together() {
        let left = Dialect {
            format: Format::Words,
            ..Dialect::default()
        };
        let right = Dialect {
            length: LengthField::MaxCompletionTokens,
            ..Dialect::default()
        };
        let both = Dialect {
            format: Format::Words,
            ..right
        };
        assert_eq!(left.merged(right), both);
        assert_eq!(both.all_from().len(), 25);
        assert_eq!(both.all_from()[0], both);
    }
}
