use std::fmt;
use std::sync::Arc;

use super::outbox::Outbox;
use super::principal::Principal;
use super::rounds::InputSettings;
use crate::runtime::Runtime;

/// What the calls of one connection share.
pub(crate) struct Connection {
    pub(crate) outbox: Outbox,
    pub(crate) runtime: Arc<dyn Runtime>,
    pub(crate) principal: Option<Principal>,
    pub(crate) inputs: Arc<InputSettings>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("outbox", &self.outbox)
            .finish_non_exhaustive()
    }
}
