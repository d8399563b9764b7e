//! Our client against other people's servers, which are children of ours.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use mcp_core::client::ClientError;
use mcp_core::protocol::{
    CreateMessageResult, ElicitResult, Role, Root, SamplingContent, SubscriptionFilter, TextContent,
};
use mcp_core::{Client, ErrorCode};
use mcp_stdio::{Command, Stderr};
use serde_json::{Value, json};

use crate::environment::{self, Environment};

mod everything;
mod fastmcp;
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
    Command::new(environment.node())
        .arg(environment.reference(package))
        .stderr(Stderr::Tail)
}

/// One of our own server programs.
fn scripted(interpreter: PathBuf, name: &str) -> Command {
    Command::new(interpreter)
        .arg(environment::server(name))
        .stderr(Stderr::Tail)
}

/// The newest revision, and the newest of those in which a server asks by itself.
const ERAS: [&str; 2] = ["2026-07-28", "2025-11-25"];

/// A connection in one of the [`ERAS`].
async fn client_of(command: Command, revision: &str) -> Client {
    let ours = if revision == ERAS[0] {
        client()
    } else {
        client().without_probe()
    };
    let client = command.connect_as(ours).await.unwrap();
    assert_eq!(client.server().version.as_str(), revision);
    client
}

/// A client that can be asked anything.
fn client() -> mcp_core::ClientBuilder {
    Client::builder("interop", "1.0.0")
        .timeout(PATIENCE)
        .probe_timeout(PATIENCE)
        .on_elicitation(|_| async { ElicitResult::accept(json!({"name": "Ada"})) })
        .on_sampling(|asked| async move {
            let [SamplingContent::Text(question)] = &*asked.messages[0].content else {
                panic!("{asked:?}");
            };
            let words = format!("words on: {}", question.text);
            let words = SamplingContent::Text(TextContent::new(words));
            CreateMessageResult::new(Role::Assistant, vec![words], "none")
        })
        .roots([Root::new("file:///tmp")])
}

async fn names(client: &Client) -> Vec<String> {
    let tools = client.list_all_tools().await.unwrap();
    tools.iter().map(|tool| tool.name.clone()).collect()
}

async fn text(client: &Client, tool: &str, arguments: Value) -> String {
    let result = client.call_tool(tool, arguments).await.unwrap();
    assert_ne!(result.is_error, Some(true), "{}", result.text());
    result.text()
}

/// What a tool says that fails.
async fn failure(client: &Client, tool: &str, arguments: Value) -> String {
    let result = client.call_tool(tool, arguments).await.unwrap();
    assert_eq!(result.is_error, Some(true), "{}", result.text());
    result.text()
}

/// What a tool says that reports its progress, and how far it said to be.
async fn counted(client: &Client, tool: &str, arguments: Value) -> (String, Vec<f64>) {
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

/// Gives up a call that would never end, as soon as it has told of its progress.
async fn give_up(client: &Client, tool: &str, arguments: Value) {
    let (started, is_started) = tokio::sync::oneshot::channel();
    let mut started = Some(started);
    let call = client.call_tool(tool, arguments).on_progress(move |_| {
        if let Some(started) = started.take() {
            started.send(()).unwrap();
        }
    });
    tokio::select! {
        result = call => panic!("it ends: {result:?}"),
        started = is_started => started.unwrap(),
    }
}

fn assert_refused(error: &ClientError, code: ErrorCode, message: &str) {
    let error = error.error_object().unwrap();
    assert_eq!((error.code, &*error.message), (code, message));
}

/// Wants to be told when the tools change.
fn tools() -> SubscriptionFilter {
    SubscriptionFilter::default().with_tools_list_changed(true)
}
