//! Vectors of a collection's passages, by difference: [`embed_missing`] embeds those that the graph has and the index has
//! not. So it does not matter when they came, or where an earlier run was killed.

use coevo_graph::{Graph, vocab};
use coevo_vectors::{Embedder, Point, VectorIndex};
use oxrdf::vocab::rdfs;
use oxrdf::{GraphName, NamedNode, NamedOrBlankNode, Quad, Term};

use crate::error::Result;
use crate::report::{Embedding, Phase, Progress, Targets};

/// Passages looked at, embedded and stored at a time.
const BATCH: usize = 256;

/// What embedding needs: the real pair of embedder and index, or in tests a deterministic double. What was put is no
/// longer missing at once, and survives the process after `finish`.
trait Vectors {
    /// Positions in `iris` of those without a vector, ascending.
    fn missing(&self, iris: &[&str]) -> Result<Vec<usize>>;
    /// Embeds and stores; the order of the passages has no meaning.
    fn put(&self, group: &str, passages: Vec<Passage>) -> Result<()>;
    fn finish(&self) -> Result<()>;
}

impl Vectors for (&Embedder, &VectorIndex) {
    fn missing(&self, iris: &[&str]) -> Result<Vec<usize>> {
        Ok(self.1.missing(iris)?)
    }

    fn put(&self, group: &str, passages: Vec<Passage>) -> Result<()> {
        let texts: Vec<&str> = passages.iter().map(|passage| passage.text.as_str()).collect();
        let vectors = self.0.embed(&texts)?;
        let points = passages.into_iter().zip(vectors).map(|(passage, vector)| Point {
            iri: passage.iri,
            vector,
            group: group.to_owned(),
            document: passage.document,
        });
        self.1.upsert(points.collect())?;
        Ok(())
    }

    fn finish(&self) -> Result<()> {
        self.1.flush()?;
        self.1.optimize()?;
        Ok(())
    }
}

/// One passage without a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Passage {
    iri: String,
    document: String,
    text: String,
}

/// Embeds what is missing in the collection whose graph is `graph`, and says what it did or why it did not.
pub(crate) fn embed_missing(
    targets: &Targets<'_>,
    graph: &NamedNode,
    on_progress: &dyn Fn(&Progress),
) -> Result<Embedding> {
    match targets.vectors {
        Some(vectors) => embed_into(&vectors, targets.graph, graph, on_progress),
        None => Ok(Embedding::NoEmbedder {
            passages: count(targets.graph, graph)?,
        }),
    }
}

fn embed_into(
    vectors: &impl Vectors,
    store: &Graph,
    graph: &NamedNode,
    on_progress: &dyn Fn(&Progress),
) -> Result<Embedding> {
    let (graph_name, text) = (GraphName::from(graph.clone()), vocab::TEXT.into_owned());
    let n_passages = count(store, graph)?;
    let mut quads = store.quads_now(None, Some(&text), None, Some(&graph_name));
    let (mut n_seen, mut n_embedded) = (0, 0);
    loop {
        let seen = quads
            .by_ref()
            .take(BATCH)
            .collect::<coevo_graph::Result<Vec<_>>>()?;
        if seen.is_empty() {
            break;
        }
        let nodes = seen
            .iter()
            .map(|quad| &quad.subject)
            .map(node_iri)
            .collect::<Vec<_>>();
        let missing = vectors.missing(&nodes)?;
        let missing = missing.into_iter().filter_map(|at| seen.get(at));
        let missing = missing
            .map(|quad| passage(store, &graph_name, quad))
            .collect::<Result<Vec<_>>>()?;
        n_seen += seen.len() as u64;
        n_embedded += missing.len() as u64;
        if !missing.is_empty() {
            vectors.put(graph.as_str(), missing)?;
        }
        on_progress(&Progress {
            phase: Phase::Embedding,
            input: graph.as_str().to_owned(),
            bytes_done: 0,
            bytes_total: None,
            records: n_seen,
            records_total: Some(n_passages),
            rejects: 0,
        });
    }
    if n_embedded > 0 {
        vectors.finish()?;
    }
    Ok(Embedding::Done {
        embedded: n_embedded,
        present: n_seen - n_embedded,
    })
}

/// The passage of a `c:text` triple as it is embedded: below its document's title, since a passage alone often does not
/// say whom "he" means.
fn passage(store: &Graph, graph: &GraphName, text: &Quad) -> Result<Passage> {
    let (in_document, label) = (vocab::IN_DOCUMENT.into_owned(), rdfs::LABEL.into_owned());
    let mut document = String::new();
    let mut title = String::new();
    for quad in store.quads_now(Some(&text.subject), Some(&in_document), None, Some(graph)) {
        let Term::NamedNode(found) = quad?.object else {
            continue;
        };
        for quad in store.quads_now(Some(&found.clone().into()), Some(&label), None, Some(graph)) {
            literal(&quad?.object).clone_into(&mut title);
        }
        document = found.into_string();
    }
    Ok(Passage {
        iri: node_iri(&text.subject).to_owned(),
        document,
        text: format!("{title}\n{}", literal(&text.object)),
    })
}

fn node_iri(node: &NamedOrBlankNode) -> &str {
    match node {
        NamedOrBlankNode::NamedNode(node) => node.as_str(),
        NamedOrBlankNode::BlankNode(node) => node.as_str(),
    }
}

fn literal(term: &Term) -> &str {
    match term {
        Term::Literal(literal) => literal.value(),
        _ => "",
    }
}

fn count(store: &Graph, graph: &NamedNode) -> Result<u64> {
    let (graph_name, in_document) = (GraphName::from(graph.clone()), vocab::IN_DOCUMENT.into_owned());
    let mut n_passages = 0;
    for quad in store.quads_now(None, Some(&in_document), None, Some(&graph_name)) {
        quad?;
        n_passages += 1;
    }
    Ok(n_passages)
}

#[cfg(test)]
mod tests;
