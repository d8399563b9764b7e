//! Connections to servers by HTTP.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, header};
use mcp_core::client::{Client, ClientBuilder, ClientError};
use mcp_core::protocol::Era;
use mcp_core::runtime::{TokioRuntime, program_name};

use super::auth::{Asked, Authorizer, BoxError, Fixed, bearer};
use super::connection::Settings;
use super::error::HttpError;
use super::http::HttpClient;
#[cfg(feature = "legacy-sse")]
use super::older::OlderTransport;
use super::reqwest::Reqwest;
use super::target::Target;
use super::transport::HttpTransport;
use crate::event::MAX_EVENT;

/// Requests that may be under way at the same time unless another limit is set. Each takes a connection of HTTP.
const MAX_CONCURRENT: usize = 64;

/// Connects to the server at a URL, whichever revision it speaks.
///
/// [`Connect`] has more to say: headers, tokens, limits.
///
/// # Errors
///
/// When nobody is there, or none that we can speak with.
///
/// # Panics
///
/// Outside of a tokio runtime with I/O and time enabled.
///
/// # Cancel safety
///
/// Dropping the future closes what was opened.
///
/// # Examples
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let client = mcp_sse::connect("https://example.com/mcp").await?;
/// for tool in &*client.list_all_tools().await? {
///     println!("{}", tool.name);
/// }
/// # Ok(())
/// # }
/// ```
pub async fn connect(url: impl AsRef<str>) -> Result<Client, ConnectError> {
    Connect::new(url).connect().await
}

/// How to connect to a server by HTTP.
///
/// It and its clones remember of what era the server is, and share the connections of HTTP: keep it to connect again.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_core::Client;
/// use mcp_sse::Connect;
///
/// let server = Connect::new("https://example.com/mcp")
///     .header("x-tenant", "blue")
///     .bearer_token_with(|| async { Ok(std::env::var("TOKEN")?) });
/// let client = server.connect_as(Client::builder("my-agent", "1.0.0")).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use = "nothing is done before `connect`"]
pub struct Connect {
    target: Result<Target, &'static str>,
    headers: Result<HeaderMap, BadHeader>,
    authorizer: Option<Result<Arc<dyn Authorizer>, Arc<BoxError>>>,
    http: Option<Arc<dyn HttpClient>>,
    roots: Vec<Vec<u8>>,
    max_message: usize,
    max_concurrent: usize,
    idle: Option<Duration>,
    known: Arc<Known>,
}

/// A header that can't be one, by its name.
type BadHeader = Arc<str>;

/// What is remembered of a server.
#[derive(Default)]
struct Known {
    verdict: AtomicU8,
    /// The library that is used where no other is given.
    http: std::sync::OnceLock<Arc<dyn HttpClient>>,
}

/// What kind of server it is.
#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Unknown,
    Modern,
    Legacy,
    /// Of 2024-11-05, with its own transport.
    Older,
}

impl Known {
    fn verdict(&self) -> Verdict {
        match self.verdict.load(Ordering::Relaxed) {
            1 => Verdict::Modern,
            2 => Verdict::Legacy,
            3 => Verdict::Older,
            _ => Verdict::Unknown,
        }
    }

    fn learn(&self, verdict: Verdict) {
        let verdict = match verdict {
            Verdict::Unknown => 0,
            Verdict::Modern => 1,
            Verdict::Legacy => 2,
            Verdict::Older => 3,
        };
        self.verdict.store(verdict, Ordering::Relaxed);
    }
}

impl Connect {
    /// The server at this URL. What is wrong with it is said by [`connect`](Self::connect).
    pub fn new(url: impl AsRef<str>) -> Self {
        let mut headers = HeaderMap::new();
        let agent = concat!("mcp-sse/", env!("CARGO_PKG_VERSION"));
        headers.insert(header::USER_AGENT, HeaderValue::from_static(agent));
        Self {
            target: Target::parse(url.as_ref()),
            headers: Ok(headers),
            authorizer: None,
            http: None,
            roots: Vec::new(),
            max_message: MAX_EVENT,
            max_concurrent: MAX_CONCURRENT,
            idle: None,
            known: Arc::new(Known::default()),
        }
    }

    /// Sends this header with every request. The headers of the protocol itself are not replaced by it.
    pub fn header(mut self, name: impl AsRef<str>, value: impl AsRef<str>) -> Self {
        let name = name.as_ref();
        let (parsed, value) = (name.parse::<HeaderName>(), value.as_ref().parse());
        match (&mut self.headers, parsed, value) {
            (Ok(headers), Ok(name), Ok(value)) => {
                let mut value: HeaderValue = value;
                value.set_sensitive(true);
                headers.insert(name, value);
            }
            (Ok(_), ..) => self.headers = Err(name.chars().take(80).collect::<String>().into()),
            (Err(_), ..) => {}
        }
        self
    }

    /// Says by this token who the client is.
    pub fn bearer_token(mut self, token: impl AsRef<str>) -> Self {
        let value = bearer(token.as_ref()).map_err(Arc::new);
        self.authorizer = Some(value.map(|value| Arc::new(Fixed(value)) as Arc<dyn Authorizer>));
        self
    }

    /// The same with a token that is asked for before each request, for those that end.
    pub fn bearer_token_with<F>(self, token: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<String, BoxError>> + Send + 'static,
    {
        self.authorizer(Asked(token))
    }

    /// Says by this who the client is, and tells it of refusals.
    pub fn authorizer(mut self, authorizer: impl Authorizer) -> Self {
        self.authorizer = Some(Ok(Arc::new(authorizer)));
        self
    }

    /// Uses another HTTP library. It is asked to connect, too: [`root_certificate`](Self::root_certificate) is for the one
    /// that comes along.
    pub fn http_client(mut self, http: impl HttpClient) -> Self {
        self.http = Some(Arc::new(http));
        self
    }

    /// Trusts this certificate (DER) besides those that browsers trust: the one of a company, for example.
    pub fn root_certificate(mut self, der: impl Into<Vec<u8>>) -> Self {
        self.roots.push(der.into());
        self.known = Arc::new(Known::default());
        self
    }

    /// Takes messages of up to so many bytes; [`MAX_EVENT`] otherwise.
    pub const fn max_message(mut self, bytes: usize) -> Self {
        self.max_message = bytes;
        self
    }

    /// Has up to so many requests under way at the same time, besides those that last; 64 otherwise. Further ones wait.
    pub const fn max_concurrent(mut self, requests: usize) -> Self {
        self.max_concurrent = requests;
        self
    }

    /// Takes a stream of events for broken when nothing has come on it for so long. Many servers send comments to show
    /// that they are there; with one that does not, this ends streams that are merely quiet. No limit otherwise.
    pub const fn idle_limit(mut self, idle: Duration) -> Self {
        self.idle = Some(idle);
        self
    }

    /// Connects, as a client that answers nothing. It calls itself what this program is called.
    ///
    /// # Errors
    ///
    /// When the URL is none, nobody is there, or none that we can speak with.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with I/O and time enabled.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future closes what was opened.
    pub async fn connect(&self) -> Result<Client, ConnectError> {
        self.connect_as(Client::builder(program_name(), "")).await
    }

    /// The same as a client of your own, which may have handlers for what servers ask.
    ///
    /// # Errors
    ///
    /// As [`connect`](Self::connect).
    ///
    /// # Panics
    ///
    /// As there.
    ///
    /// # Cancel safety
    ///
    /// As there.
    pub async fn connect_as(&self, client: ClientBuilder) -> Result<Client, ConnectError> {
        let settings = Arc::new(self.settings()?);
        let client = client.provisional_label(settings.target.origin.clone());
        let verdict = self.known.verdict();
        #[cfg(feature = "legacy-sse")]
        if verdict == Verdict::Older
            && let Ok(client) = connect_older(&settings, client.clone()).await
        {
            return Ok(client);
        }
        let shortcut = if verdict == Verdict::Legacy {
            client.clone().without_probe()
        } else {
            client.clone()
        };
        match self.connect_streamable(&settings, shortcut).await {
            // It is not what it was when it was asked.
            Err(_) if matches!(verdict, Verdict::Legacy | Verdict::Older) => {
                self.known.learn(Verdict::Unknown);
                self.connect_streamable(&settings, client).await
            }
            connected => connected,
        }
    }

    async fn connect_streamable(
        &self,
        settings: &Arc<Settings>,
        client: ClientBuilder,
    ) -> Result<Client, ConnectError> {
        let transport = HttpTransport::new(Arc::clone(settings));
        let connection = transport.connection();
        let older = client.clone();
        let connected = client
            .connect_messages(transport, TokioRuntime::new())
            .await;
        match connected {
            Ok(client) => {
                self.known.learn(match client.server().era() {
                    Era::Modern => Verdict::Modern,
                    Era::Legacy => Verdict::Legacy,
                });
                Ok(client)
            }
            #[cfg(feature = "legacy-sse")]
            Err(error) if connection.session.is_refused() => {
                // What the first transport was refused with says more than that the other is not there either.
                let connected = connect_older(settings, older).await.map_err(|_| error)?;
                self.known.learn(Verdict::Older);
                Ok(connected)
            }
            Err(error) => {
                drop((connection, older));
                Err(error.into())
            }
        }
    }

    fn settings(&self) -> Result<Settings, ConnectError> {
        let target = self.target.clone().map_err(ConnectError::Url)?;
        let headers = self.headers.clone();
        let headers = headers.map_err(|name| ConnectError::Header(name.to_string()))?;
        let authorizer = match &self.authorizer {
            None => None,
            Some(Ok(authorizer)) => Some(Arc::clone(authorizer)),
            Some(Err(_)) => return Err(ConnectError::Header("authorization".to_owned())),
        };
        Ok(Settings {
            http: self.http(&target)?,
            target,
            authorizer,
            headers,
            max_message: self.max_message,
            max_concurrent: self.max_concurrent.max(1),
            idle: self.idle,
        })
    }

    fn http(&self, target: &Target) -> Result<Arc<dyn HttpClient>, ConnectError> {
        if let Some(http) = self.http.as_ref().or_else(|| self.known.http.get()) {
            return Ok(Arc::clone(http));
        }
        let made = Reqwest::new(target, &self.roots).map_err(ConnectError::Library)?;
        Ok(Arc::clone(self.known.http.get_or_init(|| Arc::new(made))))
    }
}

#[cfg(feature = "legacy-sse")]
async fn connect_older(
    settings: &Arc<Settings>,
    client: ClientBuilder,
) -> Result<Client, ConnectError> {
    let transport = OlderTransport::open(settings).await?;
    let client = client.without_probe();
    Ok(client
        .connect_messages(transport, TokioRuntime::new())
        .await?)
}

impl fmt::Debug for Connect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connect")
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}

/// Why there is no connection.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConnectError {
    /// The URL can't be used. It is not shown, for it may hold secrets.
    Url(&'static str),
    /// A header of this name can't be sent.
    Header(String),
    /// The HTTP library can't be set up.
    Library(BoxError),
    /// The transport could not be opened.
    Http(HttpError),
    /// It is no server, or none that we can speak with.
    Client(ClientError),
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(why) => write!(f, "the URL can't be used: {why}"),
            Self::Header(name) => write!(f, "the header {name:?} can't be sent"),
            Self::Library(error) => write!(f, "HTTP can't be set up: {error}"),
            Self::Http(error) => error.fmt(f),
            Self::Client(error) => error.fmt(f),
        }
    }
}

impl Error for ConnectError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Url(_) | Self::Header(_) => None,
            Self::Library(error) => error.source(),
            Self::Http(error) => error.source(),
            Self::Client(error) => error.source(),
        }
    }
}

impl From<HttpError> for ConnectError {
    fn from(error: HttpError) -> Self {
        Self::Http(error)
    }
}

impl From<ClientError> for ConnectError {
    fn from(error: ClientError) -> Self {
        Self::Client(error)
    }
}
