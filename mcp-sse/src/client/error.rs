//! What goes wrong on the way.

use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

use http::StatusCode;

use super::auth::BoxError;

/// Why a request could not be carried, or its answer not.
///
/// It names the origin of the server, and no more of the URL: paths and queries hold secrets at times.
#[derive(Debug)]
pub struct HttpError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    origin: String,
    kind: HttpErrorKind,
}

/// What went wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum HttpErrorKind {
    /// There was no connection, or it broke.
    Connection {
        /// Whether the server may have got the request.
        sent: bool,
        /// What the HTTP library says.
        source: BoxError,
    },
    /// The server, or somebody before it, has answered with this status.
    Status {
        /// The status.
        status: StatusCode,
        /// The beginning of what it says besides, on one line; it may be empty.
        text: String,
        /// How the client is to say who it is: the schemes of the `WWW-Authenticate` headers.
        schemes: Vec<String>,
        /// How long to wait before asking again, where it says so in seconds.
        retry_after: Option<Duration>,
    },
    /// The answer is of this media type, which is none of the protocol; empty when it has none.
    MediaType(String),
    /// The answer is compressed, which was not asked for.
    Compressed(String),
    /// The server sends the client elsewhere, to this origin. Such a redirect is not followed: it would take along what is
    /// meant for the first server only. Connect to that URL if it is the right one.
    Redirected(String),
    /// The request was taken, but what carries the answer ended without it.
    NoAnswer,
    /// The server has lost the session, and there is no other in its place.
    SessionLost(String),
    /// What the server says of a session, or of where to send messages, can't be used.
    Misled(&'static str),
    /// No authorization could be got.
    Authorization(BoxError),
    /// What was to be sent does not fit into headers.
    Unwritable(&'static str),
    /// It took longer than this.
    Timeout(Duration),
}

impl HttpError {
    pub(super) fn new(origin: &str, kind: HttpErrorKind) -> Self {
        let origin = origin.to_owned();
        Self(Box::new(Inner { origin, kind }))
    }

    /// The origin of the server: scheme, host and port.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.0.origin
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &HttpErrorKind {
        &self.0.kind
    }

    pub(super) fn into_kind(self) -> HttpErrorKind {
        self.0.kind
    }

    /// The status that the server has answered with, if it is that.
    #[must_use]
    pub fn status(&self) -> Option<StatusCode> {
        match self.kind() {
            HttpErrorKind::Status { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// Whether the server may have carried the request out.
    pub(super) fn is_outcome_unknown(&self) -> bool {
        match self.kind() {
            HttpErrorKind::Connection { sent, .. } => *sent,
            // Whoever refuses has not done it.
            HttpErrorKind::Status { status, .. } => status.is_server_error(),
            HttpErrorKind::MediaType(_)
            | HttpErrorKind::Compressed(_)
            | HttpErrorKind::NoAnswer
            | HttpErrorKind::Timeout(_) => true,
            HttpErrorKind::Redirected(_)
            | HttpErrorKind::SessionLost(_)
            | HttpErrorKind::Misled(_)
            | HttpErrorKind::Authorization(_)
            | HttpErrorKind::Unwritable(_) => false,
        }
    }
}

impl From<HttpError> for io::Error {
    fn from(error: HttpError) -> Self {
        let kind = match error.kind() {
            HttpErrorKind::Connection { source, .. } => io_kind(&**source),
            HttpErrorKind::Status { status, .. } => match *status {
                StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => io::ErrorKind::PermissionDenied,
                StatusCode::NOT_FOUND => io::ErrorKind::NotFound,
                _ => io::ErrorKind::Other,
            },
            HttpErrorKind::Authorization(_) => io::ErrorKind::PermissionDenied,
            HttpErrorKind::NoAnswer => io::ErrorKind::UnexpectedEof,
            HttpErrorKind::Timeout(_) => io::ErrorKind::TimedOut,
            HttpErrorKind::MediaType(_)
            | HttpErrorKind::Compressed(_)
            | HttpErrorKind::Misled(_) => io::ErrorKind::InvalidData,
            HttpErrorKind::Redirected(_)
            | HttpErrorKind::SessionLost(_)
            | HttpErrorKind::Unwritable(_) => io::ErrorKind::Other,
        };
        Self::new(kind, error)
    }
}

/// What the system says at the bottom of it.
fn io_kind(error: &(dyn Error + 'static)) -> io::ErrorKind {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return error.kind();
        }
        next = error.source();
    }
    io::ErrorKind::Other
}

impl fmt::Display for HttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.origin, self.0.kind)
    }
}

impl fmt::Display for HttpErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connection { source, .. } => chain(f, &**source),
            Self::Status {
                status,
                text,
                schemes,
                retry_after,
            } => {
                write!(f, "HTTP {status}")?;
                if !schemes.is_empty() {
                    write!(f, ", it wants authorization: {}", schemes.join(", "))?;
                }
                if let Some(after) = retry_after {
                    write!(f, ", try again in {} seconds", after.as_secs())?;
                }
                if !text.is_empty() {
                    write!(f, ": {text}")?;
                }
                Ok(())
            }
            Self::MediaType(found) if found.is_empty() => {
                f.write_str("the answer has no media type; JSON or a stream of events was expected")
            }
            Self::MediaType(found) => write!(
                f,
                "the answer is {found:?}; JSON or a stream of events was expected"
            ),
            Self::Compressed(coding) => {
                write!(
                    f,
                    "the answer is compressed ({coding:?}), which was not asked for"
                )
            }
            Self::Redirected(origin) => write!(
                f,
                "it sends its clients to {origin}, which is not followed; connect there if that is right"
            ),
            Self::NoAnswer => f.write_str("the response ended without an answer"),
            Self::SessionLost(why) => write!(f, "the server has lost the session; {why}"),
            Self::Misled(why) | Self::Unwritable(why) => f.write_str(why),
            Self::Authorization(source) => {
                f.write_str("no authorization: ")?;
                chain(f, &**source)
            }
            Self::Timeout(after) => write!(f, "no answer within {after:?}"),
        }
    }
}

impl Error for HttpError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self.kind() {
            HttpErrorKind::Connection { source, .. } | HttpErrorKind::Authorization(source) => {
                Some(&**source)
            }
            _ => None,
        }
    }
}

/// An error and its causes. HTTP libraries say at the top only that something went wrong.
fn chain(f: &mut fmt::Formatter<'_>, error: &(dyn Error + 'static)) -> fmt::Result {
    let mut said = error.to_string();
    f.write_str(&said)?;
    let mut next = error.source();
    while let Some(error) = next {
        let text = error.to_string();
        if !said.contains(&text) {
            write!(f, ": {text}")?;
            said = text;
        }
        next = error.source();
    }
    Ok(())
}
