//! The real router over a store in memory: requests as data, what comes back compared.
#![expect(clippy::unwrap_used, reason = "tests")]

mod api;
mod asking;
mod deciding;
mod graph_store;
mod protection;
mod protocol;
mod streaming;

use crate::{ServerOptions, router};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use coevo_graph::{Graph, LabelIndex, LabelKind, LabelRecord, UpdateOptions};
use coevo_memory::Memory;
use coevo_reason::{Engine, EngineParts, EngineSettings};
use std::sync::Arc;
use tower::ServiceExt;

/// A film, its director, where she was born.
const FILM: &str = r#"
INSERT DATA {
  GRAPH <urn:coevo:kg:wikidata> {
    wd:Q1 rdfs:label "Jaws"@en ; wdt:P57 wd:Q2 .
    wd:Q2 rdfs:label "Steven Spielberg"@en ; schema:description "film director"@en ; wdt:P19 wd:Q3 .
    wd:Q3 rdfs:label "Cincinnati"@en .
    wd:P57 rdfs:label "director"@en .
    wd:P19 rdfs:label "place of birth"@en .
  }
}"#;

/// A server over its own store.
struct Bench {
    router: Router,
    engine: Engine,
    graph: Graph,
    _traces: tempfile::TempDir,
}

/// What came back.
#[derive(Debug)]
struct Reply {
    status: u16,
    headers: HeaderMap,
    body: String,
}

impl Bench {
    fn with(options: ServerOptions) -> Self {
        let traces = tempfile::tempdir().unwrap();
        let graph = Graph::in_memory().unwrap();
        let labels = LabelIndex::in_memory().unwrap();
        let names = [("Q1", "Jaws"), ("Q2", "Steven Spielberg"), ("Q3", "Cincinnati")];
        labels
            .replace_graph::<coevo_graph::Error>(
                "urn:coevo:kg:wikidata",
                names.into_iter().map(|(id, text)| {
                    Ok(LabelRecord {
                        iri: format!("http://www.wikidata.org/entity/{id}"),
                        text: text.to_owned(),
                        language: "en".to_owned(),
                        kind: LabelKind::Label,
                        popularity: 10,
                    })
                }),
            )
            .unwrap();
        let engine = Engine::new(EngineParts {
            graph: graph.clone(),
            labels: Arc::new(labels),
            embedder: None,
            passages: None,
            model: None,
            memory: Memory::new(graph.clone(), "main").unwrap(),
            traces_dir: traces.path().to_owned(),
            settings: EngineSettings::default(),
        });
        Self {
            router: router(engine.clone(), options),
            engine,
            graph,
            _traces: traces,
        }
    }

    fn empty() -> Self {
        Self::with(ServerOptions::default())
    }

    async fn film() -> Self {
        let bench = Self::empty();
        bench.load(FILM).await;
        bench
    }

    async fn load(&self, update: &str) {
        self.graph
            .update(update, &UpdateOptions::default())
            .await
            .unwrap();
    }

    /// Sends a request as it would stand on the wire: `METHOD target`, headers as `name: value`, a body.
    async fn send(&self, line: &str, headers: &[&str], body: impl Into<Body>) -> Reply {
        let response = self.open(line, headers, body).await;
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        Reply {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body: String::from_utf8(body.to_vec()).unwrap(),
        }
    }

    async fn open(&self, line: &str, headers: &[&str], body: impl Into<Body>) -> axum::response::Response {
        let (method, target) = line.split_once(' ').unwrap();
        let mut request = Request::builder().method(method).uri(target);
        for header in headers {
            let (name, value) = header.split_once(": ").unwrap();
            request = request.header(name, value);
        }
        self.router
            .clone()
            .oneshot(request.body(body.into()).unwrap())
            .await
            .unwrap()
    }

    async fn get(&self, target: &str) -> Reply {
        self.send(&format!("GET {target}"), &[], Body::empty()).await
    }

    fn engine(&self) -> Engine {
        self.engine.clone()
    }

    async fn size(&self) -> usize {
        self.graph.len().await.unwrap()
    }
}

impl Reply {
    fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map(|value| value.to_str().unwrap())
            .unwrap_or_default()
    }

    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// Status, beginning of the content type, part of the body.
    fn check(&self, status: u16, content_type: &str, part: &str) {
        assert_eq!(self.status, status, "{self:?}");
        assert!(
            self.header("content-type").starts_with(content_type),
            "{content_type}: {self:?}"
        );
        assert!(self.body.contains(part), "{part}: {self:?}");
    }
}

/// `a b` as it stands in a URL.
fn escape(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            byte => format!("%{byte:02X}"),
        })
        .collect()
}
