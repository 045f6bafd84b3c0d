//! What the tests of this crate share: a store with two documents, a run, triples to extract, dumps to compare.

#![expect(clippy::unwrap_used, reason = "tests")]

use crate::{EntityRef, EvidenceSpan, ExtractedTriple, Factors, Memory, ObjectRef, RunRecord};
use coevo_graph::{Graph, UpdateOptions};
use oxrdf::{Literal, NamedNode};

/// Two documents with different root sources; and what looks like documents but is none.
pub(crate) const DOCUMENTS: &str = r#"
INSERT DATA {
  GRAPH <urn:coevo:docs:demo> {
    <urn:coevo:doc:3f9a> a c:Document ; c:rootSource <https://example.org/newsletter/12> .
    <urn:coevo:passage:3f9a:7> a c:Passage ; c:inDocument <urn:coevo:doc:3f9a> ; oa:start 1183 ; oa:end 1270 ;
      c:text "The year began well. In May 2019 the Lyra Array discovered 2019 KX4. The skies were clear." .
    <urn:coevo:doc:77aa> a c:Document ; c:rootSource <https://example.net/history> .
    <urn:coevo:passage:77aa:0> a c:Passage ; c:inDocument <urn:coevo:doc:77aa> ; oa:start 0 ; oa:end 140 ;
      c:text "Örsted’s heirs knew: 2019 KX4 was discovered by the Lyra Array. It was built by Ana Gómez. She was born on 15 March 1879." .
    <urn:coevo:doc:bad1> a c:Document ; c:rootSource <urn:coevo:claims:main> .
    <urn:coevo:passage:bad1:0> a c:Passage ; c:inDocument <urn:coevo:doc:bad1> ; oa:start 0 ; oa:end 41 ;
      c:text "The Lyra Array discovered 2019 KX4 early." .
    <urn:coevo:passage:bad2:0> a c:Passage ; oa:start 0 ; oa:end 41 ;
      c:text "The Lyra Array discovered 2019 KX4 early." .
  }
  GRAPH <urn:coevo:kg:wikidata> {
    <urn:coevo:passage:kg:0> a c:Passage ; c:inDocument <urn:coevo:doc:kg> ; oa:start 0 ; oa:end 41 ;
      c:text "The Lyra Array discovered 2019 KX4 early." .
  }
}"#;

pub(crate) const SENTENCE_12: &str = "In May 2019 the Lyra Array discovered 2019 KX4.";
pub(crate) const SENTENCE_HISTORY: &str = "2019 KX4 was discovered by the Lyra Array.";

pub(crate) fn node(iri: &str) -> NamedNode {
    NamedNode::new(iri).unwrap()
}

pub(crate) fn time(text: &str) -> jiff::Timestamp {
    text.parse().unwrap()
}

pub(crate) async fn load(graph: &Graph, update: &str) {
    graph.update(update, &UpdateOptions::default()).await.unwrap();
}

pub(crate) async fn memory() -> Memory {
    let graph = Graph::in_memory().unwrap();
    load(&graph, DOCUMENTS).await;
    Memory::new(graph, "main").unwrap()
}

pub(crate) fn run(id: &str) -> RunRecord {
    RunRecord {
        id: id.to_owned(),
        question: "Who discovered 2019 KX4?".to_owned(),
        strategy: "co-e-cot".to_owned(),
        model: Some("qwen2.5-coder-1.5b".to_owned()),
        started: time("2026-12-01T09:12:40Z"),
        ended: time("2026-12-01T09:12:44Z"),
        trace: Some("traces/01J.json".to_owned()),
    }
}

pub(crate) fn open(mention: &str) -> EntityRef {
    EntityRef::Open {
        mention: mention.to_owned(),
    }
}

pub(crate) fn linked(iri: &str, mention: &str) -> EntityRef {
    EntityRef::Linked {
        iri: node(iri),
        mention: mention.to_owned(),
        aliases: Vec::new(),
    }
}

pub(crate) fn value(text: &str, lexical: &str, datatype: &str) -> ObjectRef {
    let datatype = node(&["http://www.w3.org/2001/XMLSchema#", datatype].concat());
    ObjectRef::Value {
        text: text.to_owned(),
        literal: Literal::new_typed_literal(lexical, datatype),
    }
}

/// The sentence of the first newsletter: characters 1204 to 1251.
pub(crate) fn newsletter() -> EvidenceSpan {
    EvidenceSpan {
        passage: node("urn:coevo:passage:3f9a:7"),
        start: 1204,
        end: 1251,
        quoted: SENTENCE_12.to_owned(),
    }
}

/// The sentence of the second: characters 21 to 63.
pub(crate) fn history() -> EvidenceSpan {
    EvidenceSpan {
        passage: node("urn:coevo:passage:77aa:0"),
        start: 21,
        end: 63,
        quoted: SENTENCE_HISTORY.to_owned(),
    }
}

/// "The Lyra Array discovered 2019 KX4", of which Wikidata knows the second.
pub(crate) fn discovery(evidence: EvidenceSpan) -> ExtractedTriple {
    ExtractedTriple {
        subject: open("Lyra Array"),
        relation: "discovered".to_owned(),
        object: ObjectRef::Entity(linked("http://www.wikidata.org/entity/Q2100000099", "2019 KX4")),
        evidence,
        confidence: 0.74,
        factors: Factors {
            source: 0.8,
            corroboration: 0.25,
            alignment: 0.5,
        },
        valid_from: None,
        valid_to: None,
    }
}

/// All quads of the store, one a line, sorted.
pub(crate) fn dump(graph: &Graph) -> Vec<String> {
    let mut lines: Vec<String> = graph
        .quads_now(None, None, None, None)
        .map(|quad| quad.unwrap().to_string())
        .collect();
    lines.sort();
    lines
}

/// What an update writes into an empty store.
pub(crate) async fn written_by(update: &str) -> Vec<String> {
    let graph = Graph::in_memory().unwrap();
    load(&graph, update).await;
    dump(&graph)
}

/// Lines that the store has now and `before` had not.
pub(crate) fn added(before: &[String], graph: &Graph) -> Vec<String> {
    dump(graph)
        .into_iter()
        .filter(|line| !before.contains(line))
        .collect()
}
