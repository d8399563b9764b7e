use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::outbox::Outbox;
use super::principal::Principal;
use super::rounds::InputSettings;
use crate::runtime::Runtime;
use crate::session::CallKey;

/// What the calls of one connection share.
pub(crate) struct Connection {
    pub(crate) outbox: Outbox,
    pub(crate) runtime: Arc<dyn Runtime>,
    pub(crate) principal: Option<Principal>,
    pub(crate) inputs: Arc<InputSettings>,
    /// What the transport knows of the request, where each has something of its own.
    pub(crate) parts: Option<Arc<dyn Any + Send + Sync>>,
    /// What this is a part of, and outlived by.
    pub(crate) whole: Option<Arc<Self>>,
}

impl Connection {
    /// Tells the end of an errand, which may outlive the request that began it.
    pub(crate) fn visit_complete(&self, call: CallKey, id: String) {
        let whole = self.whole.as_deref().unwrap_or(self);
        whole.outbox.visit_complete(call, id);
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("outbox", &self.outbox)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::future::pending;
    use std::io;
    use std::time::{Duration, Instant};

    use super::super::seal::Sealer;
    use super::*;
    use crate::runtime::{BoxFuture, Job, Task};

    /// Nothing ever happens in it.
    struct NoRuntime(Instant);

    impl Runtime for NoRuntime {
        fn now(&self) -> Instant {
            self.0
        }

        fn unix_time(&self) -> Duration {
            Duration::ZERO
        }

        fn fill_random(&self, _buffer: &mut [u8]) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }

        fn sleep_until(&self, _deadline: Instant) -> BoxFuture<'static, ()> {
            Box::pin(pending())
        }

        fn spawn(&self, _future: BoxFuture<'static, ()>) -> Task {
            Task::new(|| {})
        }

        fn blocking(&self, _job: Job) {}
    }

    /// A connection that leads nowhere.
    #[expect(
        clippy::disallowed_methods,
        reason = "a point in time that nothing is measured from"
    )]
    pub(in super::super) fn connection() -> Arc<Connection> {
        Arc::new(Connection {
            outbox: Outbox::default(),
            runtime: Arc::new(NoRuntime(Instant::now())),
            principal: None,
            inputs: Arc::new(InputSettings {
                sealer: Sealer::default(),
                elicitation_timeout: Duration::ZERO,
                request_timeout: Duration::ZERO,
            }),
            parts: None,
            whole: None,
        })
    }
}
