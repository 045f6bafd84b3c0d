//! How a point is stored: its id, and the three fields kept beside its vector.

use qdrant_edge::{
    Condition, FieldCondition, Filter, JsonPath, Match, Payload, PointId, PointStructPersisted,
    VectorStructPersisted,
};

use super::Point;

pub(super) const IRI: &str = "iri";
pub(super) const GROUP: &str = "group";
pub(super) const DOCUMENT: &str = "document";

/// The same IRI always has the same id: the first 122 free bits of its hash, as a UUID of version 8.
pub(super) fn id(iri: &str) -> PointId {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&blake3::hash(iri.as_bytes()).as_bytes()[..16]);
    PointId::Uuid(uuid::Builder::from_custom_bytes(bytes).into_uuid())
}

pub(super) fn stored(point: Point) -> PointStructPersisted {
    let id = id(&point.iri);
    let fields = [(IRI, point.iri), (GROUP, point.group), (DOCUMENT, point.document)];
    let payload = fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect();
    PointStructPersisted {
        id,
        vector: VectorStructPersisted::Single(point.vector),
        payload: Some(Payload(payload)),
    }
}

pub(super) fn iri_of(payload: Option<&Payload>) -> Option<String> {
    payload?.0.get(IRI)?.as_str().map(str::to_owned)
}

/// A field without nesting.
pub(super) fn field(name: &str) -> JsonPath {
    JsonPath {
        first_key: name.to_owned(),
        rest: Vec::new(),
    }
}

pub(super) fn equals(name: &str, value: &str) -> Filter {
    Filter::new_must(Condition::Field(FieldCondition::new_match(
        field(name),
        Match::from(value.to_owned()),
    )))
}
