//! The envelope of JSON-RPC 2.0. Has never heard of MCP.

mod error;
mod id;

pub use error::{ErrorCode, ErrorObject};
pub use id::RequestId;
