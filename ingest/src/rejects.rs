//! Records set aside: [`Rejects`] writes one JSON line each to `<location>/rejects/<job>.jsonl`. The file is made with the
//! first reject; of an input that fails, nothing stays in it.

use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;

use fs_err::File;

use crate::error::Result;

/// Bytes of a record that are kept.
const MAX_RECORD_BYTES: usize = 2048;
/// Rejects written for one run; more are counted only, so that a wrong file cannot fill the disk.
const MAX_WRITTEN: u64 = 1_000_000;

/// One record that was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reject {
    /// Line, from 1.
    pub(crate) line: u64,
    /// Byte offset in the decompressed input, from 0.
    pub(crate) offset: u64,
    /// Why.
    pub(crate) reason: String,
    /// The record, cut (see [`shown`]); empty where the parser has passed it already.
    pub(crate) record: String,
}

/// A record as kept: cut, and readable whatever its bytes.
pub(crate) fn shown(record: &[u8]) -> String {
    let cut = &record[..record.len().min(MAX_RECORD_BYTES)];
    String::from_utf8_lossy(cut)
        .trim_end_matches(['\r', '\n'])
        .to_owned()
}

/// The rejects file of one run.
pub(crate) struct Rejects {
    path: PathBuf,
    file: Option<BufWriter<File>>,
    n_written: u64,
    /// Where the current input begins: file length and number written.
    mark: (u64, u64),
}

impl Rejects {
    /// Of a run whose file would be `path`.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self {
            path,
            file: None,
            n_written: 0,
            mark: (0, 0),
        }
    }

    pub(crate) fn write(&mut self, input: &str, reject: &Reject) -> Result<()> {
        if self.n_written >= MAX_WRITTEN {
            return Ok(());
        }
        let file = if let Some(file) = &mut self.file {
            file
        } else {
            if let Some(dir) = self.path.parent() {
                fs_err::create_dir_all(dir)?;
            }
            self.file.insert(BufWriter::new(File::create(&self.path)?))
        };
        let line = serde_json::json!({
            "input": input,
            "line": reject.line,
            "offset": reject.offset,
            "reason": reject.reason,
            "record": reject.record,
        });
        writeln!(file, "{line}")?;
        self.n_written += 1;
        Ok(())
    }

    /// The current input is in: its rejects stay.
    pub(crate) fn keep(&mut self) -> Result<()> {
        if let Some(file) = &mut self.file {
            file.flush()?;
            self.mark = (file.stream_position()?, self.n_written);
        }
        Ok(())
    }

    /// The current input failed: its rejects go.
    pub(crate) fn discard(&mut self) -> Result<()> {
        let (length, n_written) = self.mark;
        if let Some(mut file) = self.file.take() {
            file.flush()?;
            if length == 0 {
                drop(file);
                fs_err::remove_file(&self.path)?;
            } else {
                file.get_ref().set_len(length)?;
                file.seek(SeekFrom::Start(length))?;
                self.file = Some(file);
            }
        }
        self.n_written = n_written;
        Ok(())
    }

    /// The file, if there is one.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        self.file.as_ref().map(|_| self.path.clone())
    }
}
