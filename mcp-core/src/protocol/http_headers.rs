//! What requests by HTTP say of themselves in headers (2026-07-28), for both sides: names, the encoding of values, and
//! the arguments that a tool wants mirrored.
//!
//! Nothing here does HTTP. A client writes headers by these functions, and a server compares what came with the body.
//!
//! <https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http>

mod param;
mod schema;
mod value;

pub use param::{HeaderParam, HeaderParamKind, UnsafeInteger};
pub(crate) use schema::ANNOTATION;
pub use schema::{InvalidHeaderParam, header_params};
pub use value::{InvalidHeaderValue, decode_value, encode_value};

use super::{CallTool, CancelTask, GetPrompt, GetTask, ReadResource, Request};

/// The revision: on every request from 2025-06-18 on, but the `initialize` that settles it.
///
/// Names of headers have no case; these are in lower case, as libraries want them.
pub const PROTOCOL_VERSION: &str = "mcp-protocol-version";
/// The method of the body (2026-07-28).
pub const METHOD: &str = "mcp-method";
/// What the method is applied to (2026-07-28): see [`name_member`].
pub const NAME: &str = "mcp-name";
/// Begins the name of the header of an argument (2026-07-28): see [`header_params`].
pub const PARAM_PREFIX: &str = "mcp-param-";
/// The session, from 2025-03-26 to 2025-11-25.
pub const SESSION_ID: &str = "mcp-session-id";
/// Where a broken stream of events is to go on, up to 2025-11-25.
pub const LAST_EVENT_ID: &str = "last-event-id";

/// The member of a request's `params` that its [`NAME`] header repeats, for the methods that have one.
///
/// ```
/// use mcp_core::protocol::http_headers::name_member;
///
/// assert_eq!(name_member("tools/call"), Some("name"));
/// assert_eq!(name_member("resources/read"), Some("uri"));
/// assert_eq!(name_member("tools/list"), None);
/// ```
#[must_use]
pub fn name_member(method: &str) -> Option<&'static str> {
    match method {
        CallTool::METHOD | GetPrompt::METHOD => Some("name"),
        ReadResource::METHOD => Some("uri"),
        GetTask::METHOD | UPDATE_TASK | CancelTask::METHOD => Some("taskId"),
        _ => None,
    }
}

/// A method of the extension for tasks alone.
const UPDATE_TASK: &str = "tasks/update";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_that_are_applied_to_something_name_it() {
        for (method, member) in [
            ("tools/call", Some("name")),
            ("prompts/get", Some("name")),
            ("resources/read", Some("uri")),
            ("tasks/get", Some("taskId")),
            ("tasks/update", Some("taskId")),
            ("tasks/cancel", Some("taskId")),
            ("tools/list", None),
            ("server/discover", None),
            ("completion/complete", None),
            ("subscriptions/listen", None),
        ] {
            assert_eq!(name_member(method), member, "{method}");
        }
    }
}
