//! The signals by which a process is asked to end.

use std::io;
#[cfg(unix)]
use std::task::Poll;

/// SIGTERM and SIGINT as they come.
#[cfg(unix)]
pub(crate) struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    pub(crate) fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Waits for either. Signals of one kind that come close together may count as one.
    pub(crate) async fn next(&mut self) {
        std::future::poll_fn(|cx| {
            if self.terminate.poll_recv(cx).is_ready() || self.interrupt.poll_recv(cx).is_ready() {
                return Poll::Ready(());
            }
            Poll::Pending
        })
        .await;
    }
}

/// Ctrl-C as it comes.
#[cfg(not(unix))]
pub(crate) struct Signals(());

#[cfg(not(unix))]
impl Signals {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(()))
    }

    pub(crate) async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    }
}
