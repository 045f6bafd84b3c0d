//! The joint between the threads that read and the one that stores: [`Batch`]es of quads over bounded channels, taken in
//! order by [`Stream`], an iterator for the store's bulk loader. It sets rejects aside, counts, and reports progress.
//!
//! Order is kept by turns, not by sorting: batch *k* comes from worker *k* mod *n*, so nothing has to be buffered and the
//! first damaged record of a strict run is always the same one.

use crossbeam_channel::Receiver;
use oxrdf::Quad;

use crate::error::{Error, Result};
use crate::rejects::{Reject, Rejects};
use crate::report::Counts;

/// What one worker hands over at a time.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) quads: Vec<Quad>,
    pub(crate) rejects: Vec<Reject>,
    /// What `quads` came from, and what they hold.
    pub(crate) counts: Counts,
    /// The last batch of the input. A stream without one broke off.
    pub(crate) is_last: bool,
}

/// What the stream checks and tells.
pub(crate) struct StreamOptions<'a> {
    pub(crate) name: &'a str,
    pub(crate) strict: bool,
    /// Called after the last batch, before the loader commits: its error keeps the input out of the store.
    pub(crate) at_end: &'a dyn Fn() -> Result<()>,
    /// Called after each batch with the counts so far.
    pub(crate) on_batch: &'a dyn Fn(&Counts),
}

/// The quads of one input. After an `Err` it is at its end.
pub(crate) struct Stream<'a> {
    workers: Vec<Receiver<Result<Batch>>>,
    turn: usize,
    quads: std::vec::IntoIter<Quad>,
    is_done: bool,
    rejects: &'a mut Rejects,
    counts: &'a mut Counts,
    first_reject: Option<(u64, String)>,
    options: StreamOptions<'a>,
}

impl<'a> Stream<'a> {
    /// Takes batches from `workers` by turns, beginning with the first.
    pub(crate) fn new(
        workers: Vec<Receiver<Result<Batch>>>,
        rejects: &'a mut Rejects,
        counts: &'a mut Counts,
        options: StreamOptions<'a>,
    ) -> Self {
        Self {
            workers,
            turn: 0,
            quads: Vec::new().into_iter(),
            is_done: false,
            rejects,
            counts,
            first_reject: None,
            options,
        }
    }

    fn next_batch(&mut self) -> Result<()> {
        let batch = self.workers.get(self.turn).and_then(|worker| worker.recv().ok());
        let Some(batch) = batch else {
            return Err(Error::Stopped {
                name: self.options.name.to_owned(),
            });
        };
        let batch = batch?;
        self.turn = (self.turn + 1) % self.workers.len().max(1);
        for reject in &batch.rejects {
            self.take_reject(reject)?;
        }
        self.counts.add(&batch.counts);
        self.counts.rejects += batch.rejects.len() as u64;
        self.counts.records += batch.rejects.len() as u64;
        self.counts.triples += batch.quads.len() as u64;
        self.quads = batch.quads.into_iter();
        (self.options.on_batch)(self.counts);
        if batch.is_last {
            self.is_done = true;
            self.check_usable()?;
            (self.options.at_end)()?;
        }
        Ok(())
    }

    fn take_reject(&mut self, reject: &Reject) -> Result<()> {
        if self.options.strict {
            return Err(Error::Rejected {
                name: self.options.name.to_owned(),
                line: reject.line,
                offset: reject.offset,
                reason: reject.reason.clone(),
            });
        }
        if self.first_reject.is_none() {
            self.first_reject = Some((reject.line, reject.reason.clone()));
        }
        self.rejects.write(self.options.name, reject)
    }

    /// Many rejects and not one triple: the wrong format, not a damaged file.
    fn check_usable(&mut self) -> Result<()> {
        match self.first_reject.take() {
            Some((line, reason)) if self.counts.triples == 0 => Err(Error::NothingUsable {
                name: self.options.name.to_owned(),
                n_rejects: self.counts.rejects,
                line,
                reason,
            }),
            _ => Ok(()),
        }
    }
}

impl Iterator for Stream<'_> {
    type Item = Result<Quad>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(quad) = self.quads.next() {
                return Some(Ok(quad));
            }
            if self.is_done {
                return None;
            }
            if let Err(error) = self.next_batch() {
                self.is_done = true;
                self.quads = Vec::new().into_iter();
                return Some(Err(error));
            }
        }
    }
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.records += other.records;
        self.names += other.names;
        self.alignments += other.alignments;
        self.statements += other.statements;
        self.documents += other.documents;
        self.passages += other.passages;
    }
}
