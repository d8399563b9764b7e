//! Our client against other people's servers, which are children of ours.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use mcp_core::Client;
use mcp_core::protocol::{
    CreateMessageResult, ElicitResult, Role, Root, SamplingContent, TextContent,
};
use mcp_stdio::{Command, Stderr};
use serde_json::json;

use crate::environment::Environment;

mod everything;
mod pypi;
mod reference;
mod sdks;

/// Long enough for any machine; only a test that hangs waits for it.
const PATIENCE: Duration = Duration::from_secs(120);

fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let done = runtime.block_on(async { tokio::time::timeout(PATIENCE, test).await });
    done.expect("it hangs");
}

/// A program of the package `@modelcontextprotocol/…`.
fn npm(environment: &Environment, package: &str) -> Command {
    let modules = environment
        .packages()
        .join("node_modules/@modelcontextprotocol");
    let program = modules.join(package).join("dist/index.js");
    Command::new(environment.node())
        .arg(program)
        .stderr(Stderr::Tail)
}

/// A client that can be asked anything.
fn client() -> mcp_core::ClientBuilder {
    Client::builder("interop", "1.0.0")
        .timeout(PATIENCE)
        .probe_timeout(PATIENCE)
        .on_elicitation(|_| async { ElicitResult::accept(json!({"name": "Ada"})) })
        .on_sampling(|_| async {
            let text = SamplingContent::Text(TextContent::new("the model's words"));
            CreateMessageResult::new(Role::Assistant, vec![text], "none")
        })
        .roots([Root::new("file:///tmp")])
}

async fn names(client: &Client) -> Vec<String> {
    let tools = client.list_all_tools().await.unwrap();
    tools.iter().map(|tool| tool.name.clone()).collect()
}

async fn text(client: &Client, tool: &str, arguments: serde_json::Value) -> String {
    let result = client.call_tool(tool, arguments).await.unwrap();
    assert_ne!(result.is_error, Some(true), "{}", result.text());
    result.text()
}

/// What a tool says that fails.
async fn failure(client: &Client, tool: &str, arguments: serde_json::Value) -> String {
    let result = client.call_tool(tool, arguments).await.unwrap();
    assert_eq!(result.is_error, Some(true), "{}", result.text());
    result.text()
}

/// What a tool says that reports its progress, and how far it said to be.
async fn counted(client: &Client, tool: &str, arguments: serde_json::Value) -> (String, Vec<f64>) {
    let seen = Mutex::new(Vec::new());
    let call = client.call_tool(tool, arguments).on_progress(|progress| {
        seen.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(progress.progress);
    });
    let text = call.await.unwrap().text();
    let seen = seen.into_inner().unwrap_or_else(PoisonError::into_inner);
    (text, seen)
}
