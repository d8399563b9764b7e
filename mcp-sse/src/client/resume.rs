//! Streams of events, and the rest of those that broke.
//!
//! <https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery>

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Method, Response, StatusCode};
use mcp_core::protocol::http_headers::LAST_EVENT_ID;
use mcp_core::transport::{Answered, Arrival, Incoming};

use super::auth::BoxError;
use super::body::{self, Media};
use super::connection::Connection;
use super::error::{HttpError, HttpErrorKind};
use super::http::HttpBody;
use crate::event::{SseDecoder, SseEvent};

/// How long to wait before asking for the rest, where the server does not say.
const DELAY: Duration = Duration::from_secs(1);
/// Beyond that, waiting longer after each attempt in vain helps nobody.
const MAX_DELAY: Duration = Duration::from_secs(60);
/// Attempts in a row that bring nothing, after which the rest is given up.
const MAX_ATTEMPTS: u32 = 5;

/// A stream of events, in one piece or several.
pub(super) struct Stream<'c> {
    connection: &'c Connection,
    /// The request that it answers, if it does.
    id: Option<u64>,
    last_id: Option<Bytes>,
    retry: Option<Duration>,
    /// Attempts in a row that brought nothing.
    attempts: u32,
}

/// How a piece of a stream has ended.
pub(super) enum End {
    /// The answer is there; the rest of the piece may hold more.
    Answered(Box<Rest>),
    /// The server has ended it, or it broke.
    Ended(Option<BoxError>),
}

/// What was not read yet of a piece.
pub(super) struct Rest {
    pub(super) body: HttpBody,
    pub(super) events: SseDecoder,
}

/// A stream that answers a request wants to be the next to ask for its rest. Some servers give it to whoever asks first.
struct Resuming<'c>(&'c Connection);

impl<'c> Resuming<'c> {
    fn new(connection: &'c Connection) -> Self {
        connection.resuming.send_modify(|count| *count += 1);
        Self(connection)
    }
}

impl Drop for Resuming<'_> {
    fn drop(&mut self) {
        self.0.resuming.send_modify(|count| *count -= 1);
    }
}

impl<'c> Stream<'c> {
    /// The answer to a request.
    pub(super) const fn of(connection: &'c Connection, id: u64) -> Self {
        Self::new(connection, Some(id))
    }

    /// What the server says by itself.
    pub(super) const fn standing(connection: &'c Connection) -> Self {
        Self::new(connection, None)
    }

    const fn new(connection: &'c Connection, id: Option<u64>) -> Self {
        Self {
            connection,
            id,
            last_id: None,
            retry: None,
            attempts: 0,
        }
    }

    /// Reads an answer that comes in one piece, or not at all.
    pub(super) async fn read(&mut self, body: HttpBody) -> Result<Box<Rest>, HttpError> {
        match self.piece(body).await {
            End::Answered(rest) => Ok(rest),
            End::Ended(why) => Err(self.broken(why)),
        }
    }

    /// Reads an answer, and asks for the rest of it when it breaks and the server has said how.
    pub(super) async fn read_through(&mut self, body: HttpBody) -> Result<Box<Rest>, HttpError> {
        let mut end = self.piece(body).await;
        loop {
            match end {
                End::Answered(rest) => return Ok(rest),
                End::Ended(why) if self.last_id.is_none() => return Err(self.broken(why)),
                End::Ended(why) => {
                    let _resuming = Resuming::new(self.connection);
                    end = self.resume(why).await?;
                }
            }
        }
    }

    fn broken(&self, why: Option<BoxError>) -> HttpError {
        self.connection.error(match why {
            Some(source) => HttpErrorKind::Connection { sent: true, source },
            None => HttpErrorKind::NoAnswer,
        })
    }

    async fn resume(&mut self, why: Option<BoxError>) -> Result<End, HttpError> {
        if self.attempts >= MAX_ATTEMPTS {
            return Err(self.broken(why));
        }
        tokio::time::sleep(self.delay()).await;
        match self.open().await {
            Ok(response) => match self.events(response).await {
                Ok(body) => Ok(self.piece(body).await),
                // Whether the request was carried out is as unknown as before, whatever the refusal of its rest is.
                Err(error) if is_final(&error) => {
                    let error = error.into_kind();
                    let why = format!("the response broke, and its rest can't be had: {error}");
                    Err(self.broken(Some(why.into())))
                }
                Err(error) => Ok(End::Ended(Some(error.into()))),
            },
            Err(error) => Ok(End::Ended(Some(error.into()))),
        }
    }

    /// How long to wait before the next attempt, which counts. It is what the server has said or longer, never shorter.
    pub(super) fn delay(&mut self) -> Duration {
        let base = self.retry.unwrap_or(DELAY);
        let grown = DELAY
            .saturating_mul(1 << self.attempts.min(10))
            .min(MAX_DELAY);
        self.attempts = self.attempts.saturating_add(1);
        // So that not all clients of a server that went away come back at the same moment.
        let spread = if self.attempts > 1 {
            grown
        } else {
            base.min(DELAY) / 4
        };
        let backoff = if self.attempts > 1 {
            grown
        } else {
            Duration::ZERO
        };
        base.max(backoff).saturating_add(jitter(spread)).min(DAY)
    }

    /// Asks for the stream, or for the rest of it.
    pub(super) async fn open(&self) -> Result<Response<HttpBody>, HttpError> {
        let mut headers = self.connection.headers("text/event-stream");
        self.connection.session.stamp(&mut headers);
        if let Some(last) = &self.last_id {
            let last = HeaderValue::from_bytes(last).map_err(|_| {
                let why = "the server names its events by what no header can hold";
                self.connection.error(HttpErrorKind::Misled(why))
            })?;
            headers.insert(LAST_EVENT_ID, last);
        }
        let nothing = Bytes::new();
        self.connection
            .request(Method::GET, &headers, &nothing)
            .await
    }

    /// The body of a response that is a stream of events.
    pub(super) async fn events(&self, response: Response<HttpBody>) -> Result<HttpBody, HttpError> {
        if response.status() != StatusCode::OK {
            return Err(self.connection.refusal(response).await.0);
        }
        let (head, body) = response.into_parts();
        let media = body::media(&head.headers).map_err(|kind| self.connection.error(kind))?;
        match media {
            Media::Events => Ok(body),
            Media::Json => Err(self.other("application/json".to_owned())),
            Media::Other(name) => Err(self.other(name)),
        }
    }

    fn other(&self, name: String) -> HttpError {
        self.connection.error(HttpErrorKind::MediaType(name))
    }

    /// Reads a piece of the stream until the answer, or to its end.
    pub(super) async fn piece(&mut self, body: HttpBody) -> End {
        let events = SseDecoder::with_limit(self.connection.settings.max_message);
        let mut rest = Rest { body, events };
        match self.read_on(&mut rest).await {
            Ok(true) => End::Answered(Box::new(rest)),
            Ok(false) => End::Ended(None),
            Err(why) => End::Ended(Some(why)),
        }
    }

    /// Forgets that attempts were in vain.
    pub(super) const fn succeed(&mut self) {
        self.attempts = 0;
    }

    /// Reads what else comes after the answer.
    pub(super) async fn drain(&mut self, rest: &mut Rest) {
        self.id = None;
        // How it ends does not matter any more.
        let _: Result<_, _> = self.read_on(rest).await;
    }

    /// True when the answer has come.
    pub(super) async fn read_on(&mut self, rest: &mut Rest) -> Result<bool, BoxError> {
        loop {
            while let Some(event) = rest.events.next_event() {
                self.note(&rest.events);
                self.attempts = 0;
                if self.take(event) {
                    return Ok(true);
                }
            }
            self.note(&rest.events);
            self.connection.inbox.room().await;
            let piece = match self.connection.settings.idle {
                None => rest.body.piece().await,
                Some(idle) => tokio::time::timeout(idle, rest.body.piece())
                    .await
                    .map_err(|_| format!("nothing has come for {idle:?}"))?,
            };
            match piece {
                None => return Ok(false),
                Some(piece) => rest.events.feed(piece?),
            }
        }
    }

    /// Remembers where the stream is to go on.
    fn note(&mut self, events: &SseDecoder) {
        self.retry = events.retry().or(self.retry);
        if let Some(last) = events.last_event_id()
            && self.last_id.as_deref() != Some(last)
        {
            self.last_id = Some(Bytes::copy_from_slice(last));
            self.attempts = 0;
        }
    }

    /// Hands an event on; true when it is the answer.
    fn take(&self, event: SseEvent) -> bool {
        let inbox = &self.connection.inbox;
        match (event, self.id) {
            // Events of other names are not of the protocol.
            (SseEvent::Data { name, .. }, _) if !matches!(&*name, b"" | b"message") => {}
            (SseEvent::Data { data, .. }, Some(id)) if Answered::is_in(&data, id) => {
                let incoming = Incoming::Frame(data);
                inbox.push(Arrival::Last { id, incoming });
                return true;
            }
            (SseEvent::Data { data, .. }, _) => {
                inbox.push(Arrival::Message(Incoming::Frame(data)));
            }
            (SseEvent::Overlong { head, limit }, Some(id)) if Answered::begins(&head, id) => {
                let incoming = Incoming::Overlong { head, limit };
                inbox.push(Arrival::Last { id, incoming });
                return true;
            }
            // It answers nobody: the server's requests and notifications are not that long.
            (SseEvent::Overlong { .. }, _) => {}
        }
        false
    }
}

const DAY: Duration = Duration::from_secs(86_400);

/// Whether it is of no use to ask again.
pub(super) fn is_final(error: &HttpError) -> bool {
    match error.kind() {
        HttpErrorKind::Status { status, .. } => match *status {
            StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => false,
            StatusCode::NOT_IMPLEMENTED => true,
            status => !status.is_server_error(),
        },
        HttpErrorKind::Connection { .. } | HttpErrorKind::Timeout(_) => false,
        _ => true,
    }
}

/// Some time between nothing and this.
fn jitter(within: Duration) -> Duration {
    let random = RandomState::new().hash_one(0_u8);
    within.mul_f64(f64::from(u32::try_from(random >> 32).unwrap_or(0)) / f64::from(u32::MAX))
}
