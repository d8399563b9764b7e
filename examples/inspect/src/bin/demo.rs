//! A server with one of each, to try `inspect` on.

use mcp_core::{Context, Server, prompt, resource, tool};

/// Adds two integers.
#[tool(read_only)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Counts, and says how far it is.
#[tool]
fn count(cx: &Context, to: u32) -> String {
    for step in 1..=to {
        cx.progress(step, to);
    }
    format!("counted to {to}")
}

/// Fails.
#[tool]
fn fail() -> Result<String, String> {
    Err("that did not work".to_owned())
}

/// Greets somebody.
#[prompt]
fn greeting(name: String) -> String {
    format!("Say hello to {name}.")
}

/// A note.
#[resource("note://{name}")]
fn note(name: String) -> String {
    format!("This is the note {name}.")
}

fn main() -> Result<(), mcp_stdio::Error> {
    let server = Server::new("demo", "1.0.0")
        .tool::<add>()
        .tool::<count>()
        .tool::<fail>();
    mcp_stdio::run(server.prompt::<greeting>().resource::<note>())
}
