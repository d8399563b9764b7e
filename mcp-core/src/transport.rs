//! What carries frames: [`Transport`], [`memory`], two ends joined in memory, and for clients [`MessageTransport`].

use std::io;
use std::task::{Context, Poll};

use bytes::Bytes;

mod memory;
mod messages;

pub use memory::{MemoryTransport, memory};
pub use messages::{Answered, Arrival, Heading, MessageTransport, Outgoing};

/// What a transport hands to the driver.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a driver that ignores one must stop compiling"
)]
pub enum Incoming {
    /// The bytes of one JSON text, without their delimiter.
    Frame(Bytes),
    /// A frame over the limit. It was skipped as it came; only its first bytes are here.
    Overlong {
        /// The first bytes: enough to find an id in, nowhere near the whole.
        head: Bytes,
        /// The limit in bytes.
        limit: usize,
    },
}

/// Moves frames between two peers over one ordered, reliable connection.
///
/// Its ends are the driver, which calls these methods and nothing else, and a peer. It need not know what is in a frame.
///
/// The methods are polls, so that one driver can read, write and run handlers in one task, and answer everything that
/// came in one read with one write. Outgoing bytes are whole frames, each ended by one line feed; a JSON text holds no
/// other line feed, so a transport with another framing can cut there.
///
/// # Cancel safety
///
/// Every method may be called again after `Pending`, and nothing is lost when the caller stops calling.
pub trait Transport: Send + Unpin + 'static {
    /// Hands over the next frame; `None` once the peer will send no more.
    ///
    /// # Errors
    ///
    /// Any error ends the connection.
    fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<Incoming>>>;

    /// Sends a part of `bytes` and says how many were taken, like [`std::io::Write::write`].
    ///
    /// # Errors
    ///
    /// Any error ends the connection.
    fn poll_send(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>>;

    /// Pushes out what [`poll_send`](Self::poll_send) took, where the transport buffers.
    ///
    /// # Errors
    ///
    /// Any error ends the connection.
    fn poll_flush(&mut self, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// Ends the connection in order: says that nothing more will be sent, and waits for what belongs to it to end, such
    /// as a child process. A client asks for it when it closes, after everything was flushed. Dropping the transport
    /// ends all that at once.
    ///
    /// # Errors
    ///
    /// When something did not end as it should. Everything that can be released is released all the same.
    fn poll_close(&mut self, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// Becomes ready when the peer no longer reads what is sent. A transport that cannot know stays pending.
    fn poll_peer_gone(&mut self, _cx: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }
}
