//! Mediators: nodes that only tie a fact together (Wikidata statement nodes), which traversal passes as *one* qualified
//! hop. [`Mediators`] says how to recognise them; it is data, so that other sources can say it differently.

use oxrdf::NamedNode;

/// How a source writes qualified statements: `s —claim:P→ statement —value:P→ o`, qualifiers as `statement —qualifier:Q→ v`.
/// Field values are IRI prefixes that the local name of the property follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mediators {
    /// Prefix of statement nodes.
    pub statement: &'static str,
    /// Prefix of subject → statement predicates.
    pub claim: &'static str,
    /// Prefix of statement → value predicates.
    pub value: &'static str,
    /// Prefix of statement → qualifier predicates.
    pub qualifier: &'static str,
    /// Prefix of direct predicates (the truthy triple of the same fact).
    pub direct: &'static str,
}

/// Wikibase's RDF mapping as Wikidata uses it.
pub(crate) const WIKIDATA: Mediators = Mediators {
    statement: "http://www.wikidata.org/entity/statement/",
    claim: "http://www.wikidata.org/prop/",
    value: "http://www.wikidata.org/prop/statement/",
    qualifier: "http://www.wikidata.org/prop/qualifier/",
    direct: "http://www.wikidata.org/prop/direct/",
};

const WIKIDATA_ENTITY: &str = "http://www.wikidata.org/entity/";

impl Default for Mediators {
    fn default() -> Self {
        WIKIDATA
    }
}

impl Mediators {
    pub(crate) fn is_statement(&self, iri: &str) -> bool {
        iri.starts_with(self.statement)
    }

    /// The direct predicate of the property that `predicate` (claim or value form) belongs to.
    pub(crate) fn direct_of(&self, predicate: &str) -> Option<NamedNode> {
        let local = local_name(predicate, self.value).or_else(|| local_name(predicate, self.claim))?;
        Some(NamedNode::new_unchecked(format!("{}{local}", self.direct)))
    }

    /// The claim predicate (`p:`) of a direct or value predicate.
    pub(crate) fn claim_of(&self, predicate: &str) -> Option<NamedNode> {
        let local = local_name(predicate, self.direct).or_else(|| local_name(predicate, self.value))?;
        Some(NamedNode::new_unchecked(format!("{}{local}", self.claim)))
    }

    /// The value predicate (`ps:`) of a direct or claim predicate.
    pub(crate) fn value_of(&self, predicate: &str) -> Option<NamedNode> {
        let local = local_name(predicate, self.direct).or_else(|| local_name(predicate, self.claim))?;
        Some(NamedNode::new_unchecked(format!("{}{local}", self.value)))
    }

    pub(crate) fn is_value(&self, predicate: &str) -> bool {
        local_name(predicate, self.value).is_some()
    }

    pub(crate) fn is_claim(&self, predicate: &str) -> bool {
        local_name(predicate, self.claim).is_some()
    }

    pub(crate) fn is_qualifier(&self, predicate: &str) -> bool {
        local_name(predicate, self.qualifier).is_some()
    }
}

/// The entity that stands for a Wikidata property in any of its predicate forms: it carries the label.
pub(crate) fn property_entity(predicate: &NamedNode) -> Option<NamedNode> {
    let iri = predicate.as_str();
    [
        WIKIDATA.direct,
        WIKIDATA.value,
        WIKIDATA.qualifier,
        WIKIDATA.claim,
    ]
    .into_iter()
    .find_map(|prefix| local_name(iri, prefix))
    .map(|local| NamedNode::new_unchecked(format!("{WIKIDATA_ENTITY}{local}")))
}

/// What follows the prefix, when it is a plain local name (no further `/`).
fn local_name<'a>(iri: &'a str, prefix: &str) -> Option<&'a str> {
    iri.strip_prefix(prefix)
        .filter(|local| !local.is_empty() && !local.contains('/'))
}
