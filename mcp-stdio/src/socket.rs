//! Sockets as standard input and output.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net;

use tokio::io::Interest;
use tokio::net::UnixStream;

/// The socket behind a descriptor. A TCP socket, as inetd and its heirs give, is read and written by the same calls.
pub(crate) fn from_file(file: File) -> io::Result<UnixStream> {
    let socket = net::UnixStream::from(OwnedFd::from(file));
    socket.set_nonblocking(true)?;
    UnixStream::from_std(socket)
}

/// Waits until the peer has closed the socket; never returns while it has merely ended what it sends.
pub(crate) async fn closed(socket: UnixStream) {
    let both = Interest::READABLE | Interest::WRITABLE;
    while socket.ready(Interest::READABLE).await.is_ok() {
        let Ok(ready) = socket.ready(both).await else {
            break;
        };
        if ready.is_write_closed() {
            return;
        }
        if ready.is_read_closed() {
            break;
        }
        // What has come may be the input, if that is the same socket, and is for someone else to read. To call it
        // unreadable only makes the next turn wait for news.
        let unread = || Err::<(), _>(io::ErrorKind::WouldBlock.into());
        let _: io::Result<()> = socket.try_io(Interest::READABLE, unread);
    }
    std::future::pending().await
}
