//! Settings files: TOML with one table a section, read into [`Layers`] with the line of every value.

use super::origin::{Layers, Origin, Value};
use crate::failure::{Failure, Result};
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// Bytes of a settings file at most.
const MAX_BYTES: u64 = 1 << 20;

/// Reads a file that may be absent.
pub(super) fn read_if_there(path: &Path, layers: &mut Layers) -> Result<()> {
    if path.exists() { read(path, layers) } else { Ok(()) }
}

/// Reads a file that must be there.
pub(super) fn read(path: &Path, layers: &mut Layers) -> Result<()> {
    if fs_err::metadata(path)?.len() > MAX_BYTES {
        return Err(Failure::refused(format!(
            "{}: larger than any settings file",
            path.display()
        )));
    }
    parse(path, &fs_err::read_to_string(path)?, layers)
}

pub(super) fn parse(path: &Path, text: &str, layers: &mut Layers) -> Result<()> {
    let line_of = |offset: usize| {
        text.as_bytes()
            .iter()
            .take(offset)
            .filter(|byte| **byte == b'\n')
            .count()
            + 1
    };
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(span.start));
        Origin::file(path, line).refuse(error.message())
    })?;
    for (section, value) in table.get_ref() {
        let section_line = Origin::file(path, line_of(section.span().start));
        let DeValue::Table(keys) = value.get_ref() else {
            let message = format!("`{}` stands outside a section", section.get_ref());
            return Err(section_line.refuse(message));
        };
        for (key, value) in keys {
            let origin = Origin::file(path, line_of(key.span().start));
            let name = format!("{}.{}", section.get_ref(), key.get_ref());
            layers.set_value(&name, plain(value.get_ref()), origin)?;
        }
    }
    Ok(())
}

/// A TOML value as ours. What no setting can be becomes an empty list, which no kind accepts.
fn plain(value: &DeValue<'_>) -> Value {
    let number = |text: &str| {
        text.replace('_', "")
            .parse()
            .map_or(Value::List(Vec::new()), Value::Number)
    };
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(integer) if integer.radix() == 10 => number(integer.as_str()),
        DeValue::Float(float) => number(float.as_str()),
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Array(items) => Value::List(
            items
                .iter()
                .map(|item| item.get_ref().as_str().map_or_else(String::new, str::to_owned))
                .collect(),
        ),
        DeValue::Integer(_) | DeValue::Datetime(_) | DeValue::Table(_) => Value::List(Vec::new()),
    }
}
