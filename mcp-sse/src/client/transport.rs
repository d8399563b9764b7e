//! Streamable HTTP as a transport.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::{AbortHandle, Abortable};
use futures_util::stream::{FuturesUnordered, Stream as _};
use futures_util::{FutureExt, StreamExt};
use http::{Method, StatusCode};
use mcp_core::protocol::{Initialized, Notification};
use mcp_core::runtime::BoxFuture;
use mcp_core::transport::{Arrival, Heading, MessageTransport, Outgoing};

use super::body;
use super::connection::{Admission, Connection, Settings, Slot};
use super::exchange::Exchange;
use super::standing;

/// How long a server may take to take in what it need not answer.
const TELL: Duration = Duration::from_secs(30);
/// The same when the connection is being closed.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// How long a server may take to end a session.
const END: Duration = Duration::from_secs(3);

/// What is under way, and what it was when it is done.
type Running = FuturesUnordered<BoxFuture<'static, Done>>;

#[derive(Clone, Copy)]
enum Done {
    Exchange(u64),
    Told,
    /// The server knows that the handshake has ended.
    Opened,
}

pub(super) struct HttpTransport {
    connection: Arc<Connection>,
    running: Running,
    /// What is to be said though the connection is closed.
    telling: Running,
    exchanges: HashMap<u64, AbortHandle>,
    admission: Admission,
    closing: Option<BoxFuture<'static, ()>>,
}

impl HttpTransport {
    pub(super) fn new(settings: Arc<Settings>) -> Self {
        Self {
            connection: Arc::new(Connection::new(settings)),
            running: Running::new(),
            telling: Running::new(),
            exchanges: HashMap::new(),
            admission: Admission::default(),
            closing: None,
        }
    }

    /// What is left to know when the connection is gone.
    pub(super) fn connection(&self) -> Arc<Connection> {
        Arc::clone(&self.connection)
    }

    fn begin(&mut self, id: u64, heading: Heading, frame: Bytes) {
        let (handle, registration) = AbortHandle::new_pair();
        self.exchanges.insert(id, handle);
        let exchange = Exchange {
            slot: (!heading.is_lasting()).then(|| Slot::new(&self.connection)),
            connection: Arc::clone(&self.connection),
            id,
            heading,
            frame,
        };
        let carried = Abortable::new(exchange.run(), registration);
        self.running
            .push(Box::pin(carried.map(move |_| Done::Exchange(id))));
    }

    fn tell(&mut self, heading: Option<Heading>, frame: Bytes) {
        let opens = heading
            .as_ref()
            .is_some_and(|heading| heading.method() == Initialized::METHOD);
        if opens {
            self.admission.set_opening(true);
            if let Some(heading) = &heading {
                self.connection.session.finish(heading, &frame);
            }
        }
        let connection = Arc::clone(&self.connection);
        self.telling.push(Box::pin(async move {
            let telling = tell(&connection, heading.as_ref(), &frame);
            // Whether it was taken in, nobody waits to know.
            let _: Result<_, _> = tokio::time::timeout(TELL, telling).await;
            if opens { Done::Opened } else { Done::Told }
        }));
    }

    fn finish(&mut self, done: Done) {
        match done {
            Done::Exchange(id) => {
                self.exchanges.remove(&id);
            }
            Done::Told => {}
            Done::Opened => {
                self.admission.set_opening(false);
                self.connection.session.open();
                let standing = standing::listen(Arc::clone(&self.connection));
                self.running.push(Box::pin(standing.map(|()| Done::Told)));
            }
        }
        self.admission.wake();
    }

    /// True when something was done.
    fn run(&mut self, cx: &mut Context<'_>) -> bool {
        let mut done = std::pin::Pin::new(&mut self.telling).poll_next(cx);
        if !matches!(done, Poll::Ready(Some(_))) {
            done = std::pin::Pin::new(&mut self.running).poll_next(cx);
        }
        if let Poll::Ready(Some(done)) = done {
            self.finish(done);
            return true;
        }
        false
    }
}

/// Says something that needs no answer.
async fn tell(connection: &Connection, heading: Option<&Heading>, frame: &Bytes) {
    let Ok(mut headers) = connection.post_headers(heading) else {
        return;
    };
    let is_legacy = heading.is_none_or(|heading| !heading.version().is_modern());
    let epoch = connection.session.epoch();
    let is_in_session = is_legacy && connection.session.stamp(&mut headers);
    let told = connection.request(Method::POST, &headers, frame).await;
    let Ok(response) = told else { return };
    let is_lost = is_in_session && response.status() == StatusCode::NOT_FOUND;
    // The connection can be used again once the response was read.
    body::beginning(response.into_body(), 4 << 10).await;
    // The answer to a question of a session that is lost is for nobody.
    if is_lost && epoch > 0 && heading.is_some() && connection.reopen(epoch).await.is_ok() {
        connection.session.stamp(&mut headers);
        let _: Result<_, _> = connection.request(Method::POST, &headers, frame).await;
    }
}

/// Ends the session, if there is one.
async fn end(connection: &Connection) {
    let mut headers = connection.headers("*/*");
    if connection.session.stamp(&mut headers) {
        let nothing = Bytes::new();
        let deleted = connection.request(Method::DELETE, &headers, &nothing);
        // Whatever the server says to that.
        let _: Result<_, _> = tokio::time::timeout(END, deleted).await;
    }
}

impl MessageTransport for HttpTransport {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.admission.poll(&self.connection, cx)
    }

    fn send(&mut self, message: Outgoing) {
        match message {
            Outgoing::Request { id, heading, frame } => self.begin(id, heading, frame),
            Outgoing::Notification { heading, frame } => self.tell(Some(heading), frame),
            Outgoing::Answer { frame, .. } => self.tell(None, frame),
            Outgoing::Abandon { id } => {
                if let Some(handle) = self.exchanges.remove(&id) {
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
            if !self.run(cx) && self.connection.inbox.is_empty() {
                return Poll::Pending;
            }
        }
    }

    fn poll_close(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let closing = self.closing.get_or_insert_with(|| {
            self.running.clear();
            let telling = std::mem::take(&mut self.telling);
            let connection = Arc::clone(&self.connection);
            Box::pin(async move {
                let told = telling.for_each(|_| std::future::ready(()));
                let _: Result<_, _> = tokio::time::timeout(LAST_WORDS, told).await;
                end(&connection).await;
            })
        });
        closing.poll_unpin(cx).map(Ok)
    }
}
