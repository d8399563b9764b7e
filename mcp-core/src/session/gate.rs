use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::protocol::LoggingLevel;

/// What a client that never said which log messages it wants gets.
const BEFORE_SET_LEVEL: u8 = 1;

/// Which log messages of a call the client wants.
#[derive(Clone, Debug)]
pub(crate) enum LogGate {
    /// None, since the request did not ask for them (2026-07-28).
    Closed,
    /// Those of this severity and above, as the request asked (2026-07-28).
    Request(u8),
    /// As `logging/setLevel` says for the session, also while the call runs (up to 2025-11-25).
    Session(Arc<AtomicU8>),
}

impl LogGate {
    pub(crate) fn session_default() -> Arc<AtomicU8> {
        Arc::new(AtomicU8::new(BEFORE_SET_LEVEL))
    }

    pub(crate) fn admits(&self, level: &LoggingLevel) -> bool {
        // A level we do not know is worth sending: the application made it up on purpose.
        let severity = level.severity().unwrap_or(u8::MAX);
        match self {
            Self::Closed => false,
            Self::Request(least) => severity >= *least,
            Self::Session(least) => severity >= least.load(Ordering::Relaxed),
        }
    }
}
