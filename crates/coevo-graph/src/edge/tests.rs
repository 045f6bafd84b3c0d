//! A path through a statement node, as SPARQL.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::{Graph, QueryOptions};
use oxrdf::Literal;
use oxrdfio::RdfFormat;

#[tokio::test]
async fn a_statement_hop_and_a_literal_end_come_back() {
    let graph = Graph::in_memory().unwrap();
    let text = r#"GRAPH <urn:coevo:kg:wikidata> {
        <http://www.wikidata.org/entity/Q1> <http://www.wikidata.org/prop/P26> <http://www.wikidata.org/entity/statement/Q1-b> .
        <http://www.wikidata.org/entity/statement/Q1-b> <http://www.wikidata.org/prop/statement/P26> <http://www.wikidata.org/entity/Q3> .
        <http://www.wikidata.org/entity/Q3> <http://www.wikidata.org/prop/direct/P1> "a \"quoted\"\nline"@en . }"#;
    graph.merge_dataset_now(RdfFormat::TriG, text.as_bytes()).unwrap();
    let wd = |id: &str| NamedNode::new_unchecked(format!("http://www.wikidata.org/entity/{id}"));
    let wdt = |id: &str| NamedNode::new_unchecked(format!("http://www.wikidata.org/prop/direct/{id}"));
    let kg = NamedNode::new_unchecked("urn:coevo:kg:wikidata");
    let literal = Literal::new_language_tagged_literal_unchecked("a \"quoted\"\nline", "en");
    let edge = |subject, predicate, object: Term, statement| Edge {
        subject,
        predicate,
        object,
        graph: kg.clone(),
        statement,
        qualifiers: Vec::new(),
    };
    let path = Path {
        start: wd("Q3"),
        hops: vec![Hop {
            edge: edge(wd("Q1"), wdt("P26"), wd("Q3").into(), Some(wd("statement/Q1-b"))),
            direction: Direction::Backward,
        }],
    };
    let rows = graph
        .select(&path.to_sparql(), &QueryOptions::default())
        .await
        .unwrap();
    assert_eq!(rows.rows.len(), 1);
    assert_eq!(rows.get(0, "n1"), Some(&wd("Q1").into()));
    assert_eq!(rows.get(0, "s1"), Some(&wd("statement/Q1-b").into()));

    let path = Path {
        start: wd("Q3"),
        hops: vec![Hop {
            edge: edge(wd("Q3"), wdt("P1"), literal.clone().into(), None),
            direction: Direction::Forward,
        }],
    };
    let rows = graph
        .select(&path.to_sparql(), &QueryOptions::default())
        .await
        .unwrap();
    assert_eq!((rows.rows.len(), rows.get(0, "n1")), (1, Some(&literal.into())));
}

#[test]
fn cuts_add_up_and_read_as_words() {
    let mut cut = Cut {
        nodes: 2,
        deadline: true,
        ..Cut::default()
    };
    cut.add(&Cut {
        nodes: 1,
        paths: 4,
        ..Cut::default()
    });
    assert_eq!(cut.to_string(), "3 nodes, 4 paths, deadline");
    assert_eq!(Cut::default().to_string(), "");
}
