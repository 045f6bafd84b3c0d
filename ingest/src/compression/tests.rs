//! Magic bytes.

use super::Compression;

#[test]
fn content_says_what_it_is() {
    let check = |head: &[u8], expected: Compression| assert_eq!(Compression::of(head), expected, "{head:?}");
    check(b"\x1f\x8b\x08\0\0\0\0\0\0\0", Compression::Gzip);
    check(b"BZh91AY&SY", Compression::Bzip2);
    check(b"BZh9 is a tag", Compression::Plain);
    check(b"BZh9", Compression::Plain);
    check(b"\x28\xb5\x2f\xfd\0\0", Compression::Zstd);
    check(b"\x50\x2a\x4d\x18\0\0", Compression::Zstd);
    check(b"\xfd7zXZ\0\0\x04", Compression::Xz);
    check(b"<urn:s> <u", Compression::Plain);
    check(b"", Compression::Plain);
}
