//! JSON Schemas of replies: compact, inline and strict, as constrained decoders like them.
//!
//! Two forms of one schema: the *check* accepts what the type accepts, save unknown properties (they would let a reply of another
//! shape pass as one with nothing in it); the *wire* form also requires every property, which strict endpoints demand.

use std::fmt;
use std::sync::Arc;

use jsonschema::Validator;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::{Error, Result};

/// Keywords that say nothing to a model or that strict endpoints refuse.
const NOISE: [&str; 4] = ["$schema", "title", "default", "examples"];
/// Formats of numbers, which repeat what the type says.
const NUMBER_FORMATS: [&str; 12] = [
    "int8", "int16", "int32", "int64", "int", "uint8", "uint16", "uint32", "uint64", "uint", "float",
    "double",
];
/// Keywords whose value is a schema, a list of schemas, or a map of schemas.
const INNER: [&str; 3] = ["items", "additionalProperties", "not"];
const INNER_LISTS: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
const INNER_MAPS: [&str; 2] = ["properties", "$defs"];

/// The schema of a type's replies: what [`crate::parse_json_reply`] checks against.
pub fn reply_schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    compact(&mut schema);
    schema
}

/// A schema that is ready to be sent and to check replies. Clones are cheap.
#[derive(Clone)]
pub struct ReplySchema {
    inner: Arc<Inner>,
}

struct Inner {
    name: String,
    check: Value,
    wire: Value,
    validator: Validator,
}

impl ReplySchema {
    /// The schema of a type.
    pub fn of<T: JsonSchema>() -> Result<Self> {
        Self::new(&T::schema_name(), reply_schema::<T>())
    }

    /// A schema made at run time, as one whose choices are labels of a prompt. Taken as it is for checking.
    pub fn new(name: &str, schema: Value) -> Result<Self> {
        let letters = name.chars().map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' {
                c
            } else {
                '_'
            }
        });
        let name: String = letters.take(64).collect();
        let validator = jsonschema::draft202012::new(&schema).map_err(|error| Error::BadSchema {
            name: name.clone(),
            reason: error.to_string(),
        })?;
        let mut wire = schema.clone();
        for_wire(&mut wire);
        Ok(Self {
            inner: Arc::new(Inner {
                name,
                check: schema,
                wire,
                validator,
            }),
        })
    }

    /// Its name on the wire.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The schema that replies are checked against.
    pub fn value(&self) -> &Value {
        &self.inner.check
    }

    pub(crate) fn wire(&self) -> &Value {
        &self.inner.wire
    }

    pub(crate) fn validator(&self) -> &Validator {
        &self.inner.validator
    }
}

impl fmt::Debug for ReplySchema {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("ReplySchema")
            .field(&self.inner.name)
            .finish()
    }
}

/// Removes noise, turns lists of constants into enumerations and closes objects.
fn compact(schema: &mut Value) {
    let Value::Object(map) = schema else {
        return;
    };
    for keyword in NOISE {
        map.remove(keyword);
    }
    if map
        .get("format")
        .and_then(Value::as_str)
        .is_some_and(|format| NUMBER_FORMATS.contains(&format))
    {
        map.remove("format");
    }
    if let Some(labels) = map.get("oneOf").and_then(constants) {
        map.remove("oneOf");
        map.insert("type".to_owned(), json!("string"));
        map.insert("enum".to_owned(), labels);
    }
    let is_combined = ["allOf", "anyOf", "oneOf", "$ref"]
        .iter()
        .any(|keyword| map.contains_key(*keyword));
    if map.contains_key("properties") && !is_combined && !map.contains_key("additionalProperties") {
        map.insert("additionalProperties".to_owned(), json!(false));
    }
    // Members of `allOf` describe one object together: closing any of them would shut the others out.
    for_each_inner(map, |keyword, inner| {
        compact(inner);
        if keyword == "allOf"
            && let Value::Object(map) = inner
            && map.get("additionalProperties") == Some(&json!(false))
        {
            map.remove("additionalProperties");
        }
    });
}

/// The strings of a list that holds nothing but string constants.
fn constants(list: &Value) -> Option<Value> {
    let mut labels = Vec::new();
    for item in list.as_array()? {
        match (item.get("const"), item.get("enum")) {
            (Some(label @ Value::String(_)), None) => labels.push(label.clone()),
            (None, Some(Value::Array(more))) if more.iter().all(Value::is_string) => {
                labels.extend(more.clone());
            }
            _ => return None,
        }
    }
    Some(Value::Array(labels))
}

/// Requires every property and replaces `oneOf`, which strict endpoints do not know.
fn for_wire(schema: &mut Value) {
    let Value::Object(map) = schema else {
        return;
    };
    if let Some(Value::Object(properties)) = map.get("properties") {
        let names: Vec<Value> = properties.keys().map(|name| Value::from(name.as_str())).collect();
        map.insert("required".to_owned(), Value::Array(names));
    }
    if let Some(alternatives) = map.remove("oneOf") {
        map.insert("anyOf".to_owned(), alternatives);
    }
    for_each_inner(map, |_, inner| for_wire(inner));
}

fn for_each_inner(map: &mut Map<String, Value>, mut visit: impl FnMut(&str, &mut Value)) {
    for keyword in INNER {
        if let Some(inner) = map.get_mut(keyword) {
            visit(keyword, inner);
        }
    }
    for keyword in INNER_LISTS {
        for inner in map
            .get_mut(keyword)
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            visit(keyword, inner);
        }
    }
    for keyword in INNER_MAPS {
        for (_, inner) in map
            .get_mut(keyword)
            .and_then(Value::as_object_mut)
            .into_iter()
            .flatten()
        {
            visit(keyword, inner);
        }
    }
}

#[cfg(test)]
mod tests;
