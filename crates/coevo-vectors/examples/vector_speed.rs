//! Measures this crate on real text: passages embedded per second, points written per second, and search latency and recall
//! before and after the search graph is built. It prints what docs/benchmarks.md reports.
//!
//! ```text
//! cargo run --release --workspace --example vector_speed -- MODEL_DIR PASSAGES.jsonl QUESTIONS.jsonl N_WHOLE N_SHORT
//! ```
//!
//! `N_WHOLE` whole passages (`{"text"}` a line) are embedded for the first figure. The index holds the beginnings of `N_SHORT`
//! passages, which are quicker to embed, and is asked the questions (`{"question"}` a line).

use std::error::Error;
use std::time::{Duration, Instant};

use coevo_vectors::{Embedder, Point, VectorIndex};

const LIMIT: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, passages, questions, n_whole, n_short] = arguments.as_slice() else {
        return Err("arguments: MODEL_DIR PASSAGES.jsonl QUESTIONS.jsonl N_WHOLE N_SHORT".into());
    };
    let (n_whole, n_short) = (n_whole.parse()?, n_short.parse()?);
    let passages = read(passages, "text", usize::max(n_whole, n_short))?;
    let questions = read(questions, "question", 300)?;

    let (embedder, load) = timed(|| Embedder::load(model.as_ref()));
    let embedder = embedder?;
    println!("load: {load:.2?}");
    let whole: Vec<&str> = passages.iter().take(n_whole).map(String::as_str).collect();
    let (result, time) = timed(|| embedder.embed(&whole));
    result?;
    println!(
        "embed {n_whole} whole passages: {:.0}/s",
        per_second(n_whole, time)
    );

    let short: Vec<&str> = passages
        .iter()
        .take(n_short)
        .map(|passage| beginning(passage))
        .collect();
    let (vectors, time) = timed(|| embedder.embed(&short));
    let vectors = vectors?;
    println!(
        "embed {} beginnings: {:.0}/s",
        short.len(),
        per_second(short.len(), time)
    );
    let questions = embedder.embed(&questions.iter().map(String::as_str).collect::<Vec<_>>())?;

    let dir = tempfile::tempdir()?;
    let index = VectorIndex::open(dir.path(), "passages", embedder.identity())?;
    let (result, time) = timed(|| fill(&index, &vectors));
    result?;
    println!(
        "write {} points, 256 at a time, each flushed: {:.0}/s",
        vectors.len(),
        per_second(vectors.len(), time)
    );
    ask(&index, &vectors, &questions, "before optimize")?;
    let (result, time) = timed(|| index.optimize());
    result?;
    println!("optimize: {time:.2?}, {} on disk", megabytes(dir.path())?);
    ask(&index, &vectors, &questions, "after optimize")?;
    drop(index);
    let (index, time) = timed(|| VectorIndex::open(dir.path(), "passages", embedder.identity()));
    println!("open: {time:.2?}, {} points", index?.count()?);
    Ok(())
}

/// One point in a hundred is of the group `rare`.
fn fill(index: &VectorIndex, vectors: &[Vec<f32>]) -> coevo_vectors::Result<()> {
    let numbered: Vec<usize> = (0..vectors.len()).collect();
    for chunk in numbered.chunks(256) {
        let point = |&n: &usize| Point {
            iri: format!("urn:coevo:docs:bench/{n}"),
            vector: vectors[n].clone(),
            group: if n % 100 == 0 {
                "rare".into()
            } else {
                "common".into()
            },
            document: format!("urn:coevo:docs:bench/document/{}", n / 10),
        };
        index.upsert(chunk.iter().map(point).collect())?;
    }
    Ok(())
}

/// Latency of each kind of search, and which share of the true nearest it finds.
fn ask(
    index: &VectorIndex,
    vectors: &[Vec<f32>],
    questions: &[Vec<f32>],
    when: &str,
) -> coevo_vectors::Result<()> {
    for group in [None, Some("rare")] {
        let (mut times, mut n_right) = (Vec::new(), 0);
        for question in questions {
            let (hits, time) = timed(|| index.search(question, LIMIT, group));
            times.push(time);
            let nearest = exact(vectors, question, group);
            n_right += hits?.iter().filter(|hit| nearest.contains(&hit.iri)).count();
        }
        times.sort_unstable();
        let (median, p99) = (times[times.len() / 2], times[times.len() * 99 / 100]);
        let recall = n_right as f64 / (questions.len() * LIMIT) as f64;
        println!(
            "search {when}, group {group:?}: median {median:.2?}, p99 {p99:.2?}, recall@{LIMIT} {recall:.4}"
        );
    }
    Ok(())
}

fn exact(vectors: &[Vec<f32>], question: &[f32], group: Option<&str>) -> Vec<String> {
    let dot = |vector: &[f32]| vector.iter().zip(question).map(|(a, b)| a * b).sum::<f32>();
    let step = if group.is_some() { 100 } else { 1 };
    let mut scored: Vec<_> = (0..vectors.len())
        .step_by(step)
        .map(|n| (dot(&vectors[n]), n))
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored
        .iter()
        .take(LIMIT)
        .map(|(_, n)| format!("urn:coevo:docs:bench/{n}"))
        .collect()
}

/// The first 160 bytes, or a little less.
fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(160)]
}

fn read(path: &str, field: &str, limit: usize) -> Result<Vec<String>, Box<dyn Error>> {
    let text = |line: &str| -> Result<String, Box<dyn Error>> {
        let value: serde_json::Value = serde_json::from_str(line)?;
        Ok(value[field].as_str().ok_or("a line lacks its field")?.to_owned())
    };
    fs_err::read_to_string(path)?
        .lines()
        .take(limit)
        .map(text)
        .collect()
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let value = work();
    (value, start.elapsed())
}

fn per_second(n: usize, time: Duration) -> f64 {
    n as f64 / time.as_secs_f64()
}

/// Blocks in use under a directory; files of the store are larger than what they hold.
fn megabytes(dir: &std::path::Path) -> std::io::Result<String> {
    fn blocks(dir: &std::path::Path) -> std::io::Result<u64> {
        use std::os::unix::fs::MetadataExt;
        let mut sum = 0;
        for entry in fs_err::read_dir(dir)? {
            let entry = entry?;
            sum += if entry.file_type()?.is_dir() {
                blocks(&entry.path())?
            } else {
                entry.metadata()?.blocks()
            };
        }
        Ok(sum)
    }
    Ok(format!("{} MB", blocks(dir)? * 512 / 1_000_000))
}
