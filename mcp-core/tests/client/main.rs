//! What a client says and makes of what it is told, to the byte and in virtual time. The server's part is played by hand;
//! a few conversations are held with servers of ours.
//!
//! Names like C3 or B29 stand for requirements of the specification, names like LIF-09 for failures seen elsewhere.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "what helpers of tests unwrap is what the tests assert"
)]

mod asked;
mod calls;
mod deadlines;
mod endings;
mod hostile;
mod listening;
mod lists;
mod opening;
#[cfg(feature = "jsonschema")]
mod outputs;
mod random;
mod requests;
mod rounds;
mod sending;
mod servers;
mod talk;
