//! The run: [`ingest`]. Checks all inputs, loads them one by one, then derives labels or vectors once.
//!
//! Order that makes it safe to be killed: mark labels due → store the input → note it in the registry → derive labels →
//! clear the mark. When an input fails, those before it stay loaded and get their labels, and the run ends with its error.

use std::path::Path;
use std::sync::Arc;

use coevo_graph::vocab;
use oxrdf::{GraphName, NamedNode};

use crate::documents::{self, DocumentsInput};
use crate::embed::embed_missing;
use crate::error::{Error, Result};
use crate::input::{self, OpenStdin, Opened, Source};
use crate::labels::reindex_labels;
use crate::profile::{DocumentsProfile, Profile, RdfProfile};
use crate::rdf::{self, RdfInput};
use crate::registry::{self, Entry, Key};
use crate::rejects::Rejects;
use crate::report::{
    Counts, Embedding, IngestRequest, InputReport, Outcome, Phase, Progress, Report, Targets,
};
use crate::stream::StreamOptions;

/// Loads inputs. Blocking: call it from a thread that may block.
///
/// All inputs are checked (there, not empty, known format) before the first is loaded. Each is loaded wholly or not at all;
/// the first that fails ends the run with its error. `on_progress` is called often, from the calling thread.
pub fn ingest(
    targets: &Targets<'_>,
    request: &IngestRequest,
    on_progress: &dyn Fn(&Progress),
) -> Result<Report> {
    run(targets, request, on_progress, &|| Box::new(std::io::stdin()))
}

/// [`ingest`] with standard input given.
pub(crate) fn run(
    targets: &Targets<'_>,
    request: &IngestRequest,
    on_progress: &dyn Fn(&Progress),
    stdin: OpenStdin<'_>,
) -> Result<Report> {
    let profile = Profile::named(&request.profile)?;
    let sources = Source::plan(request, profile.formats())?;
    let version = profile.version();
    let (kind, graph) = match profile {
        Profile::Rdf(profile) => {
            let graph = rdf_graph(request, &profile)?;
            (Kind::Rdf(Arc::new(profile)), graph)
        }
        Profile::Documents(profile) => {
            let (collection, graph) = collection(request, &profile)?;
            (Kind::Documents { profile, collection }, graph)
        }
    };
    let rejects_path = targets.location.rejects_dir().join(rejects_name(request));
    let mut run = Run {
        targets,
        request,
        kind: &kind,
        version,
        graph: &graph,
        rejects: Rejects::new(rejects_path),
        on_progress,
        stdin,
    };
    let mut inputs = Vec::new();
    let mut failure = None;
    for source in &sources {
        match run.input(source) {
            Ok(report) => inputs.push(report),
            Err(error) => {
                run.rejects.discard()?;
                failure = Some(error);
                break;
            }
        }
    }
    let rejects_path = run.rejects.path();
    if let Some(error) = failure {
        // Names of what is in now; passages can wait for the next run.
        let has_loaded = inputs.iter().any(|input| input.outcome == Outcome::Loaded);
        if has_loaded && matches!(kind, Kind::Rdf(_)) {
            derive(targets, &kind, &graph, &inputs, on_progress)?;
        }
        return Err(error);
    }
    let (labels, embedding) = derive(targets, &kind, &graph, &inputs, on_progress)?;
    Ok(Report {
        graph,
        inputs,
        labels,
        embedding,
        rejects_path,
    })
}

/// What is loaded, and how.
enum Kind {
    Rdf(Arc<RdfProfile>),
    Documents {
        profile: DocumentsProfile,
        collection: String,
    },
}

fn rdf_graph(request: &IngestRequest, profile: &RdfProfile) -> Result<NamedNode> {
    if request.collection.is_some() {
        return Err(Error::OptionNotTaken {
            option: "a collection",
            profile: request.profile.clone(),
        });
    }
    let graph = request
        .graph
        .clone()
        .unwrap_or_else(|| profile.default_graph.clone());
    if vocab::is_own_graph(graph.as_str()) && !graph.as_str().starts_with("urn:coevo:kg:") {
        return Err(Error::ReservedGraph { graph });
    }
    Ok(graph)
}

fn collection(request: &IngestRequest, profile: &DocumentsProfile) -> Result<(String, NamedNode)> {
    if request.graph.is_some() {
        return Err(Error::OptionNotTaken {
            option: "a graph (name a collection instead)",
            profile: request.profile.clone(),
        });
    }
    let collection = request
        .collection
        .clone()
        .unwrap_or_else(|| profile.default_collection.clone());
    let graph = vocab::docs_graph(&collection)?;
    Ok((collection, graph))
}

/// `<time>-<profile>.jsonl`, the time without colons, to the millisecond.
fn rejects_name(request: &IngestRequest) -> String {
    let time = request.now.strftime("%Y%m%dT%H%M%S.%3fZ");
    format!("{time}-{}.jsonl", request.profile)
}

/// Labels and vectors from what is in the graph now.
fn derive(
    targets: &Targets<'_>,
    kind: &Kind,
    graph: &NamedNode,
    inputs: &[InputReport],
    on_progress: &dyn Fn(&Progress),
) -> Result<(Option<u64>, Embedding)> {
    match kind {
        Kind::Rdf(_) => {
            // An index that was deleted is empty: it comes back with the next run.
            let is_lost = targets.labels.is_empty() && inputs.iter().any(|input| input.counts.names > 0);
            let is_due = is_lost || registry::labels_due(targets.graph, graph)?;
            let labels = if is_due {
                Some(reindex_labels(targets, graph, on_progress)?)
            } else {
                None
            };
            Ok((labels, Embedding::NoPassages))
        }
        Kind::Documents { .. } => Ok((None, embed_missing(targets, graph, on_progress)?)),
    }
}

struct Run<'a> {
    targets: &'a Targets<'a>,
    request: &'a IngestRequest,
    kind: &'a Kind,
    version: u32,
    graph: &'a NamedNode,
    rejects: Rejects,
    on_progress: &'a dyn Fn(&Progress),
    stdin: OpenStdin<'a>,
}

impl Run<'_> {
    fn input(&mut self, source: &Source) -> Result<InputReport> {
        let known_hash = match &source.path {
            Some(path) if is_regular(path) => Some(self.hash(source, path)?),
            _ => None,
        };
        if let Some(content_hash) = &known_hash
            && let Some(entry) = self.unchanged(content_hash)?
        {
            return Ok(InputReport {
                name: source.name.clone(),
                outcome: Outcome::Unchanged,
                content_hash: content_hash.clone(),
                bytes: entry.bytes,
                counts: entry.counts,
            });
        }
        let opened = input::open(source, known_hash.as_deref(), self.stdin)?;
        let raw = opened.raw.clone();
        let was_due = registry::labels_due(self.targets.graph, self.graph)?;
        if matches!(self.kind, Kind::Rdf(_)) {
            registry::mark_labels_due(self.targets.graph, self.graph)?;
        }
        let counts = match self.load(source, known_hash.as_deref(), opened) {
            Ok(counts) => counts,
            Err(error) => {
                if !was_due {
                    registry::clear_labels_due(self.targets.graph, self.graph)?;
                }
                return Err(error);
            }
        };
        self.rejects.keep()?;
        let (content_hash, bytes) = (raw.content_hash(), raw.n_bytes());
        let entry = Entry {
            name: source.name.clone(),
            bytes,
            counts,
        };
        registry::record(
            self.targets.graph,
            &self.key(&content_hash),
            &entry,
            self.request.now,
        )?;
        Ok(InputReport {
            name: source.name.clone(),
            outcome: Outcome::Loaded,
            content_hash,
            bytes,
            counts,
        })
    }

    fn key<'k>(&'k self, content_hash: &'k str) -> Key<'k> {
        Key {
            content_hash,
            profile: &self.request.profile,
            profile_version: self.version,
            graph: self.graph,
        }
    }

    fn hash(&self, source: &Source, path: &Path) -> Result<String> {
        input::hash_file(path, &mut |n_bytes| {
            self.report(Phase::Hashing, source, n_bytes, &Counts::default());
        })
    }

    /// The registry's entry of an input that need not be loaded: it is there, the graph was not emptied since, and a strict
    /// run has nothing to complain about.
    fn unchanged(&self, content_hash: &str) -> Result<Option<Entry>> {
        let Some(entry) = registry::find(self.targets.graph, &self.key(content_hash))? else {
            return Ok(None);
        };
        let graph_name = GraphName::from(self.graph.clone());
        let has_quads = match self
            .targets
            .graph
            .quads_now(None, None, None, Some(&graph_name))
            .next()
        {
            Some(quad) => quad.map(|_| true)?,
            None => false,
        };
        let is_gone = entry.counts.triples > 0 && !has_quads;
        let is_refused = self.request.strict && entry.counts.rejects > 0;
        Ok((!is_gone && !is_refused).then_some(entry))
    }

    fn load(&mut self, source: &Source, known_hash: Option<&str>, opened: Opened) -> Result<Counts> {
        let raw = opened.raw.clone();
        let at_end = || match known_hash {
            Some(hash) if hash != raw.content_hash() => Err(Error::Changed {
                name: source.name.clone(),
            }),
            _ => Ok(()),
        };
        let on_progress = self.on_progress;
        let on_batch = |counts: &Counts| {
            on_progress(&progress(Phase::Loading, source, raw.n_bytes(), counts));
        };
        let options = StreamOptions {
            name: &source.name,
            strict: self.request.strict,
            at_end: &at_end,
            on_batch: &on_batch,
        };
        let store = self.targets.graph;
        match self.kind {
            Kind::Rdf(profile) => {
                let input = RdfInput {
                    graph: self.graph,
                    profile,
                    format: &source.format,
                };
                rdf::load(store, &input, opened, &mut self.rejects, options)
            }
            Kind::Documents { profile, collection } => {
                let input = DocumentsInput {
                    source,
                    graph: self.graph,
                    collection,
                    profile,
                };
                documents::load(store, &input, opened, &mut self.rejects, options)
            }
        }
    }

    fn report(&self, phase: Phase, source: &Source, n_bytes: u64, counts: &Counts) {
        (self.on_progress)(&progress(phase, source, n_bytes, counts));
    }
}

fn progress(phase: Phase, source: &Source, n_bytes: u64, counts: &Counts) -> Progress {
    Progress {
        phase,
        input: source.name.clone(),
        bytes_done: n_bytes,
        bytes_total: source.bytes,
        records: counts.records,
        records_total: None,
        rejects: counts.rejects,
    }
}

/// Whether a path can be read twice: a pipe or a device is treated as standard input is.
fn is_regular(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file())
}
