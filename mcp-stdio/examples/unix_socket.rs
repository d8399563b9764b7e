//! A server on a Unix socket, with a session for each connection.
//!
//! ```text
//! cargo run --example unix_socket -- ./calculator.sock
//! ```
#![expect(clippy::print_stderr, reason = "it tells of sessions that break")]

#[cfg(unix)]
mod server {
    use std::error::Error;

    use mcp_core::{Server, tool};
    use tokio::net::UnixListener;
    use tokio::task::JoinSet;

    /// Adds two integers.
    #[tool]
    fn add(a: i64, b: i64) -> i64 {
        a + b
    }

    #[tokio::main]
    pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
        let path = std::env::args_os()
            .nth(1)
            .ok_or("usage: unix_socket PATH")?;
        let server = Server::new("calculator", "1.0.0").tool::<add>().build()?;
        let listener = UnixListener::bind(&path)?;
        let mut sessions = JoinSet::new();
        loop {
            tokio::select! {
                connection = listener.accept() => {
                    let (stream, _) = connection?;
                    let server = server.clone();
                    sessions.spawn(async move { mcp_stdio::serve_stream(&server, stream).await });
                }
                Some(ended) = sessions.join_next() => {
                    if let Err(error) = ended? {
                        eprintln!("a session ended badly: {error}");
                    }
                }
                _ = tokio::signal::ctrl_c() => break,
            }
        }
        std::fs::remove_file(&path)?;
        Ok(())
    }
}

#[cfg(unix)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    server::main()
}

#[cfg(not(unix))]
fn main() {
    eprintln!("there are no Unix sockets here");
}
