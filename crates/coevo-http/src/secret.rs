//! A value that must not be seen: [`Secret`] prints as `***`, and cannot be serialised.
//!
//! It guards against leaks through logs, errors and recordings. It does not wipe memory.

use std::fmt;

/// Shorter values are placeholders in practice (`none`, `ollama`): blotting them out would damage ordinary text.
const SHORTEST_SCRUBBED: usize = 8;

/// An API key or token. `Debug` and `Display` print `***`; [`Secret::expose`] is the only way to the text.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps the text of a key.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for the place that sends it and nowhere else.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// `text` with every occurrence of the secret replaced by `***`. Some servers repeat a key in their error message.
    pub fn scrub(&self, text: &str) -> String {
        if self.0.len() < SHORTEST_SCRUBBED {
            return text.to_owned();
        }
        text.replace(&self.0, "***")
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("***")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn prints_as_stars() {
        let secret = Secret::new("sk-0123456789");
        assert_eq!(
            format!("{secret} {secret:?} {:?}", Some(&secret)),
            "*** *** Some(***)"
        );
    }

    #[test]
    fn scrubs_keys_and_leaves_placeholders() {
        let key = Secret::new("sk-0123456789");
        assert_eq!(key.scrub("wrong key sk-0123456789!"), "wrong key ***!");
        assert_eq!(Secret::new("ollama").scrub("ollama says no"), "ollama says no");
    }
}
