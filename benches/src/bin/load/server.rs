//! The server under load: a child and its two pipes, neither of which ever blocks the generator.

use std::{
    io::{self, ErrorKind, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use mcp_benches::Lines;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// How long a server may take to leave after its input has ended: callgrind writes its profile then.
const STOP_LIMIT: Duration = Duration::from_secs(20);

pub(crate) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    outgoing: Vec<u8>,
    /// How much of `outgoing` is written.
    written: usize,
    incoming: Lines,
}

impl Server {
    pub(crate) fn start(command: &[String]) -> io::Result<Self> {
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| io::Error::other("no command"))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the child has no pipes"));
        };
        rustix::io::ioctl_fionbio(&input, true)?;
        rustix::io::ioctl_fionbio(&output, true)?;
        Ok(Self {
            child,
            input: Some(input),
            output,
            outgoing: Vec::new(),
            written: 0,
            incoming: Lines::default(),
        })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn outgoing(&mut self) -> &mut Vec<u8> {
        &mut self.outgoing
    }

    /// What came in beside what is to go out.
    pub(crate) fn split(&mut self) -> (&mut Lines, &mut Vec<u8>) {
        (&mut self.incoming, &mut self.outgoing)
    }

    /// Writes what can be written, waits for the server and reads once.
    pub(crate) fn exchange(&mut self, timeout: Duration) -> io::Result<()> {
        self.flush()?;
        let timeout = Timespec::try_from(timeout).map_err(io::Error::other)?;
        let mut ends = Vec::with_capacity(2);
        ends.push(PollFd::new(&self.output, PollFlags::IN));
        if let Some(input) = self.input.as_ref().filter(|_| !self.outgoing.is_empty()) {
            ends.push(PollFd::new(input, PollFlags::OUT));
        }
        poll(&mut ends, Some(&timeout))?;
        match self.output.read(self.incoming.room()) {
            Ok(0) => Err(io::Error::other("the server closed its output")),
            Ok(count) => {
                self.incoming.filled(count);
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Writes as much as the pipe takes.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        let Some(input) = &mut self.input else {
            return Ok(());
        };
        while self.written < self.outgoing.len() {
            match input.write(&self.outgoing[self.written..]) {
                Ok(count) => self.written += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        self.outgoing.clear();
        self.written = 0;
        Ok(())
    }

    /// Ends the server's input and waits until it has left.
    pub(crate) fn stop(mut self) -> io::Result<()> {
        drop(self.input.take());
        let deadline = Instant::now() + STOP_LIMIT;
        let mut rest = [0; 4096];
        while self.child.try_wait()?.is_none() {
            if Instant::now() > deadline {
                return Err(io::Error::other(
                    "the server stays after its input has ended",
                ));
            }
            // Its last words must not keep it from leaving.
            let _ = self.output.read(&mut rest);
            thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has left already, or this run has failed: either way there is no one to tell.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
