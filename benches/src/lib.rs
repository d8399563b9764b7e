//! What the two floor servers share: an engine that answers the bench's five tools with as little work as serde allows.

mod engine;
mod lines;

pub use engine::{Delayed, Engine};
pub use lines::Lines;
