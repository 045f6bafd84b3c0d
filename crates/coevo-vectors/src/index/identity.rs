//! Whose vectors a directory holds: its name, `identity.json` in it, and the lock on it.
//!
//! `<collection>-<fingerprint>/` holds `identity.json`, `lock` and `shard/`. The file is written before the first vector and is
//! what counts; the name only keeps collections apart. A collection that exists with another embedder is an error, not a second
//! empty collection: otherwise every search would find nothing and not say why.

use std::fs::TryLockError;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{EmbedderIdentity, Error, Result};

const FILE: &str = "identity.json";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Stored {
    version: u32,
    collection: String,
    embedder: EmbedderIdentity,
}

/// Only this much is read of a file of unknown version.
#[derive(Deserialize)]
struct StoredVersion {
    version: u32,
}

/// The directory of a collection under `root`, made if there is none, once its identity is known to be `expected`.
pub(super) fn claim(root: &Path, collection: &str, expected: &EmbedderIdentity) -> Result<PathBuf> {
    fs_err::create_dir_all(root)?;
    let own = root.join(dir_name(collection, expected));
    if own.join(FILE).exists() {
        let stored = read(&own.join(FILE))?;
        if stored.collection == collection && stored.embedder == *expected {
            return Ok(own);
        }
    }
    for dir in dirs_of(root, collection)? {
        let path = dir.join(FILE);
        if !path.exists() {
            continue;
        }
        let stored = read(&path)?;
        if stored.collection != collection {
            let reason = format!("it is of collection '{}', not '{collection}'", stored.collection);
            return Err(Error::Damaged { path, reason });
        }
        if stored.embedder != *expected {
            let (expected, found) = (expected.to_string(), stored.embedder.to_string());
            return Err(Error::OtherEmbedder {
                collection: collection.to_owned(),
                dir,
                expected,
                found,
            });
        }
    }
    fs_err::create_dir_all(&own)?;
    let stored = Stored {
        version: VERSION,
        collection: collection.to_owned(),
        embedder: expected.clone(),
    };
    write(&own.join(FILE), &stored)?;
    Ok(own)
}

/// Locks the directory until the file is dropped.
pub(super) fn lock(dir: &Path, collection: &str) -> Result<fs_err::File> {
    let file = fs_err::OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(dir.join("lock"))?;
    match file.file().try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::InUse {
            collection: collection.to_owned(),
            dir: dir.to_owned(),
        }),
        Err(TryLockError::Error(error)) => Err(Error::Io(error)),
    }
}

/// `passages-0123456789ab`. Names that are not plain lower-case words get a hash, so that no two share a directory.
fn dir_name(collection: &str, identity: &EmbedderIdentity) -> String {
    format!("{}-{}", slug(collection), identity.fingerprint())
}

fn slug(collection: &str) -> String {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !collection.is_empty() && collection.len() <= 64 && collection.chars().all(plain) {
        return collection.to_owned();
    }
    let head: String = collection
        .chars()
        .take(32)
        .map(|c| if plain(c) { c } else { '_' })
        .collect();
    let hash = blake3::hash(collection.as_bytes()).to_hex();
    // The hyphen keeps these apart from plain names.
    format!("{head}-{}", &hash[..12])
}

/// Directories under `root` whose name is this collection's, whatever the embedder.
fn dirs_of(root: &Path, collection: &str) -> Result<Vec<PathBuf>> {
    let prefix = format!("{}-", slug(collection));
    let mut dirs = Vec::new();
    for entry in fs_err::read_dir(root)? {
        let entry = entry?;
        let name = entry.file_name();
        let fingerprint = name.to_str().and_then(|name| name.strip_prefix(&prefix));
        if fingerprint.is_some_and(|rest| rest.len() == 12 && !rest.contains('-')) {
            dirs.push(entry.path());
        }
    }
    dirs.sort();
    Ok(dirs)
}

fn read(path: &Path) -> Result<Stored> {
    let text = fs_err::read(path)?;
    let damaged = |error: serde_json::Error| Error::Damaged {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    let StoredVersion { version } = serde_json::from_slice(&text).map_err(damaged)?;
    if version != VERSION {
        return Err(Error::FormatVersion {
            path: path.to_owned(),
            found: version,
            supported: VERSION,
        });
    }
    serde_json::from_slice(&text).map_err(damaged)
}

/// Whole or not at all.
fn write(path: &Path, stored: &Stored) -> Result<()> {
    let aside = path.with_extension("json.new");
    let mut text = serde_json::to_vec_pretty(stored).map_err(std::io::Error::from)?;
    text.push(b'\n');
    fs_err::write(&aside, text)?;
    fs_err::File::open(&aside)?.sync_all()?;
    fs_err::rename(&aside, path)?;
    Ok(())
}
