//! Compression, damage, missing things, the registry.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::{IngestRequest, Input, Outcome, Place, bzip2, gzip, n_triples, outcomes, request, stdin_request};
use crate::error::Error;

const RDF: &str = "urn:coevo:kg:rdf";

#[test]
fn members_streams_and_frames_are_all_read() {
    let check = |name: &str, bytes: &[u8]| {
        let place = Place::new();
        let path = place.file(name, bytes);
        let report = place.ingest(&request("rdf", &[&path])).unwrap();
        assert_eq!(report.inputs[0].counts.triples, 5, "{name}");
        assert_eq!(place.triples(RDF).len(), 5, "{name}");
    };
    let (one, two) = (n_triples(0, 3), n_triples(3, 2));
    check("a.nt", [one.as_bytes(), two.as_bytes()].concat().as_slice());
    check("a.nt.gz", &[gzip(one.as_bytes()), gzip(two.as_bytes())].concat());
    check(
        "a.nt.bz2",
        &[bzip2(one.as_bytes()), bzip2(two.as_bytes())].concat(),
    );
    let zstd = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
    check("a.nt.zst", &[zstd(&one), zstd(&two)].concat());
    // The name lies; the content is believed.
    check("b.nt.gz", [one.as_bytes(), two.as_bytes()].concat().as_slice());
    check("c.nt", &gzip([one, two].concat().as_bytes()));
}

#[test]
fn a_cut_file_loads_nothing() {
    let check = |name: &str, bytes: &[u8]| {
        for n_missing in [1, bytes.len() / 2] {
            let place = Place::new();
            let path = place.file(name, &bytes[..bytes.len() - n_missing]);
            let error = place.ingest(&request("rdf", &[&path])).unwrap_err();
            assert!(matches!(error, Error::Truncated { .. }), "{name}: {error:?}");
            assert!(error.hint().is_some());
            assert_eq!(place.triples(RDF), [""; 0], "{name}");
        }
    };
    let text = n_triples(0, 20_000);
    check("a.nt.gz", &gzip(text.as_bytes()));
    check("a.nt.bz2", &bzip2(text.as_bytes()));
    check("a.nt.zst", &zstd::encode_all(text.as_bytes(), 1).unwrap());
}

#[test]
fn what_follows_a_member_must_be_one() {
    let place = Place::new();
    let bytes = [
        gzip(n_triples(0, 3).as_bytes()),
        b"<html>416 range</html>".to_vec(),
    ]
    .concat();
    let path = place.file("a.nt.gz", &bytes);
    let error = place.ingest(&request("rdf", &[&path])).unwrap_err();
    assert!(matches!(error, Error::Damaged { .. }), "{error:?}");
    assert_eq!(place.triples(RDF), [""; 0]);
}

#[test]
fn inputs_are_checked_before_any_is_loaded() {
    let place = Place::new();
    let good = place.file("good.nt", n_triples(0, 1).as_bytes());
    let empty = place.file("empty.nt", b"");
    let missing = place.dir.path().join("missing.nt");
    let odd = place.file("good.docx", b"x");
    let bare = place.file("good", b"x");
    let check = |path: &std::path::Path, expected: &str| {
        let error = place.ingest(&request("rdf", &[&good, path])).unwrap_err();
        let words = format!("{}: {expected}", path.display());
        assert!(error.to_string().starts_with(&words), "{error}");
        assert!(!error.to_string().contains('\n'));
        assert_eq!(place.triples(RDF), [""; 0]);
    };
    check(&empty, "is empty");
    check(&missing, "cannot be opened");
    check(place.dir.path(), "is a directory");
    check(
        &odd,
        "profile `rdf` does not read format `docx`; it reads: nt, nq",
    );
    check(&bare, "the name does not say");
}

#[test]
fn xz_is_refused_with_a_way_round() {
    let place = Place::new();
    let path = place.file("a.nt.xz", b"\xfd7zXZ\0\0\x04 and so on");
    let error = place.ingest(&request("rdf", &[&path])).unwrap_err();
    assert!(matches!(
        error,
        Error::Compression {
            compression: "xz",
            ..
        }
    ));
    assert!(error.hint().unwrap().contains("xz -dc"));
}

#[test]
fn nothing_in_a_compression_is_empty() {
    let place = Place::new();
    for name in ["a.nt.gz", "a.ttl.gz"] {
        let path = place.file(name, &gzip(b""));
        let error = place.ingest(&request("rdf", &[&path])).unwrap_err();
        assert!(matches!(error, Error::Empty { .. }), "{name}: {error:?}");
    }
}

#[test]
fn an_unchanged_input_is_not_loaded_again() {
    let place = Place::new();
    let path = place.file("a.nt", n_triples(0, 3).as_bytes());
    let first = place.ingest(&request("rdf", &[&path])).unwrap();
    let second = place.ingest(&request("rdf", &[&path])).unwrap();
    assert_eq!(
        (outcomes(&first), outcomes(&second)),
        (vec![Outcome::Loaded], vec![Outcome::Unchanged])
    );
    assert_eq!(first.inputs[0].counts, second.inputs[0].counts);
    assert_eq!((first.labels, second.labels), (Some(0), None));
    // Another graph, or another content, is another input.
    let graph = Some(oxrdf::NamedNode::new("urn:coevo:kg:other").unwrap());
    let third = place
        .ingest(&IngestRequest {
            graph,
            ..request("rdf", &[&path])
        })
        .unwrap();
    assert_eq!(outcomes(&third), [Outcome::Loaded]);
    let path = place.file("a.nt", n_triples(1, 3).as_bytes());
    assert_eq!(
        outcomes(&place.ingest(&request("rdf", &[&path])).unwrap()),
        [Outcome::Loaded]
    );
    assert_eq!(place.triples(RDF).len(), 4);
}

#[test]
fn a_run_killed_before_its_note_ends_the_same() {
    let text = "<urn:a> <http://www.w3.org/2000/01/rdf-schema#label> \"Ada\" .\n_:x <urn:p> <urn:a> .\n";
    let place = Place::new();
    let path = place.file("a.nt", text.as_bytes());
    place.ingest(&request("rdf", &[&path])).unwrap();
    let (triples, system) = (place.triples(RDF), place.triples("urn:coevo:system"));
    // What the store would hold had the process died right after the load.
    let graph = oxrdf::GraphName::NamedNode(coevo_graph::vocab::SYSTEM_GRAPH.into_owned());
    let remove = place
        .graph
        .quads_now(None, None, None, Some(&graph))
        .map(Result::unwrap)
        .collect();
    place
        .graph
        .apply_now(&coevo_graph::Change {
            remove,
            ..Default::default()
        })
        .unwrap();
    let report = place.ingest(&request("rdf", &[&path])).unwrap();
    assert_eq!(outcomes(&report), [Outcome::Loaded]);
    assert_eq!(place.triples(RDF), triples);
    assert_eq!(place.triples("urn:coevo:system"), system);
    assert_eq!(place.labels.len(), 1);
}

#[test]
fn a_run_killed_before_its_labels_derives_them_later() {
    let place = Place::new();
    let one = place.file(
        "a.nt",
        b"<urn:a> <http://www.w3.org/2000/01/rdf-schema#label> \"Ada\" .\n",
    );
    let two = place.file(
        "b.nt",
        b"<urn:b> <http://www.w3.org/2000/01/rdf-schema#label> \"Bob\" .\n",
    );
    place.ingest(&request("rdf", &[&one])).unwrap();
    place.ingest(&request("rdf", &[&two])).unwrap();
    let graph = oxrdf::NamedNode::new(RDF).unwrap();
    place
        .labels
        .replace_graph::<Error>(RDF, std::iter::empty())
        .unwrap();
    crate::registry::mark_labels_due(&place.graph, &graph).unwrap();
    let report = place.ingest(&request("rdf", &[&one])).unwrap();
    assert_eq!(
        (outcomes(&report), report.labels),
        (vec![Outcome::Unchanged], Some(2))
    );
    assert_eq!(place.ingest(&request("rdf", &[&one])).unwrap().labels, None);
}

#[test]
fn an_emptied_graph_is_loaded_again() {
    let place = Place::new();
    let path = place.file("a.nt", n_triples(0, 2).as_bytes());
    place.ingest(&request("rdf", &[&path])).unwrap();
    let graph = oxrdf::GraphName::NamedNode(oxrdf::NamedNode::new(RDF).unwrap());
    let remove = place
        .graph
        .quads_now(None, None, None, Some(&graph))
        .map(Result::unwrap)
        .collect();
    place
        .graph
        .apply_now(&coevo_graph::Change {
            remove,
            ..Default::default()
        })
        .unwrap();
    assert_eq!(
        outcomes(&place.ingest(&request("rdf", &[&path])).unwrap()),
        [Outcome::Loaded]
    );
    assert_eq!(place.triples(RDF).len(), 2);
}

#[test]
fn a_failure_alone_leaves_no_work_behind() {
    let place = Place::new();
    let cut = place.file("b.nt.gz", &gzip(n_triples(0, 9).as_bytes())[..40]);
    assert!(place.ingest(&request("rdf", &[&cut])).is_err());
    assert_eq!(place.triples("urn:coevo:system"), [""; 0]);
}

#[test]
fn those_before_a_failure_stay() {
    let place = Place::new();
    let good = place.file(
        "a.nt",
        b"<urn:a> <http://www.w3.org/2000/01/rdf-schema#label> \"Ada\" .\noops\n",
    );
    let cut = place.file("b.nt.gz", &gzip(n_triples(0, 9).as_bytes())[..40]);
    assert!(place.ingest(&request("rdf", &[&good, &cut])).is_err());
    assert_eq!((place.triples(RDF).len(), place.labels.len()), (1, 1));
    assert!(!place.has_no_rejects_file());
    assert_eq!(
        outcomes(&place.ingest(&request("rdf", &[&good])).unwrap()),
        [Outcome::Unchanged]
    );
}

#[test]
fn standard_input_needs_a_format_and_is_noted_after() {
    let place = Place::new();
    let bare = IngestRequest {
        format: None,
        ..stdin_request("rdf", "nt")
    };
    assert!(matches!(place.ingest(&bare), Err(Error::FormatNeeded { .. })));
    let twice = IngestRequest {
        inputs: vec![Input::Stdin, Input::Stdin],
        ..stdin_request("rdf", "nt")
    };
    assert!(matches!(place.ingest(&twice), Err(Error::StdinTwice)));
    assert!(matches!(
        place.ingest_stdin(&stdin_request("rdf", "nt"), b""),
        Err(Error::Empty { .. })
    ));
    let text = b"<urn:s> <urn:p> _:b .\n";
    let report = place.ingest_stdin(&stdin_request("rdf", ".NT"), text).unwrap();
    assert_eq!(
        (report.inputs[0].name.as_str(), report.inputs[0].bytes),
        ("-", 22)
    );
    // The same bytes from a file are known.
    let path = place.file("a.nt", text);
    assert_eq!(
        outcomes(&place.ingest(&request("rdf", &[&path])).unwrap()),
        [Outcome::Unchanged]
    );
}

#[test]
fn platform_graphs_are_not_loaded_into() {
    let place = Place::new();
    let path = place.file("a.nt", n_triples(0, 1).as_bytes());
    for graph in [
        "urn:coevo:system",
        "urn:coevo:memory:main",
        "urn:coevo:claims:main",
        "urn:coevo:docs:x",
    ] {
        let graph = Some(oxrdf::NamedNode::new(graph).unwrap());
        let error = place
            .ingest(&IngestRequest {
                graph,
                ..request("rdf", &[&path])
            })
            .unwrap_err();
        assert!(matches!(error, Error::ReservedGraph { .. }));
    }
}
