//! A server on a socket, and its end.

use std::net::SocketAddr;
use std::time::Duration;

use mcp_core::testing::Gate;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use crate::tools::gated;
use crate::web::modern;

/// Long enough for a busy machine.
const SOON: Duration = Duration::from_secs(30);

fn post(method: &str, params: &str) -> String {
    let body = modern(method, params);
    let length = body.len();
    let name = if method == "tools/call" {
        "mcp-name: wait\r\n"
    } else {
        ""
    };
    format!(
        "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: {method}\r\n{name}content-length: {length}\r\n\r\n{body}"
    )
}

async fn read_until(stream: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    let mut buffer = [0; 4096];
    while !text.contains(end) {
        let read = tokio::time::timeout(SOON, stream.read(&mut buffer))
            .await
            .expect("the server says more in time")
            .expect("the connection holds");
        assert!(read > 0, "{text}");
        text += std::str::from_utf8(&buffer[..read]).expect("text");
    }
    text
}

/// Sends a request on a connection of its own.
async fn send(address: SocketAddr, method: &str, params: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    let sent = stream.write_all(post(method, params).as_bytes()).await;
    sent.expect("it reads");
    stream
}

/// Waits until so many handlers wait at the gate.
async fn waiting(gate: &Gate, handlers: usize) {
    let arrived = async {
        while gate.waiting() != handlers {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(SOON, arrived)
        .await
        .expect("it takes no time");
}

/// S33, T16.
#[tokio::test]
async fn at_its_end_subscriptions_are_told_and_calls_are_finished() {
    let gate = Gate::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let service = mcp_sse::service(gated(&gate)).unwrap();
    let serving = tokio::spawn(service.serve(listener, async { drop(stopped.await) }));
    let filter = r#""notifications":{"toolsListChanged":true}"#;
    let mut listens = send(address, "subscriptions/listen", filter).await;
    read_until(&mut listens, "acknowledged").await;
    let mut calls = send(address, "tools/call", r#""name":"wait""#).await;
    waiting(&gate, 1).await;
    let mut idle = send(address, "tools/list", "").await;
    read_until(&mut idle, "near").await;
    stop.send(()).unwrap();
    let last = read_until(&mut listens, "\r\n0\r\n\r\n").await;
    assert!(last.contains(r#"data: {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":1"#), "{last}");
    let mut rest = Vec::new();
    tokio::time::timeout(SOON, idle.read_to_end(&mut rest))
        .await
        .unwrap()
        .unwrap();
    gate.open();
    assert!(
        read_until(&mut calls, "on we go")
            .await
            .starts_with("HTTP/1.1 200 OK")
    );
    tokio::time::timeout(SOON, serving).await.unwrap().unwrap();
    assert!(TcpStream::connect(address).await.is_err());
}

/// HTP-18, T18: whoever hangs up has cancelled, and nothing is left.
#[tokio::test]
async fn a_connection_that_breaks_cancels_its_call() {
    let gate = Gate::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = mcp_sse::service(gated(&gate)).unwrap();
    let serving = tokio::spawn(service.serve(listener, std::future::pending()));
    let calls = send(address, "tools/call", r#""name":"wait""#).await;
    waiting(&gate, 1).await;
    drop(calls);
    waiting(&gate, 0).await;
    serving.abort();
}
