//! The page: three files of `ui/`, compiled in. No framework, nothing from another origin, nothing inline.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

pub(crate) async fn html() -> Response {
    file("text/html; charset=utf-8", include_str!("../ui/index.html"))
}

pub(crate) async fn style() -> Response {
    file("text/css; charset=utf-8", include_str!("../ui/style.css"))
}

pub(crate) async fn script() -> Response {
    file("text/javascript; charset=utf-8", include_str!("../ui/app.js"))
}

pub(crate) async fn icon() -> Response {
    file("image/svg+xml", include_str!("../ui/icon.svg"))
}

fn file(content_type: &'static str, text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type)),
        // A new version of the program is a new page at once.
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (headers, text).into_response()
}
