use std::fmt;
use std::sync::Arc;

/// Who is asking, as far as the application or the transport knows: never what a client says of itself.
///
/// Standard input and output have none unless the application names one. What a server shows may depend on it
/// ([`Server::show_if`](crate::Server::show_if)), and sealed request state belongs to it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Principal(Arc<str>);

impl Principal {
    /// The one of this id, which is stable and unique for this server.
    pub fn new(id: impl Into<Arc<str>>) -> Self {
        Self(id.into())
    }

    /// The id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Ids may be addresses of people, which have no place in logs.
        f.debug_struct("Principal").finish_non_exhaustive()
    }
}
