//! The process itself: everything that waits for it, signals it or reaps it goes through here, so that nothing is ever
//! done to a process number that belongs to somebody else by now.

use std::io;
use std::process::{Child, ExitStatus};

use tokio::process::{ChildStderr, ChildStdin, ChildStdout};

/// A killed process is gone in a moment. So often others get the processor before a thread is started to wait for that.
const YIELDS: usize = 16;

/// A child that leads a process group of its own. Dropping it kills the group, and leaves no zombie.
#[derive(Debug)]
pub(super) struct Process {
    /// There until this is dropped.
    child: Option<Child>,
    id: u32,
    /// Set once the child was reaped: its number means nothing any more.
    status: Option<ExitStatus>,
}

pub(super) struct Pipes {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
    pub(super) stderr: Option<ChildStderr>,
}

impl Process {
    pub(super) fn new(child: Child) -> Self {
        Self {
            id: child.id(),
            child: Some(child),
            status: None,
        }
    }

    pub(super) const fn id(&self) -> u32 {
        self.id
    }

    pub(super) fn take_pipes(&mut self) -> io::Result<Pipes> {
        let child = self.child.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let stderr = child.stderr.take();
        Ok(Pipes {
            stdin: ChildStdin::from_std(stdin)?,
            stdout: ChildStdout::from_std(stdout)?,
            stderr: stderr.map(ChildStderr::from_std).transpose()?,
        })
    }

    /// Whether the child has ended. It is not reaped by this, so that its group keeps its number.
    #[cfg(unix)]
    pub(super) fn has_ended(&self) -> bool {
        use rustix::process::{WaitId, WaitIdOptions, waitid};

        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.status.is_some()
            || self
                .pid()
                .is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), options), Ok(None)))
    }

    #[cfg(not(unix))]
    pub(super) fn has_ended(&mut self) -> bool {
        self.try_wait();
        self.status.is_some()
    }

    #[cfg(unix)]
    fn pid(&self) -> Option<rustix::process::Pid> {
        rustix::process::Pid::from_raw(self.id.cast_signed())
    }

    /// Asks all of the group to end.
    #[cfg(unix)]
    pub(super) fn terminate(&self) {
        self.signal(rustix::process::Signal::TERM);
    }

    /// There is no such thing here: killing is what comes next.
    #[cfg(not(unix))]
    pub(super) const fn terminate(&self) {}

    /// Kills all of the group.
    pub(super) fn kill(&mut self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        if self.status.is_none()
            && let Some(child) = &mut self.child
        {
            // It has ended, or will.
            let _: io::Result<()> = child.kill();
        }
    }

    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        if self.status.is_none()
            && let Some(pid) = self.pid()
        {
            // There may be nobody left to get it.
            let _: rustix::io::Result<()> = rustix::process::kill_process_group(pid, signal);
        }
    }

    /// How the child ended, if it has; what is left of its group is killed.
    pub(super) fn reap(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() && self.has_ended() {
            self.kill();
            self.try_wait();
        }
        self.status
    }

    fn try_wait(&mut self) {
        if self.status.is_none()
            && let Some(child) = &mut self.child
        {
            self.status = child.try_wait().ok().flatten();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        for _ in 0..YIELDS {
            if self.reap().is_some() {
                return;
            }
            std::thread::yield_now();
        }
        // Nobody else would reap it: not a runtime either, which may be gone itself. Whoever drops this must not wait.
        let Some(mut orphan) = self.child.take() else {
            return;
        };
        let reaper = std::thread::Builder::new().name("mcp-reaper".to_owned());
        // Without a thread it stays a zombie until this process ends.
        let _: io::Result<_> = reaper.spawn(move || orphan.wait());
    }
}
