//! Our ends of a child's standard input and output, each of which can be closed by itself.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::process::{InputPipe, OutputPipe};

/// What the child reads. Closing it is the end of input.
pub(super) struct Input(Option<InputPipe>);

/// What the child writes.
pub(super) struct Output(Option<OutputPipe>);

impl Input {
    pub(super) fn new(pipe: InputPipe) -> Self {
        Self(Some(pipe))
    }

    pub(super) fn close(&mut self) {
        self.0 = None;
    }
}

impl Output {
    pub(super) fn new(pipe: OutputPipe) -> Self {
        Self(Some(pipe))
    }

    pub(super) fn close(&mut self) {
        self.0 = None;
    }
}

impl AsyncRead for Output {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut self.get_mut().0 {
            Some(pipe) => Pin::new(pipe).poll_read(cx, buf),
            None => Poll::Ready(Ok(())),
        }
    }
}

impl AsyncWrite for Input {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.get_mut().0 {
            Some(pipe) => Pin::new(pipe).poll_write(cx, buf),
            None => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().0 {
            Some(pipe) => Pin::new(pipe).poll_flush(cx),
            None => Poll::Ready(Ok(())),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().close();
        Poll::Ready(Ok(()))
    }
}
