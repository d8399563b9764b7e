//! Children as processes of their own: how they end, and what we do about it. Shell scripts play the servers.
#![cfg(unix)]
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "what is wrong in a test ends the test, also in its helpers"
)]

mod closes;
mod connects;
mod cycles;
mod drops;
mod ends;
mod fixture;
mod floods;
mod inherits;
mod starts;
mod torture;
