//! The label index of a graph, derived from the graph itself: [`reindex_labels`].
//!
//! Popularity is the number of triples between two entities that an entity stands in, on either side (a triple with itself
//! counts once). Counting while loading would make it depend on which file came first and on what was loaded twice; a scan
//! of the finished graph does not. Two passes: all quads for the counts, then those with naming predicates.
//! Memory: 16 bytes and the map's slack for each entity, at most about 0.5 GB; entities beyond that bound (by the store's order,
//! which is that of hashes) count as unknown.

use std::hash::Hasher;
use std::sync::Arc;

use coevo_graph::{LabelKind, LabelRecord};
use oxrdf::{GraphName, NamedNode, NamedOrBlankNode, Quad, Term};
use rustc_hash::{FxHashMap, FxHasher};

use crate::error::{Error, Result};
use crate::profile::{Profile, RdfProfile};
use crate::registry;
use crate::report::{Phase, Progress, Targets};

/// Entities counted; beyond, popularity is 0.
const MAX_ENTITIES: usize = 14_000_000;
const QUADS_A_REPORT: u64 = 65_536;

/// Derives the names of one graph from the graph and puts them in place of those the label index has for it. Returns the
/// number of names. Blocking; two passes over the graph. Which predicates name things is said by the profiles that the graph
/// was loaded with; a graph that no profile was used for is read as by `rdf`.
pub fn reindex_labels(
    targets: &Targets<'_>,
    graph: &NamedNode,
    on_progress: &dyn Fn(&Progress),
) -> Result<u64> {
    let mut names = registry::profiles_of(targets.graph, graph)?;
    if names.is_empty() {
        names.push("rdf".to_owned());
    }
    let mut profiles = Vec::new();
    for name in names {
        if let Profile::Rdf(profile) = Profile::named(&name)? {
            profiles.push(Arc::new(profile));
        }
    }
    reindex(targets, graph, &profiles, on_progress)
}

/// [`reindex_labels`] with these profiles.
pub(crate) fn reindex(
    targets: &Targets<'_>,
    graph: &NamedNode,
    profiles: &[Arc<RdfProfile>],
    on_progress: &dyn Fn(&Progress),
) -> Result<u64> {
    registry::mark_labels_due(targets.graph, graph)?;
    let degrees = degrees(targets, graph, profiles, on_progress)?;
    let graph_name: GraphName = graph.clone().into();
    let predicates = naming_predicates(profiles);
    let records = predicates.iter().flat_map(|(predicate, kind)| {
        let quads = targets
            .graph
            .quads_now(None, Some(predicate), None, Some(&graph_name));
        quads.filter_map(|quad| label_record(quad, *kind, &degrees).transpose())
    });
    let n_names = targets.labels.replace_graph::<Error>(graph.as_str(), records)?;
    registry::clear_labels_due(targets.graph, graph)?;
    Ok(n_names)
}

/// Predicates that name, each once; a predicate that one profile calls a label is one, whatever another calls it.
fn naming_predicates(profiles: &[Arc<RdfProfile>]) -> Vec<(NamedNode, LabelKind)> {
    let mut predicates: Vec<(NamedNode, LabelKind)> = Vec::new();
    let labels = profiles
        .iter()
        .flat_map(|profile| &profile.labels.label)
        .map(|p| (p, LabelKind::Label));
    let aliases = profiles
        .iter()
        .flat_map(|profile| &profile.labels.alias)
        .map(|p| (p, LabelKind::Alias));
    for (predicate, kind) in labels.chain(aliases) {
        if !predicates.iter().any(|(known, _)| known == predicate) {
            predicates.push((predicate.clone(), kind));
        }
    }
    predicates
}

fn label_record(
    quad: coevo_graph::Result<Quad>,
    kind: LabelKind,
    degrees: &Degrees,
) -> Result<Option<LabelRecord>> {
    let quad = quad?;
    Ok(match (quad.subject, quad.object) {
        (NamedOrBlankNode::NamedNode(subject), Term::Literal(literal)) => {
            let popularity = degrees.of(subject.as_str());
            let language = literal.language().unwrap_or_default().to_owned();
            let (text, ..) = literal.destruct();
            Some(LabelRecord {
                iri: subject.into_string(),
                text,
                language,
                kind,
                popularity,
            })
        }
        _ => None,
    })
}

fn degrees(
    targets: &Targets<'_>,
    graph: &NamedNode,
    profiles: &[Arc<RdfProfile>],
    on_progress: &dyn Fn(&Progress),
) -> Result<Degrees> {
    let is_entity = |iri: &str| profiles.iter().any(|profile| profile.is_entity(iri));
    let graph_name: GraphName = graph.clone().into();
    let mut degrees = Degrees::default();
    let mut n_quads = 0;
    for quad in targets.graph.quads_now(None, None, None, Some(&graph_name)) {
        let quad = quad?;
        n_quads += 1;
        if n_quads % QUADS_A_REPORT == 0 {
            on_progress(&Progress {
                phase: Phase::Labels,
                input: graph.as_str().to_owned(),
                bytes_done: 0,
                bytes_total: None,
                records: n_quads,
                records_total: None,
                rejects: 0,
            });
        }
        let (NamedOrBlankNode::NamedNode(subject), Term::NamedNode(object)) = (&quad.subject, &quad.object)
        else {
            continue;
        };
        if is_entity(subject.as_str()) && is_entity(object.as_str()) {
            degrees.add(subject.as_str());
            if subject != object {
                degrees.add(object.as_str());
            }
        }
    }
    Ok(degrees)
}

/// Counts by the hash of an IRI: two IRIs that collide (one pair in 10⁵ graphs of 14 million) share a count.
#[derive(Default)]
struct Degrees {
    by_hash: FxHashMap<u64, u32>,
}

impl Degrees {
    fn add(&mut self, iri: &str) {
        let hash = hash(iri);
        if let Some(count) = self.by_hash.get_mut(&hash) {
            *count = count.saturating_add(1);
        } else if self.by_hash.len() < MAX_ENTITIES {
            self.by_hash.insert(hash, 1);
        }
    }

    fn of(&self, iri: &str) -> u32 {
        self.by_hash.get(&hash(iri)).copied().unwrap_or_default()
    }
}

fn hash(iri: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(iri.as_bytes());
    hasher.finish()
}
