//! Documents into passages, again, and with damaged records.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::{IngestRequest, Outcome, Place, outcomes, request, stdin_request};
use crate::error::Error;
use crate::report::Embedding;

const DEMO: &str = "urn:coevo:docs:demo";

fn demo(inputs: &[&std::path::Path]) -> IngestRequest {
    IngestRequest {
        collection: Some("demo".into()),
        ..request("documents", inputs)
    }
}

#[test]
fn a_record_becomes_a_document_and_passages() {
    let place = Place::new();
    let path = place.file(
        "a.jsonl",
        br#"{"pid": 7, "title": "T", "text": " x\u00e9 ", "language": "en"}"#,
    );
    let report = place.ingest(&demo(&[&path])).unwrap();
    assert_eq!(report.embedding, Embedding::NoEmbedder { passages: 1 });
    assert_eq!((report.graph.as_str(), report.labels), (DEMO, None));
    let counts = report.inputs[0].counts;
    assert_eq!(
        (counts.records, counts.documents, counts.passages, counts.triples),
        (1, 1, 1, 10)
    );
    let hash = blake3::hash("T\0 xé ".as_bytes()).to_hex();
    let (doc, passage) = (
        format!("<urn:coevo:doc:{}>", &hash[..16]),
        format!("<urn:coevo:passage:{}:0>", &hash[..16]),
    );
    let integer = "^^<http://www.w3.org/2001/XMLSchema#integer>";
    let a = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>";
    let mut expected = vec![
        format!("{doc} {a} <urn:coevo:ns#Document> ."),
        format!("{doc} <http://www.w3.org/2000/01/rdf-schema#label> \"T\" ."),
        format!("{doc} <urn:coevo:ns#contentHash> \"blake3:{hash}\" ."),
        format!("{doc} <urn:coevo:ns#rootSource> <urn:coevo:source:demo:7> ."),
        format!("{doc} <http://schema.org/inLanguage> \"en\" ."),
        format!("{passage} {a} <urn:coevo:ns#Passage> ."),
        format!("{passage} <urn:coevo:ns#inDocument> {doc} ."),
        format!("{passage} <http://www.w3.org/ns/oa#start> \"1\"{integer} ."),
        format!("{passage} <http://www.w3.org/ns/oa#end> \"3\"{integer} ."),
        format!("{passage} <urn:coevo:ns#text> \"xé\" ."),
    ];
    expected.sort();
    assert_eq!(place.triples(DEMO), expected);
}

#[test]
fn the_same_documents_add_nothing() {
    let place = Place::new();
    let lines = "{\"title\": \"A\", \"text\": \"x\"}\n{\"title\": \"B\", \"text\": \"y\"}\n";
    let path = place.file("a.jsonl", lines.as_bytes());
    place.ingest(&demo(&[&path])).unwrap();
    let triples = place.triples(DEMO);
    assert_eq!(
        outcomes(&place.ingest(&demo(&[&path])).unwrap()),
        [Outcome::Unchanged]
    );
    // Other bytes with the same documents.
    let again = place.file("b.jsonl", lines.replace('\n', "\r\n\r\n").as_bytes());
    assert_eq!(
        outcomes(&place.ingest(&demo(&[&again])).unwrap()),
        [Outcome::Loaded]
    );
    assert_eq!(place.triples(DEMO), triples);
}

#[test]
fn damaged_records_are_set_aside() {
    let place = Place::new();
    let path = place.file(
        "a.jsonl",
        b"{\"title\": \"A\", \"text\": \"x\"}\n{oops\n{\"title\": \"B\", \"text\": \"y\"}\n",
    );
    let report = place.ingest(&demo(&[&path])).unwrap();
    let counts = report.inputs[0].counts;
    assert_eq!((counts.records, counts.documents, counts.rejects), (3, 2, 1));
    let rejects = Place::rejects(&report);
    assert_eq!(
        (&rejects[0]["line"], &rejects[0]["offset"]),
        (&2.into(), &28.into())
    );
    assert_eq!(rejects[0]["record"], "{oops");
    let strict = IngestRequest {
        strict: true,
        collection: Some("strict".into()),
        ..request("documents", &[&path])
    };
    assert!(matches!(
        place.ingest(&strict),
        Err(Error::Rejected { line: 2, .. })
    ));
    assert!(place.triples("urn:coevo:docs:strict").is_empty());
}

#[test]
fn markdown_and_text_files() {
    let place = Place::new();
    let note = place.file("note.md", b"# Observatory\r\n\r\nIt is old.\r\n");
    let text = place.file("text.txt", b"Plain words.");
    let report = place.ingest(&demo(&[&note, &text])).unwrap();
    assert_eq!(report.embedding, Embedding::NoEmbedder { passages: 2 });
    let triples = place.triples(DEMO).join("\n");
    assert!(triples.contains("\"Observatory\"") && triples.contains("\"text\"") && !triples.contains("\\r"));
    assert!(triples.contains("<urn:coevo:source:demo:note>"));
}

#[test]
fn bad_bytes_and_bad_options() {
    let place = Place::new();
    let path = place.file("a.txt", b"ab\xff");
    let error = place.ingest(&demo(&[&path])).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{}: not UTF-8 at byte 2", path.display())
    );
    let graph = Some(oxrdf::NamedNode::new("urn:g").unwrap());
    assert!(matches!(
        place.ingest(&IngestRequest {
            graph,
            ..demo(&[&path])
        }),
        Err(Error::OptionNotTaken { .. })
    ));
    let collection = Some("No Such Name".to_owned());
    assert!(matches!(
        place.ingest(&IngestRequest {
            collection,
            ..demo(&[&path])
        }),
        Err(Error::Graph(_))
    ));
}

#[test]
fn standard_input_is_a_document_too() {
    let place = Place::new();
    let report = place
        .ingest_stdin(&stdin_request("documents", "txt"), b"Words.")
        .unwrap();
    assert_eq!(
        (report.graph.as_str(), report.inputs[0].counts.documents),
        ("urn:coevo:docs:main", 1)
    );
}
