#![expect(clippy::unwrap_used, dead_code, reason = "tests")]

use schemars::JsonSchema;
use serde_json::{Value, json};

use super::{ReplySchema, reply_schema};

/// A step.
#[derive(JsonSchema)]
struct Step {
    /// What to ask.
    question: String,
    title: Option<String>,
    weight: u8,
    choice: Choice,
    #[schemars(default)]
    parts: Vec<Part>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Choice {
    /// Stop here.
    Stop,
    Go,
}

#[derive(JsonSchema)]
struct Part {
    name: String,
}

#[derive(JsonSchema)]
#[schemars(tag = "kind", rename_all = "lowercase")]
enum Shape {
    Dot,
    Line { length: f64 },
}

#[derive(JsonSchema)]
struct Tree {
    label: String,
    children: Vec<Tree>,
}

#[test]
fn schemas_are_inline_compact_and_closed() {
    let expected = json!({
        "type": "object",
        "description": "A step.",
        "properties": {
            "question": {"type": "string", "description": "What to ask."},
            "title": {"type": ["string", "null"]},
            "weight": {"type": "integer", "minimum": 0, "maximum": 255},
            "choice": {"type": "string", "enum": ["go", "stop"]},
            "parts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"name": {"type": "string"}},
                    "required": ["name"],
                    "additionalProperties": false
                }
            }
        },
        "required": ["question", "weight", "choice"],
        "additionalProperties": false
    });
    let mut found = reply_schema::<Step>();
    found["properties"]["choice"]["enum"]
        .as_array_mut()
        .unwrap()
        .sort_by_key(ToString::to_string);
    assert_eq!(found, expected);
}

#[test]
fn properties_keep_the_order_of_the_type() {
    let schema = reply_schema::<Step>();
    let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["question", "title", "weight", "choice", "parts"]);
}

#[test]
fn the_wire_form_requires_everything_and_uses_any_of() {
    let step = ReplySchema::of::<Step>().unwrap();
    assert_eq!(step.name(), "Step");
    assert_eq!(
        step.wire()["required"],
        json!(["question", "title", "weight", "choice", "parts"])
    );
    assert_eq!(step.value()["required"], json!(["question", "weight", "choice"]));
    let shape = ReplySchema::of::<Shape>().unwrap();
    assert!(shape.value().get("oneOf").is_some() && shape.wire().get("oneOf").is_none());
    assert_eq!(shape.wire()["anyOf"][1]["required"], json!(["kind", "length"]));
}

#[test]
fn recursive_types_keep_a_reference() {
    let tree = ReplySchema::of::<Tree>().unwrap();
    let fits = |value: &Value| tree.validator().is_valid(value);
    assert!(fits(
        &json!({"label": "a", "children": [{"label": "b", "children": []}]})
    ));
    assert!(!fits(&json!({"label": "a", "children": [{"label": "b"}]})));
}

#[test]
fn names_are_fit_for_the_wire_and_bad_schemas_are_named() {
    let schema = ReplySchema::new("Vec<a b>", json!({"type": "array"})).unwrap();
    assert_eq!(schema.name(), "Vec_a_b_");
    let error = ReplySchema::new("odd", json!({"type": "no such type"})).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the reply schema odd cannot be used: "),
        "{error}"
    );
}
