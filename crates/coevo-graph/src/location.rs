//! The data directory: [`Location`], locked while it is alive. One process owns a directory; a second one learns who
//! holds it. Does not open any store.

use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fs::TryLockError;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Version of the directory's layout.
const FORMAT: u32 = 1;
const MARKER: &str = "coevo.json";

/// A data directory that this process owns: `{coevo.json, lock, store/, labels/, vectors/, traces/, rejects/}`.
#[derive(Debug)]
pub struct Location {
    dir: PathBuf,
    _lock: std::fs::File,
}

/// Who holds a directory, as written into its lock file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Process id.
    pub pid: u32,
    /// What it does: `serve on 127.0.0.1:7878`, `ingest`, …
    pub purpose: String,
}

#[derive(Serialize, Deserialize)]
struct Marker {
    format: u32,
    created_by: String,
}

impl Location {
    /// Makes `dir` a data directory. A directory that is one already stays as it is; one that holds anything else is
    /// refused.
    pub fn init(dir: &Path) -> Result<()> {
        let marker = dir.join(MARKER);
        if marker.exists() {
            return Ok(());
        }
        fs_err::create_dir_all(dir)?;
        if fs_err::read_dir(dir)?.next().is_some() {
            return Err(Error::NotEmpty(dir.to_owned()));
        }
        let text = serde_json::json!(Marker {
            format: FORMAT,
            created_by: env!("CARGO_PKG_VERSION").to_owned()
        });
        let staged = dir.join("coevo.json.new");
        fs_err::write(&staged, format!("{text}\n"))?;
        fs_err::rename(staged, marker)?;
        Ok(())
    }

    /// Opens and locks `dir` for `purpose` (shown to whoever finds it locked).
    pub fn open(dir: &Path, purpose: &str) -> Result<Self> {
        check_marker(dir)?;
        let path = dir.join("lock");
        let mut lock = fs_err::OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)?
            .into_parts()
            .0;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::LockHeld {
                    dir: dir.to_owned(),
                    holder: read_holder(&mut lock),
                });
            }
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let holder = Holder {
            pid: std::process::id(),
            purpose: purpose.to_owned(),
        };
        lock.set_len(0)?;
        lock.seek(SeekFrom::Start(0))?;
        lock.write_all(serde_json::json!(holder).to_string().as_bytes())?;
        Ok(Self {
            dir: dir.to_owned(),
            _lock: lock,
        })
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// Where the triples are.
    pub fn store_dir(&self) -> PathBuf {
        self.dir.join("store")
    }

    /// Where the label index is.
    pub fn labels_dir(&self) -> PathBuf {
        self.dir.join("labels")
    }

    /// Where the vectors are.
    pub fn vectors_dir(&self) -> PathBuf {
        self.dir.join("vectors")
    }

    /// Where the traces of answers are.
    pub fn traces_dir(&self) -> PathBuf {
        self.dir.join("traces")
    }

    /// Where rejected records are.
    pub fn rejects_dir(&self) -> PathBuf {
        self.dir.join("rejects")
    }
}

fn check_marker(dir: &Path) -> Result<()> {
    let path = dir.join(MARKER);
    let text = match fs_err::read_to_string(&path) {
        Ok(text) => text,
        Err(error)
            if matches!(
                error.kind(),
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
            ) =>
        {
            return Err(Error::NotInitialised(dir.to_owned()));
        }
        Err(error) => return Err(error.into()),
    };
    let marker: Marker = serde_json::from_str(&text).map_err(|error| Error::DamagedMarker {
        path,
        reason: error.to_string(),
    })?;
    if marker.format > FORMAT {
        return Err(Error::NewerFormat {
            dir: dir.to_owned(),
            found: marker.format,
            supported: FORMAT,
        });
    }
    Ok(())
}

fn read_holder(lock: &mut std::fs::File) -> String {
    let mut text = String::new();
    let read = lock.take(4096).read_to_string(&mut text);
    match (read, serde_json::from_str::<Holder>(&text)) {
        (Ok(_), Ok(holder)) => format!("process {} ({})", holder.pid, holder.purpose),
        _ => "another process".to_owned(),
    }
}

#[cfg(test)]
mod tests;
