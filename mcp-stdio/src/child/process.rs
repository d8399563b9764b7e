//! A child process, and all that it has started: waiting for it, and ending it.

#[cfg(unix)]
mod bell;
#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use other as system;
#[cfg(unix)]
use unix as system;

pub(super) use system::{ErrorPipe, InputPipe, OutputPipe, Process, spawn};

/// A process that was just started, and our ends of its pipes.
pub(super) struct Spawned {
    pub(super) process: Process,
    pub(super) input: InputPipe,
    pub(super) output: OutputPipe,
    pub(super) errors: Option<ErrorPipe>,
}

/// A pipe that was asked for and is not there: the standard library has broken its word.
fn no_pipe() -> std::io::Error {
    std::io::Error::other("the child has no pipe")
}
