use std::fmt;
use std::process::ExitStatus;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::stderr::Tail;

/// What can be asked about a child while its transport is with a client.
pub struct ChildHandle {
    program: String,
    pid: u32,
    tail: Mutex<Tail>,
    status: OnceLock<ExitStatus>,
    stray: OnceLock<String>,
}

impl ChildHandle {
    pub(super) fn new(program: String, pid: u32) -> Self {
        Self {
            program,
            pid,
            tail: Mutex::default(),
            status: OnceLock::new(),
            stray: OnceLock::new(),
        }
    }

    pub(super) fn tail(&self) -> MutexGuard<'_, Tail> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first status stays.
    pub(super) fn set_status(&self, status: ExitStatus) {
        self.status.set(status).ok();
    }

    pub(super) fn has_stray_output(&self) -> bool {
        self.stray.get().is_some()
    }

    /// The first line stays.
    pub(super) fn set_stray_output(&self, line: String) {
        self.stray.set(line).ok();
    }

    /// The name of the program, without the folders it is in.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The number of the process. After its end it may be that of another.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// How the process ended, once its transport has seen that.
    #[must_use]
    pub fn status(&self) -> Option<ExitStatus> {
        self.status.get().copied()
    }

    /// The last lines on standard error so far, as in [`ChildEnded::stderr`](super::ChildEnded::stderr).
    #[must_use]
    pub fn stderr(&self) -> String {
        self.tail().text()
    }

    /// What came on standard output and was no message, as in [`ChildEnded::stray_output`](super::ChildEnded::stray_output).
    #[must_use]
    pub fn stray_output(&self) -> Option<&str> {
        self.stray.get().map(String::as_str)
    }
}

impl fmt::Debug for ChildHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChildHandle")
            .field("program", &self.program)
            .field("pid", &self.pid)
            .field("status", &self.status.get())
            .finish_non_exhaustive()
    }
}
