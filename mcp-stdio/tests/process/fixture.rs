//! A server process and what a test does with it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// The variable that makes a server of this binary.
pub(crate) const KIND: &str = "MCP_STDIO_TEST_SERVER";

/// Long enough for any machine; only a test that fails waits for it.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#;
pub(crate) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

pub(crate) fn call(id: u32, tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    )
}

pub(crate) fn ping(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
}

/// A server that is not started yet.
pub(crate) fn command(kind: &str) -> Command {
    let this = std::env::current_exe().expect("the path of this binary");
    let mut command = Command::new(this);
    command.env(KIND, kind).env_remove("RUST_BACKTRACE");
    command
}

/// A server process joined by pipes.
pub(crate) struct Process {
    child: Child,
    pub(crate) input: Option<ChildStdin>,
    pub(crate) output: Option<BufReader<ChildStdout>>,
}

/// How a process ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    /// What was left on standard output.
    pub(crate) output: String,
    pub(crate) errors: String,
    pub(crate) took: Duration,
}

impl Process {
    /// Starts a server and shakes hands.
    pub(crate) fn start(kind: &str) -> Self {
        let mut command = command(kind);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = Self::spawn(command);
        process.send(INITIALIZE);
        process.send(INITIALIZED);
        assert!(process.receive().contains(r#""id":1"#));
        process
    }

    pub(crate) fn spawn(mut command: Command) -> Self {
        let mut child = command
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        Self {
            input: child.stdin.take(),
            output: child.stdout.take().map(BufReader::new),
            child,
        }
    }

    pub(crate) fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the input is open");
        let sent = input.write_all(format!("{line}\n").as_bytes());
        sent.expect("the server reads");
    }

    pub(crate) fn receive(&mut self) -> String {
        let mut line = String::new();
        let output = self.output.as_mut().expect("the output is open");
        output.read_line(&mut line).expect("the server writes");
        line
    }

    /// Waits until everything sent so far has reached its handler.
    pub(crate) fn settle(&mut self) {
        self.send(&ping(999));
        assert!(self.receive().contains(r#""id":999"#));
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("the server lives");
    }

    /// Waits for the end of the process, without closing its input.
    pub(crate) fn end(mut self) -> Ended {
        let asked = Instant::now();
        let pid = Pid::from_child(&self.child);
        let output = self.output.take();
        let (send, ended) = mpsc::channel();
        thread::spawn(move || {
            let mut rest = String::new();
            if let Some(mut output) = output {
                output.read_to_string(&mut rest).ok();
            }
            let mut errors = String::new();
            if let Some(mut stream) = self.child.stderr.take() {
                stream.read_to_string(&mut errors).ok();
            }
            let status = self.child.wait();
            send.send((status, rest, errors)).ok();
        });
        let ended = ended.recv_timeout(PATIENCE);
        if ended.is_err() {
            kill_process(pid, Signal::KILL).ok();
        }
        let (status, output, errors) = ended.expect("the server ends");
        Ended {
            code: status.expect("the server can be waited for").code(),
            output,
            errors,
            took: asked.elapsed(),
        }
    }
}

impl Ended {
    /// It ended well, in silence, and soon.
    pub(crate) fn assert_clean(&self) {
        assert_eq!(self.errors, "");
        assert_eq!(self.code, Some(0));
        // What it must not wait for takes a minute; a busy machine may take its time with the rest.
        assert!(self.took < Duration::from_secs(30), "took {:?}", self.took);
    }
}
