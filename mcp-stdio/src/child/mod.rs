//! Servers that are child processes.

mod command;
mod connect;
mod ended;
mod environment;
mod process;
mod stderr;
mod transport;
mod watch;

pub use command::{Command, Stderr};
pub use connect::ConnectError;
pub use ended::{ChildEnded, SpawnError};
pub use transport::ChildTransport;
