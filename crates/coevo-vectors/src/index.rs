//! One collection of vectors on disk, and the nearest of them.
//!
//! [`VectorIndex`] wraps one Qdrant Edge shard. Its directory is named after the collection and the fingerprint of the embedder
//! whose vectors it holds, and says so in `identity.json`; see [`identity`] for what is compared when it is opened.
//!
//! What returned is on disk: each write is flushed before it returns, for the shard itself would lose the writes since its last
//! flush when the process is killed (version 0.7 writes a log but does not replay it). A write that was cut off leaves some of
//! its points, each whole; the caller finds the others with [`VectorIndex::missing`] and writes them again, as points are named
//! by their IRI.
//!
//! It does not embed, does not know texts, and offers no query language: a nearest-neighbour search, within one group or all.

mod identity;
mod points;
mod shard;
mod space;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use self::shard::Shard;
use crate::{EmbedderIdentity, Error, Result, blocking};

/// Hits of one search at most; a higher limit counts as this.
const MAX_HITS: usize = 10_000;

/// Points in one write to the shard: about 1.5 MB of log.
const WRITE_BATCH: usize = 512;

/// A vector and what it stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Names the point: writing another one with this IRI replaces it.
    pub iri: String,
    /// As long as the collection's dimension.
    pub vector: Vec<f32>,
    /// What a search can be narrowed to, as a documents graph.
    pub group: String,
    /// What it is part of and is deleted with.
    pub document: String,
}

/// A point near the query.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The point's IRI.
    pub iri: String,
    /// Cosine of the angle to the query, −1 to 1.
    pub score: f32,
}

/// A collection of vectors, open and locked. Clones share it; the last one closes it.
#[derive(Clone)]
pub struct VectorIndex {
    inner: Arc<Inner>,
}

struct Inner {
    collection: String,
    dir: PathBuf,
    identity: EmbedderIdentity,
    /// Flushing must not meet a write: all writers queue here.
    writer: Mutex<()>,
    shard: Shard,
    /// Held while open; after `shard`, so that it is let go last.
    _lock: fs_err::File,
}

impl VectorIndex {
    /// Opens the collection under `dir`, the directory of all collections, or makes it.
    ///
    /// # Errors
    /// [`Error::OtherEmbedder`] if the collection exists with vectors of another embedder; [`Error::InUse`] if it is open
    /// already, here or in another process; [`Error::FormatVersion`], [`Error::Damaged`], [`Error::DiskFull`], [`Error::Store`],
    /// [`Error::Io`].
    pub fn open(dir: &Path, collection: &str, identity: &EmbedderIdentity) -> Result<Self> {
        let dir = identity::claim(dir, collection, identity)?;
        let lock = identity::lock(&dir, collection)?;
        space::require(&dir, space::SMALL_RESERVE)?;
        let shard = Shard::open(&dir, identity.dimension)?;
        let (collection, identity) = (collection.to_owned(), identity.clone());
        Ok(Self {
            inner: Arc::new(Inner {
                collection,
                dir,
                identity,
                writer: Mutex::new(()),
                shard,
                _lock: lock,
            }),
        })
    }

    /// The collection's name.
    pub fn collection(&self) -> &str {
        &self.inner.collection
    }

    /// The embedder whose vectors it holds.
    pub fn identity(&self) -> &EmbedderIdentity {
        &self.inner.identity
    }

    /// Where it is stored.
    pub fn dir(&self) -> &Path {
        &self.inner.dir
    }

    /// Writes points, replacing those of the same IRI. When this returns they are on disk.
    ///
    /// # Errors
    /// [`Error::Dimension`], [`Error::NotFinite`] and [`Error::DiskFull`], with nothing written; [`Error::Store`], with some
    /// perhaps written.
    pub fn upsert(&self, points: Vec<Point>) -> Result<()> {
        for point in &points {
            self.check(&point.iri, &point.vector)?;
        }
        space::require(
            &self.inner.dir,
            space::of_points(points.len(), self.inner.identity.dimension),
        )?;
        self.write(|shard| {
            let mut points = points.into_iter().peekable();
            while points.peek().is_some() {
                shard.upsert(points.by_ref().take(WRITE_BATCH))?;
            }
            Ok(())
        })
    }

    /// The `limit` points nearest to `vector` (10,000 at most), nearest first; equal ones by IRI. With a group, only its points.
    ///
    /// Exact below about 6,600 points or before [`VectorIndex::optimize`], approximate beyond.
    ///
    /// # Errors
    /// [`Error::Dimension`], [`Error::NotFinite`], [`Error::Store`].
    pub fn search(&self, vector: &[f32], limit: usize, group: Option<&str>) -> Result<Vec<Hit>> {
        self.check("the query", vector)?;
        if limit == 0 {
            return Ok(Vec::new());
        }
        let mut hits = self.inner.shard.nearest(vector, limit.min(MAX_HITS), group)?;
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.iri.cmp(&b.iri)));
        Ok(hits)
    }

    /// [`VectorIndex::search`] on the blocking pool.
    ///
    /// # Errors
    /// As there, and [`Error::Stopping`] while the runtime shuts down.
    pub async fn search_async(
        &self,
        vector: Vec<f32>,
        limit: usize,
        group: Option<String>,
    ) -> Result<Vec<Hit>> {
        let index = self.clone();
        blocking::run(move || index.search(&vector, limit, group.as_deref())).await
    }

    /// Whether there is a point of this IRI.
    pub fn contains(&self, iri: &str) -> Result<bool> {
        Ok(self.missing(&[iri])?.is_empty())
    }

    /// Positions in `iris` of those without a point, ascending: what is still to be embedded.
    pub fn missing<S: AsRef<str>>(&self, iris: &[S]) -> Result<Vec<usize>> {
        let mut missing = Vec::new();
        for (part, chunk) in iris.chunks(WRITE_BATCH).enumerate() {
            let present = self.inner.shard.present(chunk)?;
            missing.extend(
                (0..chunk.len())
                    .filter(|&at| !present[at])
                    .map(|at| part * WRITE_BATCH + at),
            );
        }
        Ok(missing)
    }

    /// The IRIs of a document's points, sorted.
    pub fn document_iris(&self, document: &str) -> Result<Vec<String>> {
        let mut iris = self.inner.shard.iris_of(document)?;
        iris.sort_unstable();
        Ok(iris)
    }

    /// Deletes a document's points, on disk too when this returns. How many there were.
    pub fn delete_document(&self, document: &str) -> Result<usize> {
        space::require(&self.inner.dir, space::SMALL_RESERVE)?;
        self.write(|shard| shard.delete_document(document))
    }

    /// How many points there are.
    pub fn count(&self) -> Result<usize> {
        self.inner.shard.count()
    }

    /// Makes sure that everything is on disk. Writes do so themselves.
    pub fn flush(&self) -> Result<()> {
        self.write(|_| Ok(()))
    }

    /// Builds the search graph over what was added (seconds for tens of thousands of points) and drops the log of past writes.
    /// Call it when an ingest ends. Searches wait only for its last moments.
    pub fn optimize(&self) -> Result<()> {
        space::require(&self.inner.dir, space::of_rewrite(&self.inner.dir)?)?;
        self.write(Shard::optimize)?;
        let _writing = self.inner.writer.lock().unwrap_or_else(PoisonError::into_inner);
        self.inner.shard.reopen()
    }

    /// One writer at a time, and a flush before the answer.
    fn write<T>(&self, work: impl FnOnce(&Shard) -> Result<T>) -> Result<T> {
        let _writing = self.inner.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let result = work(&self.inner.shard);
        let flushed = self.inner.shard.flush();
        result.and_then(|value| flushed.map(|()| value))
    }

    fn check(&self, what: &str, vector: &[f32]) -> Result<()> {
        let expected = self.inner.identity.dimension;
        if vector.len() != expected {
            let (what, collection) = (what.to_owned(), self.inner.collection.clone());
            return Err(Error::Dimension {
                what,
                collection,
                expected,
                found: vector.len(),
            });
        }
        if vector.iter().all(|number| number.is_finite()) {
            return Ok(());
        }
        Err(Error::NotFinite {
            what: what.to_owned(),
        })
    }
}

impl std::fmt::Debug for VectorIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VectorIndex")
            .field("dir", &self.inner.dir)
            .finish_non_exhaustive()
    }
}
