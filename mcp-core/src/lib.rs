//! Model Context Protocol: servers, their tools, and the session engine under them.

mod jsonrpc;
pub mod protocol;
mod schema;

pub use jsonrpc::{ErrorCode, ErrorObject, RequestId};
