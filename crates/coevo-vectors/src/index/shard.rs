//! The Qdrant Edge shard: opening, requests and its failures as our errors. Nothing else in the crate names its types but
//! `points`.
//!
//! Three things it leaves to its user are done here. It panics where a flush fails, dropping included: both are caught. It lets
//! nobody flush during a write: callers queue (see `VectorIndex::write`). Its log of writes grows for ever and is never read
//! again (0.7): the closed parts of it are removed whenever the shard is opened.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use qdrant_edge::{
    CountRequest, CreateIndex, DEFAULT_VECTOR_NAME, Distance, EdgeConfig, EdgeShard, EdgeVectorParamsBuilder,
    FieldIndexOperations, NamedQuery, OperationError, PayloadFieldSchema, PayloadSchemaType,
    PointInsertOperations, PointOperations, QueryEnum, QueryRequest, Record, ScoringQuery, ScrollRequest,
    SearchParams, UpdateOperation, WalOptions, WithPayloadInterface, WithVector,
};

use super::{Hit, Point, points};
use crate::{Error, Result};

/// Width of the search through the graph: at 128, recall of the first ten was above 0.99 (docs/benchmarks.md).
const SEARCH_WIDTH: usize = 128;

/// One part of the log of writes, reserved on disk for each collection.
const LOG_PART_BYTES: usize = 8 << 20;

const SCROLL_PAGE: usize = 1_000;

pub(super) struct Shard {
    /// The collection's directory, for errors.
    dir: PathBuf,
    dimension: usize,
    /// Empty only once closed: at the end, or after a failed `reopen`.
    open: RwLock<Option<EdgeShard>>,
}

impl Shard {
    /// Opens what is in `dir/shard`, or makes it.
    pub(super) fn open(dir: &Path, dimension: usize) -> Result<Self> {
        let shard = open_edge(dir, dimension)?;
        Ok(Self {
            dir: dir.to_owned(),
            dimension,
            open: RwLock::new(Some(shard)),
        })
    }

    pub(super) fn upsert(&self, points: impl Iterator<Item = Point>) -> Result<()> {
        let points = PointInsertOperations::PointsList(points.map(points::stored).collect());
        self.update(
            "write points",
            UpdateOperation::PointOperation(PointOperations::UpsertPoints(points)),
        )
    }

    pub(super) fn delete_document(&self, document: &str) -> Result<usize> {
        let filter = points::equals(points::DOCUMENT, document);
        let n_points = self.count_where(Some(filter.clone()))?;
        if n_points > 0 {
            let delete = PointOperations::DeletePointsByFilter(filter);
            self.update("delete points", UpdateOperation::PointOperation(delete))?;
        }
        Ok(n_points)
    }

    pub(super) fn nearest(&self, vector: &[f32], limit: usize, group: Option<&str>) -> Result<Vec<Hit>> {
        let request = QueryRequest {
            prefetches: Vec::new(),
            query: Some(ScoringQuery::Vector(QueryEnum::Nearest(
                NamedQuery::default_dense(vector.to_vec()),
            ))),
            filter: group.map(|group| points::equals(points::GROUP, group)),
            score_threshold: None,
            limit,
            offset: 0,
            params: Some(SearchParams {
                hnsw_ef: Some(limit.max(SEARCH_WIDTH)),
                ..SearchParams::default()
            }),
            with_vector: WithVector::Bool(false),
            with_payload: WithPayloadInterface::Fields(vec![points::field(points::IRI)]),
        };
        let found = self.ask("search", |shard| shard.query(request))?;
        found
            .into_iter()
            .map(|point| {
                Ok(Hit {
                    iri: self.iri(points::iri_of(point.payload.as_ref()))?,
                    score: point.score,
                })
            })
            .collect()
    }

    /// For each IRI whether it has a point.
    pub(super) fn present<S: AsRef<str>>(&self, iris: &[S]) -> Result<Vec<bool>> {
        let ids: Vec<_> = iris.iter().map(|iri| points::id(iri.as_ref())).collect();
        let records = self.ask("read points", |shard| {
            shard.retrieve(
                &ids,
                Some(WithPayloadInterface::Bool(false)),
                Some(WithVector::Bool(false)),
            )
        })?;
        let found: HashSet<_> = records.into_iter().map(|record| record.id).collect();
        Ok(ids.iter().map(|id| found.contains(id)).collect())
    }

    pub(super) fn iris_of(&self, document: &str) -> Result<Vec<String>> {
        let mut iris = Vec::new();
        let mut offset = None;
        loop {
            let request = ScrollRequest {
                offset,
                limit: Some(SCROLL_PAGE),
                filter: Some(points::equals(points::DOCUMENT, document)),
                with_payload: Some(WithPayloadInterface::Fields(vec![points::field(points::IRI)])),
                with_vector: WithVector::Bool(false),
                order_by: None,
            };
            let (records, next): (Vec<Record>, _) = self.ask("read points", |shard| shard.scroll(request))?;
            for record in records {
                iris.push(self.iri(points::iri_of(record.payload.as_ref()))?);
            }
            match next {
                Some(id) => offset = Some(id),
                None => return Ok(iris),
            }
        }
    }

    pub(super) fn count(&self) -> Result<usize> {
        self.count_where(None)
    }

    pub(super) fn optimize(&self) -> Result<()> {
        self.ask("build its search graph", EdgeShard::optimize).map(drop)
    }

    pub(super) fn flush(&self) -> Result<()> {
        let open = self.read();
        let shard = open.as_ref().ok_or(Error::Stopping)?;
        catching(|| shard.flush()).map_err(|reason| Error::store(&self.dir, "flush to disk", reason))
    }

    /// Closes and opens again, which drops the log. The caller is the only writer and has flushed.
    pub(super) fn reopen(&self) -> Result<()> {
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(shard) = open.take() {
            catching(|| drop(shard)).map_err(|reason| Error::store(&self.dir, "close", reason))?;
        }
        *open = Some(open_edge(&self.dir, self.dimension)?);
        Ok(())
    }

    fn count_where(&self, filter: Option<qdrant_edge::Filter>) -> Result<usize> {
        self.ask("count points", |shard| {
            shard.count(CountRequest { filter, exact: true })
        })
    }

    fn update(&self, action: &'static str, operation: UpdateOperation) -> Result<()> {
        self.ask(action, |shard| shard.update(operation))
    }

    fn ask<T>(
        &self,
        action: &'static str,
        work: impl FnOnce(&EdgeShard) -> Result<T, OperationError>,
    ) -> Result<T> {
        let open = self.read();
        let shard = open.as_ref().ok_or(Error::Stopping)?;
        work(shard).map_err(|error| Error::store(&self.dir, action, error))
    }

    fn read(&self) -> RwLockReadGuard<'_, Option<EdgeShard>> {
        self.open.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn iri(&self, iri: Option<String>) -> Result<String> {
        iri.ok_or_else(|| Error::Damaged {
            path: self.dir.join("shard"),
            reason: "a point has no IRI".into(),
        })
    }
}

impl Drop for Shard {
    fn drop(&mut self) {
        let open = self.open.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(shard) = open.take()
            && let Err(reason) = catching(|| drop(shard))
        {
            tracing::error!(dir = %self.dir.display(), reason, "the vector store did not close cleanly");
        }
    }
}

fn open_edge(dir: &Path, dimension: usize) -> Result<EdgeShard> {
    let path = dir.join("shard");
    fs_err::create_dir_all(&path)?;
    drop_closed_log(&path.join("wal"))?;
    let vectors = EdgeVectorParamsBuilder::new(dimension, Distance::Cosine).build();
    let log = WalOptions {
        segment_capacity: LOG_PART_BYTES,
        ..WalOptions::default()
    };
    let config = EdgeConfig::builder()
        .vector(DEFAULT_VECTOR_NAME, vectors)
        .wal_options(log)
        .build();
    // The configuration is the first file a new shard writes.
    let is_new = EdgeConfig::load(&path).is_none();
    let opened = if is_new {
        EdgeShard::new(&path, config)
    } else {
        EdgeShard::load(&path, Some(config))
    };
    let shard = opened.map_err(|error| Error::store(dir, "open", error))?;
    let indexed = shard.info().payload_schema;
    for name in [points::GROUP, points::DOCUMENT] {
        let field_name = points::field(name);
        if !indexed.contains_key(&field_name) {
            let field_schema = Some(PayloadFieldSchema::FieldType(PayloadSchemaType::Keyword));
            let create = FieldIndexOperations::CreateIndex(CreateIndex {
                field_name,
                field_schema,
            });
            let created = shard.update(UpdateOperation::FieldIndexOperation(create));
            created.map_err(|error| Error::store(dir, "index its fields", error))?;
        }
    }
    Ok(shard)
}

/// Removes the parts of the log that are full, but for the last: the numbering of writes goes on from it.
fn drop_closed_log(log: &Path) -> Result<()> {
    if !log.exists() {
        return Ok(());
    }
    let mut closed = Vec::new();
    for entry in fs_err::read_dir(log)? {
        let entry = entry?;
        let name = entry.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_prefix("closed-"))
            .and_then(|n| n.parse::<u64>().ok());
        closed.extend(number.map(|number| (number, entry.path())));
    }
    closed.sort_unstable();
    closed.pop();
    for (_, path) in closed {
        fs_err::remove_file(path)?;
    }
    Ok(())
}

/// The message of a panic as an error.
fn catching<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()))
            .unwrap_or_else(|| "it panicked".into())
    })
}
