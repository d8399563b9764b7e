//! What the two floor servers share: an engine that answers the bench's five tools with as little work as serde allows.

mod client;
mod engine;
mod lines;
mod process;

pub use client::{Amount, ClientLoad, Meter};
pub use engine::{Delayed, Engine};
pub use lines::Lines;
pub use process::Usage;
