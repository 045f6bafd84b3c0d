//! k-hop over hand-written graphs: direct triples, statements as one qualified hop, hubs, literals.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::khop::HopOptions;
use oxrdfio::RdfFormat;

/// Douglas Adams married Jane Belson in 1991 (statement with a qualifier and its truthy triple); a second marriage is
/// known only as a statement; P31 is a plain triple.
const GRAPH: &str = r#"
PREFIX wd: <http://www.wikidata.org/entity/> PREFIX wdt: <http://www.wikidata.org/prop/direct/>
PREFIX p: <http://www.wikidata.org/prop/> PREFIX ps: <http://www.wikidata.org/prop/statement/>
PREFIX pq: <http://www.wikidata.org/prop/qualifier/> PREFIX wds: <http://www.wikidata.org/entity/statement/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
GRAPH <urn:coevo:kg:wikidata> {
  wd:Q1 rdfs:label "Ann"@en ; wdt:P31 wd:Q5 ; wdt:P26 wd:Q2 ; wdt:P569 "1952"^^<http://www.w3.org/2001/XMLSchema#gYear> ;
        p:P26 wds:Q1-a , wds:Q1-b .
  wds:Q1-a ps:P26 wd:Q2 ; pq:P580 "1991" .
  wds:Q1-b ps:P26 wd:Q3 ; pq:P580 "1980" ; pq:P1534 wd:Q4 .
  wd:Q9 wdt:P40 wd:Q1 .
}
GRAPH <urn:coevo:memory:main:proposed> { wd:Q1 <urn:coevo:rel:knows> wd:Q7 . }
GRAPH <urn:coevo:memory:main> { wd:Q1 <urn:coevo:rel:admires> wd:Q8 . }
"#;

fn graph(text: &str) -> Graph {
    let graph = Graph::in_memory().unwrap();
    graph.merge_dataset_now(RdfFormat::TriG, text.as_bytes()).unwrap();
    graph
}

async fn check(text: &str, seed: &str, options: &HopOptions, expected: &[&str]) -> Cut {
    let found = graph(text)
        .khop(
            &[NamedNode::new_unchecked(format!(
                "http://www.wikidata.org/entity/{seed}"
            ))],
            options,
        )
        .await
        .unwrap();
    let mut shown: Vec<String> = found.edges.iter().map(show).collect();
    shown.sort();
    let mut expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
    expected.sort();
    assert_eq!(shown, expected);
    found.cut
}

fn show(edge: &Edge) -> String {
    let short = |text: String| {
        text.trim_matches(['<', '>'])
            .rsplit(['/', ':'])
            .next()
            .unwrap_or_default()
            .trim_matches('"')
            .to_owned()
    };
    let qualifiers: Vec<String> = edge
        .qualifiers
        .iter()
        .map(|(p, v)| format!("{}={}", short(p.to_string()), short(v.to_string())))
        .collect();
    let via = edge
        .statement
        .as_ref()
        .map(|s| format!(" via {}", short(s.to_string())))
        .unwrap_or_default();
    let object = match &edge.object {
        Term::Literal(literal) => literal.value().to_owned(),
        other => short(other.to_string()),
    };
    format!(
        "{} {} {object} [{}]{via}",
        short(edge.subject.to_string()),
        short(edge.predicate.to_string()),
        qualifiers.join(" ")
    )
}

#[tokio::test]
async fn one_hop_merges_statements_with_their_direct_triples_and_leaves_proposals_out() {
    let cut = check(
        GRAPH,
        "Q1",
        &HopOptions::default(),
        &[
            "Q1 P31 Q5 []",
            "Q1 P26 Q2 [P580=1991]",
            "Q1 P26 Q3 [P1534=Q4 P580=1980] via Q1-b",
            "Q1 P569 1952 []",
            "Q9 P40 Q1 []",
            "Q1 admires Q8 []",
        ],
    )
    .await;
    assert!(cut.is_empty());
}

#[tokio::test]
async fn a_statement_is_found_from_its_value_but_not_from_its_qualifier() {
    check(
        GRAPH,
        "Q3",
        &HopOptions::default(),
        &["Q1 P26 Q3 [P1534=Q4 P580=1980] via Q1-b"],
    )
    .await;
    check(GRAPH, "Q4", &HopOptions::default(), &[]).await;
}

#[tokio::test]
async fn directions_and_literals_can_be_left_out() {
    let out = HopOptions {
        direction: HopDirection::In,
        ..HopOptions::default()
    };
    check(GRAPH, "Q1", &out, &["Q9 P40 Q1 []"]).await;
    let no_literals = HopOptions {
        literals: false,
        direction: HopDirection::Out,
        ..HopOptions::default()
    };
    check(
        GRAPH,
        "Q1",
        &no_literals,
        &[
            "Q1 P31 Q5 []",
            "Q1 P26 Q2 [P580=1991]",
            "Q1 P26 Q3 [P1534=Q4 P580=1980] via Q1-b",
            "Q1 admires Q8 []",
        ],
    )
    .await;
}

#[tokio::test]
async fn named_graphs_can_be_chosen() {
    let proposed = NamedNode::new_unchecked("urn:coevo:memory:main:proposed");
    let options = HopOptions {
        graphs: Some(vec![proposed]),
        ..HopOptions::default()
    };
    check(GRAPH, "Q1", &options, &["Q1 knows Q7 []"]).await;
}

#[tokio::test]
async fn caps_are_counted() {
    let triples: Vec<String> = (0..30)
        .map(|n| {
            format!(
                "<http://www.wikidata.org/entity/Q{n}> <urn:p:in> <http://www.wikidata.org/entity/Q100> ."
            )
        })
        .collect();
    let text = format!("GRAPH <urn:coevo:kg:t> {{ {} }}", triples.join("\n"));
    let seeds = [NamedNode::new_unchecked("http://www.wikidata.org/entity/Q100")];
    let with = |per_node, per_relation, edges| HopOptions {
        budget: HopBudget {
            edges,
            per_node,
            per_relation,
            ..HopBudget::default()
        },
        ..HopOptions::default()
    };
    let graph = graph(&text);
    let found = graph.khop(&seeds, &with(10, 100, 100)).await.unwrap();
    assert_eq!((found.edges.len(), found.cut.hubs), (10, 1));
    let found = graph.khop(&seeds, &with(100, 7, 100)).await.unwrap();
    assert_eq!((found.edges.len(), found.cut.per_relation), (7, 23));
    let found = graph.khop(&seeds, &with(100, 100, 12)).await.unwrap();
    assert_eq!((found.edges.len(), found.cut.edges), (12, 18));
    assert_eq!(found.cut.to_string(), "18 edges");
}

#[tokio::test]
async fn two_hops_reach_the_neighbours_neighbours() {
    let text = "GRAPH <urn:coevo:kg:t> { <http://www.wikidata.org/entity/Q1> <urn:p> <http://www.wikidata.org/entity/Q2> .
        <http://www.wikidata.org/entity/Q3> <urn:p> <http://www.wikidata.org/entity/Q2> .
        <http://www.wikidata.org/entity/Q3> <urn:p> <http://www.wikidata.org/entity/Q4> . }";
    let options = HopOptions {
        k: 2,
        ..HopOptions::default()
    };
    check(text, "Q1", &options, &["Q1 p Q2 []", "Q3 p Q2 []"]).await;
}
