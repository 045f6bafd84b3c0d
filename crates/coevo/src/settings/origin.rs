//! Values with the place they come from: [`Layers`] keeps, for every key, the strongest value set so far.

use super::keys::{self, KEYS, Key, Kind};
use crate::failure::{Failure, Result};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where a value comes from, weakest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    /// A variable under another program's name.
    Foreign(&'static str),
    File {
        path: PathBuf,
        line: usize,
    },
    /// A variable of ours.
    Variable(String),
    Flag,
}

/// A value as written, of the kind its key wants.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Text(String),
    Number(f64),
    Flag(bool),
    List(Vec<String>),
}

/// For every key that has one, its value and origin.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    values: BTreeMap<&'static str, (Value, Origin)>,
    n_set: usize,
    /// Order in which keys were set: later is stronger.
    strength: BTreeMap<&'static str, usize>,
}

/// A setting as `coevo config show` gives it.
#[derive(Debug, Serialize)]
pub(crate) struct Shown {
    pub(crate) key: &'static str,
    /// `null`: unset. Secrets are `***`.
    pub(crate) value: serde_json::Value,
    pub(crate) origin: String,
    pub(crate) doc: &'static str,
}

impl Layers {
    /// Nothing but the defaults.
    pub(crate) fn defaults() -> Self {
        let mut layers = Self::default();
        for key in KEYS {
            if let Some(value) = key.default.and_then(|text| parse(key.kind, text).ok()) {
                layers.put(key, value, Origin::Default);
            }
        }
        layers
    }

    /// Sets a key from text.
    pub(crate) fn set_text(&mut self, name: &str, text: &str, origin: Origin) -> Result<()> {
        let key = keys::find(name).map_err(|message| origin.refuse(message))?;
        let value = parse(key.kind, text).map_err(|wanted| origin.refuse(wrong(key, &wanted)))?;
        self.put(key, value, origin);
        Ok(())
    }

    /// Sets a key from a value that has a type already.
    pub(crate) fn set_value(&mut self, name: &str, value: Value, origin: Origin) -> Result<()> {
        let key = keys::find(name).map_err(|message| origin.refuse(message))?;
        let value = check(key.kind, value).map_err(|wanted| origin.refuse(wrong(key, &wanted)))?;
        self.put(key, value, origin);
        Ok(())
    }

    fn put(&mut self, key: &'static Key, value: Value, origin: Origin) {
        self.n_set += 1;
        self.strength.insert(key.name, self.n_set);
        self.values.insert(key.name, (value, origin));
    }

    /// Everything, in the order of the list of keys.
    pub(crate) fn shown(&self) -> Vec<Shown> {
        let show = |key: &'static Key| {
            let (value, origin) = match self.values.get(key.name) {
                Some((_, origin)) if key.kind == Kind::Secret => ("***".into(), origin.to_string()),
                Some((value, origin)) => (value.to_json(key.kind), origin.to_string()),
                None => (serde_json::Value::Null, "unset".to_owned()),
            };
            Shown {
                key: key.name,
                value,
                origin,
                doc: key.doc,
            }
        };
        KEYS.iter().map(show).collect()
    }

    /// How late a key was set; 0: never.
    pub(crate) fn strength(&self, name: &str) -> usize {
        self.strength.get(name).copied().unwrap_or(0)
    }

    pub(crate) fn text(&self, name: &str) -> Option<String> {
        match self.values.get(name)? {
            (Value::Text(text), _) => Some(text.clone()),
            _ => None,
        }
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        matches!(self.values.get(name), Some((Value::Flag(true), _)))
    }

    pub(crate) fn list(&self, name: &str) -> Vec<String> {
        match self.values.get(name) {
            Some((Value::List(list), _)) => list.clone(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn seconds(&self, name: &str) -> Result<Duration> {
        let Some((Value::Number(seconds), origin)) = self.values.get(name) else {
            return Ok(Duration::from_mins(1));
        };
        Duration::try_from_secs_f64(*seconds).map_err(|error| origin.refuse(format!("{name}: {error}")))
    }

    pub(crate) fn count<N: TryFrom<u64>>(&self, name: &str) -> Result<Option<N>> {
        let Some((Value::Number(number), origin)) = self.values.get(name) else {
            return Ok(None);
        };
        // Whole and below 2^53: `check` saw to it.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked when it was set"
        )]
        let number = *number as u64;
        N::try_from(number)
            .map(Some)
            .map_err(|_too_large| origin.refuse(format!("{name}: {number} is too large")))
    }
}

impl Origin {
    pub(crate) fn refuse(&self, message: impl fmt::Display) -> Failure {
        let failure = match self {
            Self::Default => Failure::refused(message.to_string()),
            _ => Failure::refused(format!("{self}: {message}")),
        };
        failure.with_hint("`coevo config show` lists every setting with its meaning")
    }

    pub(crate) fn file(path: &Path, line: usize) -> Self {
        Self::File {
            path: path.to_owned(),
            line,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Foreign(name) => f.write_str(name),
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
            Self::Variable(name) => f.write_str(name),
            Self::Flag => f.write_str("--set"),
        }
    }
}

impl Value {
    fn to_json(&self, kind: Kind) -> serde_json::Value {
        match self {
            Self::Text(text) if kind == Kind::Url => coevo_http::public_url(text).into(),
            Self::Text(text) => text.as_str().into(),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "whole and below 2^53"
            )]
            Self::Number(number) if kind == Kind::Count => (*number as u64).into(),
            Self::Number(number) => (*number).into(),
            Self::Flag(flag) => (*flag).into(),
            Self::List(list) => list.clone().into(),
        }
    }
}

fn wrong(key: &Key, wanted: &str) -> String {
    format!("`{}` must be {wanted}", key.name)
}

/// Text into a value of the kind; the error says what is wanted.
fn parse(kind: Kind, text: &str) -> Result<Value, String> {
    let text = text.trim();
    let value = match kind {
        Kind::Text | Kind::Secret | Kind::Url => Value::Text(text.to_owned()),
        Kind::Count | Kind::Seconds => match text.parse() {
            Ok(number) => Value::Number(number),
            Err(_not_a_number) => return Err(wanted(kind).to_owned()),
        },
        Kind::Flag => match text {
            "true" | "1" | "yes" => Value::Flag(true),
            "false" | "0" | "no" => Value::Flag(false),
            _ => return Err(wanted(kind).to_owned()),
        },
        Kind::List => Value::List(text.split(',').map(|item| item.trim().to_owned()).collect()),
    };
    check(kind, value)
}

fn check(kind: Kind, value: Value) -> Result<Value, String> {
    let fits = match (kind, &value) {
        (Kind::Text | Kind::Secret, Value::Text(text)) => !text.is_empty(),
        (Kind::Url, Value::Text(text)) => text
            .strip_prefix("http://")
            .or(text.strip_prefix("https://"))
            .is_some_and(|rest| !rest.is_empty()),
        (Kind::Count, Value::Number(number)) => *number >= 1.0 && *number < 9e15 && number.fract() == 0.0,
        (Kind::Seconds, Value::Number(number)) => *number > 0.0 && number.is_finite(),
        (Kind::Flag, Value::Flag(_)) => true,
        (Kind::List, Value::List(list)) => !list.is_empty() && list.iter().all(|item| !item.is_empty()),
        _ => false,
    };
    if fits {
        Ok(value)
    } else {
        Err(wanted(kind).to_owned())
    }
}

fn wanted(kind: Kind) -> &'static str {
    match kind {
        Kind::Text | Kind::Secret => "a text that is not empty",
        Kind::Url => "a URL that starts with http:// or https://",
        Kind::Count => "a whole number of at least 1",
        Kind::Seconds => "a number of seconds above 0",
        Kind::Flag => "true or false",
        Kind::List => "a list of texts",
    }
}
