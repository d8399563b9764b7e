use crate::protocol::{Era, Implementation, ProtocolVersion, ServerCapabilities};

/// What a server says of itself. None of it is proof of anything.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ServerInfo {
    /// Who it is.
    pub implementation: Implementation,
    /// The revision that is spoken with it.
    pub version: ProtocolVersion,
    /// What it can do.
    pub capabilities: ServerCapabilities,
    /// How to use it, for the model.
    pub instructions: Option<String>,
}

impl ServerInfo {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.implementation.name
    }

    /// The era of the revision that is spoken with it.
    #[must_use]
    pub const fn era(&self) -> Era {
        self.version.era()
    }
}
