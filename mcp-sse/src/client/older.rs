//! HTTP+SSE of 2024-11-05: one stream on which everything comes, and a place that messages are sent to.
//!
//! <https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse>

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::{AbortHandle, Abortable};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use http::{Method, StatusCode};
use mcp_core::protocol::{Initialized, Notification};
use mcp_core::runtime::BoxFuture;
use mcp_core::transport::{Arrival, MessageTransport, Outgoing};

use super::auth::BoxError;
use super::body;
use super::connection::{Admission, Connection, Settings, Slot};
use super::error::{HttpError, HttpErrorKind};
use super::http::HttpBody;
use super::resume::{Rest, Stream};
use super::target::Target;
use crate::event::{SseDecoder, SseEvent};

/// How long a server may take to open the stream and to say where messages go.
const OPEN: Duration = Duration::from_secs(30);
/// How long it may take to take in a message.
const TELL: Duration = Duration::from_secs(30);
/// The same when the connection is being closed.
const LAST_WORDS: Duration = Duration::from_secs(2);

pub(super) struct OlderTransport {
    connection: Arc<Connection>,
    /// Reads the stream; how that ends is how the connection does.
    reading: Option<BoxFuture<'static, Option<BoxError>>>,
    posting: FuturesUnordered<BoxFuture<'static, Posted>>,
    /// Posts of requests under way.
    requests: HashMap<u64, AbortHandle>,
    ended: Option<Option<BoxError>>,
    admission: Admission,
    closing: Option<BoxFuture<'static, ()>>,
}

/// What a POST was.
#[derive(Clone, Copy)]
enum Posted {
    Request(u64),
    Told,
    /// The server knows that the handshake has ended.
    Opened,
}

impl OlderTransport {
    /// Opens the stream, and waits until the server says where messages go.
    ///
    /// # Errors
    ///
    /// When it is no server of this transport.
    pub(super) async fn open(settings: &Arc<Settings>) -> Result<Self, HttpError> {
        let connection = Arc::new(Connection::new(Arc::clone(settings)));
        let opening = tokio::time::timeout(OPEN, open(&connection));
        let rest = opening
            .await
            .unwrap_or_else(|_| Err(connection.error(HttpErrorKind::Timeout(OPEN))))?;
        let reader = Arc::clone(&connection);
        let reading = async move {
            let mut rest = rest;
            Stream::standing(&reader).read_on(&mut rest).await.err()
        };
        Ok(Self {
            connection,
            reading: Some(Box::pin(reading)),
            posting: FuturesUnordered::new(),
            requests: HashMap::new(),
            ended: None,
            admission: Admission::default(),
            closing: None,
        })
    }

    fn post(&mut self, what: Posted, frame: Bytes) {
        let connection = Arc::clone(&self.connection);
        let (handle, registration) = AbortHandle::new_pair();
        let id = match what {
            Posted::Request(id) => Some(id),
            Posted::Told | Posted::Opened => None,
        };
        let slot = id.map(|id| {
            self.requests.insert(id, handle);
            Slot::new(&self.connection)
        });
        let posting = async move {
            let posted = tokio::time::timeout(TELL, post(&connection, &frame)).await;
            let posted =
                posted.unwrap_or_else(|_| Err(connection.error(HttpErrorKind::Timeout(TELL))));
            if let (Some(id), Err(error)) = (id, posted) {
                let sent = error.is_outcome_unknown();
                let error = error.into();
                connection.inbox.push(Arrival::Failed { id, error, sent });
            }
            drop(slot);
        };
        let posting = Abortable::new(posting, registration);
        self.posting.push(Box::pin(posting.map(move |_| what)));
    }

    /// True when something was done.
    fn run(&mut self, cx: &mut Context<'_>) -> bool {
        if let Some(reading) = &mut self.reading
            && let Poll::Ready(why) = reading.poll_unpin(cx)
        {
            self.reading = None;
            self.ended = Some(why);
            return true;
        }
        if let Poll::Ready(Some(what)) = self.posting.poll_next_unpin(cx) {
            match what {
                Posted::Request(id) => {
                    self.requests.remove(&id);
                }
                Posted::Told => {}
                Posted::Opened => self.admission.set_opening(false),
            }
            self.admission.wake();
            return true;
        }
        false
    }
}

/// Opens the stream, and reads it up to the event that says where messages go.
async fn open(connection: &Connection) -> Result<Rest, HttpError> {
    let stream = Stream::standing(connection);
    let response = stream.open().await?;
    let mut body = stream.events(response).await?;
    let mut events = SseDecoder::with_limit(connection.settings.max_message);
    loop {
        while let Some(event) = events.next_event() {
            if let SseEvent::Data { name, data } = event {
                if &*name != b"endpoint" {
                    let why = "its stream does not begin with where messages go";
                    return Err(connection.error(HttpErrorKind::Misled(why)));
                }
                let endpoint = endpoint(&connection.settings.target, &data);
                connection.go_to(endpoint.map_err(|kind| connection.error(kind))?);
                return Ok(Rest { body, events });
            }
        }
        events.feed(next_piece(connection, &mut body).await?);
    }
}

async fn next_piece(connection: &Connection, body: &mut HttpBody) -> Result<Bytes, HttpError> {
    match body.piece().await {
        Some(Ok(piece)) => Ok(piece),
        Some(Err(source)) => {
            let sent = true;
            Err(connection.error(HttpErrorKind::Connection { sent, source }))
        }
        None => Err(connection.error(HttpErrorKind::NoAnswer)),
    }
}

fn endpoint(target: &Target, data: &[u8]) -> Result<Target, HttpErrorKind> {
    let reference = std::str::from_utf8(data);
    let why = "the server names a place that is no URL";
    target.join(reference.map_err(|_| HttpErrorKind::Misled(why))?)
}

async fn post(connection: &Connection, frame: &Bytes) -> Result<(), HttpError> {
    let headers = connection.post_headers(None)?;
    let response = connection.request(Method::POST, &headers, frame).await?;
    if response.status().is_success() {
        // What it says is said on the stream. The connection can be used again once it was read.
        body::beginning(response.into_body(), 4 << 10).await;
        return Ok(());
    }
    let is_lost = response.status() == StatusCode::NOT_FOUND;
    let (error, _) = connection.refusal(response).await;
    if is_lost {
        let why = "connect again".to_owned();
        return Err(connection.error(HttpErrorKind::SessionLost(why)));
    }
    Err(error)
}

impl MessageTransport for OlderTransport {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.admission.poll(&self.connection, cx)
    }

    fn send(&mut self, message: Outgoing) {
        match message {
            Outgoing::Request { id, frame, .. } => self.post(Posted::Request(id), frame),
            Outgoing::Notification { heading, frame } => {
                if heading.method() == Initialized::METHOD {
                    self.admission.set_opening(true);
                    self.post(Posted::Opened, frame);
                } else {
                    self.post(Posted::Told, frame);
                }
            }
            Outgoing::Answer { frame, .. } => self.post(Posted::Told, frame),
            Outgoing::Abandon { id } => {
                if let Some(handle) = self.requests.remove(&id) {
                    handle.abort();
                }
            }
        }
    }

    fn poll_arrival(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<Arrival>>> {
        loop {
            if let Some(arrival) = self.connection.inbox.pop() {
                return Poll::Ready(Ok(Some(arrival)));
            }
            // Answers can't come any more, whatever can still be sent.
            match self.ended.take() {
                Some(None) => return Poll::Ready(Ok(None)),
                Some(Some(source)) => {
                    let sent = true;
                    let kind = HttpErrorKind::Connection { sent, source };
                    return Poll::Ready(Err(self.connection.error(kind).into()));
                }
                None => {}
            }
            if !self.run(cx) && self.connection.inbox.is_empty() {
                return Poll::Pending;
            }
        }
    }

    fn poll_close(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let closing = self.closing.get_or_insert_with(|| {
            for (_, request) in self.requests.drain() {
                request.abort();
            }
            let posting = std::mem::take(&mut self.posting);
            let reading = self.reading.take();
            Box::pin(async move {
                let posted = posting.for_each(|_| std::future::ready(()));
                let _: Result<_, _> = tokio::time::timeout(LAST_WORDS, posted).await;
                // The session ends with its stream.
                drop(reading);
            })
        });
        closing.poll_unpin(cx).map(Ok)
    }
}
