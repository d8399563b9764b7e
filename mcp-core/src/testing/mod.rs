#![cfg_attr(
    any(not(doctest), feature = "macros"),
    doc = include_str!("../../docs/testing.md")
)]
#![expect(
    clippy::panic,
    reason = "what is wrong in a test ends the test, where it stands"
)]

mod client;
mod faults;
mod gate;
mod outcome;
mod pair;
mod reading;
mod runtime;
mod script;
mod wire;

pub use client::{PendingCall, TestClient};
pub use faults::{flood, splits};
pub use gate::Gate;
pub use outcome::ToolOutcome;
pub use pair::Pair;
pub use reading::TestQuestion;
pub use runtime::TestRuntime;
pub use script::{ScriptedServer, Started};
