//! A child that leads a process group of its own.
//!
//! The number of a process, and of the group it leads, is its own until it is waited for, even after it has ended; then
//! the next process may get it. So the end of a child is first only looked at (`WNOWAIT`), then what is left of its group
//! is killed, and only then it is waited for. No signal is sent after that.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::task::{Context, Poll};
use std::thread;

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpgid, kill_process, kill_process_group, waitid,
};
use tokio::net::unix::pipe;
use tokio::signal::unix::{self, SignalKind, signal};

use super::bell::Bell;
use super::{Spawned, no_pipe};

pub(in crate::child) type InputPipe = pipe::Sender;
pub(in crate::child) type OutputPipe = pipe::Receiver;
pub(in crate::child) type ErrorPipe = pipe::Receiver;

/// A child process and its group. Dropping it kills all of them.
pub(in crate::child) struct Process {
    state: State,
    pid: Pid,
    /// The signals that tell of the end of children, of this one or another.
    ends: unix::Signal,
    bell: Bell,
}

enum State {
    Running(Child),
    /// It has ended, and was not waited for.
    Ended(Child),
    /// It was waited for, by us if there is a status.
    Reaped(Option<ExitStatus>),
}

pub(in crate::child) fn spawn(mut command: Command, stderr: Stdio) -> io::Result<Spawned> {
    // Before the start, so that the earliest end is heard.
    let ends = signal(SignalKind::child())?;
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .process_group(0)
        .spawn()?;
    let input = child.stdin.take().map(OwnedFd::from);
    let output = child.stdout.take().map(OwnedFd::from);
    let errors = child.stderr.take().map(OwnedFd::from);
    // From here on an error kills it.
    let process = Process {
        pid: Pid::from_child(&child),
        state: State::Running(child),
        ends,
        bell: Bell::new(),
    };
    Ok(Spawned {
        process,
        input: pipe::Sender::from_owned_fd(input.ok_or_else(no_pipe)?)?,
        output: pipe::Receiver::from_owned_fd(output.ok_or_else(no_pipe)?)?,
        errors: errors.map(pipe::Receiver::from_owned_fd).transpose()?,
    })
}

impl Process {
    pub(in crate::child) fn id(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// Ready once the child has ended. What it started may go on.
    pub(in crate::child) fn poll_ended(&mut self, cx: &Context<'_>) -> Poll<()> {
        if self.has_ended_before() {
            return Poll::Ready(());
        }
        let Some(bell) = self.bell.answer(cx) else {
            return Poll::Pending;
        };
        while !self.has_ended_before() {
            // One signal may stand for many, so the child itself is looked at.
            match self.ends.poll_recv(&mut Context::from_waker(&bell)) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(())) => {
                    self.has_ended();
                }
                // The runtime is gone, and nobody will call again.
                Poll::Ready(None) => return Poll::Pending,
            }
        }
        Poll::Ready(())
    }

    /// Whether the child has ended, by asking the system.
    pub(in crate::child) fn has_ended(&mut self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if !self.has_ended_before() {
            let state = std::mem::replace(&mut self.state, State::Reaped(None));
            self.state = match (waitid(WaitId::Pid(self.pid), options), state) {
                (Ok(Some(_)), State::Running(child)) => State::Ended(child),
                // Something else in this program waits for all children: the number is no longer ours.
                (Err(Errno::CHILD), _) => State::Reaped(None),
                (_, state) => state,
            };
        }
        self.has_ended_before()
    }

    fn has_ended_before(&self) -> bool {
        !matches!(self.state, State::Running(_))
    }

    /// Asks the whole group to end.
    pub(in crate::child) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Ends the whole group.
    pub(in crate::child) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// To everybody once, for there are programs that take a second signal for impatience. Failures show in that
    /// nobody ends.
    fn signal(&self, signal: Signal) {
        if matches!(self.state, State::Reaped(_)) {
            return;
        }
        let told = kill_process_group(self.pid, signal);
        // The child may have moved itself to another group.
        if told.is_err() || getpgid(Some(self.pid)) != Ok(self.pid) {
            kill_process(self.pid, signal).ok();
        }
    }

    /// Kills what an ended child has left behind, and gives its number back. Without effect on one that runs.
    pub(in crate::child) fn reap(&mut self) -> Option<ExitStatus> {
        if matches!(self.state, State::Ended(_)) {
            self.kill();
        }
        self.state = match std::mem::replace(&mut self.state, State::Reaped(None)) {
            State::Ended(mut child) => State::Reaped(child.try_wait().ok().flatten()),
            state => state,
        };
        match self.state {
            State::Reaped(status) => status,
            State::Running(_) | State::Ended(_) => None,
        }
    }
}

impl Drop for Process {
    /// Needs no runtime: there may be none any more, and tokio waits for orphans only while it has one.
    fn drop(&mut self) {
        if !self.has_ended() {
            self.kill();
        }
        if self.has_ended() {
            self.reap();
            return;
        }
        if let State::Running(mut child) = std::mem::replace(&mut self.state, State::Reaped(None)) {
            // It is as good as dead, but the system may take its time, and whoever drops must not wait for that.
            // Without a thread it stays in the list of processes until this program ends.
            thread::Builder::new()
                .name("mcp-reaper".to_owned())
                .spawn(move || child.wait())
                .ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::io::Read;
    use std::time::{Duration, Instant};

    use super::*;

    fn shell(script: &str) -> Process {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        spawn(command, Stdio::null()).unwrap().process
    }

    fn exists(process: &Process) -> bool {
        std::path::Path::new(&format!("/proc/{}", process.id())).exists()
    }

    #[tokio::test]
    async fn an_end_is_seen_before_the_number_is_given_back() {
        let mut process = shell("exit 3");
        poll_fn(|cx| process.poll_ended(cx)).await;
        assert!(matches!(process.state, State::Ended(_)));
        #[cfg(target_os = "linux")]
        assert!(exists(&process));
        assert_eq!(process.reap().unwrap().code(), Some(3));
        assert_eq!(process.reap().unwrap().code(), Some(3));
        assert!(!exists(&process));
    }

    #[tokio::test]
    async fn a_running_child_is_not_reaped() {
        let mut process = shell("exec sleep 600");
        assert!(process.reap().is_none());
        assert!(matches!(process.state, State::Running(_)));
        process.terminate();
        poll_fn(|cx| process.poll_ended(cx)).await;
        assert_eq!(
            std::os::unix::process::ExitStatusExt::signal(&process.reap().unwrap()),
            Some(15)
        );
    }

    /// The number may belong to someone else then.
    #[tokio::test]
    async fn nothing_is_signalled_after_the_number_was_given_back() {
        let mut process = shell("exit 0");
        poll_fn(|cx| process.poll_ended(cx)).await;
        process.reap();
        // As if the number had come around again.
        let mut other = Command::new("sleep")
            .arg("600")
            .process_group(0)
            .spawn()
            .unwrap();
        process.pid = Pid::from_child(&other);
        process.terminate();
        process.kill();
        process.reap();
        drop(process);
        assert!(other.try_wait().unwrap().is_none());
        other.kill().unwrap();
        other.wait().unwrap();
    }

    #[tokio::test]
    async fn a_child_that_something_else_waited_for_is_left_alone() {
        let mut process = shell("exit 0");
        waitid(WaitId::Pid(process.pid), WaitIdOptions::EXITED).unwrap();
        assert!(process.has_ended());
        assert!(matches!(process.state, State::Reaped(None)));
        assert!(process.reap().is_none());
    }

    #[tokio::test]
    async fn what_an_ended_child_left_behind_ends_with_it() {
        let (mut reader, writer) = io::pipe().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 600 & exit 0"]);
        let held = writer.try_clone().unwrap();
        let mut process = spawn(command, Stdio::from(held)).unwrap().process;
        drop(writer);
        poll_fn(|cx| process.poll_ended(cx)).await;
        process.reap();
        // The end of the pipe comes when nobody holds it any more.
        let asked = Instant::now();
        assert_eq!(reader.read(&mut [0]).unwrap(), 0);
        assert!(asked.elapsed() < Duration::from_secs(60));
    }
}
