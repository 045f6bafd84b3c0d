//! Replies of the model to Co-E's prompts: their JSON Schemas and how a checked value becomes a value of ours. Pure. The
//! form was validated before; what a reply *says* is still input: unknown labels are dropped and counted.

use serde::Deserialize;
use serde_json::{Value, json};

/// Longest free-text field taken over from a reply, in characters.
const MAX_TEXT: usize = 400;

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Request {
    pub(crate) answerable: bool,
    pub(crate) subquestions: Vec<String>,
}

/// An intermediate answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Response {
    pub(crate) answer: String,
}

/// The answer at the end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Final {
    pub(crate) answer: String,
    pub(crate) cites: Vec<String>,
}

/// A relation as the model wrote it down.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Relation {
    pub(crate) sentence: String,
    pub(crate) subject: String,
    #[serde(rename = "relation")]
    pub(crate) phrase: String,
    pub(crate) object: String,
}

pub(crate) fn request_schema() -> Value {
    object(&json!({
        "answerable": { "type": "boolean" },
        "subquestions": { "type": "array", "items": { "type": "string" }, "maxItems": 3 },
    }))
}

pub(crate) fn queries_schema() -> Value {
    object(
        &json!({ "queries": { "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": 3 } }),
    )
}

/// A list of some of `labels` under `field`.
pub(crate) fn labels_schema(field: &str, labels: &[String], at_most: usize) -> Value {
    object(&json!({ field: { "type": "array", "items": { "enum": labels }, "maxItems": at_most } }))
}

pub(crate) fn response_schema() -> Value {
    object(&json!({
        "reasoning": { "type": "string" },
        "answer": { "type": "string" },
        "confidence": { "enum": ["high", "medium", "low"] },
    }))
}

pub(crate) fn final_schema(labels: &[String]) -> Value {
    let cites = match labels {
        [] => json!({ "type": "array", "items": { "type": "string" }, "maxItems": 0 }),
        labels => json!({ "type": "array", "items": { "enum": labels }, "maxItems": 6 }),
    };
    object(&json!({ "reasoning": { "type": "string" }, "answer": { "type": "string" }, "cites": cites }))
}

pub(crate) fn relations_schema(labels: &[String]) -> Value {
    let relation = object(&json!({
        "sentence": { "enum": labels },
        "subject": { "type": "string" },
        "relation": { "type": "string" },
        "object": { "type": "string" },
    }));
    object(&json!({ "relations": { "type": "array", "items": relation, "maxItems": 8 } }))
}

/// An object with exactly these properties.
fn object(properties: &Value) -> Value {
    let required: Vec<&String> = properties
        .as_object()
        .map(|map| map.keys().collect())
        .unwrap_or_default();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

pub(crate) fn request(reply: &Value) -> Request {
    let answerable = reply["answerable"].as_bool().unwrap_or(false);
    let mut subquestions: Vec<String> = strings(&reply["subquestions"]);
    subquestions.truncate(3);
    Request {
        answerable,
        subquestions,
    }
}

pub(crate) fn queries(reply: &Value) -> Vec<String> {
    let mut queries = strings(&reply["queries"]);
    queries.truncate(3);
    queries
}

/// The labels of `field` that were offered, in the reply's order, without repetition.
pub(crate) fn labels(reply: &Value, field: &str, offered: &[String]) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for label in strings(&reply[field]) {
        if offered.contains(&label) && !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}

pub(crate) fn response(reply: &Value) -> Response {
    Response {
        answer: answer_text(&reply["answer"]),
    }
}

pub(crate) fn conclusion(reply: &Value, offered: &[String]) -> Final {
    Final {
        answer: answer_text(&reply["answer"]),
        cites: labels(reply, "cites", offered),
    }
}

/// Relations whose fields are all filled; the others are dropped.
pub(crate) fn relations(reply: &Value) -> Vec<Relation> {
    let items = reply["relations"].as_array().cloned().unwrap_or_default();
    items
        .into_iter()
        .filter_map(|item| serde_json::from_value::<Relation>(item).ok())
        .map(|relation| Relation {
            sentence: relation.sentence,
            subject: cleaned(&relation.subject),
            phrase: cleaned(&relation.phrase),
            object: cleaned(&relation.object),
        })
        .filter(|relation| {
            !relation.subject.is_empty() && !relation.phrase.is_empty() && !relation.object.is_empty()
        })
        .collect()
}

fn strings(value: &Value) -> Vec<String> {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    items
        .iter()
        .filter_map(Value::as_str)
        .map(cleaned)
        .filter(|text| !text.is_empty())
        .collect()
}

/// An answer without the ways in which models say that they have none.
fn answer_text(value: &Value) -> String {
    let text = cleaned(value.as_str().unwrap_or_default());
    if !text.chars().any(char::is_alphanumeric) {
        return String::new();
    }
    let bare = text.trim_end_matches('.').to_lowercase();
    match bare.as_str() {
        "unknown"
        | "none"
        | "n/a"
        | "not stated"
        | "not specified"
        | "not mentioned"
        | "no answer"
        | "insufficient evidence" => String::new(),
        _ => text,
    }
}

fn cleaned(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    joined.chars().take(MAX_TEXT).collect()
}

#[cfg(test)]
mod tests {
    //! What replies say, and what they must not be able to say.
    use super::*;

    #[test]
    fn labels_that_were_not_offered_are_dropped() {
        let offered = ["S1".to_owned(), "S2".to_owned()];
        let reply = json!({ "keep": ["S2", "S9", "S2", 7, "S1"] });
        assert_eq!(labels(&reply, "keep", &offered), ["S2", "S1"]);
        assert_eq!(labels(&json!({}), "keep", &offered), Vec::<String>::new());
        assert_eq!(labels(&json!([1]), "keep", &offered), Vec::<String>::new());
    }

    #[test]
    fn requests_are_bounded_and_cleaned() {
        let reply = json!({ "answerable": false, "subquestions": ["  Who\n wrote it? ", "", "b", "c", "d"] });
        let expected = ["Who wrote it?", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!(
            request(&reply),
            Request {
                answerable: false,
                subquestions: expected
            }
        );
        assert_eq!(request(&json!("nonsense")), Request::default());
    }

    #[test]
    fn words_for_no_answer_are_no_answer() {
        for (text, expected) in [
            ("Unknown.", ""),
            ("n/a", ""),
            ("…", ""),
            ("...", ""),
            ("None", ""),
            ("Nobel Prize", "Nobel Prize"),
            ("No", "No"),
        ] {
            assert_eq!(response(&json!({ "answer": text })).answer, expected, "{text}");
        }
    }

    #[test]
    fn half_filled_relations_are_dropped() {
        let reply = json!({ "relations": [
            { "sentence": "S1", "subject": "Ann", "relation": "wrote", "object": "X" },
            { "sentence": "S1", "subject": "Ann", "relation": " ", "object": "X" },
            { "sentence": "S1", "subject": "Ann" }, "text",
        ] });
        assert_eq!(relations(&reply).len(), 1);
    }

    #[test]
    fn every_schema_demands_all_its_fields() {
        let labels = ["S1".to_owned()];
        for schema in [
            request_schema(),
            queries_schema(),
            labels_schema("keep", &labels, 3),
            response_schema(),
            final_schema(&labels),
            final_schema(&[]),
            relations_schema(&labels),
        ] {
            let n_required = schema["required"].as_array().map(Vec::len);
            assert_eq!(
                n_required,
                schema["properties"].as_object().map(serde_json::Map::len)
            );
        }
    }
}
