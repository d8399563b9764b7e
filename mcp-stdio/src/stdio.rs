//! [`StdioTransport`]: the process's standard input and output.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use mcp_core::transport::{Incoming, Transport};
use tokio::io::Join;

use crate::framing::LineDecoder;
use crate::stdin::Stdin;
use crate::stdout::Stdout;
use crate::stream::StreamTransport;

/// A process has one standard input; who takes it has it.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// A [`Transport`] over the process's standard input and output.
///
/// [`run`](crate::run) and [`serve`](crate::serve) make one themselves. Taking it is for good: from then on the process
/// writes what it prints to standard error, and reads nothing from standard input, and so do its children. (On systems
/// other than Unix both stay as they are, so nothing else may print.)
///
/// Pipes and sockets are read and written without further threads; for files, terminals and devices there is one for
/// each direction, and neither ever holds the process's exit.
#[derive(Debug)]
pub struct StdioTransport {
    lines: StreamTransport<Join<Stdin, Stdout>>,
}

impl StdioTransport {
    /// Takes standard input and output.
    ///
    /// # Errors
    ///
    /// They were taken before, or the system refuses a descriptor or a thread.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with I/O enabled.
    pub fn take() -> io::Result<Self> {
        Self::take_with(LineDecoder::new())
    }

    /// The same with a decoder of your own, which sets the limit of a line.
    ///
    /// # Errors
    ///
    /// They were taken before, or the system refuses a descriptor or a thread.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with I/O enabled.
    pub fn take_with(lines: LineDecoder) -> io::Result<Self> {
        if TAKEN.swap(true, Ordering::Relaxed) {
            return Err(io::Error::new(
                io::ErrorKind::ResourceBusy,
                "standard input and output were taken before",
            ));
        }
        let streams = tokio::io::join(Stdin::take()?, Stdout::take()?);
        Ok(Self {
            lines: StreamTransport::with_decoder(streams, lines),
        })
    }
}

impl Transport for StdioTransport {
    fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<Incoming>>> {
        self.lines.poll_receive(cx)
    }

    fn poll_send(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.lines.poll_send(cx, bytes)
    }

    fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.lines.poll_flush(cx)
    }

    fn poll_peer_gone(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.lines.stream_mut().writer_mut().poll_gone(cx)
    }
}
