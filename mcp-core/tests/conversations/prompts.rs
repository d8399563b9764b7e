//! Prompts: listed, and asked for with arguments.

use mcp_core::protocol::{
    AudioContent, ContentBlock, EmbeddedResource, GetPromptResult, ImageContent, PromptMessage,
    ProtocolVersion, ResourceContents,
};
use mcp_core::{
    BuildError, ErrorCode, ErrorObject, Invocation, PromptDefinition, Reply, Server, Step, data,
};
use serde_json::json;

use crate::talk::{Talk, error, modern, modern_result, request, result};

const V2025_11: ProtocolVersion = ProtocolVersion::V2025_11_25;

/// What a review wants to know.
#[data]
struct Review {
    /// The code to review.
    code: String,
    /// How many lines of it.
    #[serde(default)]
    lines: Option<u32>,
    /// What to look at.
    #[serde(default)]
    focus: Focus,
}

/// A point of view.
#[data]
#[derive(Clone, Copy, Default, PartialEq)]
enum Focus {
    #[default]
    Style,
    Safety,
}

fn review() -> PromptDefinition {
    PromptDefinition::new("review", |call: Invocation| {
        Step::now(&call, |call| {
            let review: Review = call.arguments()?;
            let what = match review.focus {
                Focus::Style => "style",
                Focus::Safety => "safety",
            };
            let text = format!(
                "Review {:?} lines for {what}: {}",
                review.lines, review.code
            );
            Ok(Reply::from_messages(vec![PromptMessage::user(
                ContentBlock::text(text),
            )]))
        })
    })
    .with_arguments::<Review>()
    .with_description("Reviews code.")
    .with_title("Review")
}

fn server() -> Server {
    let hello = PromptDefinition::new("hello", |_: Invocation| {
        let result = GetPromptResult::new(vec![
            PromptMessage::user(ContentBlock::text("Hi")),
            PromptMessage::assistant(ContentBlock::text("Hello")),
        ]);
        Step::Done(mcp_core::IntoMessages::into_messages(
            result.with_description("A greeting"),
        ))
    });
    Server::new("s", "1").raw_prompt(review()).raw_prompt(hello)
}

fn get(name: &str, arguments: &str) -> String {
    format!(r#""name":"{name}","arguments":{arguments}"#)
}

fn says(text: &str) -> String {
    let text = json!(text);
    format!(r#""messages":[{{"role":"user","content":{{"type":"text","text":{text}}}}}]"#)
}

/// S40, S42
#[test]
fn prompts_are_listed_with_their_arguments() {
    let arguments = r#""arguments":[{"name":"code","description":"The code to review.","required":true},{"name":"lines","description":"How many lines of it."},{"name":"focus","description":"What to look at."}]"#;
    let list = format!(
        r#""prompts":[{{"name":"review","title":"Review","description":"Reviews code.",{arguments}}},{{"name":"hello"}}]"#
    );
    let mut talk = Talk::session(server(), V2025_11);
    talk.say(request(1, "prompts/list", ""))
        .hears(&[result(1, &list)]);
    let mut talk = Talk::new(server());
    talk.say(modern(1, "prompts/list", ""))
        .hears(&[modern_result(
            1,
            &format!(r#"{list},"ttlMs":0,"cacheScope":"private""#),
        )]);
    let mut talk = Talk::session(server(), ProtocolVersion::V2024_11_05);
    talk.say(request(1, "prompts/list", ""))
        .hears(&[result(1, &list.replace(r#""title":"Review","#, ""))]);
    let result = Talk::new(server())
        .say(modern(1, "server/discover", ""))
        .result();
    assert_eq!(
        result["capabilities"]["prompts"],
        json!({"listChanged": true})
    );
}

#[test]
fn a_prompt_says_what_its_arguments_make_of_it() {
    let mut talk = Talk::session(server(), V2025_11);
    talk.say(request(
        1,
        "prompts/get",
        &get("review", r#"{"code":"x","lines":"3","focus":"Safety"}"#),
    ))
    .hears(&[result(1, &says("Review Some(3) lines for safety: x"))]);
    // Text is text, whatever it looks like.
    let odd = r#"{"code":"{{lines}} ${x} %s {\"a\":1} 5"}"#;
    talk.say(request(2, "prompts/get", &get("review", odd)))
        .hears(&[result(
            2,
            &says(r#"Review None lines for style: {{lines}} ${x} %s {"a":1} 5"#),
        )]);
    talk.say(request(3, "prompts/get", r#""name":"hello""#)).hears(&[result(
        3,
        r#""description":"A greeting","messages":[{"role":"user","content":{"type":"text","text":"Hi"}},{"role":"assistant","content":{"type":"text","text":"Hello"}}]"#,
    )]);
}

/// S64
#[test]
fn what_is_wrong_with_the_arguments_is_an_error_in_every_revision() {
    for version in [V2025_11, ProtocolVersion::V2025_03_26] {
        let mut talk = Talk::session(server(), version);
        for arguments in [
            "{}",
            r#"{"code":"x","lines":"many"}"#,
            r#"{"code":"x","more":"y"}"#,
        ] {
            talk.say(request(1, "prompts/get", &get("review", arguments)));
            let heard = talk.heard();
            assert!(heard[0].contains(r#""code":-32602"#), "{heard:?}");
        }
        talk.say(request(1, "prompts/get", &get("nobody", "{}")))
            .hears(&[error(1, -32602, "there is no prompt `nobody`")]);
        talk.say(request(
            1,
            "prompts/get",
            r#""name":"review","arguments":[]"#,
        ))
        .hears(&[error(1, -32602, "`arguments` must be an object")]);
        talk.say(request(1, "prompts/get", r#""arguments":{}"#))
            .hears(&[error(1, -32602, "`name` is missing")]);
    }
}

/// S64
#[test]
fn a_prompt_by_hand_is_not_asked_with_other_arguments_than_it_declares() {
    let repeat = PromptDefinition::new("repeat", |call: Invocation| {
        let text = PromptMessage::user(ContentBlock::text(call.raw_arguments()));
        Step::Done(Reply::from_messages(vec![text]))
    });
    let server = || {
        let review = repeat.clone().with_arguments::<Review>();
        Server::new("s", "1").raw_prompt(review)
    };
    let refused = [
        ("{}", "code"),
        (r#"{"lines":"3"}"#, "code"),
        (r#"{"code":"x","more":"y"}"#, "more"),
        (r#"{"code":5}"#, "`code` must be a string"),
        (r#"{"code":"x","lines":3}"#, "`lines` must be a string"),
        (r#"{"code":"x","focus":null}"#, "`focus` must be a string"),
        (r#"{"code":"x","lines":"many"}"#, "lines"),
    ];
    let mut old = Talk::session(server(), V2025_11);
    let mut new = Talk::new(server());
    for (arguments, why) in refused {
        let members = get("repeat", arguments);
        old.say(request(1, "prompts/get", &members));
        new.say(modern(1, "prompts/get", &members));
        for heard in [old.heard(), new.heard()] {
            let refusal = heard[0].contains(r#""code":-32602"#) && heard[0].contains(why);
            assert!(refusal, "{arguments}: {heard:?}");
        }
    }
    // What is declared comes as it was sent.
    let fine = r#"{"code":"x","lines":"3"}"#;
    (old.say(request(2, "prompts/get", &get("repeat", fine)))).hears(&[result(2, &says(fine))]);
    let mut none = Talk::session(Server::new("s", "1").raw_prompt(repeat), V2025_11);
    none.say(request(1, "prompts/get", &get("repeat", r#"{"x":"y"}"#)));
    assert!(none.heard()[0].contains(r#""code":-32602"#));
    (none.say(request(2, "prompts/get", r#""name":"repeat""#))).hears(&[result(2, &says("{}"))]);
}

/// S64
#[test]
fn what_a_prompt_fails_with_is_an_internal_error() {
    let failing = PromptDefinition::new("failing", |_: Invocation| {
        let failed: Result<String, &str> = Err("the shelf is empty");
        Step::Done(mcp_core::IntoMessages::into_messages(failed))
    });
    let coded = PromptDefinition::new("coded", |_: Invocation| {
        let error = ErrorObject::new(ErrorCode::new(7), "seven");
        let failed: Result<String, ErrorObject> = Err(error);
        Step::Done(mcp_core::IntoMessages::into_messages(failed))
    });
    let panicking = PromptDefinition::new("panicking", |_: Invocation| panic!("hunter2"));
    let confused = PromptDefinition::new("confused", |_: Invocation| Step::Done(Reply::text("x")));
    let server = (server().raw_prompt(failing).raw_prompt(coded))
        .raw_prompt(panicking)
        .raw_prompt(confused);
    let mut talk = Talk::new(server);
    for (name, code, why) in [
        ("failing", -32603, "the shelf is empty"),
        ("coded", 7, "seven"),
        ("panicking", -32603, "the prompt failed"),
        ("confused", -32603, "the prompt failed"),
    ] {
        talk.say(modern(1, "prompts/get", &get(name, "{}")))
            .hears(&[error(1, code, why)]);
    }
}

/// S65
#[test]
fn messages_hold_every_kind_of_content_that_the_revision_knows() {
    let gallery = PromptDefinition::new("gallery", |_: Invocation| {
        Step::Done(Reply::from_messages(vec![
            PromptMessage::user(ContentBlock::Image(ImageContent::new("AA==", "image/png"))),
            PromptMessage::user(ContentBlock::Audio(AudioContent::new("AA==", "audio/wav"))),
            PromptMessage::user(ContentBlock::Resource(EmbeddedResource::new(
                ResourceContents::text("x://a", "a").with_mime_type("text/plain"),
            ))),
        ]))
    });
    let image =
        r#"{"role":"user","content":{"type":"image","data":"AA==","mimeType":"image/png"}}"#;
    let audio =
        r#"{"role":"user","content":{"type":"audio","data":"AA==","mimeType":"audio/wav"}}"#;
    let resource = r#"{"role":"user","content":{"type":"resource","resource":{"uri":"x://a","text":"a","mimeType":"text/plain"}}}"#;
    let server = || Server::new("s", "1").raw_prompt(gallery.clone());
    let mut talk = Talk::session(server(), V2025_11);
    talk.say(request(1, "prompts/get", &get("gallery", "{}")))
        .hears(&[result(
            1,
            &format!(r#""messages":[{image},{audio},{resource}]"#),
        )]);
    let mut talk = Talk::session(server(), ProtocolVersion::V2024_11_05);
    let heard = talk
        .say(request(1, "prompts/get", &get("gallery", "{}")))
        .result();
    assert_eq!(heard["messages"][1]["content"]["type"], "text");
}

#[test]
fn a_server_without_prompts_has_none_of_their_methods() {
    let mut talk = Talk::new(Server::new("s", "1"));
    for method in ["prompts/list", "prompts/get"] {
        talk.say(modern(1, method, &get("x", "{}")))
            .hears(&[error(1, -32601, "no such method")]);
    }
    let twice = server().raw_prompt(review()).build();
    assert_eq!(
        twice.unwrap_err(),
        BuildError::PromptTwice("review".to_owned())
    );
    let named = Server::new("s", "1")
        .raw_prompt(review().with_name("a b"))
        .build();
    assert!(matches!(named, Err(BuildError::Name(_))));
}
