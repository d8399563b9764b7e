//! What a server does by itself while it serves.

use std::fmt;
use std::sync::Arc;

use crate::runtime::{BoxFuture, Runtime};

/// Something that keeps what a server offers up to date.
pub(crate) trait Upkeep: Send + Sync + fmt::Debug {
    /// Called once, before the server is built.
    fn begin(&self);

    /// What goes on beside each connection, until its end. The connections of a server have to agree who does the work.
    fn keep(self: Arc<Self>, runtime: Arc<dyn Runtime>) -> BoxFuture<'static, ()>;
}
