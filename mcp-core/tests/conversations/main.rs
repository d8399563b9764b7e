//! Conversations with servers, to the byte: what a peer sends and what it must get back, in every revision.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "what helpers of tests unwrap is what the tests assert"
)]
#![expect(
    clippy::needless_pass_by_value,
    reason = "tools take their arguments by value"
)]

mod arguments;
mod asking;

mod batches;
mod calls;
mod client;
mod completion;
mod envelope;
mod errors;
mod floods;
mod layered_rounds;
mod layers;
mod lifecycle;
mod lists;
mod mounting;
mod prompts;
mod question_time;
mod questions;
mod random;
mod reports;
mod resources;
mod results;
mod schemas;
mod shapes;
mod stalls;
mod talk;
mod tools;
mod typed;
mod visits;
mod watching;
