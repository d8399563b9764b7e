//! The tools that the conversations are about.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_core::testing::Gate;
use mcp_core::{Context, Server, tool};

/// Adds two integers.
#[tool]
pub(crate) fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Gives back what it gets.
#[tool]
pub(crate) fn echo(text: &str) -> String {
    text.to_owned()
}

/// Helps.
#[tool]
pub(crate) fn help() -> &'static str {
    "help"
}

/// Waits until it may go on.
#[tool]
pub(crate) async fn wait(cx: &Context, gate: &Gate) -> &'static str {
    cx.progress(1, 2);
    gate.wait().await;
    cx.progress(2, 2);
    "waited"
}

/// Waits as well, and finishes what it began.
#[tool(finishes)]
pub(crate) async fn commit(gate: &Gate, done: &Done) -> &'static str {
    gate.wait().await;
    done.0.fetch_add(1, Ordering::Relaxed);
    "committed"
}

/// Panics at once.
#[tool]
pub(crate) fn panic_now() {
    let secrets: Vec<&str> = Vec::new();
    let _secret = secrets[1];
}

/// Panics after a while.
#[tool]
pub(crate) async fn panic_later(gate: &Gate) {
    gate.wait().await;
    panic!("the password is hunter2");
}

/// Counts what was done.
#[derive(Clone, Debug, Default)]
pub(crate) struct Done(pub(crate) Arc<AtomicUsize>);

impl Done {
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// A server with all of these, its gate, and what it has done.
pub(crate) fn server() -> (Server, Gate, Done) {
    let (gate, done) = (Gate::new(), Done::default());
    let server = Server::new("s", "1")
        .lend(gate.clone())
        .lend(done.clone())
        .tool::<add>()
        .tool::<echo>()
        .tool::<help>()
        .tool::<wait>()
        .tool::<commit>()
        .tool::<panic_now>()
        .tool::<panic_later>();
    (server, gate, done)
}

pub(crate) fn adder() -> Server {
    Server::new("s", "1").tool::<add>()
}
