//! Completion of arguments and of variables in templates.

use std::future::ready;

use mcp_core::protocol::{Completion, ProtocolVersion};
use mcp_core::testing::Gate;
use mcp_core::{
    Completing, ErrorObject, Invocation, PromptDefinition, Reply, ResourceDefinition, Server,
    Shown, Step, data,
};
use serde_json::{Value, json};

use crate::talk::{Talk, cancel, error, modern, modern_result, request, result};

const V2025_11: ProtocolVersion = ProtocolVersion::V2025_11_25;

/// What a program is in.
#[data]
enum Language {
    Rust,
    Ruby,
    Go,
}

/// What to write.
#[data]
struct Wish {
    language: Language,
    framework: String,
    name: String,
    owner: String,
}

async fn frameworks(typed: Completing) -> Completion {
    let known: &[&str] = match typed.argument("language") {
        Some("Rust") => &["axum", "actix"],
        Some("Ruby") => &["rails"],
        _ => &[],
    };
    Completion::matching(&typed, known.iter().copied())
}

async fn owners(typed: Completing) -> Vec<String> {
    typed.lent::<Gate>().unwrap().wait().await;
    vec!["ann".to_owned()]
}

fn server() -> (Server, Gate) {
    let prompt = PromptDefinition::new("write", |_: Invocation| Step::Done(Reply::text("")))
        .with_arguments::<Wish>()
        .with_completer("framework", frameworks)
        .with_completer("owner", owners);
    let numbers = |typed: Completing| {
        ready(
            (0..250)
                .map(|n| format!("{}{n}", &*typed))
                .collect::<Vec<_>>(),
        )
    };
    let broken = |_: Completing| ready(Err::<Vec<String>, &str>("the index is broken"));
    let files = ResourceDefinition::new("file:///{dir}/{name}/{odd}", "file", |_: Invocation| {
        Step::Done(Reply::not_found())
    })
    .with_completer("name", numbers)
    .with_completer("odd", broken);
    let fixed = ResourceDefinition::new("file:///fixed", "fixed", |_: Invocation| {
        Step::Done(Reply::not_found())
    });
    let gate = Gate::new();
    let server = (Server::new("s", "1").lend(gate.clone()))
        .raw_prompt(prompt)
        .raw_resource(files)
        .raw_resource(fixed);
    (server, gate)
}

fn prompt(argument: &str, value: &str) -> String {
    format!(
        r#""ref":{{"type":"ref/prompt","name":"write"}},"argument":{{"name":"{argument}","value":"{value}"}}"#
    )
}

fn template(argument: &str) -> String {
    format!(
        r#""ref":{{"type":"ref/resource","uri":"file:///{{dir}}/{{name}}/{{odd}}"}},"argument":{{"name":"{argument}","value":"x"}}"#
    )
}

fn values(values: &Value) -> String {
    format!(r#""completion":{{"values":{values}}}"#)
}

/// S42, S66
#[test]
fn arguments_complete_as_they_were_told_to_and_choices_by_themselves() {
    for version in [V2025_11, ProtocolVersion::V2024_11_05] {
        let (server, _) = server();
        let mut talk = Talk::session(server, version);
        talk.say(request(1, "completion/complete", &prompt("language", "ru")))
            .hears(&[result(1, &values(&json!(["Rust", "Ruby"])))]);
    }
    let (server, _) = server();
    let mut talk = Talk::new(server);
    let context = format!(
        r#"{},"context":{{"arguments":{{"language":"Rust"}}}}"#,
        prompt("framework", "a")
    );
    talk.say(modern(2, "completion/complete", &context))
        .hears(&[modern_result(2, &values(&json!(["axum", "actix"])))]);
    // Nobody knows anything of these.
    for members in [
        prompt("name", "x"),
        template("dir"),
        template("dir").replace("file:///{dir}/{name}/{odd}", "file:///fixed"),
    ] {
        talk.say(modern(3, "completion/complete", &members))
            .hears(&[modern_result(3, &values(&json!([])))]);
    }
}

/// S66
#[test]
fn a_hundred_values_are_sent_and_the_rest_is_counted() {
    let (server, _) = server();
    let result = Talk::new(server)
        .say(modern(1, "completion/complete", &template("name")))
        .result();
    let completion = &result["completion"];
    assert_eq!(completion["values"].as_array().unwrap().len(), 100);
    assert_eq!(completion["values"][99], "x99");
    assert_eq!(
        (&completion["total"], &completion["hasMore"]),
        (&json!(250), &json!(true))
    );
}

/// S66
#[test]
fn what_can_not_be_completed_is_an_error() {
    let (server, _) = server();
    let mut talk = Talk::new(server);
    for (members, code, why) in [
        (
            prompt("nobody", ""),
            -32602,
            "there is no argument `nobody`",
        ),
        (
            prompt("name", "").replace("write", "read"),
            -32602,
            "there is no prompt `read`",
        ),
        (
            template("name").replace("file:///{dir}", "x:///{dir}"),
            -32602,
            "there is no resource template `x:///{dir}/{name}/{odd}`",
        ),
        (template("odd"), -32603, "the index is broken"),
        (
            prompt("name", "").replace("ref/prompt", "ref/tool"),
            -32602,
            "`ref` must be of type ref/prompt or ref/resource",
        ),
        (
            r#""ref":{"type":"ref/prompt","name":"write"}"#.to_owned(),
            -32602,
            "`argument` is missing",
        ),
        (r#""argument":{}"#.to_owned(), -32602, "`ref` is missing"),
        (
            r#""ref":[],"argument":{}"#.to_owned(),
            -32602,
            "`ref` must name a prompt or a resource template",
        ),
        (
            prompt("name", "").replace(r#""value":"""#, r#""value":5"#),
            -32602,
            "`argument` must hold `name` and `value`, strings",
        ),
        (
            format!(r#"{},"context":[]"#, prompt("name", "")),
            -32602,
            "`context` must hold `arguments`, strings by name",
        ),
    ] {
        talk.say(modern(1, "completion/complete", &members))
            .hears(&[error(1, code, why)]);
    }
    let mut bare = Talk::new(Server::new("s", "1").expect_prompts());
    bare.say(modern(1, "completion/complete", &prompt("name", "")))
        .hears(&[error(1, -32601, "no such method")]);
}

/// S42
#[test]
fn completion_is_declared_where_the_revision_has_the_capability() {
    for (version, declared) in [
        (ProtocolVersion::V2024_11_05, false),
        (ProtocolVersion::V2025_03_26, true),
        (V2025_11, true),
    ] {
        let (server, _) = server();
        let mut talk = Talk::new(server);
        talk.say(crate::talk::initialize("i", version.as_str()));
        let capabilities = &talk.result()["capabilities"];
        assert_eq!(
            capabilities.get("completions").is_some(),
            declared,
            "{version}"
        );
    }
}

#[test]
fn a_completion_that_waits_can_be_cancelled() {
    let (server, gate) = server();
    let mut talk = Talk::session(server, V2025_11);
    talk.say(request(1, "completion/complete", &prompt("owner", "")))
        .is_silent();
    assert_eq!(gate.waiting(), 1);
    talk.say(cancel(1)).is_silent();
    assert_eq!(gate.waiting(), 0);
    talk.say(request(2, "completion/complete", &prompt("owner", "")));
    gate.open();
    talk.pair.run();
    talk.hears(&[result(2, &values(&json!(["ann"])))]);
}

#[test]
fn a_completer_that_panics_is_an_error_of_its_request() {
    let panics = |_: Completing| -> std::future::Ready<Result<Vec<String>, ErrorObject>> {
        panic!("hunter2")
    };
    let prompt_of = PromptDefinition::new("write", |_: Invocation| Step::Done(Reply::text("")))
        .with_arguments::<Wish>()
        .with_completer("name", panics);
    let mut talk = Talk::new(Server::new("s", "1").raw_prompt(prompt_of));
    talk.say(modern(1, "completion/complete", &prompt("name", "")))
        .hears(&[error(1, -32603, "the completion failed")]);
}

#[test]
fn a_completion_does_not_tell_of_a_resource_that_is_hidden() {
    let resource =
        |uri| ResourceDefinition::new(uri, "r", |call: Invocation| Step::Done(call.contents("r")));
    let family = resource("x:///f/{id}").with_completer("id", |_| ready(["1"]));
    let server = Server::new("s", "1")
        .raw_resource(resource("x:///hidden"))
        .raw_resource(family)
        .show_if(|what, _| what != Shown::Resource("x:///hidden"));
    let mut talk = Talk::new(server);
    let said = |talk: &mut Talk, uri: &str| {
        let members = format!(
            r#""ref":{{"type":"ref/resource","uri":"{uri}"}},"argument":{{"name":"id","value":""}}"#
        );
        talk.say(modern(1, "completion/complete", &members));
        talk.heard().remove(0).replace(uri, "")
    };
    let absent = said(&mut talk, "x:///absent");
    assert_eq!(said(&mut talk, "x:///hidden"), absent);
}

#[test]
fn a_reference_is_an_object() {
    for reference in [
        r#"["ref/resource","x:///{id}"]"#,
        r#"["ref/resource",{"uri":"x:///{id}"}]"#,
        "1",
        "null",
        "{}",
    ] {
        let read = |call: Invocation| Step::Done(call.contents("r"));
        let family =
            ResourceDefinition::new("x:///{id}", "r", read).with_completer("id", |_| ready(["1"]));
        let server = Server::new("s", "1").raw_resource(family);
        let members = format!(r#""ref":{reference},"argument":{{"name":"id","value":""}}"#);
        let mut talk = Talk::new(server);
        talk.say(modern(1, "completion/complete", &members));
        let heard = talk.heard();
        assert!(heard[0].contains("-32602"), "{reference}: {heard:?}");
    }
}
