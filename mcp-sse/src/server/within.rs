//! A request in a session (up to 2025-11-25), which outlives its connection.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http::{Response, StatusCode};
use mcp_core::ProtocolVersion;
use mcp_core::exchange::{Exchange, Session};

use super::accept::Accepts;
use super::answers::{Statuses, accepted, events, nothing, status, whole};
use super::body::{Body, KeepAlive, Source, write_numbered};
use super::head::RequestHead;
use super::service::Shared;
use super::sessions::Live;
use super::sse;
use super::stream::{EventStream, Read, Reader};

/// Answers a request in a session: it runs on when the client goes away, which may come back for the answer.
pub(super) async fn within(
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
