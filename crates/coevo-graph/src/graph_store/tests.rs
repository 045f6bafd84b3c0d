//! Graphs replaced, merged, dropped; bad data destroys nothing (Graph Store HTTP Protocol §5).
#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;

fn dump(graph: &Graph, name: &NamedNode) -> String {
    let mut out = Vec::new();
    graph
        .dump_graph_now(Some(name), RdfFormat::NTriples, &mut out)
        .unwrap();
    String::from_utf8(out).unwrap()
}

#[tokio::test]
async fn a_graph_lives_and_dies() {
    let graph = Graph::in_memory().unwrap();
    let name = NamedNode::new_unchecked("http://example.org/g");
    assert!(!graph.graph_exists(name.clone()).await.unwrap());
    assert!(
        !graph
            .replace_graph_now(Some(&name), RdfFormat::Turtle, &b"<urn:a> <urn:p> 1 ."[..])
            .unwrap()
    );
    assert!(
        graph
            .replace_graph_now(Some(&name), RdfFormat::Turtle, &b"<urn:b> <urn:p> <urn:c> ."[..])
            .unwrap()
    );
    assert_eq!(dump(&graph, &name), "<urn:b> <urn:p> <urn:c> .\n");
    assert!(
        graph
            .merge_graph_now(Some(&name), RdfFormat::Turtle, &b"<urn:b> <urn:p> <urn:d> ."[..])
            .unwrap()
    );
    assert_eq!(
        graph.graph_sizes().await.unwrap(),
        [GraphInfo {
            name: name.clone(),
            triples: 2
        }]
    );
    let error = graph
        .replace_graph_now(
            Some(&name),
            RdfFormat::Turtle,
            &b"<urn:b> <urn:p> <urn:c> .\n<oops"[..],
        )
        .unwrap_err();
    assert!(matches!(error, Error::RdfSyntax(_)), "{error}");
    assert_eq!(dump(&graph, &name).lines().count(), 2);
    let quads = &b"<urn:b> <urn:p> <urn:c> <urn:other> ."[..];
    assert!(matches!(
        graph.replace_graph_now(Some(&name), RdfFormat::NQuads, quads),
        Err(Error::NamedGraphsInGraph)
    ));
    assert!(graph.drop_graph(Some(name.clone())).await.unwrap());
    assert!(!graph.drop_graph(Some(name.clone())).await.unwrap());
    assert!(!graph.graph_exists(name).await.unwrap());
}

#[tokio::test]
async fn an_empty_graph_that_was_put_exists() {
    let graph = Graph::in_memory().unwrap();
    let name = NamedNode::new_unchecked("http://example.org/empty");
    graph
        .replace_graph_now(Some(&name), RdfFormat::Turtle, &b""[..])
        .unwrap();
    assert!(graph.graph_exists(name).await.unwrap());
}

#[tokio::test]
async fn sizes_follow_every_write() {
    let graph = Graph::in_memory().unwrap();
    let name = NamedNode::new_unchecked("http://example.org/g");
    let of = |triples| {
        vec![GraphInfo {
            name: name.clone(),
            triples,
        }]
    };
    graph
        .replace_graph_now(Some(&name), RdfFormat::Turtle, &b"<urn:a> <urn:p> 1 ."[..])
        .unwrap();
    assert_eq!(graph.graph_sizes().await.unwrap(), of(1));
    assert_eq!(graph.graph_sizes().await.unwrap(), of(1));
    let insert = "INSERT DATA { GRAPH <http://example.org/g> { <urn:a> <urn:p> 2, 3 } }";
    graph
        .update(insert, &crate::UpdateOptions::default())
        .await
        .unwrap();
    assert_eq!(graph.graph_sizes().await.unwrap(), of(3));
}
