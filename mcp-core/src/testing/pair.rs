use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::gate::Gate;
use super::runtime::{TestRuntime, Woken};
use super::wire::Wire;
use crate::server::{BuiltServer, Closed, Server, SessionError};

/// Rounds without rest are a bug: something wakes itself again and again.
const MAX_ROUNDS: usize = 1_000_000;

type Serving = Pin<Box<dyn Future<Output = Result<Closed, SessionError>> + Send>>;

/// A server and a peer that says exactly what the test says, line by line.
///
/// ```
/// use mcp_core::testing::Pair;
/// use mcp_core::Server;
///
/// let mut pair = Pair::new(Server::new("empty", "1"));
/// pair.send(r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#).run();
/// pair.assert_sent(&[r#"{"jsonrpc":"2.0","id":"a","result":{}}"#]);
/// ```
///
/// Nothing happens but in [`run`](Self::run) and in what calls it, and the server is polled only when it was woken, so
/// a wake-up that is missing shows as silence.
pub struct Pair {
    state: State,
    wire: Wire,
    runtime: TestRuntime,
    shutdown: Gate,
    woken: Arc<Woken>,
    reads: bool,
    /// What was read of a line that has no end yet.
    partial: Vec<u8>,
    lines: Vec<String>,
    /// Lines that were taken or asserted already.
    taken: usize,
}

enum State {
    /// Not polled yet, so that settings may still be made.
    Fresh(BuiltServer),
    Serving(Serving),
    Closed(Result<Closed, SessionError>),
}

impl Pair {
    /// Connects to a server.
    ///
    /// # Panics
    ///
    /// When the server can't be built.
    #[must_use]
    #[track_caller]
    pub fn new(server: Server) -> Self {
        match server.build() {
            Ok(built) => Self::connect(&built),
            Err(error) => panic!("the server can't be built: {error}"),
        }
    }

    /// Connects to a server that is ready. Several connections to one server are independent of each other.
    #[must_use]
    pub fn connect(server: &BuiltServer) -> Self {
        Self {
            state: State::Fresh(server.clone()),
            wire: Wire::new(),
            runtime: TestRuntime::new(),
            shutdown: Gate::new(),
            woken: Woken::new(),
            reads: true,
            partial: Vec::new(),
            lines: Vec::new(),
            taken: 0,
        }
    }

    /// Runs on this runtime, so that tools or other connections can share its clock. To be said before anything runs.
    #[must_use]
    pub fn with_runtime(mut self, runtime: &TestRuntime) -> Self {
        self.runtime = runtime.clone();
        self
    }

    /// How many bytes of the server may be under way unread, as in the buffer of a pipe. Unlimited otherwise.
    #[must_use]
    pub fn with_capacity(self, bytes: usize) -> Self {
        self.wire.set_capacity(bytes);
        self
    }

    /// How long a line may be; 10 MiB otherwise. The server gets only the beginning of a longer one.
    #[must_use]
    pub fn with_line_limit(self, bytes: usize) -> Self {
        self.wire.set_line_limit(bytes);
        self
    }

    /// Sends one line. The server sees it when it [runs](Self::run).
    pub fn send(&mut self, line: impl AsRef<str>) -> &mut Self {
        self.send_bytes(line.as_ref().as_bytes()).send_bytes(b"\n")
    }

    /// Sends bytes: parts of lines, many lines, anything.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.wire.send(bytes);
        self
    }

    /// Lets the server run until it waits for the peer or the clock.
    ///
    /// # Panics
    ///
    /// When it does not come to rest.
    #[track_caller]
    pub fn run(&mut self) -> &mut Self {
        for _ in 0..MAX_ROUNDS {
            let mut busy = self.poll_server();
            busy |= self.runtime.run();
            busy |= self.reads && self.read(usize::MAX) > 0;
            if !busy {
                return self;
            }
        }
        panic!("the server does not come to rest");
    }

    /// Moves the clock on, and lets the server run at every timer on the way.
    pub fn advance(&mut self, by: Duration) -> &mut Self {
        let runtime = self.runtime.clone();
        runtime.advance_with(by, || {
            self.run();
        });
        self.run()
    }

    /// The lines that the server has sent since this was last asked.
    #[must_use]
    pub fn take_sent(&mut self) -> Vec<String> {
        let new = self.lines.get(self.taken..).unwrap_or_default().to_vec();
        self.taken = self.lines.len();
        new
    }

    /// Asserts that the server has sent exactly these lines since the last time.
    ///
    /// # Panics
    ///
    /// When it has sent others.
    #[track_caller]
    pub fn assert_sent(&mut self, lines: &[&str]) -> &mut Self {
        let sent = self.take_sent();
        assert_eq!(
            sent.iter().map(String::as_str).collect::<Vec<_>>(),
            lines,
            "what was sent (left) is not what was expected (right)"
        );
        self
    }

    /// All lines that the server has sent, without their ends.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Stops reading what the server sends, as a client does that is busy or hangs.
    pub fn stop_reading(&mut self) -> &mut Self {
        self.reads = false;
        self
    }

    /// Reads again.
    pub fn resume_reading(&mut self) -> &mut Self {
        self.reads = true;
        self
    }

    /// Reads up to so many bytes though reading was stopped, and says how many there were.
    ///
    /// # Panics
    ///
    /// When the server sent a line that is not UTF-8.
    #[track_caller]
    pub fn read(&mut self, most: usize) -> usize {
        let read = self.wire.read(most);
        self.partial.extend_from_slice(&read);
        while let Some(end) = memchr::memchr(b'\n', &self.partial) {
            let mut line: Vec<u8> = self.partial.drain(..=end).collect();
            line.pop();
            match String::from_utf8(line) {
                Ok(line) => self.lines.push(line),
                Err(error) => panic!("the server sent what is not UTF-8: {error}"),
            }
        }
        read.len()
    }

    /// How many bytes the server has sent that were not read.
    #[must_use]
    pub fn unread(&self) -> usize {
        self.wire.unread()
    }

    /// How many lines the server has not taken in.
    #[must_use]
    pub fn untaken(&self) -> usize {
        self.wire.untaken()
    }

    /// Ends the input: the peer has nothing more to say, but reads on.
    pub fn end_input(&mut self) -> &mut Self {
        self.wire.end();
        self
    }

    /// The peer is gone: it neither sends nor reads any more. A line it had begun never ends.
    pub fn hang_up(&mut self) -> &mut Self {
        self.wire.hang_up();
        self
    }

    /// The application tells its server to stop.
    pub fn shut_down(&mut self) -> &mut Self {
        self.shutdown.open();
        self
    }

    /// How the session ended, if it has.
    #[must_use]
    pub const fn closed(&self) -> Option<&Result<Closed, SessionError>> {
        match &self.state {
            State::Closed(closed) => Some(closed),
            State::Fresh(_) | State::Serving(_) => None,
        }
    }

    /// How the session ended, if it has, with the end of the pair.
    #[must_use]
    pub fn into_closed(self) -> Option<Result<Closed, SessionError>> {
        match self.state {
            State::Closed(closed) => Some(closed),
            State::Fresh(_) | State::Serving(_) => None,
        }
    }

    /// What the server runs on.
    #[must_use]
    pub const fn runtime(&self) -> &TestRuntime {
        &self.runtime
    }

    fn poll_server(&mut self) -> bool {
        if let State::Fresh(server) = &self.state {
            let server = server.clone();
            let (transport, shutdown) = (self.wire.transport(), self.shutdown.wait());
            let runtime = Arc::new(self.runtime.clone());
            self.state = State::Serving(Box::pin(async move {
                server.serve(transport, runtime, shutdown).await
            }));
        }
        let State::Serving(serving) = &mut self.state else {
            return false;
        };
        if !self.woken.take() {
            return false;
        }
        let waker = Waker::from(Arc::clone(&self.woken));
        if let Poll::Ready(closed) = serving.as_mut().poll(&mut Context::from_waker(&waker)) {
            self.state = State::Closed(closed);
        }
        true
    }
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pair")
            .field("runtime", &self.runtime)
            .field("lines", &self.lines)
            .field("closed", &self.closed())
            .finish_non_exhaustive()
    }
}
