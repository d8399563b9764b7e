//! Serving: [`run`] with a runtime of its own, [`serve`] inside yours.

use std::fmt;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, LazyLock};
use std::task::Poll;

use mcp_core::runtime::TokioRuntime;
use mcp_core::transport::Transport;
use mcp_core::{BuildError, BuiltServer, Closed, Server, SessionError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;

use crate::framing::{LineDecoder, MAX_LINE};
use crate::signals::Signals;
use crate::stdio::StdioTransport;
use crate::stream::StreamTransport;

/// One for all sessions, so that the number of its threads is bounded for the process.
static RUNTIME: LazyLock<Arc<TokioRuntime>> = LazyLock::new(|| Arc::new(TokioRuntime::new()));

/// Why a server could not be served, or did not end well.
///
/// `Debug` says the same as `Display` with all causes, since that is what a `main` that returns an error prints.
#[non_exhaustive]
pub enum Error {
    /// The server contradicts itself: two tools of one name, a missing value to lend.
    Build(BuildError),
    /// The system refused what an asynchronous runtime or the handling of signals needs.
    Runtime(io::Error),
    /// Standard input or output could not be taken.
    Stdio(io::Error),
    /// The connection broke.
    Session(SessionError),
    /// A second signal came while calls were being finished after the first.
    Interrupted,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Build(_) => "the server cannot be built",
            Self::Runtime(_) => "the runtime cannot be started",
            Self::Stdio(_) => "standard input and output cannot be taken",
            Self::Session(_) => "the session was broken off",
            Self::Interrupted => "interrupted by a second signal",
        })
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Build(source) => Some(source),
            Self::Runtime(source) | Self::Stdio(source) => Some(source),
            Self::Session(source) => Some(source),
            Self::Interrupted => None,
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

impl From<BuildError> for Error {
    fn from(source: BuildError) -> Self {
        Self::Build(source)
    }
}

impl From<SessionError> for Error {
    fn from(source: SessionError) -> Self {
        Self::Session(source)
    }
}

/// Serves on standard input and output until the client is done, with a runtime of its own.
///
/// It returns at the end of input and on SIGTERM and SIGINT (Ctrl-C), once the calls under way were answered or their time
/// is up; a second signal ends it at once. It does not wait for threads that are still busy, nor for tasks that handlers
/// have spawned. What the process prints in the meantime goes to standard error: see [`StdioTransport`].
///
/// # Errors
///
/// See [`Error`]. A client that goes away is none.
///
/// # Panics
///
/// Inside of an async runtime: use [`serve`] there.
///
/// # Examples
///
/// ```no_run
/// use mcp_core::{Server, tool};
///
/// /// Adds two integers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// fn main() -> Result<(), mcp_stdio::Error> {
///     mcp_stdio::run(Server::new("calculator", "1.0.0").tool::<add>())
/// }
/// ```
pub fn run(server: Server) -> Result<(), Error> {
    ServeOptions::new().run(server)
}

/// Serves on standard input and output inside your tokio runtime, which needs I/O and time enabled.
///
/// Signals are yours: see [`ServeOptions::with_shutdown`].
///
/// # Errors
///
/// See [`Error`]. A client that goes away is none: [`Closed`] says how the session ended.
///
/// # Panics
///
/// Outside of a tokio runtime with I/O and time enabled: [`run`] brings its own.
///
/// # Cancel safety
///
/// The session runs in a task of its own, which ends when this future is dropped; calls under way are dropped too.
pub async fn serve(server: Server) -> Result<Closed, Error> {
    ServeOptions::new().serve(server).await
}

/// Serves one session on a stream: a Unix socket, a serial line, whatever tokio can read and write.
///
/// A server is built once ([`Server::build`]) and serves any number of streams at the same time.
///
/// # Errors
///
/// [`Error::Session`]; a client that goes away is none.
///
/// # Panics
///
/// Outside of a tokio runtime with time enabled.
///
/// # Cancel safety
///
/// As [`serve`].
///
/// # Examples
///
/// ```
/// use mcp_core::{Closed, Server};
/// use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let server = Server::new("calculator", "1.0.0").build()?;
/// let (client, stream) = tokio::io::duplex(4096);
/// let client = async move {
///     let mut client = BufReader::new(client);
///     client.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").await?;
///     let mut answer = String::new();
///     client.read_line(&mut answer).await?;
///     std::io::Result::Ok(answer)
/// };
/// let (closed, answer) = tokio::join!(mcp_stdio::serve_stream(&server, stream), client);
/// assert_eq!(closed?, Closed::EndOfInput);
/// assert_eq!(answer?, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub async fn serve_stream<S>(server: &BuiltServer, stream: S) -> Result<Closed, Error>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    ServeOptions::new().serve_stream(server, stream).await
}

/// Serves one session on two streams, one to read and one to write. The rest is as with [`serve_stream`].
///
/// # Errors
///
/// [`Error::Session`]; a client that goes away is none.
///
/// # Panics
///
/// Outside of a tokio runtime with time enabled.
///
/// # Cancel safety
///
/// As [`serve`].
pub async fn serve_io<R, W>(server: &BuiltServer, reader: R, writer: W) -> Result<Closed, Error>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    ServeOptions::new().serve_io(server, reader, writer).await
}

/// How to serve, where [`run`] and [`serve`] do not suit.
///
/// # Examples
///
/// ```no_run
/// use mcp_core::Server;
/// use mcp_stdio::ServeOptions;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let quit = async { tokio::time::sleep(std::time::Duration::from_secs(3600)).await };
/// let closed = ServeOptions::new()
///     .with_line_limit(1 << 20)
///     .with_shutdown(quit)
///     .serve(Server::new("calculator", "1.0.0"))
///     .await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "options do nothing until they serve"]
pub struct ServeOptions {
    line_limit: usize,
    shutdown: Option<Shutdown>,
}

type Shutdown = Pin<Box<dyn Future<Output = ()> + Send>>;

impl ServeOptions {
    /// What [`run`] and [`serve`] do.
    pub fn new() -> Self {
        Self {
            line_limit: MAX_LINE,
            shutdown: None,
        }
    }

    /// Takes lines of up to so many bytes instead of [`MAX_LINE`].
    pub fn with_line_limit(mut self, bytes: usize) -> Self {
        self.line_limit = bytes;
        self
    }

    /// Ends the session when the future does, though the input stays open and silent: no further request is taken, and
    /// the calls under way are finished as at the end of input.
    pub fn with_shutdown(mut self, shutdown: impl Future<Output = ()> + Send + 'static) -> Self {
        self.shutdown = Some(Box::pin(shutdown));
        self
    }

    /// [`run`] with these options. Signals end the session as well as the future of [`Self::with_shutdown`].
    ///
    /// # Errors
    ///
    /// As [`run`].
    ///
    /// # Panics
    ///
    /// As [`run`].
    pub fn run(self, server: Server) -> Result<(), Error> {
        let server = server.build()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(Error::Runtime)?;
        let ended = runtime.block_on(self.serve_until_signals(&server));
        // A job on tokio's own blocking pool may take for ever, and nobody is left to wait for it.
        runtime.shutdown_background();
        ended
    }

    /// [`serve`] with these options.
    ///
    /// # Errors
    ///
    /// As [`serve`].
    ///
    /// # Panics
    ///
    /// As [`serve`].
    ///
    /// # Cancel safety
    ///
    /// As [`serve`].
    pub async fn serve(self, server: Server) -> Result<Closed, Error> {
        self.serve_stdio(&server.build()?).await
    }

    /// [`serve_stream`] with these options.
    ///
    /// # Errors
    ///
    /// As [`serve_stream`].
    ///
    /// # Panics
    ///
    /// As [`serve_stream`].
    ///
    /// # Cancel safety
    ///
    /// As [`serve`].
    pub async fn serve_stream<S>(self, server: &BuiltServer, stream: S) -> Result<Closed, Error>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let lines = LineDecoder::with_limit(self.line_limit);
        let transport = StreamTransport::with_decoder(stream, lines);
        drive(server, transport, self.shutdown).await
    }

    /// [`serve_io`] with these options.
    ///
    /// # Errors
    ///
    /// As [`serve_io`].
    ///
    /// # Panics
    ///
    /// As [`serve_io`].
    ///
    /// # Cancel safety
    ///
    /// As [`serve`].
    ///
    /// # Examples
    ///
    /// ```
    /// use mcp_core::{Closed, Server};
    /// use mcp_stdio::ServeOptions;
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    /// # runtime.block_on(async {
    /// let server = Server::new("calculator", "1.0.0").build()?;
    /// let input = &b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"[..];
    /// let options = ServeOptions::new().with_line_limit(1 << 20);
    /// let closed = options.serve_io(&server, input, tokio::io::sink()).await?;
    /// assert_eq!(closed, Closed::EndOfInput);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub async fn serve_io<R, W>(
        self,
        server: &BuiltServer,
        reader: R,
        writer: W,
    ) -> Result<Closed, Error>
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let stream = tokio::io::join(reader, writer);
        self.serve_stream(server, stream).await
    }

    async fn serve_stdio(self, server: &BuiltServer) -> Result<Closed, Error> {
        let lines = LineDecoder::with_limit(self.line_limit);
        let transport = StdioTransport::take_with(lines).map_err(Error::Stdio)?;
        drive(server, transport, self.shutdown).await
    }

    async fn serve_until_signals(mut self, server: &BuiltServer) -> Result<(), Error> {
        let mut first = Signals::new().map_err(Error::Runtime)?;
        let mut second = Signals::new().map_err(Error::Runtime)?;
        let mut asked = self.shutdown.take().unwrap_or_else(never);
        let shutdown = async move {
            let mut signal = pin!(first.next());
            poll_fn(|cx| match asked.as_mut().poll(cx) {
                Poll::Ready(()) => Poll::Ready(()),
                Poll::Pending => signal.as_mut().poll(cx),
            })
            .await;
        };
        let mut session = pin!(self.with_shutdown(shutdown).serve_stdio(server));
        let mut interrupted = pin!(async {
            second.next().await;
            second.next().await;
        });
        poll_fn(|cx| {
            if let Poll::Ready(closed) = session.as_mut().poll(cx) {
                return Poll::Ready(closed.map(|_| ()));
            }
            interrupted
                .as_mut()
                .poll(cx)
                .map(|()| Err(Error::Interrupted))
        })
        .await
    }
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ServeOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServeOptions")
            .field("line_limit", &self.line_limit)
            .finish_non_exhaustive()
    }
}

/// Runs the session as a task: the future given to `block_on` of a runtime with several threads is woken through a lock,
/// its tasks are not.
async fn drive(
    server: &BuiltServer,
    transport: impl Transport,
    shutdown: Option<Shutdown>,
) -> Result<Closed, Error> {
    let server = server.clone();
    let shutdown = shutdown.unwrap_or_else(never);
    // Boxed, so that the task is one pointer: tokio moves a task about, and has code for each type of one.
    let session: Pin<Box<dyn Future<Output = _> + Send>> = Box::pin(async move {
        let runtime = Arc::clone(&*RUNTIME);
        server.serve(transport, runtime, shutdown).await
    });
    let mut driver = Owned(tokio::spawn(session));
    match (&mut driver.0).await {
        Ok(ended) => Ok(ended?),
        Err(failed) => match failed.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // Only the end of the whole runtime can have cancelled it.
            Err(_) => Ok(Closed::Shutdown),
        },
    }
}

fn never() -> Shutdown {
    Box::pin(std::future::pending())
}

/// A task that ends when this is dropped.
struct Owned<T>(JoinHandle<T>);

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
