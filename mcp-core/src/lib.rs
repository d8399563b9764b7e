//! Model Context Protocol: servers, their tools, and the session engine under them.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod diagnostics;
mod driver;
mod jsonrpc;
pub mod protocol;
pub mod runtime;
mod schema;
mod server;
mod session;
#[cfg(feature = "testing")]
pub mod testing;
pub mod transport;

pub use jsonrpc::{ErrorCode, ErrorObject, RequestId};
#[cfg(feature = "macros")]
pub use mcp_macros::{Tool, data, tool, tools};
pub use protocol::{
    CacheScope, CallToolResult as ToolResult, ContentBlock as Content, Icon, LoggingLevel,
    ProtocolVersion, RawJson, ToolAnnotations,
};
pub use schema::{
    ArgumentErrors, ArgumentPolicy, LintFinding, Provider, SchemaError, SchemaProfile, Violation,
    lint,
};
pub use server::{
    BuildError, BuiltServer, Closed, Context, Flow, Handler, IntoReply, IntoToolError, Invocation,
    Json, Layer, LayerCall, LayerReply, Lend, Live, Next, Quantity, Reply, Run, Server,
    SessionError, Step, Tool, ToolCall, ToolDefinition, ToolSet,
};
