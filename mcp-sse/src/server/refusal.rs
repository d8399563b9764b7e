//! Requests that are not answered by MCP at all.

use bytes::Bytes;
use http::header::{ALLOW, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use http::{Response, StatusCode};

use super::body::Body;

/// Why a request is refused: a status, and words for whoever reads logs.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    /// Becomes a JSON-RPC error without an id. Never anything that the request said.
    message: &'static str,
    allow: Option<&'static str>,
}

impl Refusal {
    pub(super) const fn new(status: StatusCode, message: &'static str) -> Self {
        Self {
            status,
            message,
            allow: None,
        }
    }

    pub(super) const fn bad(message: &'static str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub(super) const fn forbidden(message: &'static str) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    pub(super) const fn method(allow: &'static str) -> Self {
        Self {
            status: StatusCode::METHOD_NOT_ALLOWED,
            message: "this method is not for this address",
            allow: Some(allow),
        }
    }

    #[cfg(test)]
    pub(super) const fn status(&self) -> StatusCode {
        self.status
    }
}

impl From<Refusal> for Response<Body> {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.message.replace('"', "\\\"");
        let text =
            format!(r#"{{"jsonrpc":"2.0","error":{{"code":-32600,"message":"{message}"}}}}"#);
        let mut response = Self::new(Body::full(Bytes::from(text)));
        *response.status_mut() = refusal.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(allow) = refusal.allow {
            headers.insert(ALLOW, HeaderValue::from_static(allow));
        }
        if refusal.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response
    }
}
