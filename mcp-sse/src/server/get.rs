//! What belongs to sessions: the stream of what is told unasked, streams that are taken up again, and the end.

use std::sync::Arc;

use http::header::{HeaderMap, HeaderName};
use http::{Extensions, Response, StatusCode};
use mcp_core::exchange::Sender;
use mcp_core::protocol::http_headers;
use mcp_core::{Principal, ProtocolVersion};

use super::accept::Accepts;
use super::answers::events;
use super::body::{Body, Source};
use super::post::{SESSION_ID, no_session};
use super::refusal::Refusal;
use super::service::Shared;
use super::sessions::{Listener, Live};
use super::sse;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static(http_headers::LAST_EVENT_ID);
/// Longer ones name nothing.
const MAX_ID: usize = 256;

/// The session that a request belongs to.
pub(super) fn session_id(headers: &HeaderMap) -> Result<Option<&str>, Refusal> {
    let mut values = headers.get_all(SESSION_ID).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return if headers.contains_key(SESSION_ID) {
            Err(Refusal::bad("this request names two sessions"))
        } else {
            Ok(None)
        };
    };
    let is_visible = |text: &&str| {
        !text.is_empty() && text.len() <= MAX_ID && text.bytes().all(|byte| byte.is_ascii_graphic())
    };
    let id = value.to_str().ok().filter(is_visible);
    id.map(Some)
        .ok_or_else(|| Refusal::bad("`Mcp-Session-Id` is not what a session is called"))
}

fn find(
    shared: &Shared,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> Result<(String, Arc<Live>), Refusal> {
    let id = session_id(headers)?.ok_or_else(|| Refusal::bad("`Mcp-Session-Id` is missing"))?;
    let live = shared.sessions.find(id).ok_or_else(no_session)?;
    let mut sender = Sender::new();
    if let Some(principal) = extensions.get::<Principal>() {
        sender = sender.with_principal(principal.clone());
    }
    if !live.session.is_of(&sender) {
        return Err(no_session());
    }
    Ok((id.to_owned(), live))
}

/// Opens the stream of what is told unasked, or takes one up again.
pub(super) fn answer(
    shared: &Arc<Shared>,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> Result<Response<Body>, Refusal> {
    if !Accepts::of(headers).events {
        return Err(Refusal::new(
            StatusCode::NOT_ACCEPTABLE,
            "`Accept` must list `text/event-stream`",
        ));
    }
    let (_, live) = find(shared, headers, extensions)?;
    let last = headers
        .get(LAST_EVENT_ID)
        .map(|value| value.to_str().unwrap_or_default());
    let keep_alive = shared.options.keep_alive;
    let after = match last {
        None => None,
        Some(event) => match event.strip_prefix("0-") {
            Some(number) => Some(number.parse().map_err(|_| no_event())?),
            None => {
                let reader = live.resume(event).ok_or_else(no_event)?;
                return Ok(events(Body::events(
                    Source::Reader(reader),
                    None,
                    keep_alive,
                )));
            }
        },
    };
    let listener = Listener::new(&live, after);
    let mut out = Vec::new();
    if after.is_none() && live.session.version() >= ProtocolVersion::V2025_11_25 {
        let retry = shared.options.retry.as_millis();
        let last = listener.after();
        out.extend_from_slice(format!("id: 0-{last}\nretry: {retry}\ndata: \n\n").as_bytes());
    } else {
        // So that the client sees at once that it is heard.
        out.extend_from_slice(sse::COMMENT);
    }
    Ok(events(Body::events(
        Source::Listener(listener),
        Some(out.into()),
        keep_alive,
    )))
}

const fn no_event() -> Refusal {
    Refusal::bad("`Last-Event-ID` names no event that is still known")
}

/// Ends a session, as its client wants it.
pub(super) fn end_session(
    shared: &Arc<Shared>,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> Result<Response<Body>, Refusal> {
    let (id, _) = find(shared, headers, extensions)?;
    shared.sessions.remove(&id).ok_or_else(no_session)?;
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    Ok(response)
}
