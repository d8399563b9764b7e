//! Conversations of the client with a server that is told what to say, over real sockets.
#![expect(
    clippy::panic,
    clippy::too_many_lines,
    clippy::unwrap_used,
    reason = "what is wrong in a test ends the test, also in its helpers; a conversation may be long"
)]

mod legacy;
mod modern;
mod older;
mod opening;
mod say;
mod wire;

pub(crate) use say::{connected, legacy, modern};
pub(crate) use wire::{Server, soon};
