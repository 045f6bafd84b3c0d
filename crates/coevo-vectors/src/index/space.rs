//! Room on the disk, asked for before each write: the store maps files into memory and is killed (SIGBUS) where a page of them
//! finds no room, so a full disk has to be an error before that. Another program may still fill it in between.

use std::path::Path;

use crate::{Error, Result};

/// What must always be free: a part of the log, and one file of vectors, which grow ahead of what is in them.
pub(super) const RESERVE: u64 = 64 << 20;

/// Enough to delete points.
pub(super) const SMALL_RESERVE: u64 = 16 << 20;

/// Room for new points: vector, fields and indexes, in the log and in place.
pub(super) fn of_points(n_points: usize, dimension: usize) -> u64 {
    let each = 4 * (4 * dimension as u64 + 1_024);
    RESERVE.saturating_add(each.saturating_mul(n_points as u64))
}

/// Room to rewrite everything once, which leaves the old files until the new ones are complete.
pub(super) fn of_rewrite(dir: &Path) -> Result<u64> {
    Ok(RESERVE.saturating_add(2 * size_of_tree(dir)?))
}

/// [`Error::DiskFull`] unless so many bytes are free where `dir` is.
pub(super) fn require(dir: &Path, needed: u64) -> Result<()> {
    let free = fs4::available_space(dir)?;
    if free >= needed {
        return Ok(());
    }
    Err(Error::DiskFull {
        dir: dir.to_owned(),
        free,
        needed,
    })
}

fn size_of_tree(dir: &Path) -> Result<u64> {
    let mut sum = 0;
    for entry in fs_err::read_dir(dir)? {
        let entry = entry?;
        sum += if entry.file_type()?.is_dir() {
            size_of_tree(&entry.path())?
        } else {
            size_on_disk(&entry.metadata()?)
        };
    }
    Ok(sum)
}

/// Blocks in use: files are sparse.
#[cfg(unix)]
fn size_on_disk(metadata: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::blocks(metadata) * 512
}

#[cfg(not(unix))]
fn size_on_disk(metadata: &std::fs::Metadata) -> u64 {
    metadata.len()
}
