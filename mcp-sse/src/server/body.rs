//! What is answered.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use mcp_core::exchange::Exchange;
use tokio::time::Sleep;

use super::service::{Permit, Stop};
use super::sessions::Listener;
use super::sse;
use super::stream::{Read, Reader};

/// The body of an answer: nothing, a JSON text, or a stream of events.
///
/// Dropping a stream of 2026-07-28 cancels the call that it answers.
#[must_use]
pub struct Body {
    inner: Inner,
    /// Held until the answer has gone out.
    permit: Option<Permit>,
}

enum Inner {
    Empty,
    Full(Bytes),
    Events(Box<Events>),
}

/// A stream of events.
struct Events {
    source: Source,
    /// What has to go out first.
    ready: Option<Bytes>,
    keep_alive: KeepAlive,
    is_over: bool,
}

pub(super) enum Source {
    /// The call lives as long as its stream.
    Exchange {
        exchange: Box<Exchange>,
        stop: Pin<Box<dyn Future<Output = ()> + Send>>,
        is_stopping: bool,
    },
    /// The call lives on its own.
    Reader(Reader),
    Listener(Listener),
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").finish_non_exhaustive()
    }
}

impl Body {
    pub(super) const fn empty() -> Self {
        Self {
            inner: Inner::Empty,
            permit: None,
        }
    }

    pub(super) const fn full(bytes: Bytes) -> Self {
        Self {
            inner: Inner::Full(bytes),
            permit: None,
        }
    }

    /// A stream that begins with what is ready.
    pub(super) fn events(source: Source, ready: Option<Bytes>, every: Duration) -> Self {
        Self {
            inner: Inner::Events(Box::new(Events {
                source,
                ready,
                keep_alive: KeepAlive::new(every),
                is_over: false,
            })),
            permit: None,
        }
    }

    pub(super) fn holding(mut self, permit: Permit) -> Self {
        self.permit = Some(permit);
        self
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let data = match &mut self.inner {
            Inner::Empty => None,
            Inner::Full(bytes) => {
                let bytes = std::mem::take(bytes);
                self.inner = Inner::Empty;
                Some(bytes)
            }
            Inner::Events(events) => std::task::ready!(events.poll(cx)),
        };
        if data.is_none() {
            self.inner = Inner::Empty;
            self.permit = None;
        }
        Poll::Ready(data.map(|data| Ok(Frame::data(data))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.inner, Inner::Empty)
    }

    fn size_hint(&self) -> SizeHint {
        match &self.inner {
            Inner::Empty => SizeHint::with_exact(0),
            Inner::Full(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Inner::Events(_) => SizeHint::default(),
        }
    }
}

impl Source {
    pub(super) fn exchange(exchange: Box<Exchange>, stop: &Arc<Stop>) -> Self {
        Self::Exchange {
            exchange,
            stop: stop.stopped(),
            is_stopping: false,
        }
    }

    /// The next events, as they go out; `None` at the end.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut out = Vec::new();
        match self {
            Self::Exchange {
                exchange,
                stop,
                is_stopping,
            } => {
                if !*is_stopping && stop.as_mut().poll(cx).is_ready() {
                    *is_stopping = true;
                    exchange.shut_down();
                }
                let Some(frames) = std::task::ready!(exchange.poll_frames(cx)) else {
                    return Poll::Ready(None);
                };
                for frame in sse::split(&frames) {
                    sse::write_event(&mut out, None, frame);
                }
            }
            Self::Reader(reader) => {
                while let Poll::Ready(read) = reader.poll_read(cx) {
                    match read {
                        Read::Event(number, frame) => {
                            write_numbered(&mut out, reader.stream().number(), number, &frame);
                        }
                        Read::Only(frame) => {
                            write_numbered(&mut out, reader.stream().number(), 1, &frame);
                        }
                        Read::End if out.is_empty() => return Poll::Ready(None),
                        Read::End => break,
                    }
                    if out.len() > 64 << 10 {
                        break;
                    }
                }
            }
            Self::Listener(listener) => {
                while let Poll::Ready(event) = listener.poll_event(cx) {
                    match event {
                        Some((number, frame)) => write_numbered(&mut out, 0, number, &frame),
                        None if out.is_empty() => return Poll::Ready(None),
                        None => break,
                    }
                    if out.len() > 64 << 10 {
                        break;
                    }
                }
            }
        }
        if out.is_empty() {
            return Poll::Pending;
        }
        Poll::Ready(Some(out.into()))
    }
}

pub(super) fn write_numbered(out: &mut Vec<u8>, stream: u64, number: u64, frame: &[u8]) {
    sse::write_event(out, Some(&format!("{stream}-{number}")), frame);
}

impl Events {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(ready) = self.ready.take() {
            return Poll::Ready(Some(ready));
        }
        if self.is_over {
            return Poll::Ready(None);
        }
        match self.source.poll(cx) {
            Poll::Ready(Some(data)) => {
                self.keep_alive.rest();
                Poll::Ready(Some(data))
            }
            Poll::Ready(None) => {
                self.is_over = true;
                Poll::Ready(None)
            }
            Poll::Pending if self.keep_alive.poll(cx) => {
                self.keep_alive.rest();
                Poll::Ready(Some(Bytes::from_static(sse::COMMENT)))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

/// Measures silence.
pub(super) struct KeepAlive {
    every: Duration,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl KeepAlive {
    pub(super) const fn new(every: Duration) -> Self {
        Self { every, sleep: None }
    }

    /// Whether it was quiet for so long.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> bool {
        let sleep = (self.sleep).get_or_insert_with(|| Box::pin(tokio::time::sleep(self.every)));
        sleep.as_mut().poll(cx).is_ready()
    }

    /// Something was said.
    pub(super) fn rest(&mut self) {
        self.sleep = None;
    }
}
