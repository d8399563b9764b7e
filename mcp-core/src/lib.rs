//! Model Context Protocol: servers and clients, and the session engine under them.
//!
#![cfg_attr(feature = "macros", doc = "```")]
#![cfg_attr(not(feature = "macros"), doc = "```text")]
//! use mcp_core::{Server, tool};
//!
//! /// Adds two integers.
//! #[tool]
//! fn add(/** The left operand. */ a: i64, /** The right operand. */ b: i64) -> i64 {
//!     a + b
//! }
//!
//! let server = Server::new("calculator", "1.0.0").tool::<add>();
//! # server.build()?;
//! # Ok::<(), mcp_core::BuildError>(())
//! ```
//!
//! `mcp_stdio::run(server)` serves it to whoever starts the program. One server speaks every revision of the protocol,
//! from 2024-11-05 to 2026-07-28.
//!
//! Begin with the [guide]: a page each for [tools](guide::tools), [arguments and errors](guide::arguments), the
//! [context of a call](guide::context), [the two eras of the protocol](guide::eras), and
//! [layers, mounting and live changes](guide::composing).
//!
//! | for | see |
//! |---|---|
//! | writing tools | [`tool`](macro@tool), [`tools`](macro@tools), [`data`](macro@data), [`Run`], [`Context`], [`Json`], [`Content`] |
//! | prompts, resources and completion | [`prompt`](macro@prompt), [`prompts`](macro@prompts), [`resource`](macro@resource), [`resources`](macro@resources), [`Completing`] |
//! | calling servers | [`Client`], [`TypedToolCall`], [`client`]; the [guide](guide::calling) |
//! | asking a person | [`Context::elicit`], [`Form`](trait@Form) |
//! | calling servers | [`Client`], [`client`] |
//! | putting a server together | [`Server`], [`Layer`], [`Live`] |
//! | serving it | the crate `mcp-stdio`; or [`BuiltServer::serve`] with a [transport] and a [runtime] |
//! | the messages themselves | [`protocol`] |
//!
//! # Features
//!
//! | feature | adds | default |
//! |---|---|---|
//! | `macros` | `#[tool]`, `#[prompt]`, `#[resource]` and their like for `impl` blocks, `#[data]`, `derive(Tool)`, `derive(Form)` | yes |
//! | `tracing` | diagnostics by the `tracing` crate, never what a message says | yes |
//! | `tokio` | [`runtime`] on tokio; `mcp-stdio` turns it on | no |
//! | `fs` | [folders as resources](Server#method.directory), which are read and watched | no |
//! | `jsonschema` | clients can [check results](ClientBuilder::validate_output) against output schemas | no |
//! | `testing` | a client in memory and a clock that is wound by hand, for tests of servers | no |
//!
//! Without `tokio` and `fs` this crate does no I/O, reads no clock and starts nothing: a [`runtime::Runtime`] does.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod alarm;
pub mod client;
mod diagnostics;
mod driver;
pub mod exchange;
mod form;
#[cfg(feature = "fs")]
pub mod fs;
#[cfg(any(doc, doctest))]
pub mod guide;
mod hash;
mod jsonrpc;
pub mod protocol;
pub mod runtime;
mod schema;
mod server;
mod session;
#[cfg(feature = "testing")]
pub mod testing;
pub mod transport;
mod uri_template;
mod words;

pub use client::{Client, ClientBuilder, ClientError, TypedToolCall};
pub use form::{Form, FormChoice, FormField};
pub use jsonrpc::{ErrorCode, ErrorObject, RequestId};
#[cfg(feature = "macros")]
pub use mcp_macros::{Form, Tool, data, prompt, prompts, resource, resources, tool, tools};
pub use protocol::{
    CacheScope, CallToolResult as ToolResult, ContentBlock as Content, Icon, LoggingLevel,
    ProtocolVersion, RawJson, ToolAnnotations,
};
pub use schema::{
    ArgumentErrors, ArgumentPolicy, LintFinding, Provider, SchemaError, SchemaProfile, Violation,
    lint,
};
pub use server::{
    BuildError, BuiltServer, Caller, Closed, Completer, Completing, Context, Flow, Handler,
    IntoCompletion, IntoContents, IntoError, IntoMessages, IntoReply, IntoToolError, Invocation,
    Json, Layer, LayerCall, LayerReply, Lend, Live, Next, Principal, Prompt, PromptDefinition,
    PromptSet, Quantity, Question, ReadAt, Refused, Reply, Resource, ResourceDefinition,
    ResourceSet, Run, Server, SessionError, Shown, Step, Tool, ToolDefinition, ToolSet, Visit,
};
pub use uri_template::{UriCaptures, UriTemplate, UriTemplateError};
