//! Conversations of the client with a server that is told what to say, over real sockets.

mod legacy;
mod modern;
mod older;
mod opening;
mod say;
mod wire;

pub(crate) use say::{connected, legacy, modern};
pub(crate) use wire::{Server, soon};
