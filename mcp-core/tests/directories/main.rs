//! Folders as resources: what is read, refused, listed and told of them.
//!
//! The clock is wound by hand, and a folder is looked through when it says so: no test waits for anything.

#![expect(
    clippy::unwrap_used,
    reason = "what helpers of tests unwrap is what the tests assert"
)]

mod completing;
mod folder;
#[cfg(unix)]
mod hostile;
mod listing;
mod reading;
mod watching;
