//! The neural network, run by rten: token ids in, one state for each token out. It pads and masks; it does not pool.

use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value};

use super::identity::DIMENSION;
use crate::error::Source;
use crate::{Error, Result};

/// Operators only: each weight is a byte range of `model.safetensors`.
const GRAPH: &[u8] = include_bytes!("minilm.onnx");

/// What the graph calls that file: the runtime insists on such an ending.
const WEIGHTS: &str = "model.safetensors.data";

pub(super) struct Network {
    model: Model,
    input_ids: NodeId,
    attention_mask: NodeId,
    last_hidden_state: NodeId,
    run_options: RunOptions,
}

/// The states of the tokens of a batch, padding included.
pub(super) struct States {
    values: Vec<f32>,
    /// Tokens of each text before padding.
    lengths: Vec<usize>,
    n_tokens: usize,
}

impl States {
    /// The states of one text without its padding, token after token.
    pub(super) fn of(&self, text: usize) -> &[f32] {
        let start = text * self.n_tokens * DIMENSION;
        &self.values[start..start + self.lengths[text] * DIMENSION]
    }
}

impl Network {
    /// `safetensors` must be the file the graph was made for.
    pub(super) fn load(safetensors: Vec<u8>, n_threads: usize) -> Result<Self, Source> {
        let mut options = ModelOptions::with_all_ops();
        options.external_data(WEIGHTS, safetensors).prepack_weights(true);
        let model = options.load_static_slice(GRAPH)?;
        let pool = Arc::new(ThreadPool::with_num_threads(n_threads));
        Ok(Self {
            input_ids: model.node_id("input_ids")?,
            attention_mask: model.node_id("attention_mask")?,
            last_hidden_state: model.node_id("last_hidden_state")?,
            run_options: RunOptions::default().with_thread_pool(Some(pool)),
            model,
        })
    }

    /// One run over texts given as token ids.
    pub(super) fn run(&self, texts: &[&[i32]]) -> Result<States> {
        let n_tokens = texts.iter().map(|ids| ids.len()).max().unwrap_or(0);
        self.try_run(texts, n_tokens).map_err(|source| Error::Inference {
            n_texts: texts.len(),
            n_tokens,
            source,
        })
    }

    fn try_run(&self, texts: &[&[i32]], n_tokens: usize) -> Result<States, Source> {
        let shape = [texts.len(), n_tokens];
        let mut ids = vec![0_i32; texts.len() * n_tokens];
        let mut mask = vec![0_i32; ids.len()];
        for (row, text) in texts.iter().enumerate() {
            let start = row * n_tokens;
            ids[start..start + text.len()].copy_from_slice(text);
            mask[start..start + text.len()].fill(1);
        }
        let inputs = vec![
            (self.input_ids, Value::from_shape(shape, ids)?.into()),
            (self.attention_mask, Value::from_shape(shape, mask)?.into()),
        ];
        let [output] = self
            .model
            .run_n(inputs, [self.last_hidden_state], Some(self.run_options.clone()))?;
        let (found, values) = output.into_shape_vec::<f32, 3>()?;
        if found != [texts.len(), n_tokens, DIMENSION] {
            return Err(format!("the network's output has shape {found:?}").into());
        }
        Ok(States {
            values,
            lengths: texts.iter().map(|ids| ids.len()).collect(),
            n_tokens,
        })
    }
}
