//! Where chunks begin must not be seen from outside.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::{Batch, Chunk, Chunker, Lines, RdfFormat, RdfParser, n_newlines, parse_lines, reason};

fn chunks(bytes: &[u8]) -> Vec<Lines> {
    let mut chunker = Chunker::new(bytes);
    let mut found = Vec::new();
    loop {
        match chunker.next().unwrap() {
            Chunk::Lines(lines) => found.push(lines),
            Chunk::Overlong(_) => panic!("no line is that long"),
            Chunk::End => return found,
        }
    }
}

fn rejects(text: &[u8]) -> (usize, Vec<String>) {
    let parser = RdfParser::from_format(RdfFormat::NTriples).lenient();
    let mut batch = Batch::default();
    let lines = Lines {
        first: 11,
        offset: 100,
        bytes: text.to_vec(),
    };
    parse_lines(&parser, &lines, &mut batch);
    let rejects = batch
        .rejects
        .iter()
        .map(|r| format!("{}@{} {}", r.line, r.offset, r.record))
        .collect();
    (batch.quads.len(), rejects)
}

#[test]
fn chunks_are_whole_lines_with_their_place() {
    let line = format!("{}\n", "x".repeat(99));
    let text = format!("\u{feff}{}last", line.repeat(12_000));
    let found = chunks(text.as_bytes());
    assert!(found.len() > 2);
    let (mut line, mut offset) = (1, 3);
    for lines in &found {
        assert_eq!((lines.first, lines.offset), (line, offset));
        line += n_newlines(&lines.bytes);
        offset += lines.bytes.len() as u64;
    }
    assert_eq!((line, offset), (12_001, text.len() as u64));
    assert!(
        found
            .iter()
            .all(|lines| lines.bytes.ends_with(b"\n") || lines.bytes.ends_with(b"\nlast"))
    );
}

#[test]
fn a_long_line_stays_whole() {
    let text = format!("{}\nb\n", "a".repeat(1_200_000));
    let found = chunks(text.as_bytes());
    assert_eq!(
        found.iter().map(|lines| lines.bytes.len()).sum::<usize>(),
        text.len()
    );
    assert!(found[0].bytes.len() > 1_200_000);
}

#[test]
fn a_bad_line_falls_alone() {
    let text = b"<urn:s> <urn:p> <urn:a> .\r\n# note\r\n\r\n<urn:s> <urn:p> oops .\r\n<urn:s> <urn:p> <urn:b> .\r\n<urn:s> <urn:p>";
    assert_eq!(
        rejects(text),
        (
            2,
            vec![
                "14@137 <urn:s> <urn:p> oops .".into(),
                "16@188 <urn:s> <urn:p>".into()
            ]
        )
    );
}

#[test]
fn a_line_with_a_triple_and_more_falls_whole() {
    assert_eq!(rejects(b"<urn:s> <urn:p> <urn:a> . <urn:s> oops\n").0, 0);
}

#[test]
fn bytes_that_are_not_utf_8_cost_one_line() {
    let (n, found) = rejects(b"<urn:s> <urn:p> \"\xff\" .\n<urn:s> <urn:p> \"a\" .\n");
    assert_eq!((n, found.len()), (1, 1));
}

#[test]
fn reasons_lose_their_place() {
    assert_eq!(
        reason("Parser error at line 1 column 17: no such: thing"),
        "no such: thing"
    );
    assert_eq!(reason("plain"), "plain");
}
