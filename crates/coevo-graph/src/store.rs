//! The embedded store: [`Graph`], its reads and its one way to write, [`Graph::apply`]. Every call runs on the blocking
//! pool behind a bounded number of permits. SPARQL, bulk loading and the Graph Store Protocol stand in their own files.
//!
//! Writes are serialised here: Oxigraph's transactions do not detect conflicts, so read-modify-write needs one writer.

use crate::{Error, GraphInfo, Location, Result, names, vocab};
use oxigraph::store::Store;
use oxrdf::{GraphName, NamedNode, NamedNodeRef, NamedOrBlankNode, Quad, Term};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;

/// Concurrent calls into the store.
const PERMITS: usize = 32;

/// Stored triples in an embedded Oxigraph. Cheap to clone; all methods take `&self`.
#[derive(Clone)]
pub struct Graph {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    /// The store's directory; `None` in memory.
    dir: Option<PathBuf>,
    writer: Mutex<()>,
    /// Counts writes, so that what was counted is known to be old.
    generation: AtomicU64,
    /// Sizes of the graphs and the generation they were counted in.
    sizes: Mutex<Option<(u64, Vec<GraphInfo>)>>,
    permits: Semaphore,
}

/// The right to write, given back when dropped.
pub(crate) struct Writer<'a> {
    generation: &'a AtomicU64,
    _guard: MutexGuard<'a, ()>,
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
    }
}

/// One atomic change. Nothing is written unless every `require` quad is present and no `forbid` quad is.
#[derive(Debug, Default, Clone)]
pub struct Change {
    /// Quads that must be present.
    pub require: Vec<Quad>,
    /// Quads that must be absent.
    pub forbid: Vec<Quad>,
    /// Quads to remove (absent ones are ignored).
    pub remove: Vec<Quad>,
    /// Quads to insert (present ones are ignored).
    pub insert: Vec<Quad>,
}

impl std::fmt::Debug for Graph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Graph")
            .field("dir", &self.inner.dir)
            .finish_non_exhaustive()
    }
}

impl Graph {
    /// Opens (or creates) the store of a data directory. Blocking. What a killed bulk load left behind is swept first.
    pub fn open(location: &Location) -> Result<Self> {
        let dir = location.store_dir();
        sweep_orphans(&dir)?;
        let store = Store::open(&dir).map_err(|error| storage_error(error, Some(&dir)))?;
        Ok(Self::over(store, Some(dir)))
    }

    /// An empty store in memory, for tests and throw-away work.
    pub fn in_memory() -> Result<Self> {
        Ok(Self::over(Store::new()?, None))
    }

    fn over(store: Store, dir: Option<PathBuf>) -> Self {
        Self {
            inner: Arc::new(Inner {
                store,
                dir,
                writer: Mutex::new(()),
                generation: AtomicU64::new(0),
                sizes: Mutex::default(),
                permits: Semaphore::new(PERMITS),
            }),
        }
    }

    /// Applies one change atomically. [`Error::Conflict`] when a precondition does not hold; then nothing is written.
    pub async fn apply(&self, change: Change) -> Result<()> {
        self.blocking(move |graph| graph.apply_now(&change)).await
    }

    /// [`Graph::apply`] for callers that are on a blocking thread already.
    pub fn apply_now(&self, change: &Change) -> Result<()> {
        let _writer = self.writer();
        let mut transaction = self.store().start_transaction()?;
        for quad in &change.require {
            if !transaction.contains(quad)? {
                return Err(Error::Conflict {
                    what: format!("{quad} is gone"),
                });
            }
        }
        for quad in &change.forbid {
            if transaction.contains(quad)? {
                return Err(Error::Conflict {
                    what: format!("{quad} is there already"),
                });
            }
        }
        for quad in &change.remove {
            transaction.remove(quad);
        }
        transaction.extend(change.insert.iter());
        transaction.commit().map_err(|error| self.storage_error(error))
    }

    /// Quads that match, at most `limit`, in the store's order.
    pub async fn quads(
        &self,
        subject: Option<NamedOrBlankNode>,
        predicate: Option<NamedNode>,
        object: Option<Term>,
        graph: Option<GraphName>,
        limit: usize,
    ) -> Result<Vec<Quad>> {
        self.blocking(move |this| {
            this.quads_now(
                subject.as_ref(),
                predicate.as_ref(),
                object.as_ref(),
                graph.as_ref(),
            )
            .take(limit)
            .collect()
        })
        .await
    }

    /// Streams the quads that match. Blocking: for callers on a blocking thread.
    pub fn quads_now(
        &self,
        subject: Option<&NamedOrBlankNode>,
        predicate: Option<&NamedNode>,
        object: Option<&Term>,
        graph: Option<&GraphName>,
    ) -> impl Iterator<Item = Result<Quad>> + use<> {
        self.store()
            .quads_for_pattern(
                subject.map(Into::into),
                predicate.map(Into::into),
                object.map(Into::into),
                graph.map(Into::into),
            )
            .map(|quad| quad.map_err(Error::from))
    }

    /// Whether a quad is stored. Blocking.
    pub fn contains_now(&self, quad: &Quad) -> Result<bool> {
        Ok(self.store().contains(quad)?)
    }

    /// Names of all named graphs, sorted.
    pub async fn named_graphs(&self) -> Result<Vec<NamedNode>> {
        self.blocking(Self::named_graphs_now).await
    }

    /// [`Graph::named_graphs`] on a blocking thread.
    pub fn named_graphs_now(&self) -> Result<Vec<NamedNode>> {
        let mut graphs = Vec::new();
        for graph in self.store().named_graphs() {
            if let NamedOrBlankNode::NamedNode(graph) = graph? {
                graphs.push(graph);
            }
        }
        graphs.sort();
        Ok(graphs)
    }

    /// Number of quads in the whole store (a scan: seconds on millions).
    pub async fn len(&self) -> Result<usize> {
        self.blocking(|graph| Ok(graph.store().len()?)).await
    }

    /// Labels of entities and properties: IRI → label in the first of `languages` that has one, else any. IRIs without
    /// a label are absent.
    pub async fn labels(
        &self,
        iris: Vec<NamedNode>,
        languages: Vec<String>,
    ) -> Result<FxHashMap<NamedNode, String>> {
        self.blocking(move |graph| {
            let mut labels = FxHashMap::default();
            for iri in iris {
                if let Some(label) = names::label(graph, &iri, &languages)? {
                    labels.insert(iri, label);
                }
            }
            Ok(labels)
        })
        .await
    }

    /// The short description of an entity, in the first of `languages` that has one.
    pub async fn description(&self, iri: NamedNode, languages: Vec<String>) -> Result<Option<String>> {
        self.blocking(move |graph| names::literal(graph, &iri, vocab::DESCRIPTION, &languages))
            .await
    }

    /// All aliases of an entity (`skos:altLabel`) and its labels in every language, at most `limit`.
    pub async fn surfaces(&self, iri: NamedNode, limit: usize) -> Result<Vec<String>> {
        self.blocking(move |graph| names::surfaces(graph, &iri, limit))
            .await
    }

    /// Makes everything written so far safe from a power loss.
    pub async fn flush(&self) -> Result<()> {
        self.blocking(Self::flush_now).await
    }

    /// [`Graph::flush`] on a blocking thread.
    pub fn flush_now(&self) -> Result<()> {
        if self.inner.dir.is_some() {
            self.store().flush().map_err(|error| self.storage_error(error))?;
        }
        Ok(())
    }

    pub(crate) fn store(&self) -> &Store {
        &self.inner.store
    }

    /// The right to write. What was counted before is old from here on, and again when the right is given back.
    pub(crate) fn writer(&self) -> Writer<'_> {
        // The guard protects no value, so a panic elsewhere leaves nothing half-done behind it.
        let guard = self.inner.writer.lock().unwrap_or_else(PoisonError::into_inner);
        self.inner.generation.fetch_add(1, Ordering::SeqCst);
        Writer {
            generation: &self.inner.generation,
            _guard: guard,
        }
    }

    pub(crate) fn generation(&self) -> u64 {
        self.inner.generation.load(Ordering::SeqCst)
    }

    pub(crate) fn counted(&self, generation: u64) -> Option<Vec<GraphInfo>> {
        let sizes = self.inner.sizes.lock().unwrap_or_else(PoisonError::into_inner);
        sizes
            .as_ref()
            .filter(|(counted, _)| *counted == generation)
            .map(|(_, sizes)| sizes.clone())
    }

    pub(crate) fn remember_counted(&self, generation: u64, sizes: &[GraphInfo]) {
        *self.inner.sizes.lock().unwrap_or_else(PoisonError::into_inner) = Some((generation, sizes.to_vec()));
    }

    pub(crate) fn storage_error(&self, error: oxigraph::store::StorageError) -> Error {
        storage_error(error, self.inner.dir.as_deref())
    }

    /// Runs `work` on the blocking pool, at most [`PERMITS`] at a time.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let _permit = self
            .inner
            .permits
            .acquire()
            .await
            .map_err(|_closed| Error::Cancelled)?;
        let graph = self.clone();
        tokio::task::spawn_blocking(move || work(&graph)).await?
    }

    /// Graphs that the default dataset holds: see [`vocab::is_knowledge_graph`].
    pub(crate) fn graphs_where(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<NamedNode>> {
        let mut graphs = self.named_graphs_now()?;
        graphs.retain(|graph| wanted(graph.as_str()));
        Ok(graphs)
    }
}

/// Removes `bulk-*.sst` files that a killed bulk load left: nothing in the engine ever does.
fn sweep_orphans(dir: &Path) -> Result<()> {
    if !dir.exists() {
        return Ok(());
    }
    for entry in fs_err::read_dir(dir)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if name.starts_with("bulk-") && path.extension().is_some_and(|extension| extension == "sst") {
            tracing::info!(file = %path.display(), "removing what a killed load left behind");
            fs_err::remove_file(path)?;
        }
    }
    Ok(())
}

/// `RocksDB` gives words, not codes: the two conditions that a person can mend are read out of them.
fn storage_error(error: oxigraph::store::StorageError, dir: Option<&Path>) -> Error {
    let text = error.to_string();
    let path = || dir.unwrap_or(Path::new("memory")).to_owned();
    if text.contains("No space left") {
        Error::DiskFull(path())
    } else if ["Read-only file system", "Permission denied", "File too large"]
        .iter()
        .any(|words| text.contains(words))
    {
        Error::NotWritable {
            path: path(),
            reason: text,
        }
    } else {
        Error::Store(Box::new(error))
    }
}

/// Whether a predicate only names or describes its subject.
pub(crate) fn is_naming(predicate: NamedNodeRef<'_>) -> bool {
    predicate == oxrdf::vocab::rdfs::LABEL || predicate == vocab::ALT_LABEL || predicate == vocab::DESCRIPTION
}

#[cfg(test)]
mod tests;
