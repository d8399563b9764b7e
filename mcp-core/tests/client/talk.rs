//! A client that is connected to a server whose part the test plays.

use std::time::Duration;

use mcp_core::client::ClientErrorKind;
use mcp_core::protocol::ProtocolVersion;
use mcp_core::testing::{ScriptedServer, Started, TestRuntime};
use mcp_core::{Client, ClientBuilder, ClientError, ToolResult};
use serde_json::Value;

pub(crate) const SECOND: Duration = Duration::from_secs(1);

/// All that the servers of these tests offer, unless they say otherwise.
pub(crate) const OFFERS: &str =
    r#"{"completions":{},"logging":{},"prompts":{},"resources":{"subscribe":true},"tools":{}}"#;

pub(crate) fn builder() -> ClientBuilder {
    Client::builder("c", "1")
}

/// What requests of 2026-07-28 say in `_meta`, for a client of these capabilities.
pub(crate) fn facts(capabilities: &str) -> String {
    format!(
        r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{capabilities},"io.modelcontextprotocol/clientInfo":{{"name":"c","version":"1"}}"#
    )
}

/// A request of 2026-07-28. `params` are the members of its params, `meta` those that follow the facts.
pub(crate) fn modern_request(id: u64, method: &str, params: &str, meta: &str) -> String {
    let comma = if params.is_empty() { "" } else { "," };
    let facts = facts("{}");
    let more = if meta.is_empty() { "" } else { "," };
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}{comma}"_meta":{{{facts}{more}{meta}}}}}}}"#
    )
}

pub(crate) fn probe() -> String {
    modern_request(1, "server/discover", "", "")
}

pub(crate) fn initialize(id: u64, version: &str, capabilities: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{capabilities},"clientInfo":{{"name":"c","version":"1"}}}}}}"#
    )
}

pub(crate) const INITIALIZED: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}"#;

pub(crate) fn result(id: u64, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

pub(crate) fn error(id: u64, code: i32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"no"}}}}"#)
}

pub(crate) fn discovered(id: u64, offers: &str) -> String {
    result(
        id,
        &format!(
            r#"{{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{offers},"ttlMs":0,"cacheScope":"private","_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"s","version":"2"}}}}}}"#
        ),
    )
}

pub(crate) fn initialized(id: u64, version: &str, offers: &str) -> String {
    result(
        id,
        &format!(
            r#"{{"protocolVersion":"{version}","capabilities":{offers},"serverInfo":{{"name":"s","version":"2"}}}}"#
        ),
    )
}

/// A cancellation, as clients of 2026-07-28 send it that declare nothing.
pub(crate) fn modern_cancel(id: u64, reason: &str) -> String {
    let facts = facts("{}");
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"{reason}","_meta":{{{facts}}}}}}}"#
    )
}

pub(crate) fn legacy_cancel(id: u64, reason: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"{reason}"}}}}"#
    )
}

pub(crate) type Connecting = Started<Result<Client, ClientError>>;

/// Begins to connect.
pub(crate) fn connecting(builder: ClientBuilder) -> (TestRuntime, ScriptedServer, Connecting) {
    let runtime = TestRuntime::new();
    let server = ScriptedServer::new(&runtime);
    let connecting = runtime.start(builder.connect(server.transport(), runtime.clone()));
    (runtime, server, connecting)
}

/// An open connection. What was said to open it is behind us.
pub(crate) struct Talk {
    pub(crate) runtime: TestRuntime,
    pub(crate) server: ScriptedServer,
    pub(crate) client: Client,
    /// The id of the next request.
    pub(crate) next: u64,
}

impl Talk {
    /// With a server of 2026-07-28.
    pub(crate) fn modern() -> Self {
        Self::modern_with(builder(), OFFERS)
    }

    pub(crate) fn modern_with(builder: ClientBuilder, offers: &str) -> Self {
        let (runtime, server, connecting) = connecting(builder);
        Self::open(runtime, server, &connecting, &discovered(1, offers))
    }

    /// With a server of 2025-11-25.
    pub(crate) fn legacy() -> Self {
        Self::legacy_with(builder(), ProtocolVersion::V2025_11_25, OFFERS)
    }

    pub(crate) fn legacy_with(
        builder: ClientBuilder,
        version: ProtocolVersion,
        offers: &str,
    ) -> Self {
        let (runtime, server, connecting) = connecting(builder.protocol(version));
        let answer = initialized(1, version.as_str(), offers);
        Self::open(runtime, server, &connecting, &answer)
    }

    pub(crate) fn open(
        runtime: TestRuntime,
        mut server: ScriptedServer,
        connecting: &Connecting,
        answer: &str,
    ) -> Self {
        server.run().send(answer).run();
        let client = connecting.take().expect("it is connected").unwrap();
        drop(server.take_sent());
        Self {
            runtime,
            server,
            client,
            next: 2,
        }
    }

    /// Starts something that is done with the client.
    pub(crate) fn start<T, F>(&self, ask: impl FnOnce(Client) -> F) -> Started<T>
    where
        F: Future<Output = T> + Send + 'static,
        T: Send + 'static,
    {
        self.runtime.start(ask(self.client.clone()))
    }

    /// Starts the call of a tool without arguments.
    pub(crate) fn call(&self, name: &'static str) -> Started<Result<ToolResult, ClientError>> {
        self.start(|client| async move { client.call_tool(name, ()).await })
    }

    /// The members of the params of such a call, and of its `_meta`.
    pub(crate) fn called(&self, id: u64, name: &str) -> String {
        let params = format!(r#""name":"{name}","arguments":{{}}"#);
        if self.client.server().version.is_modern() {
            modern_request(
                id,
                "tools/call",
                &params,
                &format!(r#""progressToken":{id}"#),
            )
        } else {
            format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{{params},"_meta":{{"progressToken":{id}}}}}}}"#
            )
        }
    }

    /// Answers the next request of the client by this result and lets it run.
    pub(crate) fn answer(&mut self, answer: &str) -> &mut Self {
        let line = result(self.next, answer);
        self.next += 1;
        self.server.run().send(line).run();
        self
    }

    /// The methods of what was sent since the last time.
    pub(crate) fn methods(&mut self) -> Vec<String> {
        self.server.run();
        let sent = self.server.take_sent();
        sent.iter()
            .map(|line| {
                let line: Value = serde_json::from_str(line).unwrap();
                line["method"].as_str().unwrap_or("answer").to_owned()
            })
            .collect()
    }
}

/// What the text of a result says.
pub(crate) fn text(says: &str) -> String {
    format!(r#"{{"content":[{{"type":"text","text":"{says}"}}]}}"#)
}

pub(crate) fn kind<T: std::fmt::Debug>(outcome: Option<Result<T, ClientError>>) -> ClientErrorKind {
    outcome.expect("it is over").unwrap_err().kind().clone()
}

/// The words of an error.
pub(crate) fn words<T: std::fmt::Debug>(outcome: Option<Result<T, ClientError>>) -> String {
    outcome.expect("it is over").unwrap_err().to_string()
}
