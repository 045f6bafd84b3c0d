//! The source registry in `urn:coevo:system`: which inputs are in ([`find`], [`record`]), and whose labels are due
//! ([`mark_labels_due`], [`labels_due`], [`clear_labels_due`]).
//!
//! An entry is written after its input is stored, never before: a run killed in between loads the input again, which adds
//! nothing. The mark is set before an input is stored and cleared after the labels are: a run killed in between derives
//! them again.

use coevo_graph::{Change, Graph, vocab};
use oxrdf::vocab::{rdf, xsd};
use oxrdf::{GraphName, Literal, NamedNode, NamedNodeRef, Quad, Term};

use crate::error::Result;
use crate::report::Counts;

/// What makes an input the same as another.
#[derive(Debug, Clone)]
pub(crate) struct Key<'a> {
    pub(crate) content_hash: &'a str,
    pub(crate) profile: &'a str,
    pub(crate) profile_version: u32,
    pub(crate) graph: &'a NamedNode,
}

/// What is noted about an input that is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) counts: Counts,
}

impl Key<'_> {
    fn node(&self) -> NamedNode {
        let mut hasher = blake3::Hasher::new();
        let version = self.profile_version.to_string();
        for part in [self.content_hash, self.profile, &version, self.graph.as_str()] {
            hasher.update(part.as_bytes());
            hasher.update(&[0]);
        }
        let hash = hasher.finalize().to_hex();
        NamedNode::new_unchecked(format!("urn:coevo:input:{}", &hash[..32]))
    }
}

/// The entry of an input, when it is in.
pub(crate) fn find(graph: &Graph, key: &Key<'_>) -> Result<Option<Entry>> {
    let mut entry = Entry {
        name: String::new(),
        bytes: 0,
        counts: Counts::default(),
    };
    let mut is_source = false;
    for quad in of_subject(graph, &key.node()) {
        let quad = quad?;
        if quad.predicate.as_ref() == vocab::INPUT_NAME {
            text(&quad.object).clone_into(&mut entry.name);
        } else if quad.predicate.as_ref() == rdf::TYPE {
            is_source = true;
        } else if let Ok(value) = text(&quad.object).parse() {
            let at = COUNTS
                .iter()
                .position(|predicate| *predicate == quad.predicate.as_ref());
            if quad.predicate.as_ref() == vocab::BYTES {
                entry.bytes = value;
            } else if let Some(count) = at.and_then(|at| counts_mut(&mut entry.counts).into_iter().nth(at)) {
                *count = value;
            }
        }
    }
    Ok(is_source.then_some(entry))
}

/// Notes that an input is in; what was noted about it before is replaced.
pub(crate) fn record(graph: &Graph, key: &Key<'_>, entry: &Entry, now: jiff::Timestamp) -> Result<()> {
    let node = key.node();
    let mut change = Change {
        remove: of_subject(graph, &node).collect::<Result<_>>()?,
        ..Change::default()
    };
    let mut insert = |predicate: NamedNodeRef<'_>, object: Term| {
        change
            .insert
            .push(Quad::new(node.clone(), predicate, object, vocab::SYSTEM_GRAPH));
    };
    insert(rdf::TYPE, vocab::SOURCE.into_owned().into());
    insert(vocab::CONTENT_HASH, Literal::from(key.content_hash).into());
    insert(vocab::PROFILE, Literal::from(key.profile).into());
    insert(vocab::PROFILE_VERSION, integer(u64::from(key.profile_version)));
    insert(vocab::INTO_GRAPH, key.graph.clone().into());
    insert(vocab::INPUT_NAME, Literal::from(entry.name.as_str()).into());
    insert(vocab::BYTES, integer(entry.bytes));
    let at = Literal::new_typed_literal(now.to_string(), xsd::DATE_TIME);
    insert(vocab::PROV_AT_TIME, at.into());
    let mut counts = entry.counts;
    for (predicate, count) in COUNTS.iter().zip(counts_mut(&mut counts)) {
        insert(*predicate, integer(*count));
    }
    Ok(graph.apply_now(&change)?)
}

/// The profiles that were used to load into a graph.
pub(crate) fn profiles_of(graph: &Graph, loaded: &NamedNode) -> Result<Vec<String>> {
    let system: GraphName = vocab::SYSTEM_GRAPH.into_owned().into();
    let into_graph = vocab::INTO_GRAPH.into_owned();
    let profile = vocab::PROFILE.into_owned();
    let loaded: Term = loaded.clone().into();
    let mut names = Vec::new();
    for source in graph.quads_now(None, Some(&into_graph), Some(&loaded), Some(&system)) {
        for quad in graph.quads_now(Some(&source?.subject), Some(&profile), None, Some(&system)) {
            let name = text(&quad?.object).to_owned();
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names.sort();
    Ok(names)
}

/// Whether the labels of a graph have to be derived again.
pub(crate) fn labels_due(graph: &Graph, loaded: &NamedNode) -> Result<bool> {
    Ok(graph.contains_now(&due(loaded))?)
}

pub(crate) fn mark_labels_due(graph: &Graph, loaded: &NamedNode) -> Result<()> {
    Ok(graph.apply_now(&Change {
        insert: vec![due(loaded)],
        ..Change::default()
    })?)
}

pub(crate) fn clear_labels_due(graph: &Graph, loaded: &NamedNode) -> Result<()> {
    Ok(graph.apply_now(&Change {
        remove: vec![due(loaded)],
        ..Change::default()
    })?)
}

fn due(loaded: &NamedNode) -> Quad {
    Quad::new(
        loaded.clone(),
        vocab::LABELS_DUE,
        Literal::from(true),
        vocab::SYSTEM_GRAPH,
    )
}

fn of_subject(graph: &Graph, node: &NamedNode) -> impl Iterator<Item = Result<Quad>> + use<> {
    let system: GraphName = vocab::SYSTEM_GRAPH.into_owned().into();
    graph
        .quads_now(Some(&node.clone().into()), None, None, Some(&system))
        .map(|quad| Ok(quad?))
}

/// The predicates of [`Counts`].
const COUNTS: &[NamedNodeRef<'_>] = &[
    vocab::RECORDS,
    vocab::TRIPLES,
    vocab::REJECTS,
    vocab::NAMES,
    vocab::ALIGNMENTS,
    vocab::STATEMENTS,
    vocab::DOCUMENTS,
    vocab::PASSAGES,
];

/// The fields of [`Counts`], in the order of [`COUNTS`].
fn counts_mut(counts: &mut Counts) -> [&mut u64; 8] {
    let Counts {
        records,
        triples,
        rejects,
        names,
        alignments,
        statements,
        documents,
        passages,
    } = counts;
    [
        records, triples, rejects, names, alignments, statements, documents, passages,
    ]
}

fn integer(value: u64) -> Term {
    Literal::new_typed_literal(value.to_string(), xsd::INTEGER).into()
}

fn text(term: &Term) -> &str {
    match term {
        Term::Literal(literal) => literal.value(),
        _ => "",
    }
}
