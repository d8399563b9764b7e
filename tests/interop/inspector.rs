//! The Inspector's command line, which starts the server anew for each request.

use std::process::Command;

use serde_json::{Value, json};

use crate::client::{Ran, Server};
use crate::environment::Environment;
use crate::expected::{PNG, TOOLS};

/// What the Inspector exits with when a tool has answered with an error.
const TOOL_ERROR: i32 = 5;

fn inspect(environment: &Environment, era: &str, name: &str, request: &[&str]) -> (Ran, Value) {
    let mut program = Command::new(environment.node());
    program
        .env("HOME", environment.home())
        .env("MCP_AUTO_OPEN_ENABLED", "false")
        .arg(environment.inspector())
        .args([
            "--cli",
            "--format",
            "json",
            "--quiet",
            "--protocol-era",
            era,
        ])
        .args(request);
    let server = Server::new(environment, &format!("inspector-{era}-{name}"));
    server.append_to(&mut program);
    let ran = server.run(&mut program);
    let answer = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| {
        panic!("{error}; stdout:\n{}\nstderr:\n{}", ran.stdout, ran.stderr)
    });
    ran.assert_server_ended_well();
    (ran, answer)
}

fn call(
    environment: &Environment,
    era: &str,
    tool: &str,
    arguments: &Value,
) -> (Option<i32>, Value) {
    let arguments = arguments.to_string();
    let request = [
        "--method",
        "tools/call",
        "--tool-name",
        tool,
        "--tool-args-json",
        &arguments,
    ];
    let (ran, mut answer) = inspect(environment, era, tool, &request);
    // The modern era signs each result; that the name is right is seen by the other clients.
    if let Some(result) = answer["result"].as_object_mut() {
        result.remove("_meta");
    }
    (ran.status.code(), answer)
}

fn walk(era: &str) {
    let Some(environment) = Environment::find() else {
        return;
    };
    let (ran, listed) = inspect(&environment, era, "list", &["--method", "tools/list"]);
    assert!(ran.status.success(), "{}", ran.stderr);
    let names: Vec<_> = listed["result"]["tools"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(names, TOOLS.iter().copied().map(Some).collect::<Vec<_>>());

    let structured = json!({ "result": {
        "content": [{ "type": "text", "text": r#"{"total":5}"# }],
        "structuredContent": { "total": 5 },
    } });
    assert_eq!(
        call(&environment, era, "add", &json!({ "a": 2, "b": 3 })),
        (Some(0), structured)
    );

    let image = json!({ "result": {
        "content": [{ "type": "image", "data": PNG, "mimeType": "image/png" }],
    } });
    assert_eq!(
        call(&environment, era, "test_image_content", &json!({})),
        (Some(0), image)
    );

    let error = json!({ "result": {
        "content": [{ "type": "text", "text": "This tool intentionally returns an error for testing" }],
        "isError": true,
    } });
    assert_eq!(
        call(&environment, era, "test_error_handling", &json!({})),
        (Some(TOOL_ERROR), error)
    );
}

#[test]
fn the_inspector_lists_and_calls_in_the_legacy_era() {
    walk("legacy");
}

#[test]
fn the_inspector_lists_and_calls_in_the_modern_era() {
    walk("modern");
}
