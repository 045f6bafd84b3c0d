//! Compression by content, not by name: [`Compression::of`] looks at the first bytes, [`decode`] puts the decoder on.
//!
//! Dumps are written by parallel compressors as many gzip members, bzip2 streams or zstd frames one after the other; all
//! of them are read, and an end in the middle of one is an error.

use std::io::{BufReader, Read};

/// How many leading bytes [`Compression::of`] wants to see.
pub(crate) const MAGIC_BYTES: usize = 10;

const BUFFER_BYTES: usize = 256 << 10;

/// A compression, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    Plain,
    Gzip,
    Bzip2,
    Zstd,
    Xz,
}

impl Compression {
    /// The compression of a stream that begins so.
    pub(crate) fn of(head: &[u8]) -> Self {
        let bzip2_block = head.get(4..10);
        match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            // A frame, or a skippable frame before it.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            // "BZh9" could begin a text: the block's (or the end's) own mark must follow.
            [b'B', b'Z', b'h', b'1'..=b'9', ..]
                if matches!(
                    bzip2_block,
                    Some([0x31, 0x41, 0x59, 0x26, 0x53, 0x59] | [0x17, 0x72, 0x45, 0x38, 0x50, 0x90])
                ) =>
            {
                Self::Bzip2
            }
            _ => Self::Plain,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
            Self::Zstd => "zstd",
            Self::Xz => "xz",
        }
    }
}

/// The extensions of compressed files, passed over when looking for a format's.
pub(crate) const EXTENSIONS: &[&str] = &["gz", "bz2", "zst", "xz"];

/// A reader of what was compressed; `None` when this compression cannot be read.
pub(crate) fn decode(
    compression: Compression,
    raw: impl Read + Send + 'static,
) -> std::io::Result<Option<Box<dyn Read + Send>>> {
    let raw = BufReader::with_capacity(BUFFER_BYTES, raw);
    Ok(Some(match compression {
        Compression::Plain => Box::new(raw),
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(raw)),
        Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(raw)),
        Compression::Zstd => Box::new(zstd::Decoder::with_buffer(raw)?),
        Compression::Xz => return Ok(None),
    }))
}

#[cfg(test)]
mod tests;
