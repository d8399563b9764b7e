//! What the exchanges of one connection share.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header};
use mcp_core::transport::Heading;

use super::auth::{Authorizer, Challenge};
use super::body;
use super::error::{HttpError, HttpErrorKind};
use super::http::{HttpBody, HttpClient, SendError};
use super::inbox::Inbox;
use super::session::Session;
use super::target::Target;

/// The most redirects of one request that are followed, all within the origin.
const MAX_REDIRECTS: usize = 3;
/// How often one request is sent again with another authorization.
const MAX_CHALLENGES: usize = 2;
/// How much of a refusal is read: an error of JSON-RPC fits in.
const MAX_REFUSAL: usize = 64 << 10;

/// How servers are called, for one connection or many.
pub(super) struct Settings {
    pub(super) target: Target,
    pub(super) http: Arc<dyn HttpClient>,
    pub(super) authorizer: Option<Arc<dyn Authorizer>>,
    /// What the application adds to every request.
    pub(super) headers: HeaderMap,
    pub(super) max_message: usize,
    pub(super) max_concurrent: usize,
    pub(super) idle: Option<Duration>,
}

pub(super) struct Connection {
    pub(super) settings: Arc<Settings>,
    /// Where messages go: elsewhere than was said, once the server has sent us there.
    target: Mutex<Arc<Target>>,
    pub(super) inbox: Inbox,
    pub(super) session: Session,
    /// Requests that are not answered yet.
    pub(super) in_flight: AtomicUsize,
    /// Streams of answers that are to be resumed, each of which wants to be the next to ask for its rest.
    pub(super) resuming: tokio::sync::watch::Sender<usize>,
}

impl Connection {
    pub(super) fn new(settings: Arc<Settings>) -> Self {
        Self {
            target: Mutex::new(Arc::new(settings.target.clone())),
            settings,
            inbox: Inbox::default(),
            session: Session::default(),
            in_flight: AtomicUsize::new(0),
            resuming: tokio::sync::watch::Sender::new(0),
        }
    }

    pub(super) fn error(&self, kind: HttpErrorKind) -> HttpError {
        HttpError::new(&self.settings.target.origin, kind)
    }

    fn target(&self) -> Arc<Target> {
        let target = self.target.lock();
        Arc::clone(&target.unwrap_or_else(PoisonError::into_inner))
    }

    /// Sends messages there from here on.
    pub(super) fn go_to(&self, target: Target) {
        *self.target.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(target);
    }

    /// The headers of a POST of a message.
    pub(super) fn post_headers(&self, heading: Option<&Heading>) -> Result<HeaderMap, HttpError> {
        let mut headers = self.headers("application/json, text/event-stream");
        let json = HeaderValue::from_static("application/json");
        headers.insert(header::CONTENT_TYPE, json);
        let mut is_writable = true;
        if let Some(heading) = heading {
            heading.headers(
                |name, value| match (name.parse(), HeaderValue::from_str(value)) {
                    (Ok::<HeaderName, _>(name), Ok(value)) => {
                        headers.insert(name, value);
                    }
                    _ => is_writable = false,
                },
            );
        }
        if !is_writable {
            let why = "the server wants a header of a name that can't be written";
            return Err(self.error(HttpErrorKind::Unwritable(why)));
        }
        Ok(headers)
    }

    /// The headers of whatever is not the POST of a message.
    pub(super) fn headers(&self, accept: &'static str) -> HeaderMap {
        let mut headers = self.settings.headers.clone();
        headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
        headers
    }

    /// Sends a request, and once more if another authorization or a redirect within the origin asks for it.
    pub(super) async fn request(
        &self,
        method: Method,
        headers: &HeaderMap,
        body: &Bytes,
    ) -> Result<Response<HttpBody>, HttpError> {
        let (mut redirects, mut challenges) = (0, 0);
        loop {
            let target = self.target();
            let response = self.send(&method, &target, headers, body).await?;
            let status = response.status();
            if status.is_success() {
                return Ok(response);
            }
            if let Some(authorizer) = &self.settings.authorizer
                && matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
                && challenges < MAX_CHALLENGES
            {
                challenges += 1;
                let challenge = challenge(&target, &response);
                let again = authorizer.challenged(&challenge).await;
                if again.map_err(|why| self.error(HttpErrorKind::Authorization(why)))? {
                    continue;
                }
                return Ok(response);
            }
            if !keeps_method(&method, status) {
                return Ok(response);
            }
            let Some(elsewhere) = target.redirect(response.headers()) else {
                return Ok(response);
            };
            let elsewhere = elsewhere.map_err(|kind| self.error(kind))?;
            redirects += 1;
            if redirects > MAX_REDIRECTS {
                let why = "the server sends its clients from place to place";
                return Err(self.error(HttpErrorKind::Misled(why)));
            }
            self.go_to(elsewhere);
        }
    }

    async fn send(
        &self,
        method: &Method,
        target: &Target,
        headers: &HeaderMap,
        body: &Bytes,
    ) -> Result<Response<HttpBody>, HttpError> {
        let mut request = Request::new(body.clone());
        *request.method_mut() = method.clone();
        *request.uri_mut() = target.uri.clone();
        *request.headers_mut() = headers.clone();
        if let Some(authorizer) = &self.settings.authorizer {
            let value = authorizer.authorization().await;
            let value = value.map_err(|why| self.error(HttpErrorKind::Authorization(why)))?;
            if let Some(value) = value {
                request.headers_mut().insert(header::AUTHORIZATION, value);
            }
        }
        let response = self.settings.http.send(request).await;
        response.map_err(|SendError { sent, source }| {
            self.error(HttpErrorKind::Connection { sent, source })
        })
    }

    /// What a refusal says: its status as an error, and the beginning of its body.
    pub(super) async fn refusal(&self, response: Response<HttpBody>) -> (HttpError, Bytes) {
        let (head, body) = response.into_parts();
        let text = match body::media(&head.headers) {
            Ok(_) => body::beginning(body, MAX_REFUSAL).await,
            Err(_) => Bytes::new(),
        };
        let error = self.error(HttpErrorKind::Status {
            status: head.status,
            text: body::preview(&text),
            schemes: schemes(&head.headers),
            retry_after: retry_after(&head.headers),
        });
        (error, text)
    }
}

/// Whether a redirect asks for the same request elsewhere. Others would make a GET of a POST.
fn keeps_method(method: &Method, status: StatusCode) -> bool {
    match status {
        StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT => true,
        StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => method == Method::GET,
        _ => false,
    }
}

fn challenge(target: &Target, response: &Response<HttpBody>) -> Challenge {
    let www_authenticate = response.headers().get_all(header::WWW_AUTHENTICATE);
    Challenge {
        status: response.status(),
        www_authenticate: www_authenticate.iter().cloned().collect(),
        url: target.url.clone(),
    }
}

/// The schemes of authorization that a response asks for, without what belongs to them.
fn schemes(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all(header::WWW_AUTHENTICATE).iter().take(8);
    let scheme = |value: &HeaderValue| {
        let text = value.to_str().ok()?;
        let scheme = text.split([' ', ',']).next()?;
        Some(scheme.chars().take(40).collect())
    };
    values.filter_map(scheme).collect()
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?;
    text.trim().parse().ok().map(Duration::from_secs)
}

/// Whether one more request may be taken.
#[derive(Default)]
pub(super) struct Admission {
    /// The handshake is not over: the server is not to see a request before it knows.
    is_opening: bool,
    /// Who waits for room.
    waiting: Option<Waker>,
}

impl Admission {
    pub(super) fn poll(&mut self, connection: &Connection, cx: &Context<'_>) -> Poll<()> {
        let in_flight = connection.in_flight.load(Ordering::Relaxed);
        if !self.is_opening && in_flight < connection.settings.max_concurrent {
            return Poll::Ready(());
        }
        self.waiting = Some(cx.waker().clone());
        Poll::Pending
    }

    /// The server is being told that the handshake is over, or knows it.
    pub(super) const fn set_opening(&mut self, is_opening: bool) {
        self.is_opening = is_opening;
    }

    /// Something was done, so that there may be room.
    pub(super) fn wake(&mut self) {
        if let Some(waker) = self.waiting.take() {
            waker.wake();
        }
    }
}

/// A place among the requests that may be under way. It is free again when this is dropped.
pub(super) struct Slot(Arc<Connection>);

impl Slot {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        connection.in_flight.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(connection))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}
