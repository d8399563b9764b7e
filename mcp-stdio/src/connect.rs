//! Connections to servers that listen on sockets, with the lines of standard input and output.

use std::io;
#[cfg(unix)]
use std::path::Path;

use tokio::net::{TcpStream, ToSocketAddrs};

use crate::framing::LineDecoder;
use crate::stream::StreamTransport;

/// Connects to a server on a Unix socket, for a client.
///
/// # Errors
///
/// Nobody listens there, or we may not.
///
/// # Panics
///
/// Outside of a tokio runtime with I/O enabled.
///
/// # Examples
///
/// ```no_run
/// # async fn connect() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_core::Client;
/// use mcp_core::runtime::TokioRuntime;
///
/// let transport = mcp_stdio::connect_unix("/run/calculator.sock").await?;
/// let runtime = TokioRuntime::new();
/// let client = Client::builder("example", "1.0.0").connect(transport, runtime).await?;
/// # Ok(()) }
/// ```
#[cfg(unix)]
pub async fn connect_unix(
    path: impl AsRef<Path>,
) -> io::Result<StreamTransport<tokio::net::UnixStream>> {
    connect_unix_with(path, LineDecoder::new()).await
}

/// The same with a decoder of your own, which sets the limit of a line.
///
/// # Errors
///
/// Nobody listens there, or we may not.
///
/// # Panics
///
/// Outside of a tokio runtime with I/O enabled.
#[cfg(unix)]
pub async fn connect_unix_with(
    path: impl AsRef<Path>,
    lines: LineDecoder,
) -> io::Result<StreamTransport<tokio::net::UnixStream>> {
    let stream = tokio::net::UnixStream::connect(path).await?;
    Ok(StreamTransport::with_decoder(stream, lines))
}

/// Connects to a server that speaks in lines on a TCP socket, for a client. Small messages are not held back
/// (`TCP_NODELAY`). Nothing is encrypted, and nobody says who they are: it is for this machine, or a tunnel.
///
/// # Errors
///
/// The name is not known, or nobody listens there.
///
/// # Panics
///
/// Outside of a tokio runtime with I/O enabled.
pub async fn connect_tcp(address: impl ToSocketAddrs) -> io::Result<StreamTransport<TcpStream>> {
    connect_tcp_with(address, LineDecoder::new()).await
}

/// The same with a decoder of your own, which sets the limit of a line.
///
/// # Errors
///
/// The name is not known, or nobody listens there.
///
/// # Panics
///
/// Outside of a tokio runtime with I/O enabled.
pub async fn connect_tcp_with(
    address: impl ToSocketAddrs,
    lines: LineDecoder,
) -> io::Result<StreamTransport<TcpStream>> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(StreamTransport::with_decoder(stream, lines))
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use mcp_core::transport::{Incoming, Transport};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    async fn exchange(
        mut transport: impl Transport,
        mut peer: impl AsyncReadExt + AsyncWriteExt + Unpin,
    ) {
        let sent = poll_fn(|cx| transport.poll_send(cx, b"hello\n")).await;
        assert_eq!(sent.unwrap(), 6);
        poll_fn(|cx| transport.poll_close(cx)).await.unwrap();
        let mut arrived = String::new();
        peer.read_to_string(&mut arrived).await.unwrap();
        assert_eq!(arrived, "hello\n");
        peer.write_all(b"12345678\n123456789\n").await.unwrap();
        let first = poll_fn(|cx| transport.poll_receive(cx)).await;
        assert_eq!(first.unwrap(), Some(Incoming::Frame("12345678".into())));
        let second = poll_fn(|cx| transport.poll_receive(cx)).await;
        assert!(matches!(
            second.unwrap(),
            Some(Incoming::Overlong { limit: 8, .. })
        ));
        drop(peer);
        assert_eq!(
            poll_fn(|cx| transport.poll_receive(cx)).await.unwrap(),
            None
        );
    }

    #[tokio::test]
    async fn lines_travel_over_tcp_without_delay() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let lines = LineDecoder::with_limit(8);
        let mut transport = connect_tcp_with(address, lines).await.unwrap();
        assert!(transport.stream_mut().nodelay().unwrap());
        exchange(transport, listener.accept().await.unwrap().0).await;

        drop(listener);
        let refused = connect_tcp(address).await.unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn lines_travel_over_a_unix_socket() {
        let name = format!("mcp-stdio-connect-{}.sock", std::process::id());
        let path = std::env::temp_dir().join(name);
        let listener = tokio::net::UnixListener::bind(&path).unwrap();
        let lines = LineDecoder::with_limit(8);
        let transport = connect_unix_with(&path, lines).await;
        let peer = listener.accept().await;
        std::fs::remove_file(&path).unwrap();
        exchange(transport.unwrap(), peer.unwrap().0).await;

        let refused = connect_unix(&path).await.unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::NotFound);
    }
}
