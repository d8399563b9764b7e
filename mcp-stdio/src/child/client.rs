//! A client and its child in one step.

use std::error::Error;
use std::fmt;

use mcp_core::client::{Client, ClientBuilder, ClientError};
use mcp_core::runtime::{TokioRuntime, program_name};

use super::command::Command;
use super::error::SpawnError;

/// Why there is no connection to a child.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConnectError {
    /// It could not be started.
    Spawn(SpawnError),
    /// It is no server, or none that we can speak with.
    Client(ClientError),
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spawn(error) => error.fmt(f),
            Self::Client(error) => error.fmt(f),
        }
    }
}

impl Error for ConnectError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Spawn(error) => error.source(),
            Self::Client(error) => error.source(),
        }
    }
}

impl From<SpawnError> for ConnectError {
    fn from(error: SpawnError) -> Self {
        Self::Spawn(error)
    }
}

impl From<ClientError> for ConnectError {
    fn from(error: ClientError) -> Self {
        Self::Client(error)
    }
}

impl Command {
    /// Starts the program and connects to it, as a client that answers nothing. It calls itself what this program is called.
    ///
    /// # Errors
    ///
    /// When the program can't be started, ends, or does not answer as a server.
    ///
    /// # Panics
    ///
    /// Never outside of a tokio runtime: that is an error.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future kills the child.
    pub async fn connect(&self) -> Result<Client, ConnectError> {
        self.connect_as(Client::builder(program_name(), "")).await
    }

    /// The same as a client of your own, which may have handlers for what servers ask.
    ///
    /// Some older servers end when they are asked what they do not know: such a program is started once more, and opened as
    /// what it is.
    ///
    /// # Errors
    ///
    /// As [`connect`](Self::connect).
    ///
    /// # Cancel safety
    ///
    /// As [`connect`](Self::connect).
    pub async fn connect_as(&self, client: ClientBuilder) -> Result<Client, ConnectError> {
        let client = client.provisional_label(self.name());
        match client
            .clone()
            .connect(self.spawn()?, TokioRuntime::new())
            .await
        {
            Err(error) if error.is_probe_refused_by_leaving() => {
                let again = client.without_probe();
                Ok(again.connect(self.spawn()?, TokioRuntime::new()).await?)
            }
            connected => Ok(connected?),
        }
    }
}
