#![expect(clippy::unwrap_used, reason = "tests")]

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::OnceLock;

use super::*;

/// The directory of the model, or `None`, said aloud, where the files are absent and `COEVO_REQUIRE_MODELS` is not 1.
fn model_dir() -> Option<PathBuf> {
    let models = std::env::var_os("COEVO_MODELS_DIR").map(PathBuf::from);
    let models =
        models.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache/coevo-models")));
    let dir = models.map(|models| models.join("minilm"));
    if let Some(dir) = dir.clone().filter(|dir| dir.join(files::WEIGHTS.name).exists()) {
        return Some(dir);
    }
    let required = std::env::var_os("COEVO_REQUIRE_MODELS").is_some_and(|value| value == "1");
    assert!(
        !required,
        "COEVO_REQUIRE_MODELS=1, but there is no model in {dir:?}: run scripts/fetch-models.sh embedder"
    );
    // Straight to stderr: the test harness would swallow eprintln! of a passing test.
    let _ = writeln!(
        std::io::stderr(),
        "SKIPPED, embedding model absent ({dir:?}); run scripts/fetch-models.sh embedder: {:?}",
        thread::current().name()
    );
    None
}

fn embedder() -> Option<&'static Embedder> {
    static LOADED: OnceLock<Option<Embedder>> = OnceLock::new();
    LOADED
        .get_or_init(|| Some(Embedder::load(&model_dir()?).unwrap()))
        .as_ref()
}

struct Reference {
    kind: String,
    text: String,
    vector: Vec<f32>,
}

/// See the README beside the files.
fn references() -> Vec<Reference> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/embedding");
    let numbers = fs_err::read(dir.join("vectors.f32")).unwrap();
    let texts = fs_err::read_to_string(dir.join("texts.jsonl")).unwrap();
    let vectors = numbers.chunks_exact(4 * identity::DIMENSION);
    assert_eq!(texts.lines().count(), vectors.len());
    let reference = |(line, bytes): (&str, &[u8])| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| line[name].as_str().unwrap().to_owned();
        let vector = bytes
            .as_chunks()
            .0
            .iter()
            .map(|four| f32::from_le_bytes(*four))
            .collect();
        Reference {
            kind: text("kind"),
            text: text("text"),
            vector,
        }
    };
    texts.lines().zip(vectors).map(reference).collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| {
        a.iter()
            .zip(b)
            .map(|(x, y)| f64::from(*x) * f64::from(*y))
            .sum::<f64>()
    };
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

fn check_agreement(kind: &str, n_texts: usize) {
    let Some(embedder) = embedder() else { return };
    let references: Vec<_> = references()
        .into_iter()
        .filter(|reference| reference.kind == kind)
        .collect();
    let texts: Vec<_> = references
        .iter()
        .map(|reference| reference.text.as_str())
        .collect();
    assert_eq!(texts.len(), n_texts);
    for (vector, reference) in embedder.embed(&texts).unwrap().iter().zip(&references) {
        let cosine = cosine(vector, &reference.vector);
        // Both are float32 of the same weights; 0.999 is the promise, this is what it keeps.
        assert!(cosine >= 0.999_999, "{cosine} for {:?}", reference.text);
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        assert!((length - 1.0).abs() < 1e-5, "{length} for {:?}", reference.text);
    }
}

#[test]
fn sentences_agree_with_the_reference() {
    check_agreement("sentence", 100);
}

#[test]
fn long_passages_are_cut_where_the_reference_cuts() {
    check_agreement("passage", 6);
}

#[test]
fn empty_and_foreign_texts_agree_with_the_reference() {
    check_agreement("edge", 10);
}

#[test]
fn a_vector_does_not_depend_on_its_batch() {
    let Some(embedder) = embedder() else { return };
    let texts: Vec<_> = references().into_iter().map(|reference| reference.text).collect();
    let together = embedder
        .embed(&texts.iter().map(String::as_str).collect::<Vec<_>>())
        .unwrap();
    for at in [0, 57, 100, 106, 110] {
        let alone = embedder.embed(&[&texts[at]]).unwrap().remove(0);
        assert!(cosine(&alone, &together[at]) > 0.999_999, "text {at}");
    }
    assert!(embedder.embed(&[]).unwrap().is_empty());
}

#[test]
fn meaning_decides_nearness() {
    let Some(embedder) = embedder() else { return };
    let vectors = embedder
        .embed(&[
            "Where was Marie Curie born?",
            "Curie's birthplace is Warsaw.",
            "Bread is baked from flour.",
        ])
        .unwrap();
    assert!(cosine(&vectors[0], &vectors[1]) > 0.5);
    assert!(cosine(&vectors[0], &vectors[2]) < 0.2);
}

#[test]
fn a_text_of_megabytes_is_its_beginning() {
    let Some(embedder) = embedder() else { return };
    let long = "word ".repeat(2_000_000);
    let vectors = embedder.embed(&[&long, &"word ".repeat(254)]).unwrap();
    assert!(cosine(&vectors[0], &vectors[1]) > 0.999_999);
}

#[tokio::test]
async fn async_calls_give_the_same() {
    let Some(embedder) = embedder() else { return };
    let calls: Vec<_> = (0..6)
        .map(|n| {
            tokio::spawn({
                let embedder = embedder.clone();
                async move { embedder.embed_async(vec![format!("text number {n}")]).await }
            })
        })
        .collect();
    for (n, call) in calls.into_iter().enumerate() {
        let vectors = call.await.unwrap().unwrap();
        assert_eq!(vectors, embedder.embed(&[&format!("text number {n}")]).unwrap());
    }
}

#[test]
fn identity_names_what_decides_a_vector() {
    let identity = identity::minilm();
    assert_eq!(
        identity.to_string(),
        format!("all-MiniLM-L6-v2 (384 dimensions, {})", identity.fingerprint())
    );
    let others = [
        EmbedderIdentity {
            prefix: "query: ".into(),
            ..identity.clone()
        },
        EmbedderIdentity {
            max_tokens: 128,
            ..identity.clone()
        },
        EmbedderIdentity {
            normalised: false,
            ..identity.clone()
        },
        EmbedderIdentity {
            sha256: identity.tokenizer_sha256.clone(),
            ..identity.clone()
        },
    ];
    for other in others {
        assert_ne!(other.fingerprint(), identity.fingerprint(), "{other:?}");
    }
}

#[test]
fn another_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let error = Embedder::load(dir.path()).unwrap_err();
    assert!(
        matches!(&error, Error::ModelMissing { path } if path.ends_with("tokenizer.json")),
        "{error}"
    );
    assert!(error.hint().unwrap().contains("scripts/fetch-models.sh"));

    fs_err::write(dir.path().join("tokenizer.json"), "abc").unwrap();
    let error = Embedder::load(dir.path()).unwrap_err();
    // The SHA-256 of "abc" is FIPS 180's first example.
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert!(
        matches!(&error, Error::WrongModel { found, .. } if found == abc),
        "{error}"
    );
    let tokenizer = dir.path().join("tokenizer.json").display().to_string();
    assert!(error.to_string().contains(&tokenizer) && error.to_string().contains(files::TOKENIZER.sha256));
}

fn check_batches(lengths: &[usize], max_tokens: usize, expected: &[&[usize]]) {
    assert_eq!(
        batches::by_length(lengths, max_tokens),
        expected,
        "{lengths:?} within {max_tokens}"
    );
}

#[test]
fn batches_are_of_like_length_and_bounded() {
    check_batches(&[], 100, &[]);
    check_batches(&[5], 100, &[&[0]]);
    // Two of length 3 are 6 tokens; with the 9 it would be 27.
    check_batches(&[3, 9, 3], 10, &[&[0, 2], &[1]]);
    // A text over the bound is alone.
    check_batches(&[50, 2, 60], 10, &[&[1], &[0], &[2]]);
    check_batches(&[4, 4, 4, 4, 4], 8, &[&[0, 1], &[2, 3], &[4]]);
}

fn check_pooling(states: &[f32], expected: &[f32]) {
    assert_eq!(pooling::unit_mean(states, 2), expected, "{states:?}");
}

#[test]
fn pooling_is_the_mean_scaled_to_one() {
    check_pooling(&[3.0, 4.0], &[0.6, 0.8]);
    check_pooling(&[6.0, 0.0, 0.0, 8.0], &[0.6, 0.8]);
    check_pooling(&[1.0, 1.0, -1.0, -1.0], &[0.0, 0.0]);
    check_pooling(&[], &[0.0, 0.0]);
}
