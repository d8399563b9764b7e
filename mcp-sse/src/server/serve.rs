//! A server on an address of its own.

use std::error::Error;
use std::fmt;
use std::future::{Future, pending, poll_fn};
use std::io;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use futures_util::future::{Either, select};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use mcp_core::{BuildError, Server};
use tokio::net::{TcpListener, TcpStream, ToSocketAddrs};
use tokio::sync::watch;

use super::service::{HttpService, service};

/// How long the head of a request may take to come.
const HEAD: Duration = Duration::from_secs(15);
/// How long connections may take to end.
const DRAIN: Duration = Duration::from_secs(10);
/// How long to wait when no more connections can be had.
const PAUSE: Duration = Duration::from_millis(100);

/// Why a server could not be served.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// It can't be built.
    Build(BuildError),
    /// The address can't be listened on.
    Listen(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Build(_) => "the server can't be built",
            Self::Listen(_) => "the address can't be listened on",
        })
    }
}

impl Error for ServeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Build(source) => Some(source),
            Self::Listen(source) => Some(source),
        }
    }
}

impl From<BuildError> for ServeError {
    fn from(source: BuildError) -> Self {
        Self::Build(source)
    }
}

/// Serves on an address, on every path, for ever.
///
/// For more (other names than `localhost`, limits, an end), make a [`service`] and [serve that](HttpService::serve).
///
/// # Errors
///
/// When the server can't be built, or the address not be listened on.
///
/// # Cancel safety
///
/// Dropping the future closes all connections.
pub async fn serve(server: Server, address: impl ToSocketAddrs) -> Result<(), ServeError> {
    let service = service(server)?;
    let listener = TcpListener::bind(address)
        .await
        .map_err(ServeError::Listen)?;
    service.serve(listener, pending()).await;
    Ok(())
}

impl HttpService {
    /// Serves what a listener accepts, on every path, until `shutdown` is ready. Then no more is accepted, streams are ended
    /// in order, and calls under way have ten seconds to finish.
    ///
    /// `TCP_NODELAY` is set on each connection; without it, streams stall for 40 milliseconds at a time.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future closes all connections.
    pub async fn serve(self, listener: TcpListener, shutdown: impl Future<Output = ()>) {
        let mut shutdown = pin!(shutdown);
        let (stop, stopped) = watch::channel(());
        let mut connections = tokio::task::JoinSet::new();
        loop {
            let accepted = poll_fn(|cx| {
                // Those that have ended are forgotten.
                while let Poll::Ready(Some(_)) = connections.poll_join_next(cx) {}
                match shutdown.as_mut().poll(cx) {
                    Poll::Ready(()) => Poll::Ready(None),
                    Poll::Pending => listener.poll_accept(cx).map(Some),
                }
            });
            let Some(accepted) = accepted.await else {
                break;
            };
            match accepted {
                Ok((stream, _)) => {
                    connections.spawn(connection(self.clone(), stream, stopped.clone()));
                }
                // Out of descriptors, say: it passes.
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
        drop(listener);
        self.stop();
        drop(stopped);
        let _ = stop.send(());
        let all = async { while connections.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(DRAIN, all).await;
    }
}

async fn connection(service: HttpService, stream: TcpStream, mut stopped: watch::Receiver<()>) {
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(service);
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let is_to_stop = pin!(stopped.changed());
    match select(connection.as_mut(), is_to_stop).await {
        Either::Left(_) => return,
        Either::Right(_) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}
