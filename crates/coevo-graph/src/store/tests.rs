//! Atomic changes, preconditions, names, sweeping.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;
use oxrdf::Literal;

fn quad(object: &str) -> Quad {
    Quad::new(
        NamedNode::new_unchecked("urn:s"),
        NamedNode::new_unchecked("urn:p"),
        Literal::new_simple_literal(object),
        NamedNode::new_unchecked("urn:g"),
    )
}

async fn objects(graph: &Graph) -> Vec<String> {
    let mut objects: Vec<String> = graph
        .quads(None, None, None, None, 100)
        .await
        .unwrap()
        .into_iter()
        .map(|quad| quad.object.to_string())
        .collect();
    objects.sort();
    objects
}

#[tokio::test]
async fn a_lost_race_writes_nothing() {
    let graph = Graph::in_memory().unwrap();
    graph
        .apply(Change {
            insert: vec![quad("1")],
            ..Change::default()
        })
        .await
        .unwrap();
    let change = |require, forbid| Change {
        require,
        forbid,
        remove: vec![quad("1")],
        insert: vec![quad("2")],
    };
    let error = graph.apply(change(vec![quad("0")], vec![])).await.unwrap_err();
    assert!(
        matches!(&error, Error::Conflict { what } if what.contains("\"0\"")),
        "{error}"
    );
    assert!(matches!(
        graph.apply(change(vec![], vec![quad("1")])).await,
        Err(Error::Conflict { .. })
    ));
    assert_eq!(objects(&graph).await, ["\"1\""]);
    graph
        .apply(change(vec![quad("1")], vec![quad("2")]))
        .await
        .unwrap();
    assert_eq!(objects(&graph).await, ["\"2\""]);
}

#[tokio::test]
async fn of_two_writers_with_one_precondition_one_wins() {
    let graph = Graph::in_memory().unwrap();
    let change = |n: &str| Change {
        forbid: vec![quad("taken")],
        insert: vec![quad("taken"), quad(n)],
        ..Change::default()
    };
    let (a, b) = tokio::join!(graph.apply(change("a")), graph.apply(change("b")));
    assert!(a.is_ok() != b.is_ok());
    assert_eq!(objects(&graph).await.len(), 2);
}

#[tokio::test]
async fn labels_follow_the_languages_asked_for() {
    let graph = Graph::in_memory().unwrap();
    let text = r#"<http://www.wikidata.org/entity/Q1> <http://www.w3.org/2000/01/rdf-schema#label> "Universum"@de, "univers"@fr, "plain" .
        <http://www.wikidata.org/entity/P26> <http://www.w3.org/2000/01/rdf-schema#label> "spouse"@en ."#;
    graph
        .merge_dataset_now(oxrdfio::RdfFormat::Turtle, text.as_bytes())
        .unwrap();
    let iris = [
        "http://www.wikidata.org/entity/Q1",
        "http://www.wikidata.org/prop/direct/P26",
        "urn:none",
    ];
    let iris: Vec<NamedNode> = iris.map(NamedNode::new_unchecked).into();
    for (languages, expected) in [
        (["fr", "de"], "univers"),
        (["en", "de"], "Universum"),
        (["en", "es"], "plain"),
    ] {
        let labels = graph
            .labels(iris.clone(), languages.map(str::to_owned).into())
            .await
            .unwrap();
        assert_eq!(labels[&iris[0]], expected);
        assert_eq!(labels[&iris[1]], "spouse");
        assert_eq!(labels.len(), 2);
    }
}

#[test]
fn what_a_killed_load_left_is_swept_and_data_survives() {
    let dir = tempfile::tempdir().unwrap();
    Location::init(dir.path()).unwrap();
    let location = Location::open(dir.path(), "test").unwrap();
    let graph = Graph::open(&location).unwrap();
    graph
        .apply_now(&Change {
            insert: vec![quad("1")],
            ..Change::default()
        })
        .unwrap();
    drop(graph);
    let orphan = location.store_dir().join("bulk-0123.sst");
    fs_err::write(&orphan, "left behind").unwrap();
    let graph = Graph::open(&location).unwrap();
    assert!(!orphan.exists());
    assert!(graph.contains_now(&quad("1")).unwrap());
}

#[test]
fn a_bulk_load_is_all_or_nothing() {
    let graph = Graph::in_memory().unwrap();
    let broken = [
        Ok(quad("1")),
        Err(std::io::Error::other("broken input")),
        Ok(quad("2")),
    ];
    let error = graph.bulk_load(broken.into_iter()).unwrap_err();
    assert_eq!(error.to_string(), "broken input");
    assert!(graph.store().is_empty().unwrap());
    let whole = [quad("1"), quad("2"), quad("1")];
    assert_eq!(
        graph
            .bulk_load(whole.into_iter().map(Ok::<_, std::io::Error>))
            .unwrap(),
        3
    );
    assert_eq!(graph.store().len().unwrap(), 2);
}
