//! A child and what a test does with it.

use std::future::{Future, poll_fn};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mcp_core::transport::{Incoming, Transport};
use mcp_stdio::{ChildEnded, ChildTransport, Command, Stderr};
use rustix::process::{Pid, test_kill_process};

/// Long enough for any machine; only a test that fails waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A script of the shell as a server.
pub(crate) fn shell(script: &str) -> Command {
    Command::new("sh").args(["-c", script]).stderr(Stderr::Tail)
}

/// Answers the probe as an older server does, and `initialize`.
pub(crate) const OPENING: &str = r#"
read -r probe
echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}'
read -r initialize
echo '{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"script","version":"1"}}}'
read -r initialized
"#;

/// A script that is run once the server was opened. Its first request has the id 3.
pub(crate) fn server(script: &str) -> Command {
    shell(&format!("{OPENING}{script}"))
}

pub(crate) fn start(script: &str) -> ChildTransport {
    shell(script).spawn().expect("the shell starts")
}

pub(crate) async fn in_time<T>(future: impl Future<Output = T>) -> T {
    let done = tokio::time::timeout(PATIENCE, future).await;
    done.expect("it happens in time")
}

pub(crate) async fn receive(child: &mut ChildTransport) -> io::Result<Option<Incoming>> {
    in_time(poll_fn(|cx| child.poll_receive(cx))).await
}

/// The next line, which must be there.
pub(crate) async fn line(child: &mut ChildTransport) -> String {
    match receive(child).await {
        Ok(Some(Incoming::Frame(line))) => String::from_utf8(line.to_vec()).expect("text"),
        other => panic!("a line should come, not {other:?}"),
    }
}

/// The next line, which is the number of a process.
pub(crate) async fn pid(child: &mut ChildTransport) -> Pid {
    let number = line(child).await.parse().expect("a number");
    Pid::from_raw(number).expect("not zero")
}

pub(crate) async fn send(child: &mut ChildTransport, line: &str) -> io::Result<usize> {
    in_time(poll_fn(|cx| child.poll_send(cx, line.as_bytes()))).await
}

/// Receives what there is, up to the end.
pub(crate) async fn end(child: &mut ChildTransport) -> (Vec<String>, ChildEnded) {
    let mut lines = Vec::new();
    loop {
        match receive(child).await {
            Ok(Some(Incoming::Frame(line))) => {
                lines.push(String::from_utf8_lossy(&line).into_owned());
            }
            Ok(other) => panic!("lines or an error should come, not {other:?}"),
            Err(error) => {
                assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
                return (lines, ended(&error));
            }
        }
    }
}

pub(crate) fn ended(error: &io::Error) -> ChildEnded {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    inner
        .cloned()
        .unwrap_or_else(|| panic!("how the child ended, not {error:?}"))
}

/// Closes, and says how long that took.
pub(crate) async fn close(child: &mut ChildTransport) -> (io::Result<()>, Duration) {
    let asked = Instant::now();
    let closed = in_time(poll_fn(|cx| child.poll_close(cx))).await;
    (closed, asked.elapsed())
}

pub(crate) fn own(child: &ChildTransport) -> Pid {
    let number = i32::try_from(child.pid()).expect("a number of a process");
    Pid::from_raw(number).expect("not zero")
}

/// Whether there is such a process, be it as a zombie.
pub(crate) fn exists(pid: Pid) -> bool {
    test_kill_process(pid).is_ok()
}

/// Waits until there is no such process, not even as a zombie.
pub(crate) fn wait_until_gone(pid: Pid) {
    wait_until(|| !exists(pid));
}

/// The process whose number is written there.
fn pid_in(scratch: &Scratch) -> Pid {
    let read = || std::fs::read_to_string(&scratch.0).unwrap_or_default();
    wait_until(|| read().ends_with('\n'));
    let number = read().trim().parse().expect("a number");
    Pid::from_raw(number).expect("not zero")
}

/// Waits until the number of a process is written there.
pub(crate) fn wait_until_named(scratch: &Scratch) {
    pid_in(scratch);
}

/// Waits until there is no process of the number that is written there.
pub(crate) fn wait_until_gone_of(scratch: &Scratch) {
    wait_until_gone(pid_in(scratch));
}

/// Ends a process that is nobody's any more.
#[cfg(target_os = "linux")]
pub(crate) fn end_of(scratch: &Scratch) {
    let pid = pid_in(scratch);
    assert!(exists(pid), "it is on its own");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("it is there");
}

/// What was needed in all since it was made, at the most.
pub(crate) struct Room(usize);

impl Room {
    pub(crate) fn now() -> Self {
        Self(most_kb())
    }

    /// By how much the most room that this process has had has grown, in kB. The kernel sums this
    /// up from counters that lag behind, and may say less than before: then nothing has grown.
    pub(crate) fn grown_kb(&self) -> usize {
        most_kb().saturating_sub(self.0)
    }
}

/// The most room that this process has had, in kB.
fn most_kb() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    // Elsewhere there is nothing to read, and nothing grows.
    number.map_or(0, |number| number.parse().expect("a number"))
}

/// Looks again and again, for what nothing tells of.
pub(crate) fn wait_until(happened: impl Fn() -> bool) {
    let asked = Instant::now();
    while !happened() {
        assert!(asked.elapsed() < PATIENCE, "it happens in time");
        std::thread::yield_now();
    }
}

/// A path at which nothing is yet, and nothing is left.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("mcp-stdio-child-{}-{count}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).ok();
    }
}
