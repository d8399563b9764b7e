//! The client: a handle on a connection, and what its handlers answer.

mod builder;
mod cache;
mod calls;
mod connect;
mod driver;
mod error;
mod events;
mod handle;
mod handlers;
mod listen;
mod lists;
mod options;
mod output;
mod params;
mod requests;
mod result;
mod returned;
mod rounds;
mod sent;
mod server_info;
mod shared;
mod stream;
mod typed;

pub use crate::session::client::{Change, Event};
pub use builder::ClientBuilder;
pub use calls::ToolCallFuture;
pub use error::{ClientError, ClientErrorKind, Disconnected};
pub use events::Events;
pub use handle::Client;
pub use handlers::{Asked, IntoAnswer};
pub use listen::Subscription;
pub use lists::Page;
pub use options::OverlongMessage;
pub use returned::{As, Returned, read_result};
pub use server_info::ServerInfo;
pub use typed::{IntoToolCall, TypedCallFuture, TypedToolCall};
