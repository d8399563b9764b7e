//! Servers as child processes: started, read, and ended together with all that they started.

mod client;
mod closing;
mod command;
mod error;
mod handle;
mod pipes;
mod process;
mod stderr;
mod text;
mod transport;

pub use client::ConnectError;
pub use command::Command;
pub use error::{ChildEnded, SpawnError};
pub use handle::ChildHandle;
pub use stderr::Stderr;
pub use transport::ChildTransport;
