//! What a document is: [`Document`], its content hash and its root source.
//!
//! A document is a value: two documents with the same title and text have the same hash, wherever they were found.
//! Nothing here reads a file.

/// One document as read from a record or a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The title; never empty.
    pub title: String,
    /// The text that passages and quotes point into; never blank. Offsets count its characters (Unicode scalar values).
    pub text: String,
    /// An IRI naming where the text came from first: the record's `url`, else a minted `urn:coevo:source:…`.
    /// Independence of evidence is counted by this, so copies of one page must share it.
    pub root_source: String,
    /// The language tag the record states, as written there.
    pub language: Option<String>,
    /// `blake3:` and 64 hex digits over title, a zero byte and text.
    pub content_hash: String,
}

impl Document {
    /// Builds a document and hashes it.
    pub fn new(title: String, text: String, root_source: String, language: Option<String>) -> Self {
        let content_hash = content_hash(&title, &text);
        Self {
            title,
            text,
            root_source,
            language,
            content_hash,
        }
    }

    /// The first 16 hex digits of the content hash: the part that names the document in IRIs.
    pub fn short_hash(&self) -> &str {
        let digits = self
            .content_hash
            .strip_prefix("blake3:")
            .unwrap_or(&self.content_hash);
        digits.get(..16).unwrap_or(digits)
    }
}

/// `blake3:<hex>` over the title, one zero byte and the text. The zero byte keeps (`ab`, `c`) and (`a`, `bc`) apart.
pub(crate) fn content_hash(title: &str, text: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(title.as_bytes());
    hasher.update(&[0]);
    hasher.update(text.as_bytes());
    format!("blake3:{}", hasher.finalize().to_hex())
}

/// The root source of a document that names no URL: `urn:coevo:source:<collection>:<id>`, both parts percent-encoded
/// where a character could not stand in an IRI or would be taken for the separator.
pub(crate) fn minted_source(collection: &str, id: &str) -> String {
    format!(
        "urn:coevo:source:{}:{}",
        encode(collection, is_unreserved),
        encode(id, is_unreserved)
    )
}

/// A URL as written, with the characters that no IRI may hold (spaces, controls, `<>"{}|^` and backquote, backslash)
/// percent-encoded. A legal IRI comes back unchanged.
pub(crate) fn escape_iri(url: &str) -> String {
    encode(url, |c| {
        !(c.is_control() || c.is_whitespace() || "<>\"{}|^`\\".contains(c))
    })
}

fn is_unreserved(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~".contains(c) || !(c.is_ascii() || c.is_control() || c.is_whitespace())
}

fn encode(text: &str, is_kept: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut buffer = [0; 4];
    for c in text.chars() {
        if is_kept(c) {
            out.push(c);
        } else {
            for byte in c.encode_utf8(&mut buffer).bytes() {
                out.push('%');
                out.push(hex_digit(byte >> 4));
                out.push(hex_digit(byte & 15));
            }
        }
    }
    out
}

fn hex_digit(value: u8) -> char {
    char::from_digit(u32::from(value), 16).map_or('0', |c| c.to_ascii_uppercase())
}

#[cfg(test)]
mod tests;
