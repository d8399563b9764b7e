use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A peer that says what it was made with and keeps what it hears.
pub(crate) struct Peer {
    input: Vec<u8>,
    read: usize,
    pieces: Vec<u8>,
    turn: usize,
    written: Written,
}

/// What the server wrote.
#[derive(Clone, Default)]
pub(crate) struct Written(Arc<Mutex<Vec<u8>>>);

impl Peer {
    /// Hands `input` over in pieces of these sizes, again and again from the first; all at once without any.
    pub(crate) fn new(input: &[u8], pieces: &[u8]) -> (Self, Written) {
        let written = Written::default();
        let peer = Self {
            input: input.to_vec(),
            read: 0,
            pieces: pieces.to_vec(),
            turn: 0,
            written: written.clone(),
        };
        (peer, written)
    }

    fn next_piece(&mut self) -> usize {
        if self.pieces.is_empty() {
            return self.input.len();
        }
        let size = self.pieces[self.turn % self.pieces.len()];
        self.turn += 1;
        // An empty read would be the end of input.
        usize::from(size).max(1)
    }
}

impl Written {
    pub(crate) fn lines(&self) -> Vec<String> {
        let bytes = self.0.lock().expect("nobody panics while writing");
        let text = std::str::from_utf8(&bytes).expect("the server writes UTF-8");
        assert!(
            text.is_empty() || text.ends_with('\n'),
            "a line without its end"
        );
        text.lines().map(str::to_owned).collect()
    }
}

impl AsyncRead for Peer {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let rest = self.input.len() - self.read;
        let size = self.next_piece().min(rest).min(buf.remaining());
        let from = self.read;
        buf.put_slice(&self.input[from..from + size]);
        self.read += size;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Peer {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.written
            .0
            .lock()
            .expect("nobody panics while writing")
            .extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
