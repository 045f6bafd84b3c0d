//! Rust source split into code and not code, just well enough for tidy. Entry: [`code_only`].
//!
//! Not a parser: it knows comments, strings (raw, byte and C ones too), characters and lifetimes, and nothing else.

/// `source` with the contents of comments and of string and character literals replaced by spaces. Line breaks stay, and
/// every remaining byte stands where it stood.
pub(crate) fn code_only(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut kept = vec![b' '; bytes.len()];
    let mut at = 0;
    while at < bytes.len() {
        let end = skipped_until(bytes, at);
        if end > at {
            at = end;
            continue;
        }
        kept[at] = bytes[at];
        at += 1;
    }
    for (index, byte) in bytes.iter().enumerate() {
        if *byte == b'\n' {
            kept[index] = b'\n';
        }
    }
    // Only whole bytes of a multi-byte character outside literals can have stayed, and they stayed together.
    String::from_utf8_lossy(&kept).into_owned()
}

/// The end of the comment or literal that starts at `at`, or `at` when none does.
fn skipped_until(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    if rest.starts_with(b"//") {
        return at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    }
    if rest.starts_with(b"/*") {
        return end_of_block_comment(bytes, at);
    }
    if rest[0] == b'"' {
        return end_of_string(bytes, at + 1);
    }
    if rest[0] == b'\'' {
        return end_of_character(bytes, at);
    }
    if rest[0] == b'r' && (!ends_a_word(&bytes[..at]) || is_prefixed(bytes, at)) {
        return end_of_raw_string(bytes, at);
    }
    at
}

/// Whether the `r` at `at` belongs to `br"` or `cr"` rather than to a longer word.
fn is_prefixed(bytes: &[u8], at: usize) -> bool {
    matches!(bytes[at - 1], b'b' | b'c') && !ends_a_word(&bytes[..at - 1])
}

fn ends_a_word(before: &[u8]) -> bool {
    before
        .last()
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

fn end_of_block_comment(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = start;
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    bytes.len()
}

fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn end_of_raw_string(bytes: &[u8], start: usize) -> usize {
    let hashes = bytes[start + 1..]
        .iter()
        .take_while(|byte| **byte == b'#')
        .count();
    let open = start + 1 + hashes;
    if bytes.get(open) != Some(&b'"') {
        return start; // a raw identifier, or a word that starts with r
    }
    let mut closing = vec![b'"'];
    closing.extend(std::iter::repeat_n(b'#', hashes));
    let mut at = open + 1;
    while at < bytes.len() {
        if bytes[at..].starts_with(&closing) {
            return at + closing.len();
        }
        at += 1;
    }
    bytes.len()
}

/// A character literal's end; `at` for a lifetime.
fn end_of_character(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at + 1) == Some(&b'\\') {
        let mut end = at + 3;
        while end < bytes.len() && bytes[end] != b'\'' {
            end += 1;
        }
        return (end + 1).min(bytes.len());
    }
    // One character of up to four bytes, then the closing quote.
    (at + 2..=at + 5)
        .find(|end| bytes.get(*end) == Some(&b'\''))
        .filter(|end| std::str::from_utf8(&bytes[at + 1..*end]).is_ok_and(|text| text.chars().count() == 1))
        .map_or(at, |end| end + 1)
}
