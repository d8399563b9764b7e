use std::sync::Arc;
use std::sync::atomic::AtomicU8;

use super::gate::LogGate;
use crate::protocol::ProtocolVersion;
use crate::server::ClientFacts;

/// How far the handshake of the legacy era has come. Modern requests need none.
#[derive(Debug)]
pub(super) enum Handshake {
    Fresh,
    /// `initialize` was answered; `notifications/initialized` has yet to come.
    Answered(Negotiated),
    Ready(Negotiated),
}

/// What the handshake has settled.
#[derive(Clone, Debug)]
pub(super) struct Negotiated {
    pub(super) version: ProtocolVersion,
    pub(super) client: Arc<ClientFacts>,
    /// The least severity of log messages, shared with the calls under way.
    pub(super) log_level: Arc<AtomicU8>,
}

impl Negotiated {
    pub(super) fn new(version: ProtocolVersion, client: ClientFacts) -> Self {
        Self {
            version,
            client: Arc::new(client),
            log_level: LogGate::session_default(),
        }
    }
}

impl Handshake {
    pub(super) fn negotiated(&self) -> Option<&Negotiated> {
        match self {
            Self::Fresh => None,
            Self::Answered(negotiated) | Self::Ready(negotiated) => Some(negotiated),
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
