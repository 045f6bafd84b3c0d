#![expect(clippy::unwrap_used, reason = "tests")]

use std::time::Duration;

use futures::StreamExt;
use serde_json::json;

use crate::fake::{Fake, Step, reply};
use crate::{Addresses, Error, HttpClient, HttpOptions, Redirects, Request, Retry, Secret};

fn client() -> HttpClient {
    HttpClient::new(&HttpOptions::default()).unwrap()
}

/// A request with pauses too short to notice.
fn get(fake: &Fake, path: &str) -> Request {
    let mut request = Request::get(format!("{}{path}", fake.base));
    request.retry.first_pause = Duration::from_millis(2);
    request
}

#[tokio::test]
async fn sends_what_was_asked_and_returns_what_came() {
    let fake = Fake::start(vec![reply(404, "X-Thing: a\r\n", "gone")]).await;
    let mut request = Request::post_json(format!("{}/p?q=1", fake.base), &json!({"a": 1}));
    request.secret_bearer = Some(Secret::new("key-key-key"));
    let response = client().send(&request).await.unwrap();
    assert_eq!(
        (response.status, response.body.as_slice(), response.attempts),
        (404, b"gone".as_slice(), 1)
    );
    assert_eq!(response.header("x-thing"), Some("a"));
    assert!(!response.is_success());
    let seen = fake.seen().remove(0);
    assert!(
        seen.starts_with("POST /p?q=1 HTTP/1.1\r\n") && seen.ends_with("\r\n\r\n{\"a\":1}"),
        "{seen}"
    );
    assert!(seen.contains("authorization: Bearer key-key-key\r\n"), "{seen}");
}

#[tokio::test]
async fn tries_again_on_listed_statuses_only() {
    let cases = [
        (
            vec![reply(503, "", ""), reply(502, "", ""), reply(200, "", "ok")],
            200,
            3,
        ),
        (
            vec![reply(429, "Retry-After: 0\r\n", ""), reply(200, "", "ok")],
            200,
            2,
        ),
        (
            vec![
                reply(503, "", ""),
                reply(503, "", ""),
                reply(503, "", ""),
                reply(200, "", ""),
            ],
            503,
            3,
        ),
        (vec![reply(500, "", ""), reply(200, "", "")], 500, 1),
        (vec![reply(404, "", ""), reply(200, "", "")], 404, 1),
    ];
    for (steps, status, attempts) in cases {
        let fake = Fake::start(steps).await;
        let response = client().send(&get(&fake, "/")).await.unwrap();
        assert_eq!(
            (response.status, response.attempts, fake.seen().len()),
            (status, attempts, attempts as usize)
        );
    }
}

#[tokio::test]
async fn a_pause_beyond_the_deadline_is_not_begun() {
    let fake = Fake::start(vec![reply(429, "Retry-After: 3600\r\n", "later")]).await;
    let response = client().send(&get(&fake, "/")).await.unwrap();
    assert_eq!((response.status, response.attempts), (429, 1));
}

#[tokio::test]
async fn an_unreachable_server_is_one_line_without_secrets() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let mut request = Request::get(format!("http://me:hidden@{closed}/v1?key=hidden"));
    request.retry.first_pause = Duration::from_millis(2);
    let error = client().send(&request).await.unwrap_err();
    assert!(matches!(error, Error::Connect { .. }), "{error:?}");
    let text = format!("{error} {error:?} {}", error.hint().unwrap());
    assert!(
        error
            .to_string()
            .starts_with(&format!("http://{closed}/v1: no connection: ")),
        "{error}"
    );
    assert!(!text.contains("hidden") && !text.contains('\n'), "{text}");
}

#[tokio::test]
async fn silence_ends_at_the_deadline() {
    for step in [
        Step::Hang,
        Step::Stall("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc".to_owned()),
    ] {
        let fake = Fake::start(vec![step]).await;
        let mut request = get(&fake, "/");
        request.deadline = Duration::from_millis(100);
        let error = client().send(&request).await.unwrap_err();
        assert!(
            matches!(error, Error::Deadline { seconds, .. } if (0.09..0.11).contains(&seconds)),
            "{error:?}"
        );
    }
}

#[tokio::test]
async fn a_body_cut_short_is_an_error() {
    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc".to_owned();
    let fake = Fake::start(vec![Step::Bytes(cut)]).await;
    let error = client().send(&get(&fake, "/")).await.unwrap_err();
    assert!(matches!(error, Error::Broken { .. }), "{error:?}");
}

#[tokio::test]
async fn large_replies_are_refused_with_and_without_a_length() {
    let unmeasured = format!("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{}", "x".repeat(11));
    for step in [reply(200, "", &"x".repeat(11)), Step::Bytes(unmeasured.clone())] {
        let fake = Fake::start(vec![step]).await;
        let mut request = get(&fake, "/");
        request.max_bytes = 10;
        let error = client().send(&request).await.unwrap_err();
        assert!(matches!(error, Error::TooLarge { limit: 10, .. }), "{error:?}");
    }
    let fake = Fake::start(vec![Step::Bytes(unmeasured)]).await;
    let mut request = get(&fake, "/");
    request.max_bytes = 10;
    let pieces: Vec<_> = client().stream(&request).await.unwrap().body.collect().await;
    assert!(
        matches!(pieces.last(), Some(Err(Error::TooLarge { limit: 10, .. }))),
        "{pieces:?}"
    );
}

#[tokio::test]
async fn redirects_are_followed_when_asked_for_and_keys_stay_home() {
    let other = Fake::start(vec![reply(200, "", "there")]).await;
    let fake = Fake::start(vec![
        reply(302, &format!("Location: {}/there\r\n", other.base), ""),
        reply(302, &format!("Location: {}/there\r\n", other.base), ""),
    ])
    .await;
    let mut request = get(&fake, "/");
    assert_eq!(client().send(&request).await.unwrap().status, 302);
    request.redirects = Redirects::AtMost(1);
    request.secret_bearer = Some(Secret::new("key-key-key"));
    request
        .headers
        .push(("x-own".to_owned(), "key-key-key".to_owned()));
    let response = client().send(&request).await.unwrap();
    assert_eq!(
        (response.status, response.url),
        (200, format!("{}/there", other.base))
    );
    assert!(fake.seen()[1].contains("key-key-key"));
    assert!(!other.seen()[0].contains("key-key-key"), "{:?}", other.seen());
}

#[tokio::test]
async fn redirects_are_bounded() {
    let steps = (0..3).map(|_| reply(302, "Location: /again\r\n", "")).collect();
    let fake = Fake::start(steps).await;
    let mut request = get(&fake, "/");
    request.redirects = Redirects::AtMost(2);
    let error = client().send(&request).await.unwrap_err();
    assert!(
        matches!(error, Error::TooManyRedirects { limit: 2, .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn private_addresses_are_refused_before_anything_is_sent() {
    let fake = Fake::start(vec![reply(200, "", "secret")]).await;
    let port = fake.base.rsplit(':').next().unwrap().to_owned();
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"] {
        let mut request = Request::get(format!("http://{host}:{port}/"));
        request.addresses = Addresses::PublicOnly;
        request.retry = Retry::NONE;
        let error = client().send(&request).await.unwrap_err();
        assert!(matches!(error, Error::AddressRefused { .. }), "{host}: {error:?}");
    }
    assert!(fake.seen().is_empty());
}

#[tokio::test]
async fn streams_hand_over_the_body_and_its_status() {
    let fake = Fake::start(vec![reply(503, "", ""), reply(200, "", "hello")]).await;
    let response = client().stream(&get(&fake, "/")).await.unwrap();
    assert_eq!((response.status, response.attempts), (200, 2));
    assert_eq!(response.body.collect_up_to(4).await.unwrap(), b"hell");
}

#[tokio::test]
async fn a_bad_header_or_url_is_named() {
    let mut request = Request::get("http://127.0.0.1:9/");
    request.headers.push(("bad name".to_owned(), String::new()));
    assert!(matches!(
        client().send(&request).await.unwrap_err(),
        Error::BadRequest { .. }
    ));
    let error = client().send(&Request::get("127.0.0.1:9/v1")).await.unwrap_err();
    assert!(matches!(error, Error::BadUrl { .. }), "{error:?}");
}
