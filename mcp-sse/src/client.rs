//! Calling servers by HTTP.
//!
//! A message of the client is one POST, and all of its response is an exchange (`exchange`). Up to 2025-11-25 there is a
//! session besides (`session`), with a stream of what the server says by itself (`standing`), and streams that broke are
//! resumed (`resume`). The rules of the protocol are not here but in mcp-core, which says of each message what it is.

mod auth;
mod body;
mod connect;
mod connection;
mod error;
mod exchange;
mod http;
mod inbox;
#[cfg(feature = "legacy-sse")]
mod older;
mod reqwest;
mod resume;
mod session;
mod standing;
mod target;
mod transport;

pub use auth::{Authorizer, BoxError, Challenge};
pub use connect::{Connect, ConnectError, connect};
pub use error::{HttpError, HttpErrorKind};
pub use http::{HttpBody, HttpClient, SendError};
