//! Profiles: what a source looks like, as data. [`Profile::named`] reads one of the files under `profiles/`, which are
//! built into the program; their comments are the documentation of the keys.

use oxrdf::{NamedNode, Quad};
use serde::Deserialize;

use crate::error::{Error, Result};
use crate::report::Counts;

const WIKIDATA: &str = include_str!("../profiles/wikidata.toml");
const RDF: &str = include_str!("../profiles/rdf.toml");
const DOCUMENTS: &str = include_str!("../profiles/documents.toml");

const NAMES: &[&str] = &["wikidata", "rdf", "documents"];

/// The names that [`crate::IngestRequest::profile`] may have.
pub fn profile_names() -> &'static [&'static str] {
    NAMES
}

/// One profile.
#[derive(Debug)]
pub(crate) enum Profile {
    Rdf(RdfProfile),
    Documents(DocumentsProfile),
}

/// A profile of RDF; see `profiles/wikidata.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RdfProfile {
    pub(crate) version: u32,
    #[serde(deserialize_with = "iri")]
    pub(crate) default_graph: NamedNode,
    pub(crate) formats: Vec<String>,
    pub(crate) labels: LabelPredicates,
    pub(crate) entities: Entities,
    pub(crate) mediators: Mediators,
    pub(crate) alignment: Alignment,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LabelPredicates {
    #[serde(deserialize_with = "iris")]
    pub(crate) label: Vec<NamedNode>,
    #[serde(deserialize_with = "iris")]
    pub(crate) alias: Vec<NamedNode>,
    #[serde(deserialize_with = "iris")]
    description: Vec<NamedNode>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entities {
    prefixes: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mediators {
    node_prefixes: Vec<String>,
    value_prefixes: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Alignment {
    #[serde(deserialize_with = "iris")]
    predicates: Vec<NamedNode>,
}

/// A profile of documents; see `profiles/documents.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DocumentsProfile {
    pub(crate) version: u32,
    pub(crate) default_collection: String,
    pub(crate) formats: Vec<String>,
    pub(crate) max_passage_chars: usize,
}

impl Profile {
    /// The profile of this name.
    pub(crate) fn named(name: &str) -> Result<Self> {
        match name {
            "wikidata" => parse(name, WIKIDATA).map(Self::Rdf),
            "rdf" => parse(name, RDF).map(Self::Rdf),
            "documents" => parse(name, DOCUMENTS).map(Self::Documents),
            _ => Err(Error::UnknownProfile {
                name: name.chars().take(80).collect(),
                known: NAMES.join(", "),
            }),
        }
    }

    pub(crate) fn version(&self) -> u32 {
        match self {
            Self::Rdf(profile) => profile.version,
            Self::Documents(profile) => profile.version,
        }
    }

    pub(crate) fn formats(&self) -> &[String] {
        match self {
            Self::Rdf(profile) => &profile.formats,
            Self::Documents(profile) => &profile.formats,
        }
    }
}

impl LabelPredicates {
    fn contains(&self, predicate: &NamedNode) -> bool {
        [&self.label, &self.alias, &self.description]
            .iter()
            .any(|list| list.contains(predicate))
    }
}

impl RdfProfile {
    /// Whether triples between this and another entity make both popular.
    pub(crate) fn is_entity(&self, iri: &str) -> bool {
        let prefixes = &self.entities.prefixes;
        (prefixes.is_empty() || starts_with_any(iri, prefixes))
            && !starts_with_any(iri, &self.mediators.node_prefixes)
    }

    /// What some quads are, by their predicates.
    pub(crate) fn counts(&self, quads: &[Quad]) -> Counts {
        let mut counts = Counts {
            records: quads.len() as u64,
            ..Counts::default()
        };
        for quad in quads {
            let predicate = &quad.predicate;
            counts.names += u64::from(self.labels.contains(predicate));
            counts.alignments += u64::from(self.alignment.predicates.contains(predicate));
            counts.statements += u64::from(starts_with_any(
                predicate.as_str(),
                &self.mediators.value_prefixes,
            ));
        }
        counts
    }
}

fn starts_with_any(iri: &str, prefixes: &[String]) -> bool {
    prefixes.iter().any(|prefix| iri.starts_with(prefix.as_str()))
}

fn parse<T: serde::de::DeserializeOwned>(name: &str, text: &str) -> Result<T> {
    toml::from_str(text).map_err(|error| Error::BadProfile {
        name: name.to_owned(),
        reason: error.message().to_owned(),
    })
}

fn iri<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<NamedNode, D::Error> {
    let text = String::deserialize(deserializer)?;
    NamedNode::new(text).map_err(serde::de::Error::custom)
}

fn iris<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<NamedNode>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts
        .into_iter()
        .map(|text| NamedNode::new(text).map_err(serde::de::Error::custom))
        .collect()
}

#[cfg(test)]
mod tests;
