use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Holds handlers up until the test lets them on, and shows how many wait.
///
/// Lend one to the tools under test. That a cancelled call was dropped is seen by nobody waiting any more.
///
#[cfg_attr(feature = "macros", doc = "```")]
#[cfg_attr(not(feature = "macros"), doc = "```text")]
/// use mcp_core::testing::{Gate, TestClient};
/// use mcp_core::{Server, tool};
/// use serde_json::json;
///
/// /// Waits for the test.
/// #[tool]
/// async fn wait(gate: &Gate) -> &'static str {
///     gate.wait().await;
///     "on we go"
/// }
///
/// let gate = Gate::new();
/// let mut client = TestClient::new(Server::new("waiter", "1").lend(gate.clone()).tool::<wait>());
/// let call = client.start_call("wait", json!({}));
/// assert_eq!(gate.waiting(), 1);
/// gate.open();
/// assert_eq!(client.poll(&call).unwrap().text(), "on we go");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Gate(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// How many may pass.
    passes: usize,
    is_open: bool,
    next_key: u64,
    waiting: BTreeMap<u64, Waker>,
}

impl Gate {
    /// A closed gate.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Waits until the gate is open.
    ///
    /// # Cancel safety
    ///
    /// A wait that is dropped no longer counts as waiting.
    pub fn wait(&self) -> impl Future<Output = ()> + Send + Unpin + use<> {
        Wait {
            gate: self.clone(),
            key: None,
        }
    }

    /// Lets everybody pass, from now on.
    pub fn open(&self) {
        let mut state = self.lock();
        state.is_open = true;
        wake_all(state);
    }

    /// Lets one pass: who waits longest, or else the next to come.
    pub fn pass_one(&self) {
        let mut state = self.lock();
        state.passes += 1;
        wake_all(state);
    }

    /// How many wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.lock().waiting.len()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wake_all(state: MutexGuard<'_, State>) {
    let waiting: Vec<_> = state.waiting.values().cloned().collect();
    drop(state);
    waiting.into_iter().for_each(Waker::wake);
}

struct Wait {
    gate: Gate,
    key: Option<u64>,
}

impl Future for Wait {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let gate = self.gate.clone();
        let mut state = gate.lock();
        let key = self.key.unwrap_or_else(|| {
            state.next_key += 1;
            state.next_key
        });
        let is_first = state
            .waiting
            .keys()
            .next()
            .is_none_or(|first| *first >= key);
        if state.is_open || (state.passes > 0 && is_first) {
            state.waiting.remove(&key);
            self.key = None;
            if !state.is_open {
                state.passes -= 1;
                // There may be a pass for the next one as well, who was not the first when it looked.
                wake_all(state);
            }
            return Poll::Ready(());
        }
        self.key = Some(key);
        state.waiting.insert(key, cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            let waker = self.gate.lock().waiting.remove(&key);
            drop(waker);
        }
    }
}
