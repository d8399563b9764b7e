use std::sync::Arc;
use std::sync::atomic::AtomicU8;

use super::gate::LogGate;
use crate::protocol::ProtocolVersion;
use crate::server::ClientFacts;

/// How far the handshake of the legacy era has come. Modern requests need none.
#[derive(Debug)]
pub(super) enum Handshake {
    Fresh,
    /// It took place elsewhere, as far as anybody knows.
    Assumed(Negotiated),
    /// `initialize` was answered; `notifications/initialized` has yet to come.
    Answered(Negotiated),
    Ready(Negotiated),
}

/// What the handshake has settled.
#[derive(Clone, Debug)]
pub(crate) struct Negotiated {
    pub(crate) version: ProtocolVersion,
    pub(super) client: Arc<ClientFacts>,
    /// The least severity of log messages, shared with the calls under way.
    pub(super) log_level: Arc<AtomicU8>,
}

impl Negotiated {
    pub(crate) fn new(version: ProtocolVersion, client: ClientFacts) -> Self {
        Self {
            version,
            client: Arc::new(client),
            log_level: LogGate::session_default(),
        }
    }
}

impl Handshake {
    /// Whether `initialize` has yet to come.
    pub(super) const fn is_open(&self) -> bool {
        matches!(self, Self::Fresh | Self::Assumed(_))
    }

    pub(super) fn negotiated(&self) -> Option<&Negotiated> {
        match self {
            Self::Fresh => None,
            Self::Assumed(negotiated) | Self::Answered(negotiated) | Self::Ready(negotiated) => {
                Some(negotiated)
            }
        }
    }

    /// A notification too early or a second one is harmless.
    pub(super) fn initialized(self) -> Self {
        match self {
            Self::Answered(negotiated) => Self::Ready(negotiated),
            unchanged => unchanged,
        }
    }
}
