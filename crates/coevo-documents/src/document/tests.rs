//! Hashes and sources.

use super::{Document, content_hash, escape_iri, minted_source};

#[test]
fn hash_keeps_title_and_text_apart() {
    assert_ne!(content_hash("ab", "c"), content_hash("a", "bc"));
    // b3sum of the bytes `T`, 0, `x`.
    let document = Document::new("T".into(), "x".into(), "urn:x".into(), None);
    assert_eq!(
        document.content_hash,
        format!("blake3:{}", blake3::hash(b"T\0x").to_hex())
    );
    assert_eq!(document.short_hash(), &blake3::hash(b"T\0x").to_hex()[..16]);
}

#[test]
fn minted_sources_are_iris() {
    assert_eq!(minted_source("demo", "12"), "urn:coevo:source:demo:12");
    assert_eq!(
        minted_source("my notes", "a:b/c"),
        "urn:coevo:source:my%20notes:a%3Ab%2Fc"
    );
    assert_eq!(minted_source("x", "naïve"), "urn:coevo:source:x:naïve");
}

#[test]
fn urls_keep_what_is_legal() {
    assert_eq!(
        escape_iri("https://en.wikipedia.org/wiki/AC/DC?a=1#b"),
        "https://en.wikipedia.org/wiki/AC/DC?a=1#b"
    );
    assert_eq!(escape_iri("https://x.org/a b<c>"), "https://x.org/a%20b%3Cc%3E");
}
