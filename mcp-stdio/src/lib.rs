//! MCP over standard input and output, and any other stream of bytes.
//!
//! | to serve | use |
//! |---|---|
//! | a client that starts this program | [`run`] |
//! | the same, where a tokio runtime is there already | [`serve`] |
//! | a socket, or anything else that tokio can read and write | [`serve_stream`], [`serve_io`] |
//! | with another limit for lines, or a shutdown of your own | [`ServeOptions`] |
//!
//! | to call a server | use |
//! |---|---|
//! | that is a program to be started | [`Command`]: [`connect`](Command::connect), [`connect_as`](Command::connect_as) |
//! | that listens on a socket | [`connect_tcp`], `connect_unix` |
//!
//! How children end, and what they get, has a [page of the guide](guide::children).
//!
//! [`StdioTransport`] and [`StreamTransport`] carry the frames, cut by [`LineDecoder`]; both can be used without the rest.
//!
//! ```no_run
//! use mcp_core::{Server, tool};
//!
//! /// Adds two integers.
//! #[tool]
//! fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! fn main() -> Result<(), mcp_stdio::Error> {
//!     mcp_stdio::run(Server::new("calculator", "1.0.0").tool::<add>())
//! }
//! ```
//!
//! # How a server ends
//!
//! - At the end of input: calls that were read are answered first, so `printf '…' | server` works.
//! - On SIGTERM and Ctrl-C ([`run`] only): likewise, though the input stays open. A second signal ends it at once.
//! - When the client stops reading, where the system lets us see that: calls are dropped, for nobody waits for them.
//! - When the application wants it ([`ServeOptions::with_shutdown`]).
//!
//! None of these waits for a thread or a task that is still busy. The [guide] has the rest.

mod child;
mod connect;
mod framing;
#[cfg(any(doc, doctest))]
#[doc = include_str!("../docs/running.md")]
pub mod guide {
    #[doc = include_str!("../docs/children.md")]
    pub mod children {}
}
mod handover;
mod serve;
mod signals;
#[cfg(unix)]
mod socket;
mod stdin;
mod stdio;
mod stdout;
mod stream;

pub use child::{
    ChildEnded, ChildHandle, ChildTransport, Command, ConnectError, SpawnError, Stderr,
};
pub use connect::{connect_tcp, connect_tcp_with};
#[cfg(unix)]
pub use connect::{connect_unix, connect_unix_with};
pub use framing::{LineDecoder, MAX_LINE};
pub use serve::{Error, ServeOptions, run, serve, serve_io, serve_stream};
pub use stdio::StdioTransport;
pub use stream::StreamTransport;

/// The path by which an open file can be opened anew, with a description of its own.
#[cfg(target_os = "linux")]
fn proc_path(file: &std::fs::File) -> std::path::PathBuf {
    use std::os::fd::AsRawFd;

    std::path::PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}
