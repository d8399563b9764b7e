//! [`StreamTransport`]: frames over any stream of bytes.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};

use mcp_core::transport::{Incoming, Transport};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, Join};

use crate::framing::LineDecoder;

/// A [`Transport`] over a stream of bytes: a Unix socket, a pair of pipes, anything that tokio can read and write.
///
/// All frames of one read are handed out before the next read, so what a peer sent at once can be answered at once.
///
/// # Examples
///
/// ```
/// use std::future::poll_fn;
///
/// use mcp_core::transport::{Incoming, Transport};
/// use mcp_stdio::StreamTransport;
/// use tokio::io::AsyncWriteExt;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let (mut peer, ours) = tokio::io::duplex(1024);
/// let mut transport = StreamTransport::new(ours);
/// peer.write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n").await?;
/// let frame = poll_fn(|cx| transport.poll_receive(cx)).await?;
/// assert!(matches!(frame, Some(Incoming::Frame(_))));
/// # std::io::Result::Ok(())
/// # })?;
/// # std::io::Result::Ok(())
/// ```
pub struct StreamTransport<S> {
    stream: S,
    lines: LineDecoder,
    ended: bool,
}

impl<S> StreamTransport<S> {
    /// Frames over a stream that is read and written.
    pub fn new(stream: S) -> Self {
        Self::with_decoder(stream, LineDecoder::new())
    }

    /// The same with a decoder of your own, which sets the limit of a line and may hold what was read already.
    pub fn with_decoder(stream: S, lines: LineDecoder) -> Self {
        Self {
            stream,
            lines,
            ended: false,
        }
    }

    pub(crate) fn stream_mut(&mut self) -> &mut S {
        &mut self.stream
    }
}

impl<R: AsyncRead, W: AsyncWrite> StreamTransport<Join<R, W>> {
    /// Frames over two streams, one to read and one to write.
    pub fn from_pair(reader: R, writer: W) -> Self {
        Self::new(tokio::io::join(reader, writer))
    }
}

impl<S> fmt::Debug for StreamTransport<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamTransport")
            .field("lines", &self.lines)
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}

impl<S> Transport for StreamTransport<S>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<Incoming>>> {
        loop {
            if let Some(incoming) = self.lines.next_frame() {
                return Poll::Ready(Ok(Some(incoming)));
            }
            if self.ended {
                return Poll::Ready(Ok(self.lines.finish()));
            }
            let mut spare = self.lines.spare();
            // The future keeps nothing between polls: it is the safe way to read into memory that is not zeroed first.
            let read = pin!(self.stream.read_buf(&mut spare));
            match ready!(read.poll(cx)) {
                Ok(read) => self.ended = read == 0,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // A peer that went away without reading all we sent has ended its input, too.
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => self.ended = true,
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }

    fn poll_send(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            return match ready!(Pin::new(&mut self.stream).poll_write(cx, bytes)) {
                Ok(0) if !bytes.is_empty() => Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                sent => Poll::Ready(sent),
            };
        }
    }

    fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_close(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match ready!(Pin::new(&mut self.stream).poll_shutdown(cx)) {
            // The peer was quicker.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotConnected
                        | io::ErrorKind::BrokenPipe
                        | io::ErrorKind::ConnectionReset
                ) =>
            {
                Poll::Ready(Ok(()))
            }
            closed => Poll::Ready(closed),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::task::Waker;

    use tokio::io::{AsyncWriteExt, DuplexStream, duplex};

    use super::*;

    async fn receive<S>(transport: &mut StreamTransport<S>) -> Option<String>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        match poll_fn(|cx| transport.poll_receive(cx)).await.unwrap() {
            Some(Incoming::Frame(frame)) => Some(String::from_utf8(frame.to_vec()).unwrap()),
            Some(Incoming::Overlong { limit, .. }) => Some(format!("over {limit}")),
            None => None,
        }
    }

    fn nothing_yet(transport: &mut StreamTransport<DuplexStream>) -> bool {
        transport
            .poll_receive(&mut Context::from_waker(Waker::noop()))
            .is_pending()
    }

    #[tokio::test]
    async fn a_line_cut_over_writes_comes_whole() {
        let (mut peer, ours) = duplex(4);
        let mut transport = StreamTransport::new(ours);
        let write = async { peer.write_all(b"first line\nsecond line\n").await.unwrap() };
        let read = async {
            assert_eq!(receive(&mut transport).await.unwrap(), "first line");
            assert_eq!(receive(&mut transport).await.unwrap(), "second line");
        };
        tokio::join!(write, read);
        assert!(nothing_yet(&mut transport));
    }

    #[tokio::test]
    async fn the_last_line_needs_no_newline_and_the_end_stays_the_end() {
        let (mut peer, ours) = duplex(64);
        let mut transport = StreamTransport::new(ours);
        peer.write_all(b"one\ntwo").await.unwrap();
        drop(peer);
        assert_eq!(receive(&mut transport).await.unwrap(), "one");
        assert_eq!(receive(&mut transport).await.unwrap(), "two");
        assert_eq!(receive(&mut transport).await, None);
        assert_eq!(receive(&mut transport).await, None);
    }

    #[tokio::test]
    async fn an_overlong_line_does_not_end_the_connection() {
        let (mut peer, ours) = duplex(64);
        let mut transport = StreamTransport::with_decoder(ours, LineDecoder::with_limit(8));
        peer.write_all(b"123456789\nnext\n").await.unwrap();
        assert_eq!(receive(&mut transport).await.unwrap(), "over 8");
        assert_eq!(receive(&mut transport).await.unwrap(), "next");
    }

    #[tokio::test]
    async fn all_frames_of_one_read_come_before_the_next_read() {
        let (mut peer, ours) = duplex(64);
        let mut transport = StreamTransport::new(ours);
        peer.write_all(b"1\n2\n3\n").await.unwrap();
        assert_eq!(receive(&mut transport).await.unwrap(), "1");
        peer.write_all(&[b'x'; 64])
            .await
            .expect("the first read took all there was, so the pipe has room again");
        assert_eq!(receive(&mut transport).await.unwrap(), "2");
        assert_eq!(receive(&mut transport).await.unwrap(), "3");
    }

    #[tokio::test]
    async fn what_is_sent_arrives_over_a_pair_of_streams() {
        let (mut peer_writes, reads) = duplex(64);
        let (writes, mut peer_reads) = duplex(4);
        let mut transport = StreamTransport::from_pair(reads, writes);
        peer_writes.write_all(b"hello\n").await.unwrap();
        assert_eq!(receive(&mut transport).await.unwrap(), "hello");

        let send = async move {
            let mut rest = &b"good day\n"[..];
            while !rest.is_empty() {
                let sent = poll_fn(|cx| transport.poll_send(cx, rest)).await.unwrap();
                rest = &rest[sent..];
            }
            poll_fn(|cx| transport.poll_flush(cx)).await.unwrap();
        };
        let mut arrived = String::new();
        let ((), read) = tokio::join!(send, peer_reads.read_to_string(&mut arrived));
        read.unwrap();
        assert_eq!(arrived, "good day\n");
    }

    #[tokio::test]
    async fn closing_is_the_end_of_input_for_the_peer() {
        let (mut peer, ours) = duplex(64);
        let mut transport = StreamTransport::new(ours);
        poll_fn(|cx| transport.poll_send(cx, b"bye\n"))
            .await
            .unwrap();
        poll_fn(|cx| transport.poll_close(cx)).await.unwrap();
        let mut arrived = String::new();
        peer.read_to_string(&mut arrived).await.unwrap();
        assert_eq!(arrived, "bye\n");
    }

    #[tokio::test]
    async fn sending_to_a_peer_that_is_gone_is_an_error() {
        let (peer, ours) = duplex(64);
        drop(peer);
        let mut transport = StreamTransport::new(ours);
        let error = poll_fn(|cx| transport.poll_send(cx, b"x"))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
