//! Running a client program to its end.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::environment::{self, Environment};
use crate::expected::Expected;

/// Far more than any conversation takes; a client that hangs fails its test instead of the whole run.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a client program left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// What the server's process ended with, if it ended by itself.
    server: Option<String>,
}

impl Ran {
    /// The server has seen the end of its input and gone home, before anyone had to kill it.
    pub(crate) fn assert_server_ended_well(&self) {
        assert_eq!(
            self.server.as_deref(),
            Some("0\n"),
            "the server's end; stderr:\n{}",
            self.stderr
        );
    }
}

/// A server command for clients to start, which notes how the server ended.
#[derive(Debug)]
pub(crate) struct Server {
    script: PathBuf,
    end: PathBuf,
}

impl Server {
    /// `name` is the test's own, since tests run side by side.
    pub(crate) fn new(environment: &Environment, name: &str) -> Self {
        let end = environment::scratch(&format!("{name}.end"));
        let script = end.with_extension("sh");
        fs::remove_file(&end).ok();
        // A file and no `sh -c`, since some clients would take the option for one of theirs.
        let text = format!(
            "{}\necho $? >{}\n",
            quoted(&environment.server),
            quoted(&end)
        );
        fs::write(&script, text).expect("the folder for temporary files is there");
        Self { script, end }
    }

    /// Appends the server to a client's command line.
    pub(crate) fn append_to(&self, client: &mut Command) {
        client.arg("sh").arg(&self.script);
    }

    /// Runs the client and collects what it and the server left.
    pub(crate) fn run(&self, client: &mut Command) -> Ran {
        // A file, because the server inherits it and a pipe would stay open as long as the server lives.
        let log = self.end.with_extension("stderr");
        let mut child = client
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(&log).expect("the folder for temporary files is there"))
            .spawn()
            .expect("the client's program starts");
        let mut pipe = child.stdout.take().expect("stdout is a pipe");
        let (sender, receiver) = mpsc::channel();
        let reader = thread::spawn(move || {
            let mut stdout = String::new();
            let read = pipe.read_to_string(&mut stdout);
            // When nobody waits any more, the test has failed already.
            sender.send(read.map(|_| stdout)).ok();
        });
        let Ok(stdout) = receiver.recv_timeout(PATIENCE) else {
            child.kill().ok();
            panic!("the client hung; stderr:\n{}", read(&log));
        };
        reader.join().expect("reading does not panic");
        Ran {
            status: child.wait().expect("the client is ours to wait for"),
            stdout: stdout.expect("the client prints UTF-8"),
            stderr: read(&log),
            server: fs::read_to_string(&self.end).ok(),
        }
    }
}

/// Lets a client program walk through a conversation and compares every step.
pub(crate) fn check(
    environment: &Environment,
    name: &str,
    mut program: Command,
    expected: &[Expected],
) {
    let server = Server::new(environment, name);
    program.arg("--");
    server.append_to(&mut program);
    let ran = server.run(&mut program);
    assert_conversation(&ran, expected);
    ran.assert_server_ended_well();
}

/// The same by HTTP.
pub(crate) fn check_by_http(
    environment: &Environment,
    name: &str,
    mut program: Command,
    expected: &[Expected],
) {
    let server = HttpServer::start(environment);
    program.arg("--").arg(&server.url);
    let ran = Server::new(environment, name).run(&mut program);
    assert_conversation(&ran, expected);
}

/// Our server by HTTP, ended when this is dropped.
#[derive(Debug)]
pub(crate) struct HttpServer {
    child: Child,
    pub(crate) url: String,
}

impl HttpServer {
    /// Takes any free port.
    pub(crate) fn start(environment: &Environment) -> Self {
        let mut child = Command::new(&environment.server)
            .arg("127.0.0.1:0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let stdout = child.stdout.take().expect("stdout is a pipe");
        let mut url = String::new();
        let read = BufReader::new(stdout).read_line(&mut url);
        read.expect("the server says its address");
        Self {
            child,
            url: url.trim().to_owned(),
        }
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn assert_conversation(ran: &Ran, expected: &[Expected]) {
    assert!(
        ran.status.success(),
        "the client failed; stderr:\n{}\nsteps:\n{}",
        ran.stderr,
        ran.stdout
    );
    let steps: Vec<Value> =
        serde_json::from_str(&ran.stdout).expect("the client prints its steps as JSON");
    for (step, expected) in steps.iter().zip(expected) {
        expected.assert_met_by(step);
    }
    assert_eq!(
        names(&steps),
        expected.iter().map(|step| step.name).collect::<Vec<_>>()
    );
}

/// A path as a word of the shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

fn names(steps: &[Value]) -> Vec<&str> {
    steps
        .iter()
        .filter_map(|step| step["step"].as_str())
        .collect()
}

fn read(path: &Path) -> String {
    fs::read(path).map_or_else(
        |_| String::new(),
        |bytes| String::from_utf8_lossy(&bytes).into_owned(),
    )
}
