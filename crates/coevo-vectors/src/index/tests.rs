#![expect(clippy::unwrap_used, reason = "tests")]

use std::process::Command;

use tempfile::TempDir;

use super::*;

fn identity(dimension: usize) -> EmbedderIdentity {
    EmbedderIdentity {
        model: "test".into(),
        sha256: "00".into(),
        tokenizer_sha256: "11".into(),
        dimension,
        prefix: String::new(),
        normalised: true,
        max_tokens: 256,
        pooling: "mean".into(),
    }
}

/// A point on the unit circle of a two-dimensional collection.
fn point(iri: &str, degrees: f32, group: &str, document: &str) -> Point {
    let (y, x) = degrees.to_radians().sin_cos();
    Point {
        iri: iri.into(),
        vector: vec![x, y],
        group: group.into(),
        document: document.into(),
    }
}

fn sample(dir: &Path) -> VectorIndex {
    let index = VectorIndex::open(dir, "passages", &identity(2)).unwrap();
    index
        .upsert(vec![
            point("urn:p:a1", 0.0, "urn:g:x", "urn:d:a"),
            point("urn:p:a2", 60.0, "urn:g:x", "urn:d:a"),
            point("urn:p:b1", 90.0, "urn:g:y", "urn:d:b"),
            point("urn:p:b2", 180.0, "urn:g:y", "urn:d:b"),
        ])
        .unwrap();
    index
}

fn check_search(
    index: &VectorIndex,
    degrees: f32,
    limit: usize,
    group: Option<&str>,
    expected: &[(&str, f32)],
) {
    let query = point("", degrees, "", "").vector;
    let hits = index.search(&query, limit, group).unwrap();
    let found: Vec<_> = hits.iter().map(|hit| hit.iri.as_str()).collect();
    assert_eq!(
        found,
        expected.iter().map(|(iri, _)| *iri).collect::<Vec<_>>(),
        "{degrees}° in {group:?}"
    );
    for (hit, (_, score)) in hits.iter().zip(expected) {
        assert!((hit.score - score).abs() < 1e-6, "{hit:?}, expected {score}");
    }
}

#[test]
fn nearest_come_first() {
    let dir = TempDir::new().unwrap();
    let index = sample(dir.path());
    check_search(
        &index,
        0.0,
        10,
        None,
        &[
            ("urn:p:a1", 1.0),
            ("urn:p:a2", 0.5),
            ("urn:p:b1", 0.0),
            ("urn:p:b2", -1.0),
        ],
    );
    check_search(&index, 60.0, 1, None, &[("urn:p:a2", 1.0)]);
    check_search(
        &index,
        0.0,
        10,
        Some("urn:g:y"),
        &[("urn:p:b1", 0.0), ("urn:p:b2", -1.0)],
    );
    check_search(&index, 0.0, 10, Some("urn:g:none"), &[]);
    check_search(&index, 0.0, 0, None, &[]);
    // Equally near: by IRI.
    check_search(
        &index,
        30.0,
        2,
        None,
        &[("urn:p:a1", 0.866_025_4), ("urn:p:a2", 0.866_025_4)],
    );
}

#[test]
fn an_empty_collection_has_no_hits() {
    let dir = TempDir::new().unwrap();
    let index = VectorIndex::open(dir.path(), "empty", &identity(2)).unwrap();
    check_search(&index, 0.0, 5, None, &[]);
    assert_eq!(index.count().unwrap(), 0);
    index.upsert(Vec::new()).unwrap();
    index.optimize().unwrap();
    assert_eq!(index.count().unwrap(), 0);
}

#[test]
fn the_same_iri_is_the_same_point() {
    let dir = TempDir::new().unwrap();
    let index = sample(dir.path());
    index
        .upsert(vec![point("urn:p:a1", 180.0, "urn:g:z", "urn:d:c")])
        .unwrap();
    assert_eq!(index.count().unwrap(), 4);
    check_search(&index, 180.0, 1, Some("urn:g:z"), &[("urn:p:a1", 1.0)]);
    assert_eq!(index.document_iris("urn:d:a").unwrap(), ["urn:p:a2"]);
}

#[test]
fn missing_are_those_without_a_point() {
    let dir = TempDir::new().unwrap();
    let index = sample(dir.path());
    assert_eq!(
        index
            .missing(&["urn:p:q", "urn:p:b1", "urn:p:r", "urn:p:q"])
            .unwrap(),
        [0, 2, 3]
    );
    assert!(index.missing::<&str>(&[]).unwrap().is_empty());
    assert!(index.contains("urn:p:a1").unwrap() && !index.contains("urn:p:").unwrap());
}

#[test]
fn deleting_a_document_takes_its_points_only() {
    let dir = TempDir::new().unwrap();
    let index = sample(dir.path());
    assert_eq!(index.document_iris("urn:d:b").unwrap(), ["urn:p:b1", "urn:p:b2"]);
    assert_eq!(index.delete_document("urn:d:b").unwrap(), 2);
    assert_eq!(index.delete_document("urn:d:b").unwrap(), 0);
    assert!(index.document_iris("urn:d:b").unwrap().is_empty());
    check_search(
        &index,
        90.0,
        10,
        None,
        &[("urn:p:a2", 0.866_025_4), ("urn:p:a1", 0.0)],
    );
}

#[test]
fn wrong_vectors_write_nothing() {
    let dir = TempDir::new().unwrap();
    let index = sample(dir.path());
    let good = point("urn:p:good", 5.0, "g", "d");
    let long = Point {
        vector: vec![1.0; 3],
        ..point("urn:p:long", 0.0, "g", "d")
    };
    let error = index.upsert(vec![good.clone(), long]).unwrap_err();
    assert!(
        matches!(&error, Error::Dimension { what, expected: 2, found: 3, .. } if what == "urn:p:long"),
        "{error}"
    );
    let nan = Point {
        vector: vec![f32::NAN, 0.0],
        ..point("urn:p:nan", 0.0, "g", "d")
    };
    assert!(
        matches!(index.upsert(vec![good, nan]).unwrap_err(), Error::NotFinite { what } if what == "urn:p:nan")
    );
    assert_eq!(index.count().unwrap(), 4);
    assert!(matches!(
        index.search(&[1.0], 1, None).unwrap_err(),
        Error::Dimension { found: 1, .. }
    ));
}

#[test]
fn what_was_written_is_there_when_reopened() {
    let dir = TempDir::new().unwrap();
    drop(sample(dir.path()));
    let index = VectorIndex::open(dir.path(), "passages", &identity(2)).unwrap();
    assert_eq!(index.delete_document("urn:d:b").unwrap(), 2);
    index.optimize().unwrap();
    index
        .upsert(vec![point("urn:p:c1", 90.0, "urn:g:z", "urn:d:c")])
        .unwrap();
    drop(index);
    let index = VectorIndex::open(dir.path(), "passages", &identity(2)).unwrap();
    check_search(
        &index,
        90.0,
        10,
        None,
        &[("urn:p:c1", 1.0), ("urn:p:a2", 0.866_025_4), ("urn:p:a1", 0.0)],
    );
}

/// Run by the next test in a process of its own; alone it does nothing.
#[test]
fn child_writes_and_is_killed() {
    let Some(dir) = std::env::var_os("COEVO_TEST_KILLED_IN") else {
        return;
    };
    let index = sample(Path::new(&dir));
    index.delete_document("urn:d:a").unwrap();
    index
        .upsert(vec![point("urn:p:c1", 45.0, "urn:g:z", "urn:d:c")])
        .unwrap();
    // No destructor runs, as with SIGKILL.
    std::process::abort();
}

#[test]
fn what_was_written_survives_a_kill() {
    let dir = TempDir::new().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "index::tests::child_writes_and_is_killed"]);
    let output = child.env("COEVO_TEST_KILLED_IN", dir.path()).output().unwrap();
    assert!(!output.status.success(), "{output:?}");
    let index = VectorIndex::open(dir.path(), "passages", &identity(2)).unwrap();
    assert_eq!(
        index
            .missing(&["urn:p:a1", "urn:p:a2", "urn:p:b1", "urn:p:b2", "urn:p:c1"])
            .unwrap(),
        [0, 1]
    );
    check_search(&index, 45.0, 1, Some("urn:g:z"), &[("urn:p:c1", 1.0)]);
}

#[test]
fn a_collection_is_open_once() {
    let dir = TempDir::new().unwrap();
    let index = sample(dir.path());
    let error = VectorIndex::open(dir.path(), "passages", &identity(2)).unwrap_err();
    assert!(
        matches!(&error, Error::InUse { collection, .. } if collection == "passages"),
        "{error}"
    );
    assert!(error.hint().is_some());
    VectorIndex::open(dir.path(), "claims", &identity(2)).unwrap();
    let clone = index.clone();
    drop(index);
    assert!(VectorIndex::open(dir.path(), "passages", &identity(2)).is_err());
    drop(clone);
    VectorIndex::open(dir.path(), "passages", &identity(2)).unwrap();
}

#[test]
fn vectors_of_another_embedder_are_refused() {
    let dir = TempDir::new().unwrap();
    let stored = sample(dir.path()).dir().to_owned();
    for other in [
        identity(3),
        EmbedderIdentity {
            sha256: "22".into(),
            ..identity(2)
        },
    ] {
        let error = VectorIndex::open(dir.path(), "passages", &other).unwrap_err();
        assert!(
            matches!(&error, Error::OtherEmbedder { dir, .. } if *dir == stored),
            "{error}"
        );
    }
    // The refused openings left nothing behind.
    assert_eq!(fs_err::read_dir(dir.path()).unwrap().count(), 1);
}

/// `identity.json` as version 1 wrote it; files like this exist.
const IDENTITY_V1: &str = r#"{
  "version": 1,
  "collection": "passages",
  "embedder": {
    "model": "test",
    "sha256": "00",
    "tokenizer_sha256": "11",
    "dimension": 2,
    "prefix": "",
    "normalised": true,
    "max_tokens": 256,
    "pooling": "mean"
  }
}
"#;

#[test]
fn the_identity_file_has_format_1() {
    let dir = TempDir::new().unwrap();
    let path = sample(dir.path()).dir().join("identity.json");
    assert_eq!(fs_err::read_to_string(path).unwrap(), IDENTITY_V1);
}

fn check_identity_file(text: &str, check: impl FnOnce(&Error) -> bool) {
    let dir = TempDir::new().unwrap();
    let path = sample(dir.path()).dir().join("identity.json");
    fs_err::write(&path, text).unwrap();
    let error = VectorIndex::open(dir.path(), "passages", &identity(2)).unwrap_err();
    assert!(check(&error), "{error}");
    assert!(
        error.to_string().contains("identity.json") || matches!(error, Error::OtherEmbedder { .. }),
        "{error}"
    );
    assert!(error.hint().is_some());
}

#[test]
fn a_damaged_or_newer_identity_file_is_named() {
    check_identity_file("", |error| matches!(error, Error::Damaged { .. }));
    check_identity_file("{\"version\": 1}", |error| matches!(error, Error::Damaged { .. }));
    check_identity_file("{\"version\": 2, \"new\": []}", |error| {
        matches!(
            error,
            Error::FormatVersion {
                found: 2,
                supported: 1,
                ..
            }
        )
    });
    check_identity_file(&IDENTITY_V1.replace("passages", "claims"), |error| {
        matches!(error, Error::Damaged { .. })
    });
    check_identity_file(&IDENTITY_V1.replace("\"00\"", "\"99\""), |error| {
        matches!(error, Error::OtherEmbedder { .. })
    });
}

#[test]
fn a_file_in_the_way_is_an_error() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("file");
    fs_err::write(&file, "").unwrap();
    let error = VectorIndex::open(&file, "passages", &identity(2)).unwrap_err();
    assert!(error.to_string().contains(&file.display().to_string()), "{error}");
}

#[test]
fn a_full_disk_is_said_before_anything_is_written() {
    let dir = TempDir::new().unwrap();
    let index = sample(dir.path());
    space::require(index.dir(), 1).unwrap();
    let error = space::require(index.dir(), u64::MAX).unwrap_err();
    assert!(
        matches!(error, Error::DiskFull { needed: u64::MAX, .. }) && error.hint().is_some(),
        "{error}"
    );
    // 64 MB, and for each point of 384 numbers four times 2,560 bytes.
    assert_eq!(space::of_points(0, 384), 67_108_864);
    assert_eq!(space::of_points(1_000, 384), 67_108_864 + 10_240_000);
    assert!(space::of_rewrite(index.dir()).unwrap() > 67_108_864);
}

#[test]
fn every_name_has_a_directory_of_its_own() {
    let dir = TempDir::new().unwrap();
    let names = [
        "passages",
        "Passages",
        "passages-2",
        "../up",
        "a/b",
        "",
        "naïve",
        "päßages",
        &"long".repeat(100),
    ];
    let indexes: Vec<_> = names
        .iter()
        .map(|name| VectorIndex::open(dir.path(), name, &identity(2)).unwrap())
        .collect();
    for index in &indexes {
        assert_eq!(index.dir().parent(), Some(dir.path()), "{}", index.collection());
    }
    assert_eq!(fs_err::read_dir(dir.path()).unwrap().count(), names.len());
}

#[test]
fn writers_and_readers_meet_without_harm() {
    let dir = TempDir::new().unwrap();
    let index = sample(dir.path());
    std::thread::scope(|scope| {
        for writer in 0..3 {
            let index = &index;
            scope.spawn(move || {
                for n in 0..10_u8 {
                    let (iri, document) = (format!("urn:w:{writer}:{n}"), format!("urn:d:{writer}"));
                    index
                        .upsert(vec![point(&iri, f32::from(n), "urn:g:w", &document)])
                        .unwrap();
                }
                index.optimize().unwrap();
                index.flush().unwrap();
            });
            scope.spawn(move || {
                for _ in 0..20 {
                    assert!(index.search(&[1.0, 0.0], 3, None).unwrap().len() == 3);
                }
            });
        }
    });
    assert_eq!(index.count().unwrap(), 34);
}

#[test]
fn the_log_of_writes_does_not_stay() {
    let dir = TempDir::new().unwrap();
    let index = VectorIndex::open(dir.path(), "big", &identity(256)).unwrap();
    let big = |n: usize| {
        let mut vector = vec![0.1; 256];
        vector[n % 256] = 1.0;
        Point {
            iri: format!("urn:p:{n}"),
            vector,
            group: "g".into(),
            document: "d".into(),
        }
    };
    let log_parts = || fs_err::read_dir(index.dir().join("shard/wal")).unwrap().count();
    let mut after = Vec::new();
    for round in 0..2 {
        for part in round * 16..(round + 1) * 16 {
            index
                .upsert((part * 1_024..(part + 1) * 1_024).map(big).collect())
                .unwrap();
        }
        index.optimize().unwrap();
        after.push(log_parts());
    }
    assert!(
        after[0] <= 3 && after[1] <= 3,
        "parts of the log after each round: {after:?}"
    );
    assert_eq!(index.count().unwrap(), 32_768);
    // Numbering goes on: a new write is newer than what it replaces.
    index
        .upsert(vec![Point {
            document: "e".into(),
            ..big(7)
        }])
        .unwrap();
    assert_eq!(index.document_iris("e").unwrap(), ["urn:p:7"]);
    assert_eq!(index.document_iris("d").unwrap().len(), 32_767);
}
