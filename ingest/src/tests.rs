//! Whole runs over a store in memory: files in, then what is in the graph, the registry, the label index, the rejects.
#![expect(clippy::unwrap_used, reason = "tests")]

mod documents;
mod inputs;
mod labels;
mod rdf;

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use coevo_graph::{Graph, LabelIndex, Location};
use jiff::Timestamp;
use oxrdf::{GraphName, NamedNode};
use tempfile::TempDir;

use crate::error::Result;
use crate::report::{IngestRequest, Input, Outcome, Report, Targets};
use crate::run::run;

/// A data directory, a store and an index of its own for each test.
struct Place {
    dir: TempDir,
    location: Location,
    graph: Graph,
    labels: LabelIndex,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        Location::init(&data).unwrap();
        Self {
            location: Location::open(&data, "test").unwrap(),
            graph: Graph::in_memory().unwrap(),
            labels: LabelIndex::in_memory().unwrap(),
            dir,
        }
    }

    fn targets(&self) -> Targets<'_> {
        Targets {
            location: &self.location,
            graph: &self.graph,
            labels: &self.labels,
            vectors: None,
        }
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.dir.path().join(name);
        fs_err::write(&path, bytes).unwrap();
        path
    }

    fn ingest(&self, request: &IngestRequest) -> Result<Report> {
        run(&self.targets(), request, &|_| (), &|| {
            panic!("no standard input in this test")
        })
    }

    fn ingest_stdin(&self, request: &IngestRequest, bytes: &'static [u8]) -> Result<Report> {
        run(&self.targets(), request, &|_| (), &|| {
            Box::new(Cursor::new(bytes))
        })
    }

    /// All triples of a graph as sorted N-Triples lines.
    fn triples(&self, graph: &str) -> Vec<String> {
        let name: GraphName = NamedNode::new(graph).unwrap().into();
        let quads = self.graph.quads_now(None, None, None, Some(&name));
        let mut lines: Vec<_> = quads
            .map(|quad| {
                let quad = quad.unwrap();
                format!("{} {} {} .", quad.subject, quad.predicate, quad.object)
            })
            .collect();
        lines.sort();
        lines
    }

    /// The lines of the rejects file.
    fn rejects(report: &Report) -> Vec<serde_json::Value> {
        let text = fs_err::read_to_string(report.rejects_path.as_ref().unwrap()).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn has_no_rejects_file(&self) -> bool {
        let dir = self.location.rejects_dir();
        !dir.exists() || fs_err::read_dir(dir).unwrap().next().is_none()
    }
}

fn request(profile: &str, inputs: &[&Path]) -> IngestRequest {
    IngestRequest {
        profile: profile.into(),
        inputs: inputs
            .iter()
            .map(|path| Input::Path(path.to_path_buf()))
            .collect(),
        format: None,
        graph: None,
        collection: None,
        strict: false,
        now: Timestamp::from_second(1_800_000_000).unwrap(),
    }
}

fn stdin_request(profile: &str, format: &str) -> IngestRequest {
    IngestRequest {
        inputs: vec![Input::Stdin],
        format: Some(format.into()),
        ..request(profile, &[])
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn outcomes(report: &Report) -> Vec<Outcome> {
    report.inputs.iter().map(|input| input.outcome).collect()
}

/// `n` triples about `urn:s<n>`.
fn n_triples(from: usize, n: usize) -> String {
    let lines: Vec<_> = (from..from + n)
        .map(|n| format!("<urn:s{n}> <urn:p> \"v{n}\" .\n"))
        .collect();
    lines.concat()
}
