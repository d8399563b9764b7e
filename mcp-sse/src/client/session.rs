//! The session of a server, up to 2025-11-25: opened once, and once more whenever the server has lost it.
//!
//! <https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management>

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response};
use mcp_core::protocol::InitializeResult;
use mcp_core::protocol::http_headers::{PROTOCOL_VERSION, SESSION_ID};
use mcp_core::transport::{Answered, Arrival, Heading, Incoming};
use tokio::sync::watch;

use super::body::{self, Media};
use super::connection::Connection;
use super::error::{HttpError, HttpErrorKind};
use super::http::HttpBody;
use crate::event::{SseDecoder, SseEvent};

/// An id of a session is no longer than that. It comes back with every request.
const MAX_ID: usize = 1 << 10;
/// How long it may take to open another session.
const REOPEN: Duration = Duration::from_secs(30);

#[derive(Default)]
pub(super) struct Session {
    state: Mutex<State>,
    /// Which session it is: 0 before one is open, then the first, the second…
    epoch: watch::Sender<u64>,
    /// Held by whoever opens another. It says why that did not work the last time.
    reopening: tokio::sync::Mutex<String>,
    /// How often it did not.
    failures: AtomicU64,
    /// Whether the server has refused the handshake as one does that knows no POST of it.
    is_refused: AtomicBool,
}

#[derive(Default)]
struct State {
    id: Option<HeaderValue>,
    version: Option<HeaderValue>,
    /// The handshake, as it was said the first time.
    handshake: Handshake,
}

#[derive(Clone, Default)]
struct Handshake {
    id: u64,
    initialize: Option<Said>,
    initialized: Option<Said>,
}

/// A message, and what it says of itself.
type Said = (Heading, Bytes);

impl Session {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The handshake begins, in no session.
    pub(super) fn begin(&self, id: u64, heading: &Heading, frame: &Bytes) {
        let mut state = self.lock();
        state.id = None;
        state.version = None;
        state.handshake = Handshake {
            id,
            initialize: Some((heading.clone(), frame.clone())),
            initialized: None,
        };
    }

    /// The handshake ends.
    pub(super) fn finish(&self, heading: &Heading, frame: &Bytes) {
        let mut state = self.lock();
        heading.headers(|name, value| {
            if name == PROTOCOL_VERSION {
                state.version = HeaderValue::from_str(value).ok();
            }
        });
        state.handshake.initialized = Some((heading.clone(), frame.clone()));
    }

    /// The server knows that the handshake has ended.
    pub(super) fn open(&self) {
        self.epoch.send_replace(1);
    }

    pub(super) fn epoch(&self) -> u64 {
        *self.epoch.borrow()
    }

    /// Tells of other sessions.
    pub(super) fn epochs(&self) -> watch::Receiver<u64> {
        self.epoch.subscribe()
    }

    /// Adds what names the session. True when there is one.
    pub(super) fn stamp(&self, headers: &mut HeaderMap) -> bool {
        let state = self.lock();
        if let Some(version) = &state.version {
            headers.insert(HeaderName::from_static(PROTOCOL_VERSION), version.clone());
        }
        let Some(id) = &state.id else {
            return false;
        };
        headers.insert(HeaderName::from_static(SESSION_ID), id.clone());
        true
    }

    /// Takes the id of the session out of the answer to `initialize`, if it has one.
    ///
    /// # Errors
    ///
    /// When there are several, or it can't be one.
    pub(super) fn take_id(&self, headers: &HeaderMap) -> Result<(), HttpErrorKind> {
        self.lock().id = id_in(headers)?;
        Ok(())
    }

    /// The server has refused the handshake, and not for what is in it.
    pub(super) fn refuse(&self) {
        self.is_refused.store(true, Ordering::Relaxed);
    }

    /// Whether it has: it may be one of the older transport.
    #[cfg(feature = "legacy-sse")]
    pub(super) fn is_refused(&self) -> bool {
        self.is_refused.load(Ordering::Relaxed)
    }
}

impl Connection {
    /// Opens another session in the place of this one, which the server has lost. Whoever else finds that out waits.
    ///
    /// # Errors
    ///
    /// When that does not work: it is tried once for all who wait.
    pub(super) async fn reopen(&self, lost: u64) -> Result<(), HttpError> {
        let session = &self.session;
        let failures = session.failures.load(Ordering::Relaxed);
        let mut why = session.reopening.lock().await;
        if session.epoch() != lost {
            return Ok(());
        }
        if session.failures.load(Ordering::Relaxed) == failures {
            let opened = tokio::time::timeout(REOPEN, self.shake_hands()).await;
            match opened.unwrap_or(Err(HttpErrorKind::Timeout(REOPEN))) {
                Ok(()) => {
                    session.epoch.send_modify(|epoch| *epoch += 1);
                    self.inbox.push(Arrival::Reopened);
                    return Ok(());
                }
                Err(error) => {
                    session.failures.fetch_add(1, Ordering::Relaxed);
                    *why = format!("it could not be opened anew: {error}");
                }
            }
        }
        Err(self.error(HttpErrorKind::SessionLost(why.clone())))
    }

    async fn shake_hands(&self) -> Result<(), HttpErrorKind> {
        let Handshake {
            id,
            initialize: Some((heading, initialize)),
            initialized: Some((done, initialized)),
        } = self.session.lock().handshake.clone()
        else {
            return Err(HttpErrorKind::Misled("there was none to lose"));
        };
        let version = done.version().as_str();
        let headers = self.post_headers(Some(&heading)).map_err(short)?;
        let response = self.request(Method::POST, &headers, &initialize).await;
        let response = self.accepted(response.map_err(short)?).await?;
        let session = id_in(response.headers())?;
        let answer = self.answer_in(response, id).await?;
        let agreed = Answered::read(&answer)
            .and_then(|answered| answered.outcome.ok())
            .and_then(|result| result.parse::<InitializeResult>().ok());
        if agreed.is_none_or(|agreed| agreed.protocol_version != version) {
            return Err(HttpErrorKind::Misled(
                "it does not agree to the same as before",
            ));
        }
        let mut headers = self.post_headers(Some(&done)).map_err(short)?;
        if let Some(id) = &session {
            headers.insert(HeaderName::from_static(SESSION_ID), id.clone());
        }
        let told = self.request(Method::POST, &headers, &initialized).await;
        self.accepted(told.map_err(short)?).await?;
        // Only now: whoever waited for this may have given up in the middle of it.
        self.session.lock().id = session;
        Ok(())
    }

    async fn accepted(
        &self,
        response: Response<HttpBody>,
    ) -> Result<Response<HttpBody>, HttpErrorKind> {
        if response.status().is_success() {
            return Ok(response);
        }
        Err(short(self.refusal(response).await.0))
    }

    /// Reads an answer and nothing else.
    async fn answer_in(
        &self,
        response: Response<HttpBody>,
        id: u64,
    ) -> Result<Bytes, HttpErrorKind> {
        let (head, mut body) = response.into_parts();
        let limit = self.settings.max_message;
        let broken = |source| HttpErrorKind::Connection { sent: true, source };
        match body::media(&head.headers)? {
            Media::Json => match body::message(body, limit).await.map_err(broken)? {
                Incoming::Frame(frame) => Ok(frame),
                Incoming::Overlong { .. } => Err(HttpErrorKind::NoAnswer),
            },
            Media::Events => {
                let mut events = SseDecoder::with_limit(limit);
                while let Some(piece) = body.piece().await.transpose().map_err(broken)? {
                    events.feed(piece);
                    while let Some(event) = events.next_event() {
                        if let SseEvent::Data { data, .. } = event
                            && Answered::is_in(&data, id)
                        {
                            return Ok(data);
                        }
                    }
                }
                Err(HttpErrorKind::NoAnswer)
            }
            Media::Other(name) => Err(HttpErrorKind::MediaType(name)),
        }
    }
}

/// The id of a session in the answer to `initialize`.
fn id_in(headers: &HeaderMap) -> Result<Option<HeaderValue>, HttpErrorKind> {
    let mut ids = headers.get_all(SESSION_ID).iter();
    let id = ids.next();
    if ids.next().is_some() {
        let why = "the server names several sessions at once";
        return Err(HttpErrorKind::Misled(why));
    }
    let is_usable = |id: &HeaderValue| {
        let bytes = id.as_bytes();
        (1..=MAX_ID).contains(&bytes.len()) && bytes.iter().all(|byte| matches!(byte, 0x21..=0x7e))
    };
    if id.is_some_and(|id| !is_usable(id)) {
        let why = "the server names a session by what can't be the id of one";
        return Err(HttpErrorKind::Misled(why));
    }
    Ok(id.cloned().map(|mut id| {
        id.set_sensitive(true);
        id
    }))
}

/// What an error comes to inside of another, which says the origin already.
fn short(error: HttpError) -> HttpErrorKind {
    error.into_kind()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(ids: &[&[u8]]) -> Result<Option<HeaderValue>, HttpErrorKind> {
        let session = Session::default();
        let mut headers = HeaderMap::new();
        for id in ids {
            let value = HeaderValue::from_bytes(id).unwrap();
            headers.append(SESSION_ID, value);
        }
        session.take_id(&headers)?;
        let mut stamped = HeaderMap::new();
        session.stamp(&mut stamped);
        Ok(stamped.remove(SESSION_ID))
    }

    /// HTP-19, of clients.
    #[test]
    fn an_id_that_can_be_none_is_refused() {
        assert_eq!(taken(&[b"a-Z_~!"]).unwrap().unwrap(), "a-Z_~!");
        assert!(taken(&[]).unwrap().is_none());
        for bad in [&b"a b"[..], b"", b"a\xff", b"\t", &[b'x'; 8 << 10]] {
            assert!(matches!(taken(&[bad]), Err(HttpErrorKind::Misled(_))));
        }
        assert!(matches!(
            taken(&[b"a", b"a"]),
            Err(HttpErrorKind::Misled(_))
        ));
    }

    #[test]
    fn the_id_of_a_session_is_not_shown() {
        let id = taken(&[b"secret"]).unwrap().unwrap();
        assert!(id.is_sensitive() && !format!("{id:?}").contains("secret"));
    }
}
