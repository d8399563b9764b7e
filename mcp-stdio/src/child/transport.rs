use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use mcp_core::transport::{Incoming, Transport};
use tokio::io::Join;
use tokio::time::{Sleep, sleep};

use super::closing::{Closing, PATIENCE, Stage};
use super::error::{ChildEnded, How};
use super::handle::ChildHandle;
use super::pipes::{Input, Output};
use super::process::Process;
use super::stderr::Drain;
use super::text::clean;
use crate::stream::StreamTransport;

/// Frames that are thrown away before others on the same thread get their turn.
const FRAMES: usize = 64;
/// How much of a line that is no message is kept.
const STRAY: usize = 200;

/// A [`Transport`] to a child process, made by [`Command::spawn`](super::Command::spawn).
///
/// # How it ends
///
/// - **The child ends by itself**, or closes its output: what it has written is received first; then
///   [`poll_receive`](Transport::poll_receive) fails, with [`ChildEnded`] inside the error: how the process ended, and the last
///   lines that it wrote to standard error. A failed write says the same. Both come within half a second, also if something
///   that the child has started holds its pipes open.
/// - **It is closed** ([`poll_close`](Transport::poll_close)): its input ends; if that does not end it, SIGTERM follows, then
///   SIGKILL, all within one [timeout](super::Command::close_timeout). What it still writes is thrown away meanwhile, so that it
///   does not wait for us. It is an error if it had to be killed.
/// - **It is dropped**: SIGKILL at once, with or without a runtime.
///
/// On Unix a child leads a process group of its own. SIGTERM and SIGKILL go to the whole group, and when the child has
/// ended, what is left of its group is killed. Children are waited for, so none stays behind as a zombie.
///
/// # What is not covered
///
/// - A descendant that leaves the group (`setsid`, as daemons do) is on its own, and where there are no groups, on Windows,
///   every descendant is; there, a child that does not end with its input is killed without being asked.
/// - If this program is killed itself, children see the end of their input, and are not killed: to have the system do that
///   takes `unsafe` code.
/// - A group of its own is not the terminal's, so Ctrl-C reaches this program only, which should close its clients.
/// - A program that waits for all children (`waitpid(-1)`) takes the status away from us, and with it the way to what such a
///   child has left behind.
pub struct ChildTransport {
    pub(super) lines: StreamTransport<Join<Output, Input>>,
    pub(super) process: Process,
    pub(super) drain: Drain,
    pub(super) handle: Arc<ChildHandle>,
    pub(super) output_ended: bool,
    /// Until when the rest of an end is waited for, once there are signs of one.
    pub(super) ending: Option<Pin<Box<Sleep>>>,
    /// `None` once it is closed.
    pub(super) closing: Option<Closing>,
    /// What is known of the end.
    pub(super) ended: Option<ChildEnded>,
}

impl ChildTransport {
    /// The number of the process. After its end it may be that of another.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.handle.pid()
    }

    /// What can be asked about the child while a client has the transport.
    #[must_use]
    pub fn handle(&self) -> Arc<ChildHandle> {
        Arc::clone(&self.handle)
    }

    /// Ready when all that is to be known of the end is, or has been waited for long enough.
    fn poll_ended(&mut self, how: How, cx: &mut Context<'_>) -> Poll<ChildEnded> {
        if let Some(ended) = &self.ended {
            return Poll::Ready(ended.clone());
        }
        let timer = self.ending.get_or_insert_with(|| Box::pin(sleep(PATIENCE)));
        let expired = timer.as_mut().poll(cx).is_ready();
        let exited = self.process.poll_ended(cx).is_ready();
        let drained = self.drain.poll_drained(cx).is_ready();
        if !(expired || (exited && drained && self.output_ended)) {
            return Poll::Pending;
        }
        Poll::Ready(self.end(how))
    }

    /// Notes what is known, and releases the process if it has ended.
    fn end(&mut self, how: How) -> ChildEnded {
        let status = match self.process.has_ended() {
            true => self.process.reap(),
            false => None,
        };
        if let Some(status) = status {
            self.handle.set_status(status);
        }
        let ended = ChildEnded {
            program: self.handle.program().to_owned(),
            how,
            status,
            stderr: self.handle.stderr(),
            stray: self.handle.stray_output().map(str::to_owned),
        };
        self.ended = Some(ended.clone());
        ended
    }

    /// Keeps the first line that can't be a message.
    fn look_at(&self, incoming: &Incoming) {
        let (Incoming::Frame(bytes) | Incoming::Overlong { head: bytes, .. }) = incoming;
        let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        if !matches!(first, Some(b'{' | b'[')) && !self.handle.has_stray_output() {
            self.handle.set_stray_output(clean(bytes, STRAY));
        }
    }

    /// Takes what the child still writes, so that it does not wait for us instead of ending.
    fn discard_output(&mut self, cx: &mut Context<'_>) {
        for _ in 0..FRAMES {
            if self.output_ended {
                return;
            }
            match self.lines.poll_receive(cx) {
                Poll::Ready(Ok(Some(_))) => {}
                Poll::Ready(Ok(None) | Err(_)) => self.output_ended = true,
                Poll::Pending => return,
            }
        }
        cx.waker().wake_by_ref();
    }

    fn poll_closing(
        &mut self,
        closing: &mut Closing,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            self.discard_output(cx);
            let exited = self.process.poll_ended(cx).is_ready();
            let drained = self.drain.poll_drained(cx).is_ready();
            let whole = (self.output_ended && drained) || self.ended.is_some();
            if exited && (whole || closing.stage == Stage::Kill) {
                break;
            }
            if exited {
                // Someone else holds its pipes: perhaps the true server, which is to end in peace, too.
                closing.hasten();
            }
            ready!(closing.poll_stage(cx));
            match closing.stage {
                Stage::Input => {}
                Stage::Term => self.process.terminate(),
                Stage::Kill => {
                    closing.killed = !exited;
                    self.process.kill();
                }
                Stage::Stuck => break,
            }
        }
        let ended = self.end(match closing.stage {
            Stage::Stuck => How::Stuck,
            _ if closing.killed => How::Killed,
            _ => How::Closed,
        });
        self.release();
        Poll::Ready(match closing.killed {
            true => Err(io::Error::new(io::ErrorKind::TimedOut, ended)),
            false => Ok(()),
        })
    }

    /// Lets go of all pipes: someone may hold the other ends for ever.
    fn release(&mut self) {
        let streams = self.lines.stream_mut();
        streams.writer_mut().close();
        streams.reader_mut().close();
        self.drain = Drain::none();
    }
}

impl Transport for ChildTransport {
    fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<Incoming>>> {
        match self.lines.poll_receive(cx) {
            Poll::Ready(Ok(Some(incoming))) => {
                self.look_at(&incoming);
                return Poll::Ready(Ok(Some(incoming)));
            }
            Poll::Ready(Ok(None)) => self.output_ended = true,
            Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
            // Whatever it has started may hold its output open after its end, without an end.
            Poll::Pending => {
                if self.ended.is_none() {
                    ready!(self.process.poll_ended(cx));
                }
            }
        }
        let ended = ready!(self.poll_ended(How::Output, cx));
        let error = io::Error::new(io::ErrorKind::UnexpectedEof, ended);
        Poll::Ready(Err(error))
    }

    fn poll_send(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match ready!(self.lines.poll_send(cx, bytes)) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                // Meanwhile the last answers can be received.
                let ended = ready!(self.poll_ended(How::Input, cx));
                Poll::Ready(Err(io::Error::new(io::ErrorKind::BrokenPipe, ended)))
            }
            sent => Poll::Ready(sent),
        }
    }

    fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.lines.poll_flush(cx)
    }

    /// As [above](ChildTransport).
    ///
    /// # Errors
    ///
    /// The child had to be killed. The error holds [`ChildEnded`].
    fn poll_close(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Some(mut closing) = self.closing.take() else {
            return Poll::Ready(Ok(()));
        };
        self.lines.stream_mut().writer_mut().close();
        let closed = self.poll_closing(&mut closing, cx);
        if closed.is_pending() {
            self.closing = Some(closing);
        }
        closed
    }
}

impl fmt::Debug for ChildTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChildTransport")
            .field("handle", &self.handle)
            .field("lines", &self.lines)
            .finish_non_exhaustive()
    }
}
