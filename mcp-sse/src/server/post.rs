//! A message from a client.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use bytes::{Buf, Bytes};
use http::header::{HeaderName, HeaderValue};
use http::{Request, Response, StatusCode};
use mcp_core::Principal;
use mcp_core::exchange::{Claim, Exchange, Posted, Sender, Session, Unbound};
use mcp_core::protocol::http_headers;

use super::accept::{Accepts, is_json};
use super::answers::{Statuses, accepted, events, nothing, status, whole};
use super::body::{Body, KeepAlive, Source};
use super::get::session_id;
use super::head::{RequestHead, View};
use super::receive::read;
use super::refusal::Refusal;
use super::service::Shared;
use super::sse;
use super::within::within;

pub(super) const SESSION_ID: HeaderName = HeaderName::from_static(http_headers::SESSION_ID);

pub(super) async fn answer<B>(
    shared: &Arc<Shared>,
    request: Request<B>,
) -> Result<Response<Body>, Refusal>
where
    B: http_body::Body,
    B::Data: Buf,
{
    let (parts, body) = request.into_parts();
    if !is_json(&parts.headers) {
        return Err(Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the body must be `application/json`, in UTF-8",
        ));
    }
    let accepts = Accepts::of(&parts.headers);
    if accepts.nothing() {
        return Err(Refusal::new(
            StatusCode::NOT_ACCEPTABLE,
            "`Accept` must list `application/json` and `text/event-stream`",
        ));
    }
    let frame = read(shared, &parts.headers, body).await?;
    let principal = parts.extensions.get::<Principal>().cloned();
    let head = Arc::new(RequestHead::new(parts));
    let headers = View(head.headers());
    let mut sender = Sender::new().with_parts(Arc::clone(&head) as _);
    if let Some(principal) = principal {
        sender = sender.with_principal(principal);
    }
    if Claim::of(&headers) == Claim::Modern {
        let exchange = shared.exchanges.modern(&frame, &headers, sender);
        return Ok(alone(shared, Box::new(exchange), accepts, Statuses::Modern).await);
    }
    if shared.options.is_stateless {
        return Ok(
            match shared.exchanges.unbound(&frame, &headers, sender, true) {
                Unbound::Exchange(exchange) => {
                    alone(shared, exchange, accepts, Statuses::Legacy).await
                }
                Unbound::Opened(answer, _) => whole(&answer, StatusCode::OK, accepts),
            },
        );
    }
    let Some(id) = session_id(head.headers())? else {
        return match shared.exchanges.unbound(&frame, &headers, sender, false) {
            Unbound::Exchange(exchange) => {
                Ok(alone(shared, exchange, accepts, Statuses::Legacy).await)
            }
            Unbound::Opened(answer, session) => opened(shared, &answer, session, accepts),
        };
    };
    let live = shared.sessions.find(id).ok_or_else(no_session)?;
    match live.session.post(&frame, &headers, sender) {
        Posted::Accepted => Ok(accepted()),
        Posted::Answered(answer, outcome) if answer.is_empty() => {
            Ok(nothing(outcome, Statuses::Legacy))
        }
        Posted::Answered(answer, outcome) => {
            Ok(whole(&answer, status(outcome, Statuses::Legacy), accepts))
        }
        Posted::Exchange(exchange) => Ok(within(shared, &live, exchange, &head, accepts).await),
        Posted::Over => Err(no_session()),
    }
}

pub(super) const fn no_session() -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        "there is no such session: send `initialize` to open one",
    )
}

/// What an exchange says first.
enum First {
    /// All it has to say.
    Whole(Bytes),
    /// It will say more, or take long.
    More(Option<Bytes>),
    Nothing,
}

/// Answers a message that stands for itself: whoever goes away cancels it.
async fn alone(
    shared: &Arc<Shared>,
    mut exchange: Box<Exchange>,
    accepts: Accepts,
    statuses: Statuses,
) -> Response<Body> {
    if !accepts.events {
        return last(exchange, accepts, statuses).await;
    }
    let mut quiet = KeepAlive::new(shared.options.keep_alive);
    let first = poll_fn(|cx| match exchange.poll_frames(cx) {
        Poll::Ready(Some(frames)) if exchange.is_over() && sse::single(&frames) => {
            Poll::Ready(First::Whole(frames))
        }
        Poll::Ready(Some(frames)) => Poll::Ready(First::More(Some(frames))),
        Poll::Ready(None) => Poll::Ready(First::Nothing),
        Poll::Pending if quiet.poll(cx) => Poll::Ready(First::More(None)),
        Poll::Pending => Poll::Pending,
    })
    .await;
    match first {
        First::Whole(answer) => whole(&answer, status(exchange.outcome(), statuses), accepts),
        First::Nothing => nothing(exchange.outcome(), statuses),
        First::More(frames) => {
            let mut out = Vec::new();
            match &frames {
                Some(frames) => {
                    sse::split(frames).for_each(|frame| sse::write_event(&mut out, None, frame));
                }
                None => out.extend_from_slice(sse::COMMENT),
            }
            let source = Source::exchange(exchange, &shared.stop);
            events(Body::events(
                source,
                Some(out.into()),
                shared.options.keep_alive,
            ))
        }
    }
}

/// Answers a client that takes no streams: reports go nowhere.
async fn last(mut exchange: Box<Exchange>, accepts: Accepts, statuses: Statuses) -> Response<Body> {
    let mut answer = Bytes::new();
    while let Some(frames) = poll_fn(|cx| exchange.poll_frames(cx)).await {
        if let Some(frame) = sse::split(&frames).last() {
            answer = frames.slice_ref(frame);
        }
    }
    if answer.is_empty() {
        return nothing(exchange.outcome(), statuses);
    }
    whole(&answer, status(exchange.outcome(), statuses), accepts)
}

fn opened(
    shared: &Arc<Shared>,
    answer: &Bytes,
    session: Session,
    accepts: Accepts,
) -> Result<Response<Body>, Refusal> {
    let mut random = [0; 16];
    shared.runtime.fill_random(&mut random).map_err(|_| {
        Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "this system has no randomness for a session",
        )
    })?;
    let id: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let header = HeaderValue::from_str(&id).ok();
    let kept = shared.sessions.insert(id, session);
    let (Some(()), Some(header)) = (kept, header) else {
        return Err(Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "there are as many sessions as may be: `HttpService::max_sessions` sets how many",
        ));
    };
    let mut response = whole(answer, StatusCode::OK, accepts);
    response.headers_mut().insert(SESSION_ID, header);
    Ok(response)
}
