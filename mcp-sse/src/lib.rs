//! MCP over HTTP: Streamable HTTP in both of its shapes, the sessions of 2025 and the single requests of 2026, on one
//! mount; and for clients the older HTTP+SSE.
//!
//! | to serve | use |
//! |---|---|
//! | on an address of its own | `serve` |
//! | inside an axum app, or whatever takes a `tower` service | `service` |
//!
//! | to call a server | use |
//! |---|---|
//! | at a URL, whichever revision it speaks | `connect` |
//! | with headers, tokens, limits, an HTTP library or a client of your own | `Connect` |
//!
#![cfg_attr(feature = "server", doc = "```no_run")]
#![cfg_attr(not(feature = "server"), doc = "```text")]
//! use mcp_core::{Server, tool};
//!
//! /// Adds two integers.
//! #[tool]
//! fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! # async fn run() -> Result<(), mcp_sse::ServeError> {
//! let server = Server::new("calculator", "1.0.0").tool::<add>();
//! mcp_sse::serve(server, "127.0.0.1:8080").await
//! # }
//! ```
//!
//! # Features
//!
//! | feature | adds | default |
//! |---|---|---|
//! | `server` | serving | yes |
//! | `client` | calling servers: reqwest, rustls | yes |
//! | `legacy-sse` | the transport of 2024-11-05, for clients | no |
//!
#![cfg_attr(any(doc, doctest), doc = "The [guide] has the rest.")]

#[cfg(feature = "client")]
mod client;
mod event;
#[cfg(any(doc, doctest))]
pub mod guide {
    //! The guide, page by page.

    #[cfg(feature = "client")]
    #[doc = include_str!("../docs/client.md")]
    pub mod client {}
    #[cfg(feature = "server")]
    #[doc = include_str!("../docs/serving.md")]
    pub mod serving {}
}
#[cfg(feature = "server")]
mod server;

#[cfg(feature = "client")]
pub use client::{
    Authorizer, BoxError, Challenge, Connect, ConnectError, HttpBody, HttpClient, HttpError,
    HttpErrorKind, SendError, connect,
};
pub use event::{MAX_EVENT, SseDecoder, SseEvent};
#[cfg(feature = "server")]
pub use server::{Body, HttpContext, HttpService, RequestHead, ServeError, serve, service};
