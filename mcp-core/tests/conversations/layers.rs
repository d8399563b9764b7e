//! Layers around calls.

use std::sync::{Arc, Mutex};

use mcp_core::protocol::{ProtocolVersion, RawJson};
use mcp_core::testing::Gate;
use mcp_core::{ErrorCode, ErrorObject, Json, Layer, LayerCall, LayerReply, Next, Server, tool};

use crate::talk::{
    Talk, call, cancel, error, failure, modern_call, modern_failure, modern_result, modern_text,
    result, text,
};
use crate::tools::{add, panic_now, server};

type Journal = Arc<Mutex<Vec<String>>>;

/// Writes down what passes in either direction.
struct Traced(&'static str, Journal);

impl Layer for Traced {
    async fn call(&self, call: LayerCall, next: Next<'_>) -> LayerReply {
        let note = format!(
            "{} in {} {} {}",
            self.0,
            call.method(),
            call.name(),
            call.arguments
        );
        self.1.lock().unwrap().push(note);
        let reply = next.run(call).await;
        self.1.lock().unwrap().push(format!("{} out", self.0));
        reply
    }
}

/// Answers without going on, unless the arguments say `let_me`; then these are others.
struct Guard;

impl Layer for Guard {
    async fn call(&self, mut call: LayerCall, next: Next<'_>) -> LayerReply {
        if !call.arguments.get().contains("let_me") {
            return LayerReply::Error(ErrorObject::new(ErrorCode::new(-1), "no"));
        }
        call.arguments = r#"{"a":40,"b":2}"#.parse().unwrap();
        next.run(call).await
    }
}

#[test]
fn the_layer_added_first_is_the_outermost() {
    let journal = Journal::default();
    let server = Server::new("s", "1")
        .layer(Traced("outer", Arc::clone(&journal)))
        .layer(Traced("inner", Arc::clone(&journal)))
        .tool::<add>();
    Talk::new(server)
        .say(modern_call(1, "add", r#"{"a":1, "b":2}"#))
        .hears(&[modern_text(1, "3")]);
    assert_eq!(
        *journal.lock().unwrap(),
        [
            r#"outer in tools/call add {"a":1, "b":2}"#,
            r#"inner in tools/call add {"a":1, "b":2}"#,
            "inner out",
            "outer out",
        ]
    );
}

#[test]
fn a_layer_may_answer_by_itself_or_change_the_arguments() {
    let mut talk = Talk::new(Server::new("s", "1").layer(Guard).tool::<add>());
    talk.say(modern_call(1, "add", r#"{"a":1,"b":2}"#))
        .hears(&[error(1, -1, "no")]);
    talk.say(modern_call(2, "add", r#"{"let_me":true}"#))
        .hears(&[modern_text(2, "42")]);
}

/// Refuses everything, in words for the model.
struct Refuse;

impl Layer for Refuse {
    async fn call(&self, call: LayerCall, _: Next<'_>) -> LayerReply {
        LayerReply::tool_error(format!("\"{}\" is not for you", call.name()))
    }
}

#[test]
fn a_layer_may_refuse_a_call_with_an_error_that_the_model_reads() {
    let server = || Server::new("s", "1").layer(Refuse).tool::<add>();
    let said = r#""add" is not for you"#;
    Talk::new(server())
        .say(modern_call(1, "add", "{}"))
        .hears(&[modern_failure(1, said)]);
    for version in [ProtocolVersion::V2024_11_05, ProtocolVersion::V2025_11_25] {
        Talk::session(server(), version)
            .say(call(1, "add", "{}"))
            .hears(&[failure(1, said)]);
    }
}

/// Puts its own result in place of the one that came.
struct Replace(&'static str);

impl Layer for Replace {
    async fn call(&self, call: LayerCall, next: Next<'_>) -> LayerReply {
        drop(next.run(call).await);
        LayerReply::Result(self.0.parse::<RawJson>().unwrap())
    }
}

#[test]
fn a_layer_may_change_the_reply_and_what_the_session_adds_is_added_after() {
    let replaced = r#"{"content":[],"_meta":{"a/b":1}}"#;
    let server = || Server::new("s", "1").layer(Replace(replaced)).tool::<add>();
    let arguments = r#"{"a":1,"b":2}"#;
    Talk::new(server()).say(modern_call(1, "add", arguments)).hears(&[
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"resultType":"complete","_meta":{"a/b":1,"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}"#,
    ]);
    Talk::session(server(), ProtocolVersion::V2025_11_25)
        .say(call(1, "add", arguments))
        .hears(&[result(1, r#""content":[],"_meta":{"a/b":1}"#)]);
}

/// Answers with what another server sent to its client.
struct Forward;

impl Layer for Forward {
    async fn call(&self, _: LayerCall, _: Next<'_>) -> LayerReply {
        let other = r#"{"resultType":"complete","content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"other","version":"2"},"a/b":1}}"#;
        LayerReply::Result(other.parse().unwrap())
    }
}

#[test]
fn a_result_of_another_server_is_passed_on_without_what_each_server_says_itself() {
    let server = || Server::new("s", "1").layer(Forward).tool::<add>();
    Talk::new(server()).say(modern_call(1, "add", "{}")).hears(&[
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"resultType":"complete","_meta":{"a/b":1,"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}"#,
    ]);
    Talk::session(server(), ProtocolVersion::V2025_11_25)
        .say(call(1, "add", "{}"))
        .hears(&[result(1, r#""content":[],"_meta":{"a/b":1}"#)]);
}

#[test]
fn results_are_the_same_with_a_layer_that_does_nothing() {
    /// A list.
    #[tool]
    fn list() -> Json<Vec<u8>> {
        Json(vec![1, 2])
    }
    let server = || {
        Server::new("s", "1")
            .layer(Traced("", Journal::default()))
            .tool::<list>()
            .tool::<add>()
            .tool::<panic_now>()
    };
    let mut talk = Talk::new(server());
    let content = r#""content":[{"type":"text","text":"[1,2]"}],"structuredContent""#;
    talk.say(modern_call(1, "list", "{}"))
        .hears(&[modern_result(1, &format!("{content}:[1,2]"))]);
    talk.say(modern_call(2, "panic_now", "{}"))
        .hears(&[modern_failure(2, "The tool failed unexpectedly.")]);
    let mut talk = Talk::session(server(), ProtocolVersion::V2025_06_18);
    talk.say(call(1, "list", "{}"))
        .hears(&[result(1, &format!(r#"{content}:{{"result":[1,2]}}"#))]);
    talk.say(call(2, "add", "{}"));
    assert!(talk.heard()[0].contains(r#""error":{"code":-32602"#));
}

#[test]
fn a_cancelled_call_is_dropped_with_its_layers() {
    /// Waits on the way in.
    struct Waits(Gate);
    impl Layer for Waits {
        async fn call(&self, call: LayerCall, next: Next<'_>) -> LayerReply {
            self.0.wait().await;
            next.run(call).await
        }
    }
    let outer = Gate::new();
    let (server, gate, _) = server();
    let mut talk = Talk::session(
        server.layer(Waits(outer.clone())),
        ProtocolVersion::V2025_11_25,
    );
    talk.say(call(1, "wait", "{}")).say(call(2, "wait", "{}"));
    assert_eq!((outer.waiting(), gate.waiting()), (2, 0));
    talk.say(cancel(1)).is_silent();
    outer.open();
    talk.pair.run();
    assert_eq!((outer.waiting(), gate.waiting()), (0, 1));
    gate.open();
    talk.pair.run();
    talk.hears(&[text(2, "waited")]);
}

#[test]
fn a_layer_that_panics_fails_its_call_only() {
    /// Panics.
    struct Panics;
    impl Layer for Panics {
        async fn call(&self, _: LayerCall, _: Next<'_>) -> LayerReply {
            panic!("the password is hunter2");
        }
    }
    let mut talk = Talk::new(Server::new("s", "1").layer(Panics).tool::<add>());
    for id in 0..2 {
        talk.say(modern_call(id, "add", "{}"))
            .hears(&[modern_failure(id, "The tool failed unexpectedly.")]);
    }
}
