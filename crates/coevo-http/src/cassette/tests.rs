#![expect(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use serde_json::{Map, json};

use super::{Content, canonical, hash, recordings};
use crate::fake::{Fake, Step, reply};
use crate::{Annotation, Cassette, Error, HttpClient, HttpOptions, Method, Request, Secret};

/// Written by version 1 of the format; must open for ever.
const VERSION_1: &str = include_str!("version-1.json");

fn client(cassette: Cassette) -> HttpClient {
    HttpClient::new(&HttpOptions::default())
        .unwrap()
        .with_cassette(cassette)
}

fn recorder(dir: &Path) -> HttpClient {
    client(Cassette::Record(dir.to_owned()))
}

fn player(dir: &Path) -> HttpClient {
    client(Cassette::Replay(dir.to_owned()))
}

fn files(dir: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs_err::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs_err::read_dir(dir).unwrap().map(name).collect();
    names.sort();
    names
}

#[test]
fn hashes_ignore_key_order_and_see_everything_else() {
    let base = hash(Method::Post, "/v1/x", Some(br#"{"a":1,"b":[{"c":2,"d":3}]}"#));
    assert_eq!(base.len(), 32);
    assert_eq!(
        base,
        hash(
            Method::Post,
            "/v1/x",
            Some(br#"{ "b": [{"d":3, "c":2}], "a": 1 }"#)
        )
    );
    for other in [
        hash(Method::Put, "/v1/x", Some(br#"{"a":1,"b":[{"c":2,"d":3}]}"#)),
        hash(Method::Post, "/v1/y", Some(br#"{"a":1,"b":[{"c":2,"d":3}]}"#)),
        hash(Method::Post, "/v1/x", Some(br#"{"a":2,"b":[{"c":2,"d":3}]}"#)),
        hash(Method::Post, "/v1/x", Some(b"{\"a\":1")),
        hash(Method::Post, "/v1/x", None),
    ] {
        assert_ne!(base, other);
    }
    assert_eq!(
        canonical(&json!({"b": "\"", "a": [null, true, 0.5]})),
        r#"{"a":[null,true,0.5],"b":"\""}"#
    );
}

#[test]
fn contents_come_back_as_they_were() {
    let same = |text: &str| text.to_owned();
    let cases: [(&[u8], Content); 3] = [
        (br#"{"a":1}"#, Content::Json(json!({"a": 1}))),
        (b"data: {}\n\n", Content::Text("data: {}\n\n".to_owned())),
        (b"\xff\x00", Content::Hex("ff00".to_owned())),
    ];
    for (bytes, expected) in cases {
        assert_eq!(Content::of(bytes, same), expected);
        assert_eq!(expected.bytes().unwrap(), bytes);
    }
    assert_eq!(Content::Hex("zz".to_owned()).bytes(), None);
}

#[tokio::test]
async fn what_was_recorded_replays_without_a_server() {
    let dir = tempfile::tempdir().unwrap();
    let fake = Fake::start(vec![reply(
        200,
        "Content-Type: application/json\r\n",
        r#"{"b":2,"a":1}"#,
    )])
    .await;
    let mut request = Request::post_json(format!("{}/v1/chat?x=1", fake.base), &json!({"q": "?"}));
    request.annotate = Some(Arc::new(|reply| Annotation {
        date: Some("2026-01-02T03:04:05Z".to_owned()),
        extra: Map::from_iter([("bytes".to_owned(), json!(reply.body.len()))]),
    }));
    let live = recorder(dir.path()).send(&request).await.unwrap();
    let again = recorder(dir.path()).send(&request).await.unwrap();
    assert_eq!(fake.seen().len(), 1, "a recorded request is not sent again");

    // Another host and port, the same recording.
    request.url = "http://elsewhere.invalid:1/v1/chat?x=1".to_owned();
    let replayed = player(dir.path()).send(&request).await.unwrap();
    for reply in [&again, &replayed] {
        assert_eq!(
            (reply.status, &reply.body, reply.seconds),
            (live.status, &live.body, live.seconds)
        );
        assert_eq!(reply.header("content-type"), Some("application/json"));
    }
    assert!(player(dir.path()).has_recording(&request).await.unwrap());

    let kept = recordings(dir.path()).unwrap().remove(0);
    assert_eq!(files(dir.path()), [format!("{}.json", kept.hash)]);
    assert_eq!(
        (kept.method.as_str(), kept.path.as_str(), kept.status),
        ("POST", "/v1/chat?x=1", 200)
    );
    assert_eq!(kept.request, Some(Content::Json(json!({"q": "?"}))));
    assert_eq!(kept.date.as_deref(), Some("2026-01-02T03:04:05Z"));
    assert_eq!(kept.extra["bytes"], json!(13));
}

#[tokio::test]
async fn streams_are_recorded_whole_and_only_whole() {
    let dir = tempfile::tempdir().unwrap();
    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\ndata: 1\n\n".to_owned();
    let fake = Fake::start(vec![Step::Bytes(cut), reply(200, "", "data: 1\n\ndata: 2\n\n")]).await;
    let request = Request::get(format!("{}/events", fake.base));
    let pieces: Vec<_> = recorder(dir.path())
        .stream(&request)
        .await
        .unwrap()
        .body
        .collect()
        .await;
    assert!(
        matches!(pieces.last(), Some(Err(Error::Broken { .. }))),
        "{pieces:?}"
    );
    assert!(!dir.path().join("x").exists() && files(dir.path()).is_empty());

    let live = recorder(dir.path()).stream(&request).await.unwrap();
    assert_eq!(live.recorded_seconds, None);
    assert_eq!(
        live.body.collect_up_to(1000).await.unwrap(),
        b"data: 1\n\ndata: 2\n\n"
    );
    let replayed = player(dir.path()).stream(&request).await.unwrap();
    assert!(replayed.recorded_seconds.is_some());
    assert_eq!(
        replayed.body.collect_up_to(1000).await.unwrap(),
        b"data: 1\n\ndata: 2\n\n"
    );
}

#[tokio::test]
async fn a_missing_recording_names_hash_and_directory() {
    let dir = tempfile::tempdir().unwrap();
    let request = Request::get("http://127.0.0.1:9/v1/models?key=hidden");
    let error = player(dir.path()).send(&request).await.unwrap_err();
    let hash = hash(Method::Get, "/v1/models?key=hidden", None);
    assert_eq!(
        error.to_string(),
        format!(
            "no recording of GET /v1/models ({hash}) in {}",
            dir.path().display()
        )
    );
    assert!(error.hint().is_some());
}

#[tokio::test]
async fn passing_failures_are_not_kept_and_lasting_ones_are() {
    let dir = tempfile::tempdir().unwrap();
    for (status, kept) in [(429, 0), (500, 0), (401, 0), (400, 1)] {
        let fake = Fake::start(vec![reply(status, "Retry-After: 9999\r\n", "no")]).await;
        let request = Request::get(format!("{}/{status}", fake.base));
        assert_eq!(recorder(dir.path()).send(&request).await.unwrap().status, status);
        assert_eq!(files(dir.path()).len(), kept, "{status}");
    }
}

#[tokio::test]
async fn recordings_hold_no_secret() {
    let dir = tempfile::tempdir().unwrap();
    let fake = Fake::start(vec![reply(
        400,
        "Set-Cookie: hidden-cookie\r\n",
        "bad key sk-hidden-1234",
    )])
    .await;
    let host = fake.base.trim_start_matches("http://");
    let mut request = Request::post_json(
        format!("http://me:hidden-pass@{host}/v1"),
        &json!({"user": "sk-hidden-1234"}),
    );
    request.secret_bearer = Some(Secret::new("sk-hidden-1234"));
    request
        .headers
        .push(("x-api-key".to_owned(), "hidden-header".to_owned()));
    recorder(dir.path()).send(&request).await.unwrap();
    let text = fs_err::read_to_string(dir.path().join(&files(dir.path())[0])).unwrap();
    assert!(!text.contains("hidden"), "{text}");
    assert!(text.contains("bad key ***"), "{text}");
}

#[tokio::test]
async fn damaged_recordings_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let mut request = Request::get("http://h/x");
    request.deadline = Duration::from_secs(1);
    let path = dir.path().join(format!("{}.json", hash(Method::Get, "/x", None)));
    let foreign = VERSION_1.replace("\"format\": 1", "\"format\": 2");
    let unversioned = "{}".to_owned();
    let renamed = VERSION_1.to_owned();
    let torn = VERSION_1[..VERSION_1.len() / 2].to_owned();
    for (text, reason) in [
        (foreign, "version 2"),
        (unversioned, "no format"),
        (renamed, "differ"),
        (torn, "EOF"),
    ] {
        fs_err::write(&path, text).unwrap();
        let error = player(dir.path()).send(&request).await.unwrap_err();
        assert!(matches!(error, Error::BadRecording { .. }), "{error:?}");
        let message = error.to_string();
        assert!(
            message.contains(reason) && message.contains(&path.display().to_string()),
            "{message}"
        );
    }
}

#[tokio::test]
async fn version_1_opens() {
    let dir = tempfile::tempdir().unwrap();
    fs_err::write(
        dir.path().join("92dd1c2e5e1cd3c8c4b0b6a6a5f4e3d2.json"),
        VERSION_1,
    )
    .unwrap();
    let kept = recordings(dir.path()).unwrap().remove(0);
    assert_eq!((kept.format, kept.status, kept.seconds), (1, 200, 1.25));
    assert_eq!(
        kept.reply,
        Content::Json(json!({"object": "list", "data": [{"id": "small"}]}))
    );
    assert_eq!(kept.extra["model"], json!("small"));
}

#[tokio::test]
async fn while_recording_a_repeated_key_is_blotted_out_for_the_caller_too() {
    let dir = tempfile::tempdir().unwrap();
    let fake = Fake::start(vec![reply(200, "", "key sk-hidden-1234")]).await;
    let mut request = Request::get(format!("{}/v1", fake.base));
    request.secret_bearer = Some(Secret::new("sk-hidden-1234"));
    let live = recorder(dir.path()).send(&request).await.unwrap();
    assert_eq!(live.body, b"key ***");
    assert_eq!(player(dir.path()).send(&request).await.unwrap().body, live.body);
}
