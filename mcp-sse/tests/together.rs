//! Our client and our server, in an axum app as the guide has it.

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use mcp_core::{Client, Context, Principal, ProtocolVersion, Server, tool};
use mcp_sse::{Connect, HttpContext};

/// Adds two integers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Who asks, and with which program.
#[tool]
fn who(cx: &Context) -> String {
    let principal = cx.principal().map_or("nobody", Principal::id).to_owned();
    let agent = cx.http().and_then(|head| head.headers().get("user-agent"));
    let agent = agent.and_then(|agent| agent.to_str().ok());
    format!("{principal}, {}", agent.unwrap_or_default())
}

async fn login(mut request: Request, next: Next) -> Response {
    request.extensions_mut().insert(Principal::new("ann"));
    next.run(request).await
}

/// Serves the app, and says where.
async fn serve() -> String {
    let server = Server::new("calculator", "1.0.0")
        .tool::<add>()
        .tool::<who>();
    let service = mcp_sse::service(server).expect("the server is in order");
    let app = Router::new()
        .nest_service("/mcp", service)
        .layer(from_fn(login));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("there is a port");
    let address = listener.local_addr().expect("it is bound");
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}/mcp")
}

#[tokio::test]
async fn a_mounted_server_is_called_in_every_revision_that_http_has() {
    let url = serve().await;
    let agent = concat!("ann, mcp-sse/", env!("CARGO_PKG_VERSION"));
    let newest = mcp_sse::connect(&url).await.unwrap();
    assert_eq!(newest.server().version, ProtocolVersion::V2026_07_28);
    assert_eq!(newest.call(add::with(2, 3)).await.unwrap(), 5);
    assert_eq!(newest.call_tool("who", ()).await.unwrap().text(), agent);
    for version in [
        ProtocolVersion::V2025_03_26,
        ProtocolVersion::V2025_06_18,
        ProtocolVersion::V2025_11_25,
    ] {
        let client = Client::builder("older", "1").protocol(version);
        let client = Connect::new(&url).connect_as(client).await.unwrap();
        assert_eq!(client.server().version, version);
        assert_eq!(client.call(add::with(2, 3)).await.unwrap(), 5);
        assert_eq!(client.call_tool("who", ()).await.unwrap().text(), agent);
        client.close().await;
    }
}
