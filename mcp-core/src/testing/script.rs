use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::runtime::TestRuntime;
use super::wire::Wire;
use crate::runtime::{Runtime, Task};
use crate::server::BuiltServer;
use crate::transport::Transport;

/// A server whose part the test plays by hand, to see what a client does: line by line, in virtual time.
///
/// ```
/// use mcp_core::Client;
/// use mcp_core::testing::{ScriptedServer, TestRuntime};
///
/// let runtime = TestRuntime::new();
/// let mut server = ScriptedServer::new(&runtime);
/// let connecting = runtime.start(
///     Client::builder("my-agent", "1").connect(server.transport(), runtime.clone()),
/// );
/// assert!(server.run().lines()[0].contains("server/discover"));
/// server.hang_up();
/// server.run();
/// assert!(connecting.take().unwrap().unwrap_err().is_disconnected());
/// ```
#[derive(Debug)]
pub struct ScriptedServer {
    runtime: TestRuntime,
    wire: Wire,
    partial: Vec<u8>,
    lines: Vec<String>,
    taken: usize,
    reads: bool,
}

impl ScriptedServer {
    /// A server that nobody is connected to yet.
    #[must_use]
    pub fn new(runtime: &TestRuntime) -> Self {
        Self {
            runtime: runtime.clone(),
            wire: Wire::new(),
            partial: Vec::new(),
            lines: Vec::new(),
            taken: 0,
            reads: true,
        }
    }

    /// The end for the client.
    pub fn transport(&self) -> impl Transport + use<> {
        self.wire.transport()
    }

    /// How many bytes of the client may be under way unread, as in the buffer of a pipe. Unlimited otherwise.
    #[must_use]
    pub fn with_capacity(self, bytes: usize) -> Self {
        self.wire.set_capacity(bytes);
        self
    }

    /// How long a line may be; 10 MiB otherwise. The client gets only the beginning of a longer one.
    #[must_use]
    pub fn with_line_limit(self, bytes: usize) -> Self {
        self.wire.set_line_limit(bytes);
        self
    }

    /// Sends one line. The client sees it when it [runs](Self::run).
    pub fn send(&mut self, line: impl AsRef<str>) -> &mut Self {
        self.send_bytes(line.as_ref().as_bytes()).send_bytes(b"\n")
    }

    /// Sends bytes: parts of lines, many lines, anything.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.wire.send(bytes);
        self
    }

    /// Lets the client run until it waits for the server or the clock.
    ///
    /// # Panics
    ///
    /// When the client sent a line that is not UTF-8.
    #[track_caller]
    pub fn run(&mut self) -> &mut Self {
        while self.runtime.run() | (self.reads && self.read(usize::MAX) > 0) {}
        self
    }

    /// Moves the clock on, and lets the client run at every timer on the way.
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run).
    #[track_caller]
    pub fn advance(&mut self, by: Duration) -> &mut Self {
        let runtime = self.runtime.clone();
        runtime.advance_with(by, || {
            self.run();
        });
        self.run()
    }

    /// The lines that the client has sent since this was last asked.
    #[must_use]
    pub fn take_sent(&mut self) -> Vec<String> {
        let new = self.lines.get(self.taken..).unwrap_or_default().to_vec();
        self.taken = self.lines.len();
        new
    }

    /// Runs the client, and asserts that it has sent exactly these lines since the last time.
    ///
    /// # Panics
    ///
    /// When it has sent others.
    #[track_caller]
    pub fn assert_sent(&mut self, lines: &[&str]) -> &mut Self {
        self.run();
        let sent = self.take_sent();
        assert_eq!(
            sent.iter().map(String::as_str).collect::<Vec<_>>(),
            lines,
            "what was sent (left) is not what was expected (right)"
        );
        self
    }

    /// All lines that the client has sent, without their ends.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Stops reading what the client sends, as a server does that hangs.
    pub fn stop_reading(&mut self) -> &mut Self {
        self.reads = false;
        self
    }

    /// Reads again.
    pub fn resume_reading(&mut self) -> &mut Self {
        self.reads = true;
        self
    }

    /// How many bytes the client has sent that were not read.
    #[must_use]
    pub fn unread(&self) -> usize {
        self.wire.unread()
    }

    fn read(&mut self, most: usize) -> usize {
        let read = self.wire.read(most);
        let searched = self.partial.len();
        self.partial.extend_from_slice(&read);
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', &read) {
            let line = self.partial.get(start..searched + end).unwrap_or_default();
            match str::from_utf8(line) {
                Ok(line) => self.lines.push(line.to_owned()),
                Err(error) => panic!("the client sent what is not UTF-8: {error}"),
            }
            start = searched + end + 1;
        }
        self.partial.drain(..start);
        read.len()
    }

    /// Ends the output: the server says nothing more, but reads on.
    pub fn end_output(&mut self) -> &mut Self {
        self.wire.end();
        self
    }

    /// The server is gone. A line it had begun never ends.
    pub fn hang_up(&mut self) -> &mut Self {
        self.wire.hang_up();
        self
    }

    /// Whether the client has let go of the connection.
    #[must_use]
    pub fn is_let_go(&self) -> bool {
        self.wire.is_let_go()
    }
}

/// Something that runs on a [`TestRuntime`]. Dropping it ends it.
#[derive(Debug)]
#[must_use = "dropping it ends it"]
pub struct Started<T> {
    output: Arc<Mutex<Option<T>>>,
    _task: Task,
}

impl<T> Started<T> {
    /// What came of it, once.
    #[must_use]
    pub fn take(&self) -> Option<T> {
        self.output
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

impl TestRuntime {
    /// Runs a future beside the test: whenever the runtime runs.
    pub fn start<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> Started<T> {
        let output = Arc::new(Mutex::new(None));
        let slot = Arc::clone(&output);
        let task = self.spawn(Box::pin(async move {
            let output = future.await;
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(output);
        }));
        Started {
            output,
            _task: task,
        }
    }

    /// Serves one connection beside the test, until its end.
    ///
    /// # Panics
    ///
    /// The runtime does, when the transport fails.
    pub fn serve(&self, server: &BuiltServer, transport: impl Transport) {
        let server = server.clone();
        let runtime: Arc<dyn Runtime> = Arc::new(self.clone());
        let task = self.spawn(Box::pin(async move {
            let served = server
                .serve(transport, runtime, std::future::pending())
                .await;
            assert!(served.is_ok(), "the transport failed");
        }));
        // It ends with the connection.
        std::mem::forget(task);
    }
}
