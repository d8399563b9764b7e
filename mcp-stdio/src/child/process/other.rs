//! A child on systems without process groups: tokio's, which knows how to wait for it there.

use std::io;
use std::pin::pin;
use std::process::{Command, ExitStatus, Stdio};
use std::task::{Context, Poll};

use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};

use super::{Spawned, no_pipe};

pub(in crate::child) type InputPipe = ChildStdin;
pub(in crate::child) type OutputPipe = ChildStdout;
pub(in crate::child) type ErrorPipe = ChildStderr;

/// A child process. Dropping it kills it, but not what it started.
pub(in crate::child) struct Process {
    child: Child,
    id: u32,
}

pub(in crate::child) fn spawn(command: Command, stderr: Stdio) -> io::Result<Spawned> {
    let mut command = tokio::process::Command::from(command);
    // CREATE_NO_WINDOW: a console would open for each server of a program that has none itself.
    #[cfg(windows)]
    command.creation_flags(0x0800_0000);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .kill_on_drop(true)
        .spawn()?;
    Ok(Spawned {
        input: child.stdin.take().ok_or_else(no_pipe)?,
        output: child.stdout.take().ok_or_else(no_pipe)?,
        errors: child.stderr.take(),
        process: Process {
            id: child.id().unwrap_or_default(),
            child,
        },
    })
}

impl Process {
    pub(in crate::child) fn id(&self) -> u32 {
        self.id
    }

    /// Ready once the child has ended. What it started may go on.
    pub(in crate::child) fn poll_ended(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        pin!(self.child.wait()).poll(cx).map(|_| ())
    }

    /// Whether the child has ended, by asking the system.
    pub(in crate::child) fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// There is no asking here: what did not end with its input is ended.
    pub(in crate::child) fn terminate(&mut self) {
        self.kill();
    }

    pub(in crate::child) fn kill(&mut self) {
        // It fails only if the child has ended.
        self.child.start_kill().ok();
    }

    pub(in crate::child) fn reap(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }
}
