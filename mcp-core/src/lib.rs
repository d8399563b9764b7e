//! Model Context Protocol: servers, their tools, and the session engine under them.

mod jsonrpc;
pub mod protocol;
pub mod runtime;
mod schema;
pub mod transport;

pub use jsonrpc::{ErrorCode, ErrorObject, RequestId};
