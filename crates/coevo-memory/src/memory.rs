//! [`Memory`]: one memory space over a graph. Its methods stand in the files named after them; here are its names, its
//! way onto the blocking pool, and [`Memory::stats`].

use crate::{Result, Status, names};
use coevo_graph::{Graph, vocab};
use oxrdf::{GraphName, NamedNode, Term};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Calls of one memory that are on the blocking pool at a time.
const PERMITS: usize = 8;

/// A memory space: the claims, decisions and answers under one name. Cheap to clone; all methods take `&self`.
#[derive(Clone)]
pub struct Memory {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) graph: Graph,
    pub(crate) space: String,
    /// `urn:coevo:memory:<space>`: live triples of accepted claims.
    pub(crate) accepted: GraphName,
    /// `urn:coevo:memory:<space>:proposed`.
    pub(crate) proposed: GraphName,
    /// `urn:coevo:claims:<space>`.
    pub(crate) claims: GraphName,
    /// `urn:coevo:answers:<space>`.
    pub(crate) answers: GraphName,
    permits: Semaphore,
}

/// How much a space holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryStats {
    /// Claims that wait for a decision.
    pub proposed: u64,
    /// Claims that are live facts.
    pub accepted: u64,
    /// Claims that a curator refused.
    pub rejected: u64,
    /// Claims that others replaced.
    pub superseded: u64,
    /// Claims that are not grounded.
    pub quarantined: u64,
    /// Answers on record.
    pub answers: u64,
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory")
            .field("space", &self.inner.space)
            .finish_non_exhaustive()
    }
}

impl Memory {
    /// The space named `space` (`[a-z0-9-]{1,64}`, starting with a letter or digit) of a graph. Writes nothing.
    pub fn new(graph: Graph, space: &str) -> Result<Self> {
        names::check_space(space)?;
        Ok(Self {
            inner: Arc::new(Inner {
                accepted: vocab::memory_graph(space)?.into(),
                proposed: vocab::proposed_graph(space)?.into(),
                claims: vocab::claims_graph(space)?.into(),
                answers: vocab::answers_graph(space)?.into(),
                space: space.to_owned(),
                graph,
                permits: Semaphore::new(PERMITS),
            }),
        })
    }

    /// The name of the space.
    pub fn space(&self) -> &str {
        &self.inner.space
    }

    /// Counts claims by status, and answers (a scan of the space's index: milliseconds on a hundred thousand).
    pub async fn stats(&self) -> Result<MemoryStats> {
        self.blocking(|memory| {
            let with_status = |status: Status| memory.count(vocab::STATUS, status.term(), &memory.claims);
            Ok(MemoryStats {
                proposed: with_status(Status::Proposed)?,
                accepted: with_status(Status::Accepted)?,
                rejected: with_status(Status::Rejected)?,
                superseded: with_status(Status::Superseded)?,
                quarantined: with_status(Status::Quarantined)?,
                answers: memory.count(oxrdf::vocab::rdf::TYPE, vocab::ANSWER, &memory.answers)?,
            })
        })
        .await
    }

    pub(crate) fn graph(&self) -> &Graph {
        &self.inner.graph
    }

    #[cfg(test)]
    pub(crate) fn inner(&self) -> &Inner {
        &self.inner
    }

    /// Runs `work` on the blocking pool, at most [`PERMITS`] at a time.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let permit = self
            .inner
            .permits
            .acquire()
            .await
            .map_err(|_closed| coevo_graph::Error::Cancelled)?;
        let inner = Arc::clone(&self.inner);
        let result = tokio::task::spawn_blocking(move || work(&inner)).await?;
        drop(permit);
        result
    }
}

impl Inner {
    fn count(
        &self,
        predicate: oxrdf::NamedNodeRef<'_>,
        object: oxrdf::NamedNodeRef<'_>,
        name: &GraphName,
    ) -> Result<u64> {
        let predicate: NamedNode = predicate.into_owned();
        let object = Term::from(object.into_owned());
        let mut n = 0;
        for quad in self
            .graph
            .quads_now(None, Some(&predicate), Some(&object), Some(name))
        {
            quad?;
            n += 1;
        }
        Ok(n)
    }
}
