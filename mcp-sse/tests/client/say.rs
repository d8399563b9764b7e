//! What is said in most conversations.

use mcp_core::Client;
use mcp_core::client::ClientBuilder;
use mcp_sse::{Connect, ConnectError};
use tokio::task::JoinHandle;

use crate::wire::{Server, soon};

pub(crate) const DISCOVERED: &str = r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true},"prompts":{}},"ttlMs":0,"cacheScope":"private"}"#;

pub(crate) fn builder() -> ClientBuilder {
    Client::builder("test", "1.0")
}

/// Connects beside the test.
pub(crate) fn connecting(connect: &Connect) -> JoinHandle<Result<Client, ConnectError>> {
    let connect = connect.clone();
    tokio::spawn(async move { connect.connect_as(builder()).await })
}

pub(crate) async fn connected(connecting: JoinHandle<Result<Client, ConnectError>>) -> Client {
    soon(connecting).await.unwrap().unwrap()
}

/// A client of a server of 2026-07-28.
pub(crate) async fn modern(server: &mut Server) -> Client {
    let connecting = connecting(&Connect::new(server.url("/mcp")));
    server.post().await.result(DISCOVERED);
    connected(connecting).await
}

/// The result of `initialize`.
pub(crate) fn initialized(version: &str) -> String {
    format!(
        r#"{{"protocolVersion":"{version}","capabilities":{{"tools":{{"listChanged":true}},"resources":{{"subscribe":true}},"logging":{{}}}},"serverInfo":{{"name":"s","version":"1"}}}}"#
    )
}

/// A client in a session of an older server, which has no stream of its own.
pub(crate) async fn legacy(server: &mut Server, version: &str) -> Client {
    let connecting = connecting(&Connect::new(server.url("/mcp")));
    open_legacy(server, version, "s1").await;
    let client = connected(connecting).await;
    let stream = server.next().await;
    assert_eq!(stream.method, "GET");
    stream.answer("405 Method Not Allowed", "", "");
    client
}

/// The handshake, up to where the server knows that it is over.
pub(crate) async fn open_legacy(server: &mut Server, version: &str, session: &str) {
    let probe = server.post().await;
    assert_eq!(probe.rpc(), "server/discover");
    probe.answer("400 Bad Request", "", "");
    handshake(server, version, session).await;
}

pub(crate) async fn handshake(server: &mut Server, version: &str, session: &str) {
    let initialize = server.post().await;
    assert_eq!(initialize.rpc(), "initialize");
    assert_eq!(initialize.header("mcp-session-id"), None);
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":{},"result":{}}}"#,
        initialize.id(),
        initialized(version)
    );
    let headers = format!("content-type: application/json\r\nMcp-Session-Id: {session}\r\n");
    initialize.answer("200 OK", &headers, &body);
    let done = server.post().await;
    assert_eq!(done.rpc(), "notifications/initialized");
    assert_eq!(done.header("mcp-session-id"), Some(session));
    done.accept();
}

pub(crate) const TEXT: &str =
    r#"{"resultType":"complete","content":[{"type":"text","text":"done"}]}"#;
