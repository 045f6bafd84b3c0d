//! Embeds the texts of a JSON-lines file through one runtime and prints one JSON line: texts, seconds of wall and of processor
//! time, peak memory, and the texts' vectors to a file if asked. `run.py` beside it calls this for each runtime in turn.
//!
//!     embedding-bench RUNTIME MODEL_DIR GRAPH TEXTS.jsonl N_TEXTS REPEATS [VECTORS.f32]
//!
//! RUNTIME: rten or ort. GRAPH: minilm.onnx, whose weights are MODEL_DIR/model.safetensors, or an ONNX file that holds its own.
//! All runtimes get the same batches: sorted by length, at most 2,048 tokens, two threads.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use tokenizers::{Tokenizer, TruncationParams};

const WIDTH: usize = 384;
const N_THREADS: usize = 2;
const MAX_BATCH_TOKENS: usize = 2_048;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

struct Batch {
    /// Positions of the texts.
    texts: Vec<usize>,
    n_tokens: usize,
    ids: Vec<i64>,
    mask: Vec<i64>,
}

trait Runtime {
    fn run(&mut self, batch: &Batch) -> Result<Vec<f32>>;
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [runtime, models, graph, texts, n_texts, repeats, rest @ ..] = arguments.as_slice() else {
        return Err("usage: embedding-bench RUNTIME MODEL_DIR GRAPH TEXTS N_TEXTS REPEATS [VECTORS]".into());
    };
    let (models, n_texts, repeats) = (Path::new(models), n_texts.parse()?, repeats.parse::<usize>()?);
    let texts = read_texts(texts, n_texts)?;

    let start = Instant::now();
    let tokenizer = load_tokenizer(&models.join("tokenizer.json"))?;
    let mut network: Box<dyn Runtime> = match runtime.as_str() {
        "rten" => Box::new(Rten::load(graph, models)?),
        "ort" => Box::new(Ort::load(graph)?),
        other => return Err(format!("unknown runtime {other}").into()),
    };
    embed(&tokenizer, network.as_mut(), &texts[..1])?;
    let load_seconds = start.elapsed().as_secs_f64();

    let (start, cpu_start) = (Instant::now(), cpu_seconds()?);
    let mut vectors = Vec::new();
    for _ in 0..repeats {
        vectors = embed(&tokenizer, network.as_mut(), &texts)?;
    }
    let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds()? - cpu_start);
    if let [path] = rest {
        fs::write(
            path,
            vectors
                .iter()
                .flatten()
                .flat_map(|x| x.to_le_bytes())
                .collect::<Vec<_>>(),
        )?;
    }
    let line = serde_json::json!({
        "texts": texts.len() * repeats, "wall": wall, "cpu": cpu, "load": load_seconds, "peak_mb": peak_mb()?,
    });
    println!("{line}");
    Ok(())
}

fn read_texts(path: &str, n_texts: usize) -> Result<Vec<String>> {
    let text = |line: &str| -> Result<String> {
        let value: serde_json::Value = serde_json::from_str(line)?;
        Ok(value["text"].as_str().ok_or("a line has no text")?.to_owned())
    };
    fs::read_to_string(path)?
        .lines()
        .take(n_texts)
        .map(text)
        .collect()
}

fn load_tokenizer(path: &Path) -> Result<Tokenizer> {
    let mut tokenizer = Tokenizer::from_file(path).map_err(|error| error.to_string())?;
    tokenizer.with_padding(None);
    let truncation = TruncationParams {
        max_length: 256,
        ..TruncationParams::default()
    };
    tokenizer
        .with_truncation(Some(truncation))
        .map_err(|error| error.to_string())?;
    Ok(tokenizer)
}

fn embed(tokenizer: &Tokenizer, network: &mut dyn Runtime, texts: &[String]) -> Result<Vec<Vec<f32>>> {
    let mut ids = Vec::with_capacity(texts.len());
    for text in texts {
        let encoding = tokenizer
            .encode_fast(text.as_str(), true)
            .map_err(|error| error.to_string())?;
        ids.push(
            encoding
                .get_ids()
                .iter()
                .map(|&id| i64::from(id))
                .collect::<Vec<_>>(),
        );
    }
    let mut vectors = vec![Vec::new(); texts.len()];
    for batch in batches(&ids) {
        let states = network.run(&batch)?;
        for (row, &text) in batch.texts.iter().enumerate() {
            let start = row * batch.n_tokens * WIDTH;
            vectors[text] = unit_mean(&states[start..start + ids[text].len() * WIDTH]);
        }
    }
    Ok(vectors)
}

fn batches(ids: &[Vec<i64>]) -> Vec<Batch> {
    let mut order: Vec<usize> = (0..ids.len()).collect();
    order.sort_by_key(|&text| ids[text].len());
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for text in order {
        match groups.last_mut() {
            Some(group) if (group.len() + 1) * ids[text].len() <= MAX_BATCH_TOKENS => group.push(text),
            _ => groups.push(vec![text]),
        }
    }
    let batch = |texts: Vec<usize>| {
        let n_tokens = texts.iter().map(|&text| ids[text].len()).max().unwrap_or(0);
        let (mut flat, mut mask) = (vec![0; texts.len() * n_tokens], vec![0; texts.len() * n_tokens]);
        for (row, &text) in texts.iter().enumerate() {
            let range = row * n_tokens..row * n_tokens + ids[text].len();
            flat[range.clone()].copy_from_slice(&ids[text]);
            mask[range].fill(1);
        }
        Batch {
            texts,
            n_tokens,
            ids: flat,
            mask,
        }
    };
    groups.into_iter().map(batch).collect()
}

fn unit_mean(states: &[f32]) -> Vec<f32> {
    let mut sum = vec![0.0; WIDTH];
    for row in states.chunks_exact(WIDTH) {
        sum.iter_mut().zip(row).for_each(|(total, value)| *total += value);
    }
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    sum.iter().map(|value| value / length).collect()
}

struct Rten {
    model: rten::Model,
    options: rten::RunOptions,
}

impl Rten {
    fn load(graph: &str, models: &Path) -> Result<Self> {
        let mut options = rten::ModelOptions::with_all_ops();
        let graph = fs::read(graph)?;
        if graph.len() < 1 << 20 {
            options.external_data(
                "model.safetensors.data",
                fs::read(models.join("model.safetensors"))?,
            );
        }
        let model = options.prepack_weights(true).load(graph)?;
        let pool = Arc::new(rten::ThreadPool::with_num_threads(N_THREADS));
        Ok(Self {
            model,
            options: rten::RunOptions::default().with_thread_pool(Some(pool)),
        })
    }
}

impl Runtime for Rten {
    fn run(&mut self, batch: &Batch) -> Result<Vec<f32>> {
        let shape = [batch.texts.len(), batch.n_tokens];
        let narrow = |values: &[i64]| values.iter().map(|&value| value as i32).collect::<Vec<_>>();
        let mut inputs = Vec::new();
        for (name, values) in [
            ("input_ids", narrow(&batch.ids)),
            ("attention_mask", narrow(&batch.mask)),
            ("token_type_ids", vec![0; batch.ids.len()]),
        ] {
            if let Some(id) = self.model.find_node(name) {
                inputs.push((id, rten::Value::from_shape(shape, values)?.into()));
            }
        }
        let output = self.model.node_id("last_hidden_state")?;
        let [states] = self.model.run_n(inputs, [output], Some(self.options.clone()))?;
        Ok(states.into_shape_vec::<f32, 3>()?.1)
    }
}

struct Ort {
    session: ort::session::Session,
    _environment: ort::environment::Environment,
}

impl Ort {
    /// The shared library is `$ORT_DYLIB_PATH`.
    fn load(graph: &str) -> Result<Self> {
        let environment = ort::init().build()?;
        let builder = ort::session::Session::builder(&environment)?;
        let mut builder = builder
            .with_intra_threads(N_THREADS)
            .map_err(|error| error.to_string())?;
        Ok(Self {
            session: builder.commit_from_file(graph)?,
            _environment: environment,
        })
    }
}

impl Runtime for Ort {
    fn run(&mut self, batch: &Batch) -> Result<Vec<f32>> {
        use ort::session::SessionInputValue;
        use ort::value::Tensor;
        let shape = [batch.texts.len(), batch.n_tokens];
        let wanted: Vec<String> = self
            .session
            .inputs()
            .iter()
            .map(|input| input.name().to_owned())
            .collect();
        let mut inputs: Vec<(String, SessionInputValue<'_>)> = Vec::new();
        for name in wanted {
            let values = match name.as_str() {
                "input_ids" => batch.ids.clone(),
                "attention_mask" => batch.mask.clone(),
                _ => vec![0; batch.ids.len()],
            };
            inputs.push((name, Tensor::from_array((shape, values))?.into()));
        }
        let outputs = self.session.run(inputs)?;
        Ok(outputs["last_hidden_state"]
            .try_extract_tensor::<f32>()?
            .1
            .to_vec())
    }
}

/// User and system time of this process, of all threads.
fn cpu_seconds() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit(')').next().ok_or("no process state")?;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks = fields[11].parse::<f64>()? + fields[12].parse::<f64>()?;
    // The kernel's unit for user space is 1/100 s on every Linux architecture in use.
    Ok(ticks / 100.0)
}

fn peak_mb() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .ok_or("no VmHWM")?;
    Ok(line.split_whitespace().nth(1).ok_or("no size")?.parse::<u64>()? / 1024)
}
