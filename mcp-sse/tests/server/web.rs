//! Requests as clients send them, and what comes back, without sockets.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, Request};
use http_body::{Body as _, Frame};
use mcp_core::Server;
use mcp_sse::{Body, HttpService};
use tower_service::Service as _;

/// What most requests say.
pub(crate) const JSON: (&str, &str) = ("content-type", "application/json");
pub(crate) const BOTH: (&str, &str) = ("accept", "application/json, text/event-stream");
pub(crate) const MODERN: (&str, &str) = ("mcp-protocol-version", "2026-07-28");

/// What every request of 2026-07-28 says of itself.
pub(crate) const META: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#;

/// A service under test.
#[derive(Clone)]
pub(crate) struct Web(pub(crate) HttpService);

/// A body of several parts.
pub(crate) struct Parts(pub(crate) Vec<Bytes>);

impl http_body::Body for Parts {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.0.is_empty() {
            return Poll::Ready(None);
        }
        Poll::Ready(Some(Ok(Frame::data(self.0.remove(0)))))
    }
}

/// An answer.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    body: Pin<Box<Body>>,
}

impl Web {
    pub(crate) fn new(server: Server) -> Self {
        Self(mcp_sse::service(server).expect("the server is in order"))
    }

    pub(crate) fn set(self, change: impl FnOnce(HttpService) -> HttpService) -> Self {
        Self(change(self.0))
    }

    /// Sends exactly this, with a `Host` unless there is one.
    pub(crate) async fn send(
        &self,
        method: &str,
        headers: &[(&str, &str)],
        body: impl Into<String>,
    ) -> Reply {
        self.send_parts(method, headers, Parts(vec![body.into().into()]))
            .await
    }

    pub(crate) async fn send_parts<B>(
        &self,
        method: &str,
        headers: &[(&str, &str)],
        body: B,
    ) -> Reply
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
    {
        self.request(request(method, headers).body(body).expect("a request"))
            .await
    }

    pub(crate) async fn request<B>(&self, request: Request<B>) -> Reply
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
    {
        let response = self.0.clone().call(request).await.expect("never fails");
        let (head, body) = response.into_parts();
        Reply {
            status: head.status.as_u16(),
            headers: head.headers,
            body: Box::pin(body),
        }
    }

    pub(crate) async fn post(&self, headers: &[(&str, &str)], body: impl Into<String>) -> Reply {
        let all = [&[JSON, BOTH], headers].concat();
        self.send("POST", &all, body).await
    }

    /// A request of 2026-07-28, whose headers say what it says.
    pub(crate) async fn modern(&self, method: &str, name: Option<&str>, params: &str) -> Reply {
        let mut headers = vec![MODERN, ("mcp-method", method)];
        headers.extend(name.map(|name| ("mcp-name", name)));
        self.post(&headers, modern(method, params)).await
    }

    /// Opens a session of this revision and says its id.
    pub(crate) async fn open(&self, version: &str) -> String {
        let mut reply = self.post(&[], initialize(version)).await;
        assert_eq!(reply.status, 200);
        let text = reply.text().await;
        assert!(
            text.contains(&format!(r#""protocolVersion":"{version}""#)),
            "{text}"
        );
        let id = reply.header("mcp-session-id").to_owned();
        let note = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let initialized = self.post(&[("mcp-session-id", &id)], note).await;
        assert_eq!(initialized.status, 202);
        id
    }
}

pub(crate) fn request(method: &str, headers: &[(&str, &str)]) -> http::request::Builder {
    let mut request = Request::builder().method(method).uri("/mcp");
    if !headers.iter().any(|(name, _)| *name == "host") {
        request = request.header("host", "localhost:8080");
    }
    headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    })
}

/// `params` are members, without braces.
pub(crate) fn modern(method: &str, params: &str) -> String {
    let comma = if params.is_empty() { "" } else { "," };
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}{comma}"_meta":{{{META}}}}}}}"#
    )
}

pub(crate) fn initialize(version: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{{"elicitation":{{}},"sampling":{{}}}},"clientInfo":{{"name":"c","version":"1"}}}}}}"#
    )
}

/// A call of a tool without arguments, in a session.
pub(crate) fn call(id: u64, tool: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{{}},"_meta":{{"progressToken":"p"}}}}}}"#
    )
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().expect("text"))
    }

    /// What comes next; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<String> {
        let frame = poll_fn(|cx| self.body.as_mut().poll_frame(cx)).await?;
        let data = frame.expect("never fails").into_data().expect("data");
        Some(String::from_utf8(data.to_vec()).expect("text"))
    }

    /// Whether nothing comes at the moment.
    pub(crate) fn is_quiet(&mut self) -> bool {
        let waker = std::task::Waker::noop();
        self.body
            .as_mut()
            .poll_frame(&mut Context::from_waker(waker))
            .is_pending()
    }

    /// All there is.
    pub(crate) async fn text(&mut self) -> String {
        let mut text = String::new();
        while let Some(part) = self.next().await {
            text += &part;
        }
        text
    }
}
