//! The model's files and their hashes: a file with another content is refused.

use std::io::ErrorKind;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::{Error, Result};

pub(super) struct ModelFile {
    pub(super) name: &'static str,
    pub(super) sha256: &'static str,
}

/// As published at `sentence-transformers/all-MiniLM-L6-v2`.
pub(super) const WEIGHTS: ModelFile = ModelFile {
    name: "model.safetensors",
    sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
};

/// As published there too.
pub(super) const TOKENIZER: ModelFile = ModelFile {
    name: "tokenizer.json",
    sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
};

/// The whole file, if its hash is the expected one.
pub(super) fn read_checked(path: &Path, expected: &str) -> Result<Vec<u8>> {
    let bytes = fs_err::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::ModelMissing {
            path: path.to_owned(),
        },
        _ => Error::Io(error),
    })?;
    let found = hex(&Sha256::digest(&bytes));
    if found == expected {
        return Ok(bytes);
    }
    Err(Error::WrongModel {
        path: path.to_owned(),
        expected: expected.into(),
        found,
    })
}

fn hex(digest: &[u8]) -> String {
    use std::fmt::Write as _;
    digest
        .iter()
        .fold(String::with_capacity(2 * digest.len()), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}
