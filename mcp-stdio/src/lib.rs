//! MCP over standard input and output, and any other stream of bytes.

mod framing;
mod stream;

pub use framing::{LineDecoder, MAX_LINE};
pub use stream::StreamTransport;
