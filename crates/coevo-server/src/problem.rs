//! An error on its way out: [`Problem`]. A handler gives it back; the outermost layer (`request.rs`) knows the request's id
//! and writes the body, as JSON or as text.

use crate::accept::Accept;
use crate::code::Code;
use crate::wire;
use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

/// The media type of RFC 9457.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// What goes wrong in a handler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) code: Code,
    pub(crate) detail: String,
    pub(crate) hint: Option<String>,
}

/// What handlers give.
pub(crate) type Handled<T = Response> = Result<T, Problem>;

impl Problem {
    pub(crate) fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
            hint: None,
        }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<Option<String>>) -> Self {
        self.hint = hint.into();
        self
    }

    /// A parameter that is missing or wrong.
    pub(crate) fn parameter(detail: impl Into<String>) -> Self {
        Self::new(Code::BadParameter, detail)
    }

    pub(crate) fn to_wire(&self, request_id: &str) -> wire::Problem {
        wire::Problem {
            kind: format!("urn:coevo:problem:{}", self.code.name()),
            code: self.code.name().to_owned(),
            title: self.code.title().to_owned(),
            status: self.code.status(),
            detail: self.detail.clone(),
            hint: self.hint.clone(),
            request_id: request_id.to_owned(),
        }
    }

    /// The response with its body. Headers that a layer set on `response` stay.
    pub(crate) fn fill(&self, mut response: Response, accept: &Accept, request_id: &str) -> Response {
        let types = [PROBLEM_JSON, "application/json", "text/plain"];
        let chosen = accept
            .best(&types, &[])
            .map_or(PROBLEM_JSON, |index| types[index]);
        let (media_type, body) = if chosen == "text/plain" {
            let hint = self
                .hint
                .as_ref()
                .map(|hint| format!("hint: {hint}\n"))
                .unwrap_or_default();
            let text = format!(
                "{}: {}\n{hint}request: {request_id}\n",
                self.code.title(),
                self.detail
            );
            ("text/plain; charset=utf-8", text.into_bytes())
        } else {
            let body = serde_json::to_vec(&self.to_wire(request_id)).unwrap_or_default();
            (PROBLEM_JSON, body)
        };
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        response.headers_mut().remove(header::CONTENT_LENGTH);
        *response.body_mut() = Body::from(body);
        response
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.code.http_status().into_response();
        if self.code == Code::Overloaded {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response.extensions_mut().insert(self);
        response
    }
}
