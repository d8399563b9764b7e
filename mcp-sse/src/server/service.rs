use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Buf;
use http::{Method, Request, Response, StatusCode};
use mcp_core::exchange::Exchanges;
use mcp_core::runtime::{Runtime, TokioRuntime};
use mcp_core::{BuildError, BuiltServer, Server};
use tokio::sync::Notify;

use super::body::Body;
use super::options::Options;
use super::refusal::Refusal;
use super::sessions::Sessions;
use super::{get, guard, post};

/// A server as a `tower` service, for an axum app or whatever takes one.
///
/// It answers on whatever path it is mounted at, in every revision: single requests of 2026-07-28, and sessions before.
/// Clones are handles on the same server.
///
/// Until told otherwise it answers only those who call it `localhost`, `127.0.0.1` or `[::1]`, so that no web page can reach
/// it under a name of its own: see [`allow_host`](Self::allow_host).
#[derive(Clone)]
pub struct HttpService {
    shared: Arc<Shared>,
}

pub(super) struct Shared {
    pub(super) exchanges: Exchanges,
    pub(super) runtime: Arc<dyn Runtime>,
    pub(super) options: Options,
    pub(super) sessions: Arc<Sessions>,
    pub(super) stop: Arc<Stop>,
    running: Arc<AtomicUsize>,
    server: BuiltServer,
}

/// One of the requests that may be under way.
#[derive(Debug)]
pub(super) struct Permit(Arc<AtomicUsize>);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Tells streams that the service is about to stop.
#[derive(Debug, Default)]
pub(super) struct Stop {
    is_set: AtomicBool,
    notify: Arc<Notify>,
}

impl Stop {
    pub(super) fn set(&self) {
        self.is_set.store(true, Ordering::Release);
        self.notify.notify_waiters();
    }

    pub(super) fn stopped(self: &Arc<Self>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let stop = Arc::clone(self);
        let notified = Arc::clone(&self.notify).notified_owned();
        Box::pin(async move {
            let mut notified = std::pin::pin!(notified);
            // From here on nothing is missed.
            notified.as_mut().enable();
            if !stop.is_set.load(Ordering::Acquire) {
                notified.await;
            }
        })
    }
}

/// A server as a `tower` service.
///
/// ```
/// use mcp_core::Server;
///
/// let mcp = mcp_sse::service(Server::new("calculator", "1.0.0"))?;
/// let app: axum::Router = axum::Router::new().nest_service("/mcp", mcp);
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
///
/// # Errors
///
/// When the server can't be built.
pub fn service(server: Server) -> Result<HttpService, BuildError> {
    Ok(HttpService::new(&server.build()?))
}

impl HttpService {
    /// A service of a server that is built already.
    #[must_use]
    pub fn new(server: &BuiltServer) -> Self {
        Self::with(server, Options::default())
    }

    fn with(server: &BuiltServer, options: Options) -> Self {
        let runtime: Arc<dyn Runtime> = Arc::new(TokioRuntime::new());
        Self {
            shared: Arc::new(Shared {
                exchanges: server.exchanges(Arc::clone(&runtime)),
                runtime,
                sessions: Arc::new(Sessions::new(options.max_sessions, options.session_idle)),
                options,
                stop: Arc::default(),
                running: Arc::default(),
                server: server.clone(),
            }),
        }
    }

    fn set(self, change: impl FnOnce(&mut Options)) -> Self {
        let mut options = self.shared.options.clone();
        change(&mut options);
        Self::with(&self.shared.server, options)
    }

    /// Answers under this name as well, with or without a port: the name that clients know the server by.
    #[must_use]
    pub fn allow_host(self, host: impl Into<String>) -> Self {
        self.set(|options| options.hosts.push(host.into()))
    }

    /// Answers whatever name it is called by. Only where something in front of it looks at names.
    #[must_use]
    pub fn allow_any_host(self) -> Self {
        self.set(|options| options.any_host = true)
    }

    /// Lets web pages of this origin call, such as `https://app.example.com`. Those of the server's own origin may. (Browsers
    /// also want to be told so by CORS headers, which a layer around the service adds.)
    #[must_use]
    pub fn allow_origin(self, origin: impl Into<String>) -> Self {
        self.set(|options| options.origins.push(origin.into()))
    }

    /// How many bytes a message may have; 4 MiB by default.
    #[must_use]
    pub fn max_body(self, bytes: usize) -> Self {
        self.set(|options| options.max_body = bytes)
    }

    /// How long a message may take to come in; 30 seconds by default.
    #[must_use]
    pub fn body_timeout(self, limit: Duration) -> Self {
        self.set(|options| options.body_timeout = limit)
    }

    /// How many requests may be under way at once, streams among them; 10,000 by default. Beyond, clients are told to come
    /// back later.
    #[must_use]
    pub fn max_requests(self, requests: usize) -> Self {
        self.set(|options| options.max_requests = requests)
    }

    /// How many sessions of the revisions before 2026-07-28 there may be; 10,000 by default.
    #[must_use]
    pub fn max_sessions(self, sessions: usize) -> Self {
        self.set(|options| options.max_sessions = sessions)
    }

    /// How long a session may be left alone before it ends; an hour by default.
    #[must_use]
    pub fn session_idle(self, limit: Duration) -> Self {
        self.set(|options| options.session_idle = limit)
    }

    /// Keeps no sessions: clients of the older revisions are served as well, but each of their requests stands alone. So
    /// handlers can't ask them anything, and they are told nothing unasked.
    #[must_use]
    pub fn stateless(self) -> Self {
        self.set(|options| options.is_stateless = true)
    }

    /// How often a quiet stream shows that it is alive, by a comment; 15 seconds by default. An answer that takes longer
    /// becomes a stream.
    #[must_use]
    pub fn keep_alive(self, every: Duration) -> Self {
        self.set(|options| options.keep_alive = every)
    }

    /// How long clients are to wait before they take up a stream that broke (2025-11-25); a second by default.
    #[must_use]
    pub fn retry(self, after: Duration) -> Self {
        self.set(|options| options.retry = after)
    }

    /// Ends streams and sessions in order.
    pub(super) fn stop(&self) {
        self.shared.stop.set();
        self.shared.sessions.end_all();
    }

    async fn answer<B>(shared: Arc<Shared>, request: Request<B>) -> Response<Body>
    where
        B: http_body::Body,
        B::Data: Buf,
    {
        match Self::try_answer(&shared, request).await {
            Ok(response) => response,
            Err(refusal) => refusal.into(),
        }
    }

    async fn try_answer<B>(
        shared: &Arc<Shared>,
        request: Request<B>,
    ) -> Result<Response<Body>, Refusal>
    where
        B: http_body::Body,
        B::Data: Buf,
    {
        guard::check(
            request.headers(),
            request.uri().authority(),
            &shared.options,
        )?;
        let permit = shared.permit()?;
        let response = match *request.method() {
            Method::POST => post::answer(shared, request).await?,
            Method::GET if !shared.options.is_stateless => {
                get::answer(shared, request.headers(), request.extensions())?
            }
            Method::DELETE if !shared.options.is_stateless => {
                get::end_session(shared, request.headers(), request.extensions())?
            }
            _ if shared.options.is_stateless => return Err(Refusal::method("POST")),
            _ => return Err(Refusal::method("GET, POST, DELETE")),
        };
        Ok(response.map(|body| body.holding(permit)))
    }
}

impl Shared {
    fn permit(&self) -> Result<Permit, Refusal> {
        let before = self.running.fetch_add(1, Ordering::AcqRel);
        let permit = Permit(Arc::clone(&self.running));
        if before >= self.options.max_requests {
            return Err(Refusal::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "there are as many requests under way as may be: `HttpService::max_requests` sets how many",
            ));
        }
        Ok(permit)
    }
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpService")
            .field("options", &self.shared.options)
            .finish_non_exhaustive()
    }
}

impl<B> tower_service::Service<Request<B>> for HttpService
where
    B: http_body::Body + Send + 'static,
    B::Data: Buf + Send,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let shared = Arc::clone(&self.shared);
        Box::pin(async move { Ok(Self::answer(shared, request).await) })
    }
}
