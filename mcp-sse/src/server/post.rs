//! A message from a client.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
};
use http::{Request, Response, StatusCode};
use mcp_core::exchange::{Claim, Exchange, Outcome, Posted, Sender, Session, Unbound};
use mcp_core::{ErrorCode, Principal, ProtocolVersion};

use super::accept::{Accepts, is_json};
use super::body::{Body, KeepAlive, Source, write_numbered};
use super::get::session_id;
use super::head::{RequestHead, View};
use super::refusal::Refusal;
use super::service::Shared;
use super::sessions::Live;
use super::sse;
use super::stream::{EventStream, Read, Reader};

pub(super) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

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

/// Reads the body, as long and as fast as may be.
async fn read<B>(shared: &Shared, headers: &HeaderMap, body: B) -> Result<Bytes, Refusal>
where
    B: http_body::Body,
    B::Data: Buf,
{
    let max = shared.options.max_body;
    let length = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    let length = length.and_then(|value| value.parse::<u64>().ok());
    if length.is_some_and(|length| length > max as u64) {
        return Err(too_large());
    }
    let reading = collect(body, max);
    match tokio::time::timeout(shared.options.body_timeout, reading).await {
        Ok(body) => body,
        Err(_) => Err(Refusal::new(
            StatusCode::REQUEST_TIMEOUT,
            "the message took too long to come: `HttpService::body_timeout` sets how long it may",
        )),
    }
}

const fn too_large() -> Refusal {
    Refusal::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "the message is too long: `HttpService::max_body` sets how long it may be",
    )
}

async fn collect<B>(body: B, max: usize) -> Result<Bytes, Refusal>
where
    B: http_body::Body,
    B::Data: Buf,
{
    let mut body = pin!(body);
    // Mostly there is one part, which need not be copied.
    let mut first = Bytes::new();
    let mut all = BytesMut::new();
    while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
        let frame = frame.map_err(|_| Refusal::bad("the message broke off"))?;
        let Ok(mut data) = frame.into_data() else {
            continue;
        };
        let length = data.remaining();
        if first.len() + all.len() + length > max {
            return Err(too_large());
        }
        if first.is_empty() && all.is_empty() {
            first = data.copy_to_bytes(length);
        } else {
            all.extend_from_slice(&std::mem::take(&mut first));
            while data.has_remaining() {
                let chunk = data.chunk();
                let length = chunk.len();
                all.extend_from_slice(chunk);
                data.advance(length);
            }
        }
    }
    Ok(if all.is_empty() { first } else { all.freeze() })
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

/// Answers a request in a session: it runs on when the client goes away, which may come back for the answer.
async fn within(
    shared: &Arc<Shared>,
    live: &Arc<Live>,
    mut exchange: Box<Exchange>,
    head: &Arc<RequestHead>,
    accepts: Accepts,
) -> Response<Body> {
    let stream = live.open_stream();
    head.answer_on(&stream);
    let first = poll_fn(|cx| Poll::Ready(exchange.poll_frames(cx))).await;
    if let Poll::Ready(first) = first {
        let Some(frames) = first else {
            live.forget(stream.number());
            return nothing(exchange.outcome(), Statuses::Legacy);
        };
        if exchange.is_over() && sse::single(&frames) {
            live.forget(stream.number());
            return whole(
                &frames,
                status(exchange.outcome(), Statuses::Legacy),
                accepts,
            );
        }
        stream.push(&frames);
    }
    tokio::spawn(pump(exchange, Arc::clone(&stream)));
    let mut unread = Unread {
        live: Some(live),
        stream: &stream,
    };
    let mut reader = stream.read(0);
    let mut out = Vec::new();
    match first_of(&mut reader, shared.options.keep_alive, accepts).await {
        Some(Read::Only(answer)) => return whole(&answer, StatusCode::OK, accepts),
        Some(Read::End) if stream.is_done() => return accepted(),
        Some(Read::End) | None => prime(&mut out, shared, &live.session, &stream),
        Some(Read::Event(number, frame)) => {
            prime(&mut out, shared, &live.session, &stream);
            write_numbered(&mut out, stream.number(), number, &frame);
        }
    }
    unread.live = None;
    let source = Source::Reader(reader);
    events(Body::events(
        source,
        Some(out.into()),
        shared.options.keep_alive,
    ))
}

/// What comes first on a stream; `None` when nothing does for so long. Where no streams are taken, reports go nowhere.
async fn first_of(reader: &mut Reader, quiet: Duration, accepts: Accepts) -> Option<Read> {
    let mut quiet = KeepAlive::new(quiet);
    let mut answer = None;
    poll_fn(|cx| match reader.poll_read(cx) {
        Poll::Ready(Read::Event(_, frame)) if !accepts.events => {
            answer = Some(frame);
            cx.waker().wake_by_ref();
            Poll::Pending
        }
        Poll::Ready(Read::End) if !accepts.events => {
            Poll::Ready(Some(answer.take().map_or(Read::End, Read::Only)))
        }
        Poll::Ready(read) => Poll::Ready(Some(read)),
        Poll::Pending if accepts.events && quiet.poll(cx) => Poll::Ready(None),
        Poll::Pending => Poll::Pending,
    })
    .await
}

/// A stream that its client has never heard of can't be asked for.
struct Unread<'s> {
    live: Option<&'s Arc<Live>>,
    stream: &'s EventStream,
}

impl Drop for Unread<'_> {
    fn drop(&mut self) {
        if let Some(live) = self.live {
            live.forget(self.stream.number());
        }
    }
}

/// From 2025-11-25 on, a stream begins with an event that says how to take it up again.
fn prime(out: &mut Vec<u8>, shared: &Shared, session: &Session, stream: &EventStream) {
    if session.version() >= ProtocolVersion::V2025_11_25 {
        let (number, retry) = (stream.number(), shared.options.retry.as_millis());
        out.extend_from_slice(format!("id: {number}-0\nretry: {retry}\ndata: \n\n").as_bytes());
    }
    if out.is_empty() {
        out.extend_from_slice(sse::COMMENT);
    }
}

/// Runs a call, whoever listens.
async fn pump(mut exchange: Box<Exchange>, stream: Arc<EventStream>) {
    loop {
        poll_fn(|cx| stream.poll_room(cx)).await;
        match poll_fn(|cx| exchange.poll_frames(cx)).await {
            Some(frames) => {
                stream.push(&frames);
                if exchange.is_over() {
                    break;
                }
            }
            None => break,
        }
    }
    stream.finish();
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

/// An answer that is complete.
fn whole(answer: &Bytes, status: StatusCode, accepts: Accepts) -> Response<Body> {
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

fn nothing(outcome: Outcome, statuses: Statuses) -> Response<Body> {
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
enum Statuses {
    /// Those of 2026-07-28.
    Modern,
    /// Before, 404 means that the session is gone, whatever else is not found.
    Legacy,
}

/// The status that the revision wants for an answer.
///
/// <https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http>
const fn status(outcome: Outcome, statuses: Statuses) -> StatusCode {
    match (outcome, statuses) {
        (Outcome::Malformed(_), _) => StatusCode::BAD_REQUEST,
        (Outcome::Error(code), _) if code.is_modern() => StatusCode::BAD_REQUEST,
        (Outcome::Error(ErrorCode::METHOD_NOT_FOUND), Statuses::Modern) => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    }
}
