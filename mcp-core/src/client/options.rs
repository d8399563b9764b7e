use std::time::Duration;

use crate::protocol::ProtocolVersion;
use crate::session::client::Patience;

/// What to do when the server sends a message that is longer than the transport allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OverlongMessage {
    /// The connection ends. A server that does this once has lost its way, or wants something.
    #[default]
    Close,
    /// The request that it answers fails, where that can be seen; everything else goes on.
    Skip,
}

/// How a client behaves.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) patience: Patience,
    pub(super) probe: Duration,
    pub(super) max_rounds: usize,
    pub(super) overlong: OverlongMessage,
    pub(super) skips_probe: bool,
    pub(super) pinned: Option<ProtocolVersion>,
    pub(super) label: Option<String>,
    pub(super) provisional_label: Option<String>,
    pub(super) validates_output: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            patience: Patience {
                idle: Duration::from_secs(60),
                total: Duration::from_secs(600),
            },
            probe: Duration::from_secs(10),
            max_rounds: 16,
            overlong: OverlongMessage::default(),
            skips_probe: false,
            pinned: None,
            label: None,
            provisional_label: None,
            validates_output: false,
        }
    }
}
