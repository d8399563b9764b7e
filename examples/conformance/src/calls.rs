//! Calls that take their time and can be cancelled.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use mcp_core::{Context, tools};

/// Calls that can be cancelled, counted.
#[derive(Default)]
pub(crate) struct Calls {
    cancelled: AtomicU32,
}

#[tools]
impl Calls {
    /// Takes its time. Its first progress says that it has begun.
    #[tool]
    async fn slow(
        &self,
        cx: &Context,
        /// How long it takes.
        seconds: u32,
    ) -> &'static str {
        let mut call = Running {
            cancelled: &self.cancelled,
            finished: false,
        };
        cx.progress(0, seconds);
        tokio::time::sleep(Duration::from_secs(seconds.into())).await;
        call.finished = true;
        "Done"
    }

    /// Says how many calls of `slow` were cancelled.
    #[tool]
    fn test_cancelled_calls(&self) -> String {
        self.cancelled.load(Ordering::Relaxed).to_string()
    }
}

/// Counts a call whose future is dropped before its end.
struct Running<'a> {
    cancelled: &'a AtomicU32,
    finished: bool,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.finished {
            self.cancelled.fetch_add(1, Ordering::Relaxed);
        }
    }
}
