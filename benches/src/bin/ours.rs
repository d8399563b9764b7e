//! The bench's five tools on this SDK, and as many fillers as `MCP_TOOLS` asks for.

use std::time::Duration;

use mcp_core::{Context, Server, Tool, tool};

/// Echo the text back
#[tool]
fn echo(text: &str) -> String {
    text.to_owned()
}

/// Add two numbers
#[tool]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// Sleep for ms milliseconds
#[tool]
async fn sleep(ms: u64) -> &'static str {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    "slept"
}

/// Send n progress notifications
#[tool]
fn progress(cx: &Context, n: u32) -> &'static str {
    for step in 0..n {
        cx.progress(step, n);
    }
    "done"
}

/// Return a text of the given size
#[tool]
fn big(bytes: usize) -> String {
    "x".repeat(bytes)
}

/// Filler tool
#[tool]
fn filler(text: &str) -> String {
    text.to_owned()
}

fn main() -> Result<(), mcp_stdio::Error> {
    let count = std::env::var("MCP_TOOLS")
        .ok()
        .and_then(|count| count.parse().ok());
    mcp_stdio::run(bench(count.unwrap_or(5)))
}

fn bench(tools: usize) -> Server {
    let mut server = Server::new("bench", "1.0.0").tool::<echo>();
    if tools >= 5 {
        server = server
            .tool::<add>()
            .tool::<sleep>()
            .tool::<progress>()
            .tool::<big>();
    }
    for number in 5..tools {
        let mut one = filler::definition();
        one = one.with_name(format!("filler_{number:04}"));
        server = server.raw_tool(one);
    }
    server
}
