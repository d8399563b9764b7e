//! MCP over HTTP: Streamable HTTP in both of its shapes, the sessions of 2025 and the single requests of 2026, on one
//! mount.
//!
//! | to serve | use |
//! |---|---|
//! | on an address of its own | [`serve`] |
//! | inside an axum app, or whatever takes a `tower` service | [`service`] |
//!
//! ```no_run
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
#![cfg_attr(any(doc, doctest), doc = "The [guide] has the rest.")]

#[cfg(feature = "client")]
mod client;
mod event;
#[cfg(any(doc, doctest))]
pub mod guide {
    //! The guide, page by page.

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
