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
    // Nobody sends anything to a standard output, so it becomes readable when it is closed.
    while socket.ready(Interest::READABLE).await.is_ok() {
        let both = Interest::READABLE | Interest::WRITABLE;
        let closed = socket
            .ready(both)
            .await
            .is_ok_and(|ready| ready.is_write_closed());
        if closed {
            return;
        }
        match socket.try_read(&mut [0; 256]) {
            Ok(0) => break,
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => return,
            _ => {}
        }
    }
    std::future::pending().await
}
