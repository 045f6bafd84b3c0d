//! Serialisations, rejects, blank nodes, graph names.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::{IngestRequest, Place, gzip, n_triples, request};
use crate::error::Error;

const RDF: &str = "urn:coevo:kg:rdf";

fn load(name: &str, text: &str) -> (Place, crate::Result<crate::Report>) {
    let place = Place::new();
    let path = place.file(name, text.as_bytes());
    let report = place.ingest(&request("rdf", &[&path]));
    (place, report)
}

#[test]
fn bad_lines_are_set_aside_with_their_place() {
    let good = n_triples(0, 12_000);
    let text = format!("{good}<urn:s> <urn:p> oops .\r\n{good}<urn:s> \"p\" <urn:o> .");
    let place = Place::new();
    let path = place.file("a.nt.gz", &gzip(text.as_bytes()));
    let report = place.ingest(&request("rdf", &[&path])).unwrap();
    let counts = report.inputs[0].counts;
    assert_eq!(
        (counts.records, counts.triples, counts.rejects),
        (24_002, 24_000, 2)
    );
    let rejects = Place::rejects(&report);
    assert_eq!(rejects[0]["line"], 12_001);
    assert_eq!(rejects[0]["offset"], good.len());
    assert_eq!(rejects[0]["record"], "<urn:s> <urn:p> oops .");
    assert_eq!(rejects[0]["input"], path.display().to_string());
    assert!(rejects[0]["reason"].as_str().unwrap().len() > 5);
    assert_eq!(rejects[1]["line"], 24_002);
    assert_eq!(
        rejects[1]["offset"],
        2 * good.len() + "<urn:s> <urn:p> oops .\r\n".len()
    );
    let name = report.rejects_path.unwrap();
    assert_eq!(name.file_name().unwrap(), "20270115T080000.000Z-rdf.jsonl");
}

#[test]
fn strict_stops_at_the_first() {
    let place = Place::new();
    let text = format!("{}oops\n{}oops\n", n_triples(0, 30_000), n_triples(0, 30_000));
    let path = place.file("a.nt", text.as_bytes());
    let strict = IngestRequest {
        strict: true,
        ..request("rdf", &[&path])
    };
    let error = place.ingest(&strict).unwrap_err();
    assert!(matches!(error, Error::Rejected { line: 30_001, .. }), "{error:?}");
    assert!(place.triples(RDF).is_empty() && place.has_no_rejects_file());
    // Once it is in with rejects, a strict run still says so.
    place.ingest(&request("rdf", &[&path])).unwrap();
    assert!(matches!(place.ingest(&strict), Err(Error::Rejected { .. })));
}

#[test]
fn all_lines_bad_is_a_failure_not_an_empty_graph() {
    let (place, report) = load("a.nt", "{\"title\": 1}\n{\"title\": 2}\n");
    assert!(matches!(
        report,
        Err(Error::NothingUsable {
            n_rejects: 2,
            line: 1,
            ..
        })
    ));
    assert!(place.triples(RDF).is_empty() && place.has_no_rejects_file());
}

#[test]
fn windows_line_ends_and_a_byte_order_mark() {
    let (place, report) = load(
        "a.nt",
        "\u{feff}<urn:s> <urn:p> \"a\" .\r\n\r\n# note\r\n<urn:s> <urn:p> \"b\" .\r\n",
    );
    assert_eq!(report.unwrap().inputs[0].counts.rejects, 0);
    assert_eq!(
        place.triples(RDF),
        ["<urn:s> <urn:p> \"a\" .", "<urn:s> <urn:p> \"b\" ."]
    );
}

#[test]
fn every_serialisation() {
    let check = |name: &str, text: &str| {
        let (place, report) = load(name, text);
        report.unwrap();
        assert_eq!(place.triples(RDF), ["<urn:s> <urn:p> \"o\" ."], "{name}");
    };
    check("a.nt", "<urn:s> <urn:p> \"o\" .");
    check("a.nq", "<urn:s> <urn:p> \"o\" .");
    check("a.ttl", "\u{feff}@prefix u: <urn:> . u:s u:p \"o\" .");
    check("a.trig", "@prefix u: <urn:> . u:s u:p \"o\" .");
    check("a.jsonld", r#"{"@id": "urn:s", "urn:p": "o"}"#);
    let xml = r#"<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:u="urn:"><r:Description r:about="urn:s"><u:p>o</u:p></r:Description></r:RDF>"#;
    check("a.rdf", xml);
    check("a.owl", xml);
}

#[test]
fn turtle_goes_on_at_the_next_statement() {
    let (place, report) = load(
        "a.ttl",
        "<urn:a> <urn:p> 1 .\n<urn:b> oops oops .\n<urn:c> <urn:p> 3 .\n",
    );
    let report = report.unwrap();
    assert!(report.inputs[0].counts.rejects >= 1);
    assert_eq!(Place::rejects(&report)[0]["line"], 2);
    let triples = place.triples(RDF);
    assert!(
        triples.iter().any(|triple| triple.starts_with("<urn:a>")),
        "{triples:?}"
    );
    assert!(
        triples.iter().any(|triple| triple.starts_with("<urn:c>")),
        "{triples:?}"
    );
}

#[test]
fn a_document_of_one_piece_fails_whole() {
    for (name, text) in [("a.rdf", "<r:RDF"), ("a.jsonld", "{\"@id\": ")] {
        let (place, report) = load(name, text);
        assert!(matches!(report, Err(Error::Syntax { .. })), "{name}: {report:?}");
        assert!(place.triples(RDF).is_empty());
    }
}

#[test]
fn blank_nodes_are_the_same_each_time() {
    let check = |name: &str, text: &str, n: usize| {
        let place = Place::new();
        let path = place.file(name, text.as_bytes());
        let graph = |graph: &str| Some(oxrdf::NamedNode::new(graph).unwrap());
        for name in ["urn:coevo:kg:one", "urn:coevo:kg:two"] {
            place
                .ingest(&IngestRequest {
                    graph: graph(name),
                    ..request("rdf", &[&path])
                })
                .unwrap();
        }
        let triples = place.triples("urn:coevo:kg:one");
        assert_eq!(triples, place.triples("urn:coevo:kg:two"), "{name}");
        assert_eq!(triples.len(), n, "{name}");
        assert!(
            triples
                .iter()
                .all(|triple| triple.contains("<urn:coevo:bnode:") && !triple.contains("_:"))
        );
    };
    check("a.nt", "_:a <urn:p> _:b1 .\n_:b1 <urn:p> _:a .\n", 2);
    check("a.ttl", "[] <urn:p> [ <urn:q> _:a, _:abc ] , ( 1 ) .", 6);
}

#[test]
fn blank_nodes_of_two_files_are_two_nodes() {
    let place = Place::new();
    let one = place.file("a.nt", b"_:a <urn:p> \"one\" .\n");
    let two = place.file("b.nt", b"_:a <urn:p> \"two\" .\n");
    place.ingest(&request("rdf", &[&one, &two])).unwrap();
    let subject = |triple: &String| triple.split(' ').next().unwrap().to_owned();
    let triples = place.triples(RDF);
    assert_ne!(subject(&triples[0]), subject(&triples[1]));
}

#[test]
fn graph_names_are_kept_outside_the_platforms_own() {
    let text = "<urn:s> <urn:p> \"1\" .\n<urn:s> <urn:p> \"2\" <urn:g> .\n<urn:s> <urn:p> \"3\" <urn:coevo:claims:main> .\n";
    let (place, report) = load("a.nq", text);
    report.unwrap();
    assert_eq!(
        place.triples(RDF),
        ["<urn:s> <urn:p> \"1\" .", "<urn:s> <urn:p> \"3\" ."]
    );
    assert_eq!(place.triples("urn:g"), ["<urn:s> <urn:p> \"2\" ."]);
    assert!(place.triples("urn:coevo:claims:main").is_empty());
}
