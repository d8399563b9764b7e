//! One message of the client, and all of the response to it.
//!
//! <https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http>

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, Response, StatusCode};
use mcp_core::protocol::{Discover, Initialize, Request};
use mcp_core::transport::{Answered, Arrival, Heading, Incoming};
use mcp_core::{ErrorCode, ErrorObject};

use super::body::{self, Media};
use super::connection::{Connection, Slot};
use super::error::{HttpError, HttpErrorKind};
use super::http::HttpBody;
use super::resume::Stream;

/// How long a stream may go on after the answer. It ends there as a rule, and its connection can be used again.
const LINGER: Duration = Duration::from_secs(2);

/// What came of a POST.
enum Posted {
    Response(Response<HttpBody>),
    /// It was refused, and this is the beginning of what was said to that.
    Refused(HttpError, Bytes),
}

/// A request of the client.
pub(super) struct Exchange {
    pub(super) connection: Arc<Connection>,
    pub(super) id: u64,
    pub(super) heading: Heading,
    pub(super) frame: Bytes,
    pub(super) slot: Option<Slot>,
}

impl Exchange {
    /// Sends the request, and puts what comes into the inbox.
    pub(super) async fn run(mut self) {
        if let Err(error) = self.carry().await {
            let sent = error.is_outcome_unknown();
            self.put(Arrival::Failed {
                id: self.id,
                error: error.into(),
                sent,
            });
        }
    }

    fn put(&self, arrival: Arrival) {
        self.connection.inbox.push(arrival);
    }

    async fn carry(&mut self) -> Result<(), HttpError> {
        let connection = Arc::clone(&self.connection);
        let opens = self.heading.method() == Initialize::METHOD;
        if opens {
            let session = &connection.session;
            session.begin(self.id, &self.heading, &self.frame);
        }
        let response = match self.post().await? {
            Posted::Response(response) => response,
            Posted::Refused(error, text) => return self.refused(error, text),
        };
        if opens {
            let taken = connection.session.take_id(response.headers());
            taken.map_err(|kind| connection.error(kind))?;
        }
        let (head, body) = response.into_parts();
        match body::media(&head.headers).map_err(|kind| connection.error(kind))? {
            Media::Json => self.whole(body).await,
            Media::Events => self.events(body).await,
            Media::Other(name) => Err(connection.error(
                match is_empty(head.status, &head.headers) {
                    true => HttpErrorKind::NoAnswer,
                    false => HttpErrorKind::MediaType(name),
                },
            )),
        }
    }

    /// Sends it, and once more when the server had lost the session: then it was not carried out.
    async fn post(&self) -> Result<Posted, HttpError> {
        let connection = &self.connection;
        let epoch = connection.session.epoch();
        let mut headers = connection.post_headers(Some(&self.heading))?;
        let is_in_session = self.stamp(&mut headers);
        let response = connection
            .request(Method::POST, &headers, &self.frame)
            .await?;
        if response.status().is_success() {
            return Ok(Posted::Response(response));
        }
        let (error, text) = connection.refusal(response).await;
        let is_lost = is_in_session && error.status() == Some(StatusCode::NOT_FOUND);
        if !is_lost || self.lacks_method(&text) {
            return Ok(Posted::Refused(error, text));
        }
        connection.reopen(epoch).await?;
        self.stamp(&mut headers);
        let response = connection
            .request(Method::POST, &headers, &self.frame)
            .await?;
        if response.status().is_success() {
            return Ok(Posted::Response(response));
        }
        let (error, text) = connection.refusal(response).await;
        if error.status() == Some(StatusCode::NOT_FOUND) {
            let why = "the one that was opened in its place, too".to_owned();
            return Err(connection.error(HttpErrorKind::SessionLost(why)));
        }
        Ok(Posted::Refused(error, text))
    }

    /// Whether a server says by 404 that it has no such method, and not that the session is lost.
    fn lacks_method(&self, text: &[u8]) -> bool {
        let error = Answered::read(text).filter(|answer| answer.id == Some(self.id));
        let error = error.and_then(|answer| answer.outcome.err());
        error.is_some_and(|error| error.code == ErrorCode::METHOD_NOT_FOUND)
    }

    fn stamp(&self, headers: &mut HeaderMap) -> bool {
        !self.heading.version().is_modern() && self.connection.session.stamp(headers)
    }

    async fn whole(&self, body: HttpBody) -> Result<(), HttpError> {
        let message = body::message(body, self.connection.settings.max_message).await;
        let incoming = message.map_err(|source| {
            let sent = true;
            self.connection
                .error(HttpErrorKind::Connection { sent, source })
        })?;
        if matches!(&incoming, Incoming::Frame(frame) if frame.trim_ascii().is_empty()) {
            return Err(self.connection.error(HttpErrorKind::NoAnswer));
        }
        let id = self.id;
        self.put(Arrival::Last { id, incoming });
        Ok(())
    }

    async fn events(&mut self, body: HttpBody) -> Result<(), HttpError> {
        let connection = Arc::clone(&self.connection);
        let mut stream = Stream::of(&connection, self.id);
        let mut rest = if self.heading.version().is_modern() {
            // Nothing is resumed: what broke is lost, and cancelled.
            stream.read(body).await?
        } else {
            stream.read_through(body).await?
        };
        self.slot = None;
        let _: Result<_, _> = tokio::time::timeout(LINGER, stream.drain(&mut rest)).await;
        Ok(())
    }

    fn refused(&self, error: HttpError, text: Bytes) -> Result<(), HttpError> {
        let Some(status) = error.status() else {
            return Err(error);
        };
        let answer = Answered::read(&text)
            .filter(|answer| answer.outcome.is_err() && answer.id.is_none_or(|id| id == self.id));
        let tells_era = tells_era(status);
        match self.heading.method() {
            Initialize::METHOD => {
                let error = answer
                    .as_ref()
                    .and_then(|answer| answer.outcome.as_ref().err());
                let is_modern = error.is_some_and(|error| error.code.is_modern());
                if tells_era && !is_modern {
                    self.connection.session.refuse();
                }
            }
            Discover::METHOD if !tells_era => return Err(error),
            Discover::METHOD if answer.is_none() => {
                // A server that knows no such request, as far as it knows any.
                let code = ErrorCode::METHOD_NOT_FOUND;
                let error = ErrorObject::new(code, format!("HTTP {status}"));
                self.put(Arrival::Refused { id: self.id, error });
                return Ok(());
            }
            _ => {}
        }
        let wants_authorization =
            matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
        if answer.is_none() || wants_authorization {
            return Err(error);
        }
        let (id, incoming) = (self.id, Incoming::Frame(text));
        self.put(Arrival::Last { id, incoming });
        Ok(())
    }
}

/// Whether a refusal says something about the era of a server. Authorization, load and faults do not.
fn tells_era(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::BAD_REQUEST
            | StatusCode::NOT_FOUND
            | StatusCode::METHOD_NOT_ALLOWED
            | StatusCode::UNSUPPORTED_MEDIA_TYPE
            | StatusCode::UNPROCESSABLE_ENTITY
    )
}

fn is_empty(status: StatusCode, headers: &HeaderMap) -> bool {
    matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT)
        || headers
            .get(http::header::CONTENT_LENGTH)
            .is_some_and(|length| length == "0")
}
