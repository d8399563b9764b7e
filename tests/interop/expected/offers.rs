//! What is there beside tools: resources, prompts, how their arguments go on, and how all of it changes.

use serde_json::{Value, json};

use super::tools::{PNG, TOOLS};
use super::{Client, Expected, Revision, error, exactly, image, resource, text};

const WATCHED: &str = "test://watched-resource";

pub(super) fn resources(client: &Client) -> Vec<Expected> {
    let not_found = if client.revision == Revision::V2026_07_28 || client.renames_not_found {
        -32602
    } else {
        -32002
    };
    let missing = json!({ "uri": "test://no-such-resource" });
    let missing =
        json!({ "error": { "code": not_found, "message": "resource not found", "data": missing } });
    let read = |name, contents: Value| exactly(name, json!({ "contents": [contents] }));
    vec![
        exactly(
            "resources",
            json!({ "resources": resource_list(client.revision) }),
        ),
        exactly("templates", json!({ "resourceTemplates": [template()] })),
        read("read text", static_text()),
        read(
            "read bytes",
            json!({ "uri": "test://static-binary", "mimeType": "image/png", "blob": PNG }),
        ),
        read("read a member", member()),
        exactly("read nothing", missing),
        exactly("watch", watch(client)),
    ]
}

fn resource_list(revision: Revision) -> Value {
    let mut pixel = json!({
        "uri": "test://static-binary",
        "name": "static-binary",
        "description": "Bytes that stay the same.",
        "mimeType": "image/png",
        "size": 70,
    });
    if revision >= Revision::V2025_06_18 {
        pixel["title"] = json!("A pixel");
    }
    let static_text = json!({
        "uri": "test://static-text",
        "name": "static-text",
        "description": "Text that stays the same.",
        "mimeType": "text/plain",
    });
    let watched = json!({
        "uri": WATCHED,
        "name": "watched",
        "description": "Changes when it is told to.",
        "mimeType": "text/plain",
    });
    let asks = json!({
        "uri": "test://input-required",
        "name": "input-required",
        "description": "Asks before it can be read.",
        "mimeType": "text/plain",
    });
    json!([static_text, pixel, asks, watched])
}

fn template() -> Value {
    json!({
        "uriTemplate": "test://template/{id}/data",
        "name": "template",
        "description": "Whatever one asks for.",
        "mimeType": "application/json",
    })
}

fn static_text() -> Value {
    json!({
        "uri": "test://static-text",
        "mimeType": "text/plain",
        "text": "This is the content of the static text resource.",
    })
}

/// The URI is the one that was asked for, the variable what it stands for.
fn member() -> Value {
    json!({
        "uri": "test://template/a%20b/data",
        "mimeType": "application/json",
        "text": r#"{"id":"a b","templateTest":true,"data":"Data for ID: a b"}"#,
    })
}

fn watch(client: &Client) -> Value {
    let updated = if client.cannot_listen {
        json!([])
    } else {
        json!([["notifications/resources/updated", WATCHED]])
    };
    let contents = json!({ "uri": WATCHED, "mimeType": "text/plain", "text": "Updated 1 times." });
    json!({ "updated": updated, "contents": [contents], "unwatched": [] })
}

/// What a prompt lacks, which is said in the same words in every revision.
const NO_ARGUMENT: &str = "Invalid arguments for this prompt:
- /arg2: missing, expected string";

pub(super) fn prompts(revision: Revision) -> Vec<Expected> {
    let says = |name, contents: Vec<Value>| {
        let messages: Vec<_> = (contents.into_iter())
            .map(|content| json!({ "role": "user", "content": content }))
            .collect();
        exactly(name, json!({ "messages": messages }))
    };
    let embedded = resource(
        "test://static-text",
        "text/plain",
        "Embedded resource content for testing.",
    );
    let missing = json!({
        "pointer": "/arg2",
        "message": "missing, expected string",
        "expected": "string",
    });
    let without_arguments = json!({ "error": {
        "code": -32602,
        "message": NO_ARGUMENT,
        "data": { "errors": [missing] },
    } });
    let mut steps = vec![
        exactly("prompts", json!({ "prompts": prompt_list() })),
        says("prompt", vec![text("This is a simple prompt for testing.")]),
        says(
            "prompt with arguments",
            vec![text(
                r#"Prompt with arguments: arg1='one', arg2='two "quoted"'"#,
            )],
        ),
        says(
            "prompt with resource",
            vec![
                embedded,
                text("Please process the embedded resource above."),
            ],
        ),
        says(
            "prompt with image",
            vec![image(), text("Please analyze the image above.")],
        ),
        exactly("prompt without arguments", without_arguments),
        exactly(
            "unknown prompt",
            error(-32602, "there is no prompt `no_such_prompt`"),
        ),
    ];
    steps.extend(completions(revision));
    steps
}

fn prompt_list() -> Value {
    let argument = |name: &str, description: &str| json!({ "name": name, "description": description, "required": true });
    let prompt =
        |name: &str, description: &str| json!({ "name": name, "description": description });
    let mut with_arguments = prompt("test_prompt_with_arguments", "Says what it is given.");
    with_arguments["arguments"] = json!([
        argument("arg1", "The first argument."),
        argument("arg2", "The second argument."),
    ]);
    let mut with_resource = prompt(
        "test_prompt_with_embedded_resource",
        "Says something about a resource.",
    );
    with_resource["arguments"] = json!([argument("resourceUri", "What to embed.")]);
    json!([
        prompt("test_simple_prompt", "Says one thing."),
        with_arguments,
        with_resource,
        prompt("test_prompt_with_image", "Says something about an image."),
        prompt(
            "test_input_required_result_prompt",
            "Asks before it says anything."
        ),
    ])
}

fn completions(revision: Revision) -> Vec<Expected> {
    let completes =
        |name, values: Value| exactly(name, json!({ "completion": { "values": values } }));
    let mut steps = vec![completes("complete", json!(["testing", "test"]))];
    // Before, a completer does not hear of the other arguments; the clients do not tell it.
    if revision >= Revision::V2025_06_18 {
        steps.push(completes("complete by another", json!(["tea and sugar"])));
    }
    steps.extend([
        completes("complete a template", json!(["123", "124"])),
        exactly(
            "complete nothing",
            error(-32602, "there is no argument `no_such_argument`"),
        ),
    ]);
    steps
}

/// Each list has one entry more than before, in its place.
pub(super) fn changes(client: &Client) -> Vec<Expected> {
    let told = |list: &str| {
        if client.cannot_listen {
            json!([])
        } else {
            json!([format!("notifications/{list}/list_changed")])
        }
    };
    let tools = json!({
        "changes": told("tools"),
        "last tool": "test_late_tool",
        "tools": TOOLS.len() + 1,
    });
    let uris = json!([
        "test://static-text",
        "test://static-binary",
        "test://input-required",
        WATCHED,
        "test://late-resource",
    ]);
    let names = json!([
        "test_simple_prompt",
        "test_prompt_with_arguments",
        "test_prompt_with_embedded_resource",
        "test_prompt_with_image",
        "test_input_required_result_prompt",
        "test_late_prompt",
    ]);
    vec![
        exactly("change", tools),
        exactly(
            "resource change",
            json!({ "changes": told("resources"), "uris": uris }),
        ),
        exactly(
            "prompt change",
            json!({ "changes": told("prompts"), "names": names }),
        ),
    ]
}
