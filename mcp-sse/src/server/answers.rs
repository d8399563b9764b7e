//! Answers, and the statuses that go with them.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use mcp_core::ErrorCode;
use mcp_core::exchange::Outcome;

use super::accept::Accepts;
use super::body::Body;
use super::sse;

const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// An answer that is complete.
pub(super) fn whole(answer: &Bytes, status: StatusCode, accepts: Accepts) -> Response<Body> {
    let frame = answer.strip_suffix(b"\n").unwrap_or(answer);
    let mut response = if accepts.json {
        let mut response = Response::new(Body::full(answer.slice_ref(frame)));
        let kind = HeaderValue::from_static("application/json");
        response.headers_mut().insert(CONTENT_TYPE, kind);
        response
    } else {
        let mut out = Vec::new();
        sse::write_event(&mut out, None, frame);
        events(Body::full(out.into()))
    };
    *response.status_mut() = status;
    response
}

pub(super) fn nothing(outcome: Outcome, statuses: Statuses) -> Response<Body> {
    let mut response = accepted();
    if outcome != Outcome::Silent {
        *response.status_mut() = status(outcome, statuses);
    }
    response
}

pub(super) fn accepted() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

pub(super) fn events(body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // nginx would collect the events before it passes them on.
    headers.insert(BUFFERING, HeaderValue::from_static("no"));
    response
}

/// Which statuses there are for errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statuses {
    /// Those of 2026-07-28.
    Modern,
    /// Before, 404 means that the session is gone, whatever else is not found.
    Legacy,
}

/// The status that the revision wants for an answer.
///
/// <https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http>
pub(super) const fn status(outcome: Outcome, statuses: Statuses) -> StatusCode {
    match (outcome, statuses) {
        (Outcome::Malformed(_), _) => StatusCode::BAD_REQUEST,
        (Outcome::Error(code), _) if code.is_modern() => StatusCode::BAD_REQUEST,
        (Outcome::Error(ErrorCode::METHOD_NOT_FOUND), Statuses::Modern) => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    }
}
