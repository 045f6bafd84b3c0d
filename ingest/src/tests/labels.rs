//! The label index is derived from the graph, whatever the order of loading.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::{Place, request};

const LABELS: &str = r#"<http://www.wikidata.org/entity/Q2100000001> <http://www.w3.org/2000/01/rdf-schema#label> "Lyra Array"@en .
<http://www.wikidata.org/entity/Q2100000001> <http://www.w3.org/2004/02/skos/core#altLabel> "LA"@en .
<http://www.wikidata.org/entity/Q2100000001> <http://schema.org/description> "array of telescopes"@en .
<http://www.wikidata.org/entity/Q2100000002> <http://www.w3.org/2000/01/rdf-schema#label> "Lyra Array"@en .
<http://www.wikidata.org/entity/Q2100000001> <http://www.wikidata.org/prop/direct/P646> "/m/0x" .
"#;

/// Q…1 stands in three triples between entities (one with itself), Q…2 in one; the statement node and the literal do not count.
const TRUTHY: &str = r#"<http://www.wikidata.org/entity/Q2100000001> <http://www.wikidata.org/prop/direct/P31> <http://www.wikidata.org/entity/Q2100000002> .
<http://www.wikidata.org/entity/Q2100000001> <http://www.wikidata.org/prop/direct/P1> <http://www.wikidata.org/entity/Q2100000001> .
<http://www.wikidata.org/entity/Q2100000003> <http://www.wikidata.org/prop/direct/P1> <http://www.wikidata.org/entity/Q2100000001> .
<http://www.wikidata.org/entity/Q2100000002> <http://www.wikidata.org/prop/P1> <http://www.wikidata.org/entity/statement/Q2100000002-a> .
<http://www.wikidata.org/entity/statement/Q2100000002-a> <http://www.wikidata.org/prop/statement/P1> <http://www.wikidata.org/entity/Q2100000003> .
<http://www.wikidata.org/entity/Q2100000002> <http://www.wikidata.org/prop/direct/P2> "1" .
"#;

/// `iri popularity` of the candidates for a name, best first.
fn link(place: &Place, mention: &str) -> Vec<String> {
    let candidates = place.labels.link(mention, 5).unwrap();
    let short = |iri: &str| iri.rsplit('/').next().unwrap().to_owned();
    candidates
        .iter()
        .map(|c| format!("{} {}", short(&c.iri), c.popularity))
        .collect()
}

#[test]
fn popularity_does_not_depend_on_order() {
    let check = |runs: &[&[&str]]| {
        let place = Place::new();
        let _ = (
            place.file("labels.nt", LABELS.as_bytes()),
            place.file("truthy.nt", TRUTHY.as_bytes()),
        );
        for files in runs {
            let paths: Vec<_> = files.iter().map(|name| place.dir.path().join(name)).collect();
            let paths: Vec<_> = paths.iter().map(std::path::PathBuf::as_path).collect();
            let report = place.ingest(&request("wikidata", &paths)).unwrap();
            assert!(report.labels.is_some());
        }
        assert_eq!(place.labels.len(), 3, "{runs:?}");
        assert_eq!(
            link(&place, "lyra array"),
            ["Q2100000001 3", "Q2100000002 1"],
            "{runs:?}"
        );
        assert_eq!(link(&place, "LA")[0], "Q2100000001 3", "{runs:?}");
    };
    check(&[&["labels.nt", "truthy.nt"]]);
    check(&[&["truthy.nt", "labels.nt"]]);
    check(&[&["truthy.nt"], &["labels.nt"]]);
}

#[test]
fn counts_by_kind_are_reported() {
    let place = Place::new();
    let paths = [
        place.file("l.nt", LABELS.as_bytes()),
        place.file("t.nt", TRUTHY.as_bytes()),
    ];
    let report = place
        .ingest(&request("wikidata", &[&paths[0], &paths[1]]))
        .unwrap();
    let counts = report.inputs.iter().map(|input| input.counts).collect::<Vec<_>>();
    assert_eq!(
        (counts[0].names, counts[0].alignments, counts[0].statements),
        (4, 1, 0)
    );
    assert_eq!(
        (counts[1].names, counts[1].alignments, counts[1].statements),
        (0, 0, 1)
    );
}

#[test]
fn graphs_keep_their_own_names() {
    let place = Place::new();
    let other = place.file("o.nt", b"<urn:a> <http://xmlns.com/foaf/0.1/name> \"Ada\" .\n");
    let labels = place.file("l.nt", LABELS.as_bytes());
    place.ingest(&request("rdf", &[&other])).unwrap();
    place.ingest(&request("wikidata", &[&labels])).unwrap();
    assert_eq!(place.labels.len(), 4);
    assert_eq!(place.labels.link("ada", 3).unwrap()[0].iri, "urn:a");
}
