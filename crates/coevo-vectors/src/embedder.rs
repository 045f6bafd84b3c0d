//! Text to vectors: all-MiniLM-L6-v2 in process.
//!
//! [`Embedder`] holds the tokenizer and the network and embeds batches of texts, sorted by length so that little padding is
//! computed. The weights are the `model.safetensors` its authors publish, in full precision; the operators around them are the
//! graph `minilm.onnx` in this folder, made by `scripts/minilm-graph.py`. An int8 file of the same model is smaller but moves
//! vectors of whole passages to a cosine of 0.9989 from the published model, and is no faster here (docs/benchmarks.md).
//!
//! It knows nothing of indexes and collections, and embeds one kind of text: this model has no query or passage prefix.

mod batches;
mod files;
mod identity;
mod network;
mod pooling;
#[cfg(test)]
mod tests;
mod tokens;

use std::path::Path;
use std::sync::Arc;
use std::thread;

use tokio::sync::Semaphore;

pub use self::identity::EmbedderIdentity;
use self::network::Network;
use self::tokens::Tokens;
use crate::{Error, Result, blocking};

/// How much of the machine an [`Embedder`] may use.
#[derive(Debug, Clone)]
pub struct EmbedderOptions {
    /// Threads that compute, shared by all calls. By default one for each available core, at most 8.
    pub n_threads: usize,
    /// Tokens in one run of the network, padding included: bounds memory at about 16 kB a token. By default 1,024, as
    /// more than that was slower on two cores.
    pub max_batch_tokens: usize,
    /// Calls of [`Embedder::embed_async`] that run at once; others wait. By default 2.
    pub n_concurrent: usize,
}

impl Default for EmbedderOptions {
    fn default() -> Self {
        let n_cores = thread::available_parallelism().map_or(1, usize::from);
        Self {
            n_threads: n_cores.min(8),
            max_batch_tokens: 1_024,
            n_concurrent: 2,
        }
    }
}

/// The embedding model, loaded. Clones share it.
#[derive(Clone)]
pub struct Embedder {
    inner: Arc<Inner>,
}

struct Inner {
    identity: EmbedderIdentity,
    tokens: Tokens,
    network: Network,
    max_batch_tokens: usize,
    permits: Arc<Semaphore>,
}

impl Embedder {
    /// Loads the model from a directory that holds `model.safetensors` and `tokenizer.json`, with the default options.
    ///
    /// Both files are checked against the SHA-256 of the published ones. Takes about a quarter of a second, and 250 MB at
    /// the peak.
    ///
    /// # Errors
    /// [`Error::ModelMissing`], [`Error::WrongModel`], [`Error::Io`], [`Error::ModelLoad`].
    pub fn load(dir: &Path) -> Result<Self> {
        Self::load_with(dir, &EmbedderOptions::default())
    }

    /// [`Embedder::load`] with options; zeros in them count as one.
    pub fn load_with(dir: &Path, options: &EmbedderOptions) -> Result<Self> {
        let tokenizer = files::read_checked(&dir.join(files::TOKENIZER.name), files::TOKENIZER.sha256)?;
        let weights = files::read_checked(&dir.join(files::WEIGHTS.name), files::WEIGHTS.sha256)?;
        let unusable = |source| Error::ModelLoad {
            dir: dir.to_owned(),
            source,
        };
        Ok(Self {
            inner: Arc::new(Inner {
                identity: identity::minilm(),
                tokens: Tokens::load(&tokenizer).map_err(unusable)?,
                network: Network::load(weights, options.n_threads.max(1)).map_err(unusable)?,
                max_batch_tokens: options.max_batch_tokens.max(1),
                permits: Arc::new(Semaphore::new(options.n_concurrent.max(1))),
            }),
        })
    }

    /// Which model this is, and how it is used. An index keeps it beside its vectors.
    pub fn identity(&self) -> &EmbedderIdentity {
        &self.inner.identity
    }

    /// One unit vector of 384 numbers for each text, in order. Blocks.
    ///
    /// Any string has a vector: of a long text the first 254 word pieces count (and of a very long one only its first 32,768
    /// characters are looked at); an empty one, or one of white space only, gets the vector of no words; characters the model
    /// does not know count as one unknown word. The vector of a text does not depend on what it is embedded with, but for
    /// rounding in the last digits.
    ///
    /// # Errors
    /// [`Error::Inference`] if the runtime fails, as when memory runs out.
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let inner = &*self.inner;
        let ids = texts
            .iter()
            .map(|text| inner.tokens.encode(text))
            .collect::<Result<Vec<_>>>()?;
        let mut vectors = vec![Vec::new(); texts.len()];
        let lengths: Vec<usize> = ids.iter().map(Vec::len).collect();
        for batch in batches::by_length(&lengths, inner.max_batch_tokens) {
            let rows: Vec<&[i32]> = batch.iter().map(|&text| ids[text].as_slice()).collect();
            let states = inner.network.run(&rows)?;
            for (row, &text) in batch.iter().enumerate() {
                vectors[text] = pooling::unit_mean(states.of(row), identity::DIMENSION);
            }
        }
        Ok(vectors)
    }

    /// [`Embedder::embed`] on the blocking pool. At most [`EmbedderOptions::n_concurrent`] calls compute at once; dropping the
    /// future gives up the place in the queue, but not a computation that has begun.
    ///
    /// # Errors
    /// As [`Embedder::embed`], and [`Error::Stopping`] while the runtime shuts down.
    pub async fn embed_async(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>> {
        let permit = Arc::clone(&self.inner.permits)
            .acquire_owned()
            .await
            .map_err(|_| Error::Stopping)?;
        let embedder = self.clone();
        blocking::run(move || {
            let _held = permit;
            embedder.embed(&texts.iter().map(String::as_str).collect::<Vec<_>>())
        })
        .await
    }
}

impl std::fmt::Debug for Embedder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Embedder")
            .field("identity", &self.inner.identity)
            .finish_non_exhaustive()
    }
}
