//! Evidence as it is shown: paths, sentences and claims become [`EvidenceItem`]s with stable ids, and an answer is
//! checked against them. Pure.

use crate::event::{AnswerItem, EvidenceItem, EvidenceKind};
use crate::graph_retrieval::RankedPath;
use crate::text_retrieval::Sentence;
use crate::verbalise::Names;
use coevo_graph::{fold, vocab};
use oxrdf::{GraphName, Quad, Term};

/// The evidence item of a path.
pub(crate) fn path_item(id: String, ranked: &RankedPath, names: &Names) -> EvidenceItem {
    let graph = ranked
        .path
        .hops
        .first()
        .map(|hop| hop.edge.graph.as_str())
        .unwrap_or_default();
    EvidenceItem {
        id,
        kind: EvidenceKind::Path,
        source: source_name(graph),
        text: ranked.text.clone(),
        relevance: ranked.score,
        sparql: Some(ranked.path.to_sparql()),
        path: Some(names.steps(&ranked.path)),
        passage: None,
        title: None,
        claim: None,
    }
}

/// The evidence item of a sentence.
pub(crate) fn sentence_item(id: String, sentence: &Sentence) -> EvidenceItem {
    EvidenceItem {
        id,
        kind: EvidenceKind::Passage,
        source: source_name(&sentence.passage.graph),
        text: sentence.text().to_owned(),
        relevance: sentence.score,
        sparql: None,
        path: None,
        passage: Some(sentence.passage.iri.as_str().to_owned()),
        title: Some(sentence.passage.title.clone()),
        claim: None,
    }
}

/// `urn:coevo:kg:wikidata` → `kg:wikidata`.
pub(crate) fn source_name(graph: &str) -> String {
    graph.strip_prefix("urn:coevo:").unwrap_or(graph).to_owned()
}

/// The stored quads that a path stands on: direct triples, and both triples of a statement hop.
pub(crate) fn quads_of(path: &coevo_graph::Path) -> Vec<Quad> {
    path.hops
        .iter()
        .filter(|hop| hop.edge.statement.is_none())
        .map(|hop| {
            let edge = &hop.edge;
            Quad::new(
                edge.subject.clone(),
                edge.predicate.clone(),
                edge.object.clone(),
                GraphName::from(edge.graph.clone()),
            )
        })
        .collect()
}

/// An answer item for a term.
pub(crate) fn answer_item(term: &Term, names: &Names) -> AnswerItem {
    let iri = match term {
        Term::NamedNode(iri) => Some(iri.as_str().to_owned()),
        _ => None,
    };
    AnswerItem {
        text: names.term(term),
        iri,
    }
}

/// Ids of the items that contain the answer's words, in their order. Of `Cincinnati, Ohio` the head `Cincinnati` is enough.
pub(crate) fn supporting(answer: &str, items: &[EvidenceItem]) -> Vec<String> {
    let wanted: Vec<String> = [answer, head_of(answer)]
        .into_iter()
        .map(fold)
        .filter(|name| !name.is_empty())
        .map(|name| format!(" {name} "))
        .collect();
    items
        .iter()
        .filter(|item| {
            let text = format!(" {} ", fold(&item.text));
            wanted.iter().any(|name| text.contains(name))
        })
        .map(|item| item.id.clone())
        .collect()
}

/// What stands before the first comma: the name itself, where a place is added to it.
pub(crate) fn head_of(answer: &str) -> &str {
    answer.split(',').next().unwrap_or(answer).trim()
}

/// What verifies an answer: the kinds among the cited items.
pub(crate) fn verification(cited: &[String], items: &[EvidenceItem]) -> String {
    let has = |kind| {
        items
            .iter()
            .any(|item| item.kind == kind && cited.contains(&item.id))
    };
    let parts: Vec<&str> = [
        (EvidenceKind::Path, "graph"),
        (EvidenceKind::Passage, "text"),
        (EvidenceKind::Claim, "memory"),
    ]
    .into_iter()
    .filter_map(|(kind, name)| has(kind).then_some(name))
    .collect();
    if parts.is_empty() {
        "none".to_owned()
    } else {
        parts.join("+")
    }
}

/// Name of the memory space's graph as a source.
pub(crate) fn memory_source(space: &str) -> String {
    vocab::memory_graph(space).map_or_else(|_| "memory".to_owned(), |graph| source_name(graph.as_str()))
}

#[cfg(test)]
mod tests {
    //! Support by words, and what it is called.
    use super::*;

    fn item(id: &str, kind: EvidenceKind, text: &str) -> EvidenceItem {
        EvidenceItem {
            id: id.to_owned(),
            kind,
            source: String::new(),
            text: text.to_owned(),
            relevance: 0.0,
            sparql: None,
            path: None,
            passage: None,
            title: None,
            claim: None,
        }
    }

    #[test]
    fn whole_words_support_an_answer() {
        let items = [
            item("P1", EvidenceKind::Path, "Ann place of birth São Paulo"),
            item("T1", EvidenceKind::Passage, "She was born in Sao Paulo, Brazil."),
            item("T2", EvidenceKind::Passage, "Paulo"),
        ];
        assert_eq!(supporting("sao paulo", &items), ["P1", "T1"]);
        assert_eq!(supporting("Sao Paulo, Brazil", &items), ["P1", "T1"]);
        assert_eq!(supporting("Pau", &items), Vec::<String>::new());
        assert_eq!(supporting(" ", &items), Vec::<String>::new());
        assert_eq!(
            verification(&["P1".to_owned(), "T1".to_owned()], &items),
            "graph+text"
        );
        assert_eq!(verification(&[], &items), "none");
    }
}
