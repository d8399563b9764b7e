//! The server that test suites and other people's clients are pointed at: over stdio, or by HTTP with an address as the
//! only argument, such as `127.0.0.1:8001`.
//!
//! It has the fixtures of the official conformance suite, which prescribes their names and answers, and a few that the
//! interop tests need: `echo`, `add`, `slow`, `test_cancelled_calls`, `test_elicitation_url`, `test://input-required`,
//! and what comes and goes in `changes`.

mod asking;
mod calls;
mod changes;
mod prompts;
mod reports;
mod resources;
mod rounds;
mod tools;

use std::sync::Arc;

use mcp_core::Server;

use calls::Calls;
use changes::Changes;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = Server::new("conformance", "0.1.0");
    let live = server.live();
    let changes = Arc::new(Changes::new(live));
    let server = tools::add_contents(server);
    let server = reports::add(server);
    let server = server.tools(Arc::clone(&changes));
    let server = tools::add_arguments(server)?;
    let server = server.tools(Calls::default());
    let server = asking::add(server);
    let server = rounds::add(server);
    let server = resources::add(server);
    let server = prompts::add(server);
    let server = changes::add(server, &changes);
    match std::env::args().nth(1) {
        None => mcp_stdio::run(server)?,
        Some(address) => serve_http(server, &address)?,
    }
    Ok(())
}

#[tokio::main]
#[expect(
    clippy::print_stdout,
    reason = "whoever asked for any free port wants to know which"
)]
async fn serve_http(server: Server, address: &str) -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("http://{}/mcp", listener.local_addr()?);
    mcp_sse::service(server)?
        .serve(listener, std::future::pending())
        .await;
    Ok(())
}
