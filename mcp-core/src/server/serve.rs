use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;

use super::principal::Principal;
use super::router::Router;
use crate::driver::Driver;
use crate::runtime::Runtime;
use crate::session::{ServerFacts, ServerSession, SessionLimits};
use crate::transport::Transport;

/// A server that is ready: it serves any number of connections, one call of [`serve`](Self::serve) each. Clones are
/// handles on the same server.
///
/// `mcp_stdio::run` and its relatives are the short way to serve.
#[derive(Clone, Debug)]
pub struct BuiltServer {
    pub(crate) router: Arc<Router>,
    pub(crate) facts: Arc<ServerFacts>,
    pub(crate) limits: SessionLimits,
    pub(crate) principal: Option<Principal>,
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Closed {
    /// The client said all it had to say, and was answered.
    EndOfInput,
    /// The server was told to stop, and has answered what was under way.
    Shutdown,
    /// The client no longer reads.
    PeerGone,
}

/// Why a session failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum SessionError {
    /// The transport did.
    Transport(io::Error),
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transport(_) => f.write_str("the connection failed"),
        }
    }
}

impl Error for SessionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Transport(source) => Some(source),
        }
    }
}

impl BuiltServer {
    /// A handle on the same server whose connections all belong to this principal, as the application has found out.
    #[must_use]
    pub fn for_principal(&self, principal: Principal) -> Self {
        Self {
            principal: Some(principal),
            ..self.clone()
        }
    }

    /// Serves one connection until its end, or until `shutdown` is ready. What is under way then is finished first,
    /// up to the drain deadline.
    ///
    /// # Errors
    ///
    /// When the transport fails.
    ///
    /// # Panics
    ///
    /// When the runtime or the transport does, as `TokioRuntime` outside of tokio.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future drops the calls under way and closes the connection.
    pub async fn serve(
        &self,
        transport: impl Transport,
        runtime: Arc<dyn Runtime>,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> Result<Closed, SessionError> {
        let session = ServerSession::new(Arc::clone(&self.facts), self.limits);
        let router = Arc::clone(&self.router);
        let connection = router.connect(runtime, self.principal.clone());
        Driver::new(session, router, transport, connection, Box::pin(shutdown)).await
    }
}
