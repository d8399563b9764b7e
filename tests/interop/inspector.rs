//! The Inspector's command line, which starts the server anew for each request.

use std::process::Command;

use serde_json::{Value, json};

use crate::client::{Ran, Server};
use crate::environment::Environment;
use crate::expected::{Client, PNG, Revision, TOOLS, answer_to, conversation};

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
    // Errors are JSON, too, but on the other side.
    let said = if ran.stdout.trim().is_empty() {
        &ran.stderr
    } else {
        &ran.stdout
    };
    let mut answer: Value = serde_json::from_str(said).unwrap_or_else(|error| {
        panic!("{error}; stdout:\n{}\nstderr:\n{}", ran.stdout, ran.stderr)
    });
    // The modern era signs each result and says how long it may be kept; the other clients see that it is right.
    if let Some(result) = answer["result"].as_object_mut() {
        result.retain(|member, _| !matches!(member.as_str(), "_meta" | "ttlMs" | "cacheScope"));
    }
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
    let (ran, answer) = inspect(environment, era, tool, &request);
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

/// What the other clients are shown too, by the names of the steps.
const OFFERS: &[(&str, &[&str])] = &[
    ("resources", &["--method", "resources/list"]),
    ("templates", &["--method", "resources/templates/list"]),
    ("read text", &["--uri", "test://static-text"]),
    ("read bytes", &["--uri", "test://static-binary"]),
    ("read a member", &["--uri", "test://template/a%20b/data"]),
    ("prompts", &["--method", "prompts/list"]),
    ("prompt", &["--prompt-name", "test_simple_prompt"]),
    (
        "prompt with resource",
        &[
            "--prompt-args",
            "resourceUri=test://static-text",
            "--prompt-name",
            "test_prompt_with_embedded_resource",
        ],
    ),
    (
        "prompt with image",
        &["--prompt-name", "test_prompt_with_image"],
    ),
];

/// A request by its arguments, the method of which need not be written where they tell.
fn request<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let method = if arguments.contains(&"--uri") {
        "resources/read"
    } else if arguments.contains(&"--prompt-name") {
        "prompts/get"
    } else {
        return arguments.to_vec();
    };
    [arguments, &["--method", method]].concat()
}

fn walk_offers(era: &str, revision: Revision) {
    let Some(environment) = Environment::find() else {
        return;
    };
    let steps = conversation(&Client::new(revision));
    for (at, (name, arguments)) in OFFERS.iter().enumerate() {
        let (ran, answer) = inspect(
            &environment,
            era,
            &format!("offer-{at}"),
            &request(arguments),
        );
        assert!(ran.status.success(), "{name}: {}", ran.stderr);
        assert_eq!(answer["result"], answer_to(&steps, name), "{name}");
    }

    let mistakes: [(&[&str], &str); 3] = [
        (&["--uri", "test://no-such-resource"], "resource not found"),
        (
            &[
                "--prompt-args",
                "arg1=one",
                "--prompt-name",
                "test_prompt_with_arguments",
            ],
            "Invalid arguments for this prompt:\n- /arg2: missing, expected string",
        ),
        (
            &["--prompt-name", "no_such_prompt"],
            "there is no prompt `no_such_prompt`",
        ),
    ];
    for (at, (arguments, message)) in mistakes.iter().enumerate() {
        let name = format!("mistake-{at}");
        let (ran, answer) = inspect(&environment, era, &name, &request(arguments));
        assert!(!ran.status.success(), "{arguments:?}");
        assert_eq!(answer["error"]["message"], *message);
    }
}

#[test]
fn the_inspector_reads_and_prompts_in_the_legacy_era() {
    walk_offers("legacy", Revision::V2025_11_25);
}

#[test]
fn the_inspector_reads_and_prompts_in_the_modern_era() {
    walk_offers("modern", Revision::V2026_07_28);
}

#[test]
fn the_inspector_lists_and_calls_in_the_legacy_era() {
    walk("legacy");
}

#[test]
fn the_inspector_lists_and_calls_in_the_modern_era() {
    walk("modern");
}
