//! Inputs and the documents, rejects and errors they give.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::{DocumentKind, ReadOptions, Record, read_documents};
use crate::document::Document;
use crate::error::{Error, Result};

fn read(bytes: &[u8], kind: DocumentKind) -> Vec<Result<Record>> {
    let options = ReadOptions {
        name: "notes/a.x".into(),
        stem: "a".into(),
        collection: "demo".into(),
    };
    read_documents(bytes, kind, options).collect()
}

fn one(bytes: &[u8], kind: DocumentKind) -> Result<Document> {
    let mut found = read(bytes, kind);
    assert_eq!(found.len(), 1);
    match found.pop().unwrap()? {
        Record::Document(document) => Ok(document),
        Record::Rejected(error) => panic!("rejected: {error}"),
    }
}

/// One line each: `title|source|language` of a document, `!line@offset reason` of a reject.
fn lines(bytes: &[u8]) -> Vec<String> {
    read(bytes, DocumentKind::JsonLines)
        .into_iter()
        .map(|record| match record.unwrap() {
            Record::Document(d) => {
                format!("{}|{}|{}", d.title, d.root_source, d.language.unwrap_or_default())
            }
            Record::Rejected(e) => format!("!{}@{} {}", e.line, e.offset, e.reason),
        })
        .collect()
}

#[test]
fn json_lines_with_their_sources() {
    let input = concat!(
        "\u{feff}{\"pid\": 7, \"title\": \"T\", \"text\": \"x\", \"origin\": [\"ignored\"]}\r\n",
        "\r\n",
        "{\"id\": \"b c\", \"text\": \"x\", \"language\": \"en-GB\"}\n",
        "{\"title\": \"U\", \"text\": \"x\", \"url\": \"https://example.org/a b\"}",
    );
    assert_eq!(
        lines(input.as_bytes()),
        [
            "T|urn:coevo:source:demo:7|",
            "b c|urn:coevo:source:demo:b%20c|en-GB",
            "U|https://example.org/a%20b|",
        ]
    );
}

#[test]
fn damaged_lines_are_passed_over_with_their_place() {
    let input = b"{\"title\": \"T\", \"text\": \"x\"}\n{\"title\": \"T\",\n{\"title\": \"T\"}\n{\"text\": \"x\"}\n\
        {\"title\": \"T\", \"text\": \" \"}\n{\"title\": 1, \"text\": \"x\"}\n{\"title\": \"\xff\", \"text\": \"x\"}\n\
        {\"title\": \"V\", \"text\": \"x\", \"url\": \"example\"}\n{\"title\": \"W\", \"text\": \"x\"}\n";
    assert_eq!(
        lines(input),
        [
            "T|urn:coevo:source:demo:T|",
            "!2@28 not a document: EOF while parsing a value (column 14)",
            "!3@43 `text` is missing",
            "!4@58 none of `title`, `pid`, `id`, `url` names the document",
            "!5@72 `text` is blank",
            "!6@100 not a document: invalid type: integer `1`, expected a string (column 11)",
            "!7@126 not UTF-8 at byte 11 of the line",
            "!8@154 `url` has no scheme: example",
            "W|urn:coevo:source:demo:W|",
        ]
    );
}

#[test]
fn markdown_takes_its_first_heading() {
    let check = |text: &str, title: &str| {
        assert_eq!(
            one(text.as_bytes(), DocumentKind::Markdown).unwrap().title,
            title,
            "{text}"
        );
    };
    check("# Lyra Array #\n\nText", "Lyra Array");
    check("---\ntitle: x\n# comment\n---\n## Second level\n", "Second level");
    check("```sh\n# not a title\n```\ntext #tag\n#tag\n", "a");
}

#[test]
fn windows_and_unix_line_ends_give_one_document() {
    let unix = one(b"# T\n\nOne\ntwo", DocumentKind::Markdown).unwrap();
    let windows = one(b"\xef\xbb\xbf# T\r\n\r\nOne\r\ntwo", DocumentKind::Markdown).unwrap();
    assert_eq!(unix, windows);
}

#[test]
fn text_takes_its_name() {
    let document = one(b"Some text.", DocumentKind::PlainText).unwrap();
    assert_eq!(
        (document.title.as_str(), document.root_source.as_str()),
        ("a", "urn:coevo:source:demo:a")
    );
}

#[test]
fn bad_bytes_are_named_by_position() {
    let error = one(b"\xef\xbb\xbfab\xffc", DocumentKind::PlainText).unwrap_err();
    assert_eq!(error.to_string(), "notes/a.x: not UTF-8 at byte 5");
    assert!(error.hint().unwrap().contains("iconv"));
}

#[test]
fn a_blank_file_says_so() {
    assert!(matches!(
        one(b" \n", DocumentKind::PlainText),
        Err(Error::Blank { .. })
    ));
    assert!(read(b"", DocumentKind::JsonLines).is_empty());
}
