use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use mcp_core::transport::{Incoming, Transport};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::time::{Sleep, sleep};

use super::watch::Watch;
use crate::framing::LineDecoder;
use crate::stream::StreamTransport;

/// How long is waited for the child to end when its output has, and for its output to end when it has.
const GRACE: Duration = Duration::from_millis(500);
/// While the connection is closed, so much of what the child still writes is read at once.
const DISCARDED: usize = 16 << 10;

/// The connection to a server that is a child process.
///
/// # How it ends
///
/// - **In order**, when the client closes it: the end of its input tells the child to end; if it does not, SIGTERM does, and
///   then SIGKILL, all within [`close_timeout`](super::Command::close_timeout). Both go to the child's process group, so
///   what it has started ends with it.
/// - **When it is dropped**: the group is killed at once, with or without a runtime, and nothing is left of the child.
/// - **When the child ends**: what it has written is read, and the connection ends with a
///   [`ChildEnded`](super::ChildEnded): its status, and the last lines it wrote to its standard error.
/// - **When this process is killed** and can do nothing about it, its children meet the end of their input, which is what
///   servers end at. A child that ignores that, or a process that has left its group, stays.
pub struct ChildTransport {
    stream: StreamTransport<Pipes>,
    watch: Watch,
    close_timeout: Duration,
    ending: Option<Pin<Box<Sleep>>>,
    closing: Closing,
}

enum Closing {
    Open,
    /// Its input has ended.
    Asked(Pin<Box<Sleep>>),
    Terminated(Pin<Box<Sleep>>),
    Killed(Pin<Box<Sleep>>),
    Closed,
}

impl ChildTransport {
    pub(super) fn new(
        watch: Watch,
        stdin: ChildStdin,
        stdout: ChildStdout,
        max_line: usize,
        close_timeout: Duration,
    ) -> Self {
        let pipes = Pipes {
            stdin: Some(stdin),
            stdout,
        };
        Self {
            stream: StreamTransport::with_decoder(pipes, LineDecoder::with_limit(max_line)),
            watch,
            close_timeout,
            ending: None,
            closing: Closing::Open,
        }
    }

    /// The number of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.watch.id()
    }

    /// The name of the program, without the folder it is in.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.watch.program
    }

    fn grace(&mut self) -> &mut Pin<Box<Sleep>> {
        self.ending.get_or_insert_with(|| Box::pin(sleep(GRACE)))
    }

    /// The end of its output: soon after, it says how it has ended.
    fn poll_ended(&mut self, cx: &mut Context<'_>) -> Poll<io::Error> {
        let is_over = self.watch.has_ended(cx) && self.watch.is_silent();
        if !is_over {
            ready!(self.grace().as_mut().poll(cx));
        }
        Poll::Ready(self.watch.ended().into_error())
    }

    /// Reads what nobody wants any more, so that the child does not wait for that.
    fn discard(&mut self, cx: &mut Context<'_>) {
        let mut bytes = [0; DISCARDED];
        for _ in 0..8 {
            let mut buffer = ReadBuf::new(&mut bytes);
            match Pin::new(&mut self.stream.stream_mut().stdout).poll_read(cx, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {}
                // The end of the output wakes nobody; the end of the child does.
                _ => return,
            }
        }
        cx.waker().wake_by_ref();
    }
}

impl Transport for ChildTransport {
    fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<Incoming>>> {
        if let Poll::Ready(received) = self.stream.poll_receive(cx) {
            return match received {
                Ok(Some(incoming)) => Poll::Ready(Ok(Some(incoming))),
                Ok(None) => self.poll_ended(cx).map(Err),
                Err(error) => Poll::Ready(Err(error)),
            };
        }
        // Something that the child has started may hold its output open.
        if self.watch.has_ended(cx) {
            ready!(self.grace().as_mut().poll(cx));
            return Poll::Ready(Err(self.watch.ended().into_error()));
        }
        Poll::Pending
    }

    fn poll_send(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.stream.poll_send(cx, bytes)
    }

    fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.poll_flush(cx)
    }

    fn poll_close(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            if !matches!(self.closing, Closing::Open | Closing::Closed) {
                self.discard(cx);
                if self.watch.has_ended(cx) && self.watch.reap().is_some() {
                    self.closing = Closing::Closed;
                }
            }
            let step = self.close_timeout / 5;
            match &mut self.closing {
                Closing::Open => {
                    self.stream.stream_mut().stdin = None;
                    self.closing = Closing::Asked(Box::pin(sleep(step * 2)));
                }
                Closing::Asked(timer) => {
                    ready!(timer.as_mut().poll(cx));
                    self.watch.terminate();
                    self.closing = Closing::Terminated(Box::pin(sleep(step * 2)));
                }
                Closing::Terminated(timer) => {
                    ready!(timer.as_mut().poll(cx));
                    self.watch.kill();
                    self.closing = Closing::Killed(Box::pin(sleep(step)));
                }
                Closing::Killed(timer) => {
                    ready!(timer.as_mut().poll(cx));
                    // The system does not let it go yet. Whoever drops this sees to it.
                    self.closing = Closing::Closed;
                    return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
                }
                Closing::Closed => return Poll::Ready(Ok(())),
            }
        }
    }
}

impl fmt::Debug for ChildTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChildTransport")
            .field("program", &self.program())
            .field("id", &self.id())
            .finish_non_exhaustive()
    }
}

/// The child's ends that are ours.
struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
}

impl AsyncRead for Pipes {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stdout).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Pipes {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.stdin {
            Some(stdin) => Pin::new(stdin).poll_write(cx, bytes),
            None => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stdin {
            Some(stdin) => Pin::new(stdin).poll_flush(cx),
            None => Poll::Ready(Ok(())),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stdin = None;
        Poll::Ready(Ok(()))
    }
}
