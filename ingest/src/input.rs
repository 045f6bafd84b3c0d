//! Inputs: [`Source`] (a file or standard input with its format, checked before anything is loaded) and [`Opened`] (the
//! decompressed stream of one, which counts and hashes the raw bytes as they pass).

use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::compression::{Compression, EXTENSIONS, MAGIC_BYTES, decode};
use crate::error::{Error, Result};
use crate::report::{IngestRequest, Input};

const HASH_BUFFER_BYTES: usize = 1 << 20;
/// How much of standard input names its blank nodes (see [`Opened::seed`]).
const STDIN_SEED_BYTES: usize = 1 << 20;

/// Gives standard input, or in tests something in its place.
pub(crate) type OpenStdin<'a> = &'a dyn Fn() -> Box<dyn Read + Send>;

/// One input, checked: it exists, is a file, is not empty, and has a format that the profile reads.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// As given; `-` for standard input.
    pub(crate) name: String,
    /// `None`: standard input.
    pub(crate) path: Option<PathBuf>,
    /// One of the profile's formats.
    pub(crate) format: String,
    /// Size of the file.
    pub(crate) bytes: Option<u64>,
}

impl Source {
    /// Checks all inputs of a request against the formats of its profile.
    pub(crate) fn plan(request: &IngestRequest, formats: &[String]) -> Result<Vec<Self>> {
        if request.inputs.is_empty() {
            return Err(Error::NoInput);
        }
        if request
            .inputs
            .iter()
            .filter(|input| **input == Input::Stdin)
            .count()
            > 1
        {
            return Err(Error::StdinTwice);
        }
        request
            .inputs
            .iter()
            .map(|input| Self::check(input, request, formats))
            .collect()
    }

    fn check(input: &Input, request: &IngestRequest, formats: &[String]) -> Result<Self> {
        let (name, path, bytes) = match input {
            Input::Stdin => ("-".to_owned(), None, None),
            Input::Path(path) => {
                let metadata = std::fs::metadata(path).map_err(|source| Error::Open {
                    path: path.clone(),
                    source,
                })?;
                if metadata.is_file() {
                    // May it be read? A pipe is not tried: its writer would take the closing for the end.
                    open_file(path)?;
                }
                if metadata.is_dir() {
                    return Err(Error::Directory(path.clone()));
                }
                if metadata.is_file() && metadata.len() == 0 {
                    return Err(Error::Empty {
                        name: path.display().to_string(),
                    });
                }
                (
                    path.display().to_string(),
                    Some(path.clone()),
                    Some(metadata.len()),
                )
            }
        };
        let given = request
            .format
            .as_deref()
            .map(|format| format.trim_start_matches('.').to_ascii_lowercase());
        let known = || formats.join(", ");
        let Some(format) = given.or_else(|| path.as_deref().and_then(format_of)) else {
            return Err(Error::FormatNeeded { name, known: known() });
        };
        if !formats.contains(&format) {
            return Err(Error::UnknownFormat {
                name,
                profile: request.profile.clone(),
                format,
                known: known(),
            });
        }
        Ok(Self {
            name,
            path,
            format,
            bytes,
        })
    }

    /// The file's name without its directories, compression and format; what a text file is called.
    pub(crate) fn stem(&self) -> String {
        let Some(path) = &self.path else {
            return "stdin".to_owned();
        };
        let stem = without_compression(path)
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
        stem.unwrap_or_else(|| self.name.clone())
    }
}

/// The extension of a path after that of a compression, in lower case.
fn format_of(path: &Path) -> Option<String> {
    let extension = without_compression(path)
        .extension()?
        .to_str()?
        .to_ascii_lowercase();
    Some(extension)
}

fn without_compression(path: &Path) -> PathBuf {
    let is_compressed = path
        .extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| {
            EXTENSIONS
                .iter()
                .any(|known| known.eq_ignore_ascii_case(extension))
        });
    if is_compressed {
        path.with_extension("")
    } else {
        path.to_owned()
    }
}

fn open_file(path: &Path) -> Result<std::fs::File> {
    // Plain `File::open`: the error is given the path here, once.
    std::fs::File::open(path).map_err(|source| Error::Open {
        path: path.to_owned(),
        source,
    })
}

/// `blake3:<hex>` of a file's bytes, read in pieces; `on_bytes` hears how many so far.
pub(crate) fn hash_file(path: &Path, on_bytes: &mut dyn FnMut(u64)) -> Result<String> {
    let mut file = open_file(path)?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; HASH_BUFFER_BYTES];
    let mut n_bytes = 0;
    loop {
        let n_read = match file.read(&mut buffer) {
            Ok(0) => return Ok(hash_name(&hasher)),
            Ok(n_read) => n_read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(source) => {
                let name = path.display().to_string();
                return Err(Error::Read {
                    name,
                    bytes: n_bytes,
                    source,
                });
            }
        };
        hasher.update(&buffer[..n_read]);
        n_bytes += n_read as u64;
        on_bytes(n_bytes);
    }
}

fn hash_name(hasher: &blake3::Hasher) -> String {
    format!("blake3:{}", hasher.finalize().to_hex())
}

/// One input, open: the decompressed stream and what is known about the raw one.
pub(crate) struct Opened {
    /// Decompressed bytes.
    pub(crate) reader: Box<dyn Read + Send>,
    /// What the raw stream has been so far.
    pub(crate) raw: RawState,
    /// Names the blank nodes of this input: the hex digits of its content hash; of standard input, whose hash is known
    /// only at its end, those of the hash of its first MiB.
    pub(crate) seed: String,
}

/// What is known about a raw stream while it is read. Cheap to clone; all clones see the same.
#[derive(Debug, Clone)]
pub(crate) struct RawState {
    name: String,
    compression: Compression,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    n_bytes: AtomicU64,
    has_failed: AtomicBool,
    hasher: Mutex<blake3::Hasher>,
}

impl RawState {
    /// Raw bytes read so far.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.shared.n_bytes.load(Ordering::Relaxed)
    }

    /// `blake3:<hex>` of the raw bytes read so far.
    pub(crate) fn content_hash(&self) -> String {
        hash_name(&self.shared.hasher.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What an error of the decompressed stream means: the disk, an early end, or damage.
    pub(crate) fn explain(&self, source: io::Error) -> Error {
        let (name, bytes) = (self.name.clone(), self.n_bytes());
        let compression = self.compression.name();
        if self.compression == Compression::Plain || self.shared.has_failed.load(Ordering::Relaxed) {
            Error::Read { name, bytes, source }
        } else if source.kind() == io::ErrorKind::UnexpectedEof {
            Error::Truncated {
                name,
                compression,
                bytes,
            }
        } else {
            let reason = source.to_string();
            Error::Damaged {
                name,
                compression,
                bytes,
                reason,
            }
        }
    }
}

/// Opens an input. `content_hash` is that of the file, when it was hashed before.
pub(crate) fn open(source: &Source, content_hash: Option<&str>, stdin: OpenStdin<'_>) -> Result<Opened> {
    let name = source.name.clone();
    let reader: Box<dyn Read + Send> = match &source.path {
        Some(path) => Box::new(open_file(path)?),
        None => stdin(),
    };
    let shared = Arc::new(Shared::default());
    let mut raw = Raw {
        reader,
        shared: Arc::clone(&shared),
    };
    let n_head = if content_hash.is_some() {
        MAGIC_BYTES
    } else {
        STDIN_SEED_BYTES
    };
    let mut head = Vec::new();
    (&mut raw)
        .take(n_head as u64)
        .read_to_end(&mut head)
        .map_err(|source| Error::Read {
            name: name.clone(),
            bytes: 0,
            source,
        })?;
    if head.is_empty() {
        return Err(Error::Empty { name });
    }
    let compression = Compression::of(&head);
    let seed = match content_hash {
        Some(hash) => hash.trim_start_matches("blake3:").to_owned(),
        None => blake3::hash(&head).to_hex().to_string(),
    };
    let raw_state = RawState {
        name: name.clone(),
        compression,
        shared,
    };
    let decoded =
        decode(compression, Cursor::new(head).chain(raw)).map_err(|error| raw_state.explain(error))?;
    let Some(reader) = decoded else {
        let compression = compression.name();
        return Err(Error::Compression { name, compression });
    };
    Ok(Opened {
        reader,
        raw: raw_state,
        seed,
    })
}

/// Counts and hashes what passes.
struct Raw {
    reader: Box<dyn Read + Send>,
    shared: Arc<Shared>,
}

impl Read for Raw {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.reader.read(buffer) {
            Ok(n_read) => {
                self.shared.n_bytes.fetch_add(n_read as u64, Ordering::Relaxed);
                let mut hasher = self.shared.hasher.lock().unwrap_or_else(PoisonError::into_inner);
                hasher.update(&buffer[..n_read]);
                Ok(n_read)
            }
            Err(error) => {
                if error.kind() != io::ErrorKind::Interrupted {
                    self.shared.has_failed.store(true, Ordering::Relaxed);
                }
                Err(error)
            }
        }
    }
}
