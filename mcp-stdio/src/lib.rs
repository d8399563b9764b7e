//! MCP over standard input and output, and any other stream of bytes.

mod framing;
mod handover;
mod serve;
mod signals;
#[cfg(unix)]
mod socket;
mod stdin;
mod stdio;
mod stdout;
mod stream;

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
