//! Documents out of a stream of bytes: [`read_documents`].
//!
//! Three kinds: JSON Lines (one document a line), Markdown and plain text (one document a file). UTF-8 only; a byte order
//! mark is skipped; `\r\n` is a line end. A damaged JSON line becomes a [`Record::Rejected`] and reading goes on; a stream
//! that breaks off is an [`Error`]. Memory: one line (at most 16 MiB) or one file (at most 64 MiB).

use std::io::{BufRead, Read};

use serde::Deserialize;

use crate::document::{Document, escape_iri, minted_source};
use crate::error::{Error, RecordError, Result};

const MAX_LINE_BYTES: u64 = 16 << 20;
const MAX_FILE_BYTES: u64 = 64 << 20;
const MAX_RECORD_SHOWN: usize = 2048;
const BOM: &[u8] = b"\xef\xbb\xbf";

/// How the bytes hold documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentKind {
    /// One JSON object a line: `text`, `title`, optional `pid` or `id`, `url`, `language`. Other members are ignored.
    JsonLines,
    /// One document: the first heading is the title.
    Markdown,
    /// One document: the name is the title.
    PlainText,
}

impl DocumentKind {
    /// The kind of a file name extension (without the dot, any case): `jsonl`, `ndjson`, `md`, `markdown`, `txt`, `text`.
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "md" | "markdown" => Some(Self::Markdown),
            "txt" | "text" => Some(Self::PlainText),
            _ => None,
        }
    }
}

/// What the reader must be told about the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// The input as shown in errors (a path, or `-`).
    pub name: String,
    /// Names a document that names itself by nothing else: a file's stem.
    pub stem: String,
    /// The collection, for minted root sources.
    pub collection: String,
}

/// One record of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// A document.
    Document(Document),
    /// A damaged record, passed over.
    Rejected(RecordError),
}

/// Reads documents one by one; see the module for what ends the reading and what does not.
pub fn read_documents<R: BufRead>(reader: R, kind: DocumentKind, options: ReadOptions) -> Documents<R> {
    Documents {
        reader,
        kind,
        options,
        line: 0,
        offset: 0,
        is_done: false,
    }
}

/// The iterator of [`read_documents`]. After an `Err` it is at its end.
#[derive(Debug)]
pub struct Documents<R> {
    reader: R,
    kind: DocumentKind,
    options: ReadOptions,
    line: u64,
    offset: u64,
    is_done: bool,
}

impl<R: BufRead> Iterator for Documents<R> {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let item = match self.kind {
            DocumentKind::JsonLines => self.next_line().transpose(),
            DocumentKind::Markdown | DocumentKind::PlainText => {
                self.is_done = true;
                Some(self.whole_file().map(Record::Document))
            }
        };
        if !matches!(item, Some(Ok(_))) {
            self.is_done = true;
        }
        item
    }
}

impl<R: BufRead> Documents<R> {
    fn next_line(&mut self) -> Result<Option<Record>> {
        let mut line = Vec::new();
        loop {
            line.clear();
            let n_read = (&mut self.reader)
                .take(MAX_LINE_BYTES)
                .read_until(b'\n', &mut line)
                .map_err(|source| self.read_error(source))? as u64;
            if n_read == 0 {
                return Ok(None);
            }
            let offset = self.offset;
            self.line += 1;
            self.offset += n_read;
            if n_read == MAX_LINE_BYTES && line.last() != Some(&b'\n') {
                self.offset += self.skip_line()?;
                let reason = format!("longer than {MAX_LINE_BYTES} bytes");
                return Ok(Some(self.rejected(offset, reason, &line)));
            }
            let bytes = if offset == 0 {
                line.strip_prefix(BOM).unwrap_or(&line)
            } else {
                &line
            };
            if bytes.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            return Ok(Some(match document_of_json(bytes, &self.options.collection) {
                Ok(document) => Record::Document(document),
                Err(reason) => self.rejected(offset, reason, bytes),
            }));
        }
    }

    /// Passes over the rest of an overlong line; returns how many bytes that was.
    fn skip_line(&mut self) -> Result<u64> {
        let mut n_skipped = 0;
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(source) => return Err(self.read_error(source)),
            };
            if buffer.is_empty() {
                return Ok(n_skipped);
            }
            let newline = buffer.iter().position(|&byte| byte == b'\n');
            let n_used = newline.map_or(buffer.len(), |at| at + 1);
            self.reader.consume(n_used);
            n_skipped += n_used as u64;
            if newline.is_some() {
                return Ok(n_skipped);
            }
        }
    }

    fn whole_file(&mut self) -> Result<Document> {
        let name = self.options.name.clone();
        let mut bytes = Vec::new();
        let n_read = (&mut self.reader)
            .take(MAX_FILE_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(|source| self.read_error(source))?;
        if n_read as u64 > MAX_FILE_BYTES {
            return Err(Error::TooLarge {
                name,
                limit: MAX_FILE_BYTES,
            });
        }
        let body = bytes.strip_prefix(BOM).unwrap_or(&bytes);
        let n_bom = bytes.len() - body.len();
        let text = std::str::from_utf8(body).map_err(|error| Error::NotUtf8 {
            name: name.clone(),
            byte: (n_bom + error.valid_up_to()) as u64,
        })?;
        if text.trim().is_empty() {
            return Err(Error::Blank { name });
        }
        // One text whatever wrote its line ends, so that its hash and offsets are the same.
        let text = text.replace("\r\n", "\n");
        let stem = &self.options.stem;
        let heading = match self.kind {
            DocumentKind::Markdown => first_heading(&text),
            DocumentKind::JsonLines | DocumentKind::PlainText => None,
        };
        let title = heading.unwrap_or_else(|| stem.clone());
        let root_source = minted_source(&self.options.collection, stem);
        Ok(Document::new(title, text, root_source, None))
    }

    fn rejected(&self, offset: u64, reason: String, record: &[u8]) -> Record {
        Record::Rejected(RecordError {
            line: self.line,
            offset,
            reason,
            record: shown(record),
        })
    }

    fn read_error(&self, source: std::io::Error) -> Error {
        Error::Read {
            name: self.options.name.clone(),
            source,
        }
    }
}

/// One line of JSON Lines as written; members not named here are ignored.
#[derive(Deserialize)]
struct Line {
    title: Option<String>,
    text: Option<String>,
    pid: Option<Identifier>,
    id: Option<Identifier>,
    url: Option<String>,
    language: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Identifier {
    Text(String),
    Number(i64),
}

impl Identifier {
    fn into_text(self) -> Option<String> {
        match self {
            Self::Text(text) => non_blank(Some(text)),
            Self::Number(number) => Some(number.to_string()),
        }
    }
}

/// The document of one JSON line, or why there is none.
fn document_of_json(bytes: &[u8], collection: &str) -> std::result::Result<Document, String> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| format!("not UTF-8 at byte {} of the line", error.valid_up_to()))?;
    let line: Line = serde_json::from_str(text.trim()).map_err(|error| {
        format!(
            "not a document: {} (column {})",
            plain_message(&error),
            error.column()
        )
    })?;
    let text = line.text.ok_or("`text` is missing")?;
    if text.trim().is_empty() {
        return Err("`text` is blank".to_owned());
    }
    let url = non_blank(line.url);
    let id = line
        .pid
        .and_then(Identifier::into_text)
        .or_else(|| line.id.and_then(Identifier::into_text));
    let title = non_blank(line.title)
        .or_else(|| id.clone())
        .or_else(|| url.clone());
    let title = title.ok_or("none of `title`, `pid`, `id`, `url` names the document")?;
    let language = non_blank(line.language);
    if language.as_deref().is_some_and(|tag| !is_language_tag(tag)) {
        return Err("`language` is not a language tag".to_owned());
    }
    let root_source = match url {
        Some(url) if has_scheme(&url) => escape_iri(&url),
        Some(url) => return Err(format!("`url` has no scheme: {}", shown(url.as_bytes()))),
        None => minted_source(collection, id.as_deref().unwrap_or(&title)),
    };
    Ok(Document::new(title, text, root_source, language))
}

/// serde's message without its "at line 1 column n": the line number there is the record's own, always 1.
fn plain_message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rfind(" at line ") {
        Some(at) => message[..at].to_owned(),
        None => message,
    }
}

fn non_blank(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
}

fn is_language_tag(tag: &str) -> bool {
    tag.len() <= 35
        && tag.starts_with(|c: char| c.is_ascii_alphabetic())
        && tag
            .split('-')
            .all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric()))
}

fn has_scheme(url: &str) -> bool {
    url.split_once(':').is_some_and(|(scheme, rest)| {
        !rest.is_empty()
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

/// The first `#` heading of a Markdown text, outside front matter and fenced code.
fn first_heading(text: &str) -> Option<String> {
    let mut is_fenced = false;
    for line in after_front_matter(text).lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            is_fenced = !is_fenced;
        } else if let Some(rest) = line.strip_prefix('#').filter(|_| !is_fenced) {
            let heading = rest.trim_start_matches('#');
            if heading.starts_with([' ', '\t']) {
                let heading = heading.trim().trim_end_matches('#').trim_end();
                return non_blank(Some(heading.to_owned()));
            }
        }
    }
    None
}

fn after_front_matter(text: &str) -> &str {
    text.strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .map_or(text, |(_, body)| body)
}

/// A record as shown to a person: cut, and readable whatever its bytes.
fn shown(record: &[u8]) -> String {
    let cut = &record[..record.len().min(MAX_RECORD_SHOWN)];
    String::from_utf8_lossy(cut).trim_end().to_owned()
}

#[cfg(test)]
mod tests;
