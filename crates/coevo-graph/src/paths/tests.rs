//! Paths against a brute-force enumeration over random graphs, and by hand.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::QueryOptions;
use oxrdf::{GraphName, Quad};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn node(n: usize) -> NamedNode {
    NamedNode::new_unchecked(format!("urn:n:{n}"))
}

fn graph_of(edges: &[(usize, usize, usize)]) -> Graph {
    let graph = Graph::in_memory().unwrap();
    let name = GraphName::from(NamedNode::new_unchecked("urn:coevo:kg:t"));
    let insert = edges
        .iter()
        .map(|(s, p, o)| {
            Quad::new(
                node(*s),
                NamedNode::new_unchecked(format!("urn:p:{p}")),
                node(*o),
                name.clone(),
            )
        })
        .collect();
    graph
        .apply_now(&crate::Change {
            insert,
            ..crate::Change::default()
        })
        .unwrap();
    graph
}

fn show(path: &Path) -> String {
    let mut parts = vec![path.start.as_str().to_owned()];
    for hop in &path.hops {
        let arrow = if hop.direction == Direction::Forward {
            ">"
        } else {
            "<"
        };
        parts.push(format!("{arrow}{} {}", hop.edge.predicate.as_str(), hop.to()));
    }
    parts.join(" ")
}

/// Every simple path of at most `left` hops, by trying everything.
fn brute(
    edges: &BTreeSet<(usize, usize, usize)>,
    trail: &mut Vec<usize>,
    text: &str,
    to: usize,
    left: u8,
    out: &mut BTreeSet<String>,
) {
    let at = *trail.last().unwrap();
    if at == to {
        out.insert(text.to_owned());
        return;
    }
    if left == 0 {
        return;
    }
    for (s, p, o) in edges {
        for (from, end, arrow) in [(s, o, ">"), (o, s, "<")] {
            if *from == at && s != o && !trail.contains(end) {
                trail.push(*end);
                brute(
                    edges,
                    trail,
                    &format!("{text} {arrow}urn:p:{p} <urn:n:{end}>"),
                    to,
                    left - 1,
                    out,
                );
                trail.pop();
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn equal_to_brute_force(edges in prop::collection::btree_set((0..8_usize, 0..2_usize, 0..8_usize), 0..20), max_hops in 1..5_u8) {
        let list: Vec<_> = edges.iter().copied().collect();
        let graph = graph_of(&list);
        let options = PathOptions { max_hops, limit: 100_000, ..PathOptions::default() };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let found = runtime.block_on(graph.paths(&node(0), &node(1), &options)).unwrap();
        let got: BTreeSet<String> = found.paths.iter().map(show).collect();
        let mut expected = BTreeSet::new();
        brute(&edges, &mut vec![0], "urn:n:0", 1, max_hops, &mut expected);
        prop_assert_eq!(got.len(), found.paths.len(), "a path was listed twice");
        prop_assert_eq!(got, expected);
        prop_assert!(found.cut.is_empty());
        let lengths: Vec<usize> = found.paths.iter().map(|path| path.hops.len()).collect();
        prop_assert!(lengths.is_sorted());
    }

    #[test]
    fn the_sparql_of_a_path_returns_exactly_that_path(edges in prop::collection::btree_set((0..6_usize, 0..2_usize, 0..6_usize), 1..12)) {
        let list: Vec<_> = edges.iter().copied().collect();
        let graph = graph_of(&list);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let found = runtime.block_on(graph.paths(&node(0), &node(1), &PathOptions::default())).unwrap();
        for path in found.paths {
            let rows = runtime.block_on(graph.select(&path.to_sparql(), &QueryOptions::default())).unwrap();
            prop_assert_eq!(rows.rows.len(), 1);
            for (index, term) in path.nodes().iter().enumerate() {
                prop_assert_eq!(rows.get(0, &format!("n{index}")), Some(term));
            }
        }
    }
}

#[tokio::test]
async fn a_hub_in_the_middle_is_walked_from_its_neighbours() {
    // 0 and 1 both point at a hub with 50 other neighbours, of which only 5 are read.
    let mut edges: Vec<(usize, usize, usize)> = (10..60).map(|n| (n, 0, 9)).collect();
    edges.extend([(0, 1, 9), (1, 1, 9)]);
    let options = PathOptions {
        budget: HopBudget {
            per_node: 5,
            ..HopBudget::default()
        },
        ..PathOptions::default()
    };
    let found = graph_of(&edges)
        .paths(&node(0), &node(1), &options)
        .await
        .unwrap();
    assert_eq!(
        found.paths.iter().map(show).collect::<Vec<_>>(),
        ["urn:n:0 >urn:p:1 <urn:n:9> <urn:p:1 <urn:n:1>"]
    );
    assert!(found.cut.hubs > 0);
}

#[tokio::test]
async fn the_limit_is_counted_and_equal_ends_give_nothing() {
    let edges: Vec<(usize, usize, usize)> = (0..4).map(|p| (0, p, 1)).collect();
    let options = PathOptions {
        limit: 3,
        max_hops: 1,
        ..PathOptions::default()
    };
    let found = graph_of(&edges)
        .paths(&node(0), &node(1), &options)
        .await
        .unwrap();
    assert_eq!((found.paths.len(), found.cut.paths), (3, 1));
    let found = graph_of(&edges)
        .paths(&node(0), &node(0), &options)
        .await
        .unwrap();
    assert_eq!(found, PathsFound::default());
}
