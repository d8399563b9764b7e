//! The envelope of JSON-RPC 2.0. Has never heard of MCP.

mod error;
mod id;
mod message;
mod scan;
mod write;

pub use error::{ErrorCode, ErrorObject};
pub use id::RequestId;
pub(crate) use message::{
    Fault, Members, Message, NO_METHOD, decode, read_id_leniently, read_response_id,
};
pub(crate) use scan::{Scanner, SyntaxError, unescape};
pub(crate) use write::{
    begin_notification, begin_result, end, write_error, write_id, write_json, write_string,
};
