//! What is asked of an HTTP library.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{Request, Response};
use mcp_core::runtime::BoxFuture;

use super::auth::BoxError;

/// An HTTP library. What is asked of it is little: it sends one request and gives the response, its body in pieces.
///
/// It must not follow redirects, and need not decompress: nothing compressed is asked for. What it adds by itself are the
/// headers that belong to a connection, such as `Host` and `Content-Length`.
///
/// Dropping the future, or the body, ends the request: for a server of 2026-07-28 that cancels it.
pub trait HttpClient: Send + Sync + 'static {
    /// Sends a request, and gives the response once its head has come.
    fn send(
        &self,
        request: Request<Bytes>,
    ) -> BoxFuture<'static, Result<Response<HttpBody>, SendError>>;
}

impl<H: HttpClient + ?Sized> HttpClient for Arc<H> {
    fn send(
        &self,
        request: Request<Bytes>,
    ) -> BoxFuture<'static, Result<Response<HttpBody>, SendError>> {
        (**self).send(request)
    }
}

/// Why there is no response.
#[derive(Debug)]
pub struct SendError {
    pub(super) sent: bool,
    pub(super) source: BoxError,
}

impl SendError {
    /// The server may have got the request.
    #[must_use]
    pub fn new(source: impl Into<BoxError>) -> Self {
        Self {
            sent: true,
            source: source.into(),
        }
    }

    /// The server has certainly not got the request, such as when there was no connection.
    #[must_use]
    pub fn not_sent(source: impl Into<BoxError>) -> Self {
        Self {
            sent: false,
            source: source.into(),
        }
    }
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.source.fmt(f)
    }
}

impl std::error::Error for SendError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.source()
    }
}

/// The body of a response, as it comes.
pub struct HttpBody(Pin<Box<dyn Pieces>>);

impl HttpBody {
    /// Takes the body of a response of any library.
    pub fn new<B>(body: B) -> Self
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        Self(Box::pin(body))
    }

    /// The next piece; `None` at the end.
    pub(super) async fn piece(&mut self) -> Option<Result<Bytes, BoxError>> {
        poll_fn(|cx| self.0.as_mut().poll_piece(cx)).await
    }
}

impl fmt::Debug for HttpBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpBody").finish_non_exhaustive()
    }
}

/// A body without its types.
trait Pieces: Send {
    fn poll_piece(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, BoxError>>>;
}

impl<B> Pieces for B
where
    B: http_body::Body<Data = Bytes> + Send,
    B::Error: Into<BoxError>,
{
    fn poll_piece(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, BoxError>>> {
        loop {
            let frame = match ready!(self.as_mut().poll_frame(cx)) {
                None => return Poll::Ready(None),
                Some(Err(error)) => return Poll::Ready(Some(Err(error.into()))),
                Some(Ok(frame)) => frame,
            };
            // Trailers say nothing that matters here.
            if let Ok(piece) = frame.into_data() {
                return Poll::Ready(Some(Ok(piece)));
            }
        }
    }
}
