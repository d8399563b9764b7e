//! What servers up to 2025-11-25 ask of their client.

use mcp_core::protocol::{
    CreateMessageResult, ElicitParams, ElicitResult, ProtocolVersion, Root, SamplingContent,
};
use mcp_core::testing::{Gate, flood};
use mcp_core::{ClientBuilder, ErrorCode, ErrorObject};
use serde_json::json;

use crate::talk::{OFFERS, Talk, builder, result, text};

const V: ProtocolVersion = ProtocolVersion::V2025_11_25;

fn legacy(builder: ClientBuilder) -> Talk {
    Talk::legacy_with(builder, V, OFFERS)
}

fn ask(id: &str, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

fn refused(id: &str, code: i32, message: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"{message}"}}}}"#)
}

fn form(properties: &str) -> String {
    format!(
        r#"{{"message":"m","requestedSchema":{{"type":"object","properties":{{{properties}}}}}}}"#
    )
}

fn reply(text: &str) -> CreateMessageResult {
    CreateMessageResult::new("assistant", [SamplingContent::text(text)], "m")
}

fn declining() -> ClientBuilder {
    builder().on_elicitation(|_| async { ElicitResult::decline() })
}

/// B40, JRP-02, B3: ids of both sides are names of their own, and come back as they came.
#[test]
fn pings_are_answered_under_their_own_ids() {
    let mut talk = legacy(builder());
    let _call = talk.call("t");
    drop(talk.server.run().take_sent());
    for id in [
        "0",
        "-1",
        r#""""#,
        r#""00""#,
        "2",
        "18446744073709551615",
        r#""\u0000""#,
    ] {
        talk.server.send(ask(id, "ping", "{}"));
        talk.server
            .assert_sent(&[&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)]);
    }
    talk.server
        .send(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
        .send(r#"{"jsonrpc":"2.0","id":2,"method":"ping","params":null}"#)
        .assert_sent(&[
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":2,"result":{}}"#,
        ]);
}

/// C8: there are no requests of servers in 2026-07-28, and no answers to them.
#[test]
fn a_modern_server_is_never_answered() {
    let mut talk = Talk::modern_with(declining().roots([]), OFFERS);
    for method in [
        "ping",
        "roots/list",
        "elicitation/create",
        "sampling/createMessage",
        "no/such",
        "",
    ] {
        talk.server.send(ask("1", method, &form("")));
    }
    talk.server.assert_sent(&[]);
    assert!(!talk.client.is_closed());
}

/// FRM-02: what is wrong is never answered, or two broken peers would never be done.
#[test]
fn garbage_is_never_answered() {
    let mut talk = legacy(declining());
    for line in [
        "got a line",
        "{",
        "[]",
        "7",
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
        r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
        r#"{"id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
    ] {
        talk.server.send(line);
    }
    talk.server
        .send_bytes(b"\xff\xfe\n")
        .send_bytes(b"\n \r\n\t\n")
        .assert_sent(&[]);
    talk.server.send(ask("1", "ping", "{}\r"));
    talk.server
        .assert_sent(&[r#"{"jsonrpc":"2.0","id":1,"result":{}}"#]);
}

/// B43: 2025-03-26 has batches, and `roots/list` is asked in one.
#[test]
fn batches_are_taken_apart_where_there_are_some() {
    let mut talk = Talk::legacy_with(builder().roots([]), ProtocolVersion::V2025_03_26, OFFERS);
    let (first, second) = (talk.call("a"), talk.call("b"));
    drop(talk.server.run().take_sent());
    talk.server.send(format!(
        "[{},{},{},7,[{}],{}]",
        result(3, &text("b")),
        ask("1", "ping", "{}"),
        ask("2", "roots/list", "{}"),
        ask("9", "ping", "{}"),
        result(2, &text("a")),
    ));
    talk.server.assert_sent(&[
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":{"roots":[]}}"#,
    ]);
    assert_eq!(first.take().unwrap().unwrap().text(), "a");
    assert_eq!(second.take().unwrap().unwrap().text(), "b");
}

/// C73.
#[test]
fn what_the_client_has_not_declared_is_refused() {
    let sampling = r#"{"messages":[],"maxTokens":1}"#;
    let form = form("");
    for (method, params) in [
        ("roots/list", "{}"),
        ("elicitation/create", &*form),
        ("sampling/createMessage", sampling),
        ("no/such", "{}"),
        ("tools/list", "{}"),
        ("initialize", "{}"),
    ] {
        let mut talk = legacy(builder());
        talk.server.send(ask("1", method, params));
        let message = format!("this client does not support {method}");
        talk.server.assert_sent(&[&refused("1", -32601, &message)]);
    }
    // A long name is not sent back whole.
    let mut talk = legacy(builder());
    talk.server.send(ask("1", &"m".repeat(5_000), "{}"));
    let message = format!("this client does not support {}", "m".repeat(100));
    talk.server.assert_sent(&[&refused("1", -32601, &message)]);
}

/// C66, C67.
#[test]
fn modes_that_the_client_has_not_declared_are_refused() {
    let sampling = || builder().on_sampling(|_| async { reply("x") });
    let not_this_mode = "this client is not asked in this mode";
    let no_tools = "this client lets no model use tools";
    for (builder, method, params, message) in [
        (
            declining(),
            "elicitation/create",
            r#"{"mode":"url","message":"m","url":"https://x","elicitationId":"e"}"#,
            not_this_mode,
        ),
        (
            declining(),
            "elicitation/create",
            r#"{"mode":"smell","message":"m"}"#,
            not_this_mode,
        ),
        (
            sampling(),
            "sampling/createMessage",
            r#"{"messages":[],"maxTokens":1,"tools":[]}"#,
            no_tools,
        ),
        (
            sampling(),
            "sampling/createMessage",
            r#"{"messages":[],"maxTokens":1,"toolChoice":{"mode":"auto"}}"#,
            no_tools,
        ),
    ] {
        let mut talk = legacy(builder);
        talk.server.send(ask("1", method, params));
        talk.server.assert_sent(&[&refused("1", -32602, message)]);
    }
}

#[test]
fn params_that_can_not_be_read_are_refused() {
    let mut talk = legacy(declining().roots([]));
    for (method, params) in [
        ("elicitation/create", "{}"),
        (
            "elicitation/create",
            r#"{"message":7,"requestedSchema":{}}"#,
        ),
        ("elicitation/create", "[]"),
        ("roots/list", "7"),
    ] {
        talk.server.send(ask("1", method, params)).run();
        let sent = talk.server.take_sent();
        assert!(
            sent.len() == 1 && sent[0].contains(r#""code":-32602"#),
            "{params}: {sent:?}"
        );
    }
}

/// C70, FEA-04.
#[test]
fn conversations_that_break_the_rules_of_tools_are_refused_before_a_model_is_asked() {
    let sampling = || {
        builder()
            .on_sampling(|_| async { reply("ok") })
            .samples_with_tools()
    };
    let uses = r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"t","input":{}},{"type":"tool_use","id":"b","name":"t","input":{}}]}"#;
    let gave = |ids: &[&str], more: &str| {
        let results: Vec<_> = ids
            .iter()
            .map(|id| format!(r#"{{"type":"tool_result","toolUseId":"{id}","content":[]}}"#))
            .collect();
        format!(
            r#"{{"role":"user","content":[{}{more}]}}"#,
            results.join(",")
        )
    };
    let more = r#",{"type":"text","text":"x"}"#;
    for (next, is_good) in [
        (gave(&["a"], more), false),
        (gave(&["a", "b"], more), false),
        (gave(&["a"], ""), false),
        (gave(&["a", "c"], ""), false),
        (gave(&["a", "a", "b"], ""), false),
        (
            r#"{"role":"user","content":{"type":"text","text":"x"}}"#.to_owned(),
            false,
        ),
        (gave(&["b", "a"], ""), true),
    ] {
        let mut talk = legacy(sampling());
        talk.server
            .send(ask(
                "1",
                "sampling/createMessage",
                &format!(r#"{{"messages":[{uses},{next}],"maxTokens":9}}"#),
            ))
            .run();
        let sent = talk.server.take_sent();
        let expected = if is_good {
            r#""result":{"role":"assistant","content":{"type":"text","text":"ok"},"model":"m"}"#
        } else {
            r#""code":-32602"#
        };
        assert!(
            sent.len() == 1 && sent[0].contains(expected),
            "{next}: {sent:?}"
        );
    }
    let mut talk = legacy(sampling());
    talk.server
        .send(ask(
            "1",
            "sampling/createMessage",
            &format!(r#"{{"messages":[{uses}],"maxTokens":9}}"#),
        ))
        .run();
    assert!(talk.server.take_sent()[0].contains(r#""code":-32602"#));
}

fn held(gate: &Gate) -> ClientBuilder {
    let gate = gate.clone();
    builder().on_elicitation(move |_| {
        let gate = gate.clone();
        async move {
            gate.wait().await;
            ElicitResult::cancel()
        }
    })
}

#[test]
fn so_many_questions_are_open_at_once_and_no_more() {
    let gate = Gate::new();
    let mut talk = legacy(held(&gate));
    for line in flood(257, 0, "elicitation/create", &form("")) {
        talk.server.send(line);
    }
    talk.server
        .assert_sent(&[&refused("256", -32603, "too many requests are under way")]);
    assert_eq!(gate.waiting(), 256);
    gate.open();
    talk.server.run();
    assert_eq!(talk.server.take_sent().len(), 256);
    // Large ones are fewer.
    let gate = Gate::new();
    let mut talk = legacy(held(&gate));
    let big = format!(
        r#"{{"message":"{}","requestedSchema":{{"type":"object","properties":{{}}}}}}"#,
        "x".repeat(9 << 20)
    );
    for id in 0..3 {
        talk.server
            .send(ask(&id.to_string(), "elicitation/create", &big));
    }
    talk.server.run();
    assert_eq!((gate.waiting(), talk.server.take_sent().len()), (1, 2));
}

/// B3: the server has to use an id once at a time.
#[test]
fn a_second_request_of_the_same_id_is_refused() {
    let gate = Gate::new();
    let mut talk = legacy(held(&gate));
    talk.server
        .send(ask("1", "elicitation/create", &form("")))
        .send(ask("1", "elicitation/create", &form("")));
    talk.server
        .send(ask(r#""1""#, "elicitation/create", &form("")));
    talk.server.assert_sent(&[&refused(
        "1",
        -32600,
        "another request with this id is still under way",
    )]);
    gate.open();
    talk.server.assert_sent(&[
        r#"{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}"#,
        r#"{"jsonrpc":"2.0","id":"1","result":{"action":"cancel"}}"#,
    ]);
    talk.server.send(ask("1", "elicitation/create", &form("")));
    talk.server
        .assert_sent(&[r#"{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}"#]);
}

/// B29, B41, B42, CAN-03.
#[test]
fn a_question_that_is_withdrawn_is_not_answered() {
    let gate = Gate::new();
    let mut talk = legacy(held(&gate));
    let call = talk.call("t");
    drop(talk.server.run().take_sent());
    for id in ["2", r#""x""#, "7"] {
        talk.server.send(ask(id, "elicitation/create", &form("")));
    }
    talk.server.run();
    for params in [
        "{}",
        r#"{"requestId":null}"#,
        r#"{"requestId":424242}"#,
        r#"{"requestId":[2]}"#,
        r#"{"requestId":"2"}"#,
        "null",
        "7",
    ] {
        talk.server.send(format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#
        ));
    }
    talk.server
        .send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#)
        .run();
    assert_eq!(gate.waiting(), 3);
    // Ids of the two sides are names of their own: our request 2 goes on.
    talk.server.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"r"}}"#);
    talk.server
        .send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}"#)
        .run();
    assert_eq!(gate.waiting(), 1);
    gate.open();
    talk.server
        .assert_sent(&[r#"{"jsonrpc":"2.0","id":7,"result":{"action":"cancel"}}"#]);
    assert!(call.take().is_none());
    talk.answer(&text("x"));
    assert!(call.take().unwrap().is_ok());
    talk.server
        .send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#)
        .assert_sent(&[]);
}

/// C73: what goes wrong here is an internal error.
#[test]
fn handlers_that_fail_are_reported_to_the_server() {
    for (builder, code, message) in [
        (
            builder().on_elicitation(|_| async {
                if true {
                    panic!("secret")
                }
                ElicitResult::decline()
            }),
            -32603,
            "the client's handler panicked",
        ),
        (
            builder().on_elicitation(|_| async {
                Err::<ElicitResult, _>(ErrorObject::new(ErrorCode::new(-1), "rejected"))
            }),
            -1,
            "rejected",
        ),
        (
            builder().on_elicitation(|_| async { ElicitResult::accept(json!([1])) }),
            -32603,
            "the answer to the form is no object",
        ),
    ] {
        let mut talk = legacy(builder);
        talk.server.send(ask("1", "elicitation/create", &form("")));
        talk.server.assert_sent(&[&refused("1", code, message)]);
        talk.server.send(ask("2", "ping", "{}"));
        talk.server
            .assert_sent(&[r#"{"jsonrpc":"2.0","id":2,"result":{}}"#]);
    }
}

/// CON-03.
#[test]
fn a_handler_may_call_the_server_that_asks() {
    let builder = builder().on_elicitation(|asked| async move {
        let said = asked.client().call_tool("help", ()).await.unwrap().text();
        assert_eq!(asked.server().unwrap().name(), "s");
        ElicitResult::accept(json!({"said": said}))
    });
    let mut talk = legacy(builder);
    let call = talk.call("outer");
    talk.server.assert_sent(&[&talk.called(2, "outer")]);
    talk.server.send(ask(
        "1",
        "elicitation/create",
        &form(r#""said":{"type":"string"}"#),
    ));
    talk.server.assert_sent(&[&talk.called(3, "help")]);
    talk.server.send(result(3, &text("so")));
    talk.server.assert_sent(&[
        r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"said":"so"}}}"#,
    ]);
    talk.server.send(result(2, &text("x"))).run();
    assert!(call.take().unwrap().is_ok());
}

/// C65 and the scenario `elicitation-sep1034-client-defaults`; C62: a form is what has no mode. FEA-02: all five lists.
#[test]
fn forms_are_filled_in_with_their_defaults_and_held_to_them() {
    let fields = r#""name":{"type":"string","default":"John"},"age":{"type":"integer","default":30,"maximum":99},"score":{"type":"number","default":95.5},"ok":{"type":"boolean","default":true},"a":{"type":"string","enum":["x","y"],"default":"x"},"b":{"type":"string","oneOf":[{"const":"x","title":"X"}],"default":"x"},"c":{"type":"array","items":{"type":"string","enum":["x","y"]},"default":["y"]},"d":{"type":"array","items":{"anyOf":[{"const":"x","title":"X"}]}},"e":{"type":"string","enum":["x"],"enumNames":["X"]}"#;
    let answer = |content: serde_json::Value| {
        let builder = builder().on_elicitation(move |asked| {
            assert!(matches!(&*asked, ElicitParams::Form(_)));
            let content = content.clone();
            async move { ElicitResult::accept(content) }
        });
        let mut talk = legacy(builder);
        talk.server
            .send(ask("1", "elicitation/create", &form(fields)))
            .run();
        talk.server.take_sent().remove(0)
    };
    let sent = answer(json!({"age": "5", "d": ["x"], "e": "x", "unasked": 1}));
    let sent: serde_json::Value = serde_json::from_str(&sent).unwrap();
    assert_eq!(
        sent["result"],
        json!({"action": "accept", "content": {
            "name": "John", "age": 5, "score": 95.5, "ok": true, "a": "x", "b": "x", "c": ["y"], "d": ["x"], "e": "x"
        }})
    );
    for (misfit, at) in [
        (json!({"age": 100}), "/age"),
        (json!({"age": "five"}), "/age"),
        (json!({"a": "z"}), "/a"),
        (json!({"d": ["z"]}), "/d/0"),
        (json!({"b": ["x"], "age": 100}), "/age, /b"),
    ] {
        let sent = answer(misfit.clone());
        assert_eq!(
            sent,
            refused(
                "1",
                -32603,
                &format!("the answer does not fit the form at {at}")
            ),
            "{misfit}"
        );
    }
}

/// Forms of servers that know more kinds of fields than we do.
#[test]
fn a_form_that_can_not_be_read_is_the_handlers_to_judge() {
    let builder =
        builder().on_elicitation(|_| async { ElicitResult::accept(json!({"age": {"years": 5}})) });
    let mut talk = legacy(builder);
    talk.server.send(ask(
        "1",
        "elicitation/create",
        &form(r#""age":{"type":"object"},"n":{"type":"string","default":"N"}"#),
    ));
    talk.server.assert_sent(&[r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"age":{"years":5},"n":"N"}}}"#]);
}

/// Only an accepted form has content.
#[test]
fn content_is_sent_only_with_an_accepted_form() {
    let mut odd = ElicitResult::decline();
    odd.content = Some(json!({"secret": 1}).into());
    let builder = builder()
        .on_elicitation(move |asked| {
            let answer = if matches!(&*asked, ElicitParams::Url(_)) {
                ElicitResult::accept(json!({"typed": "elsewhere"}))
            } else {
                odd.clone()
            };
            async move { answer }
        })
        .elicits_by_url();
    let mut talk = legacy(builder);
    talk.server.send(ask("1", "elicitation/create", &form("")));
    talk.server.send(ask(
        "2",
        "elicitation/create",
        r#"{"mode":"url","message":"m","url":"https://x","elicitationId":"e"}"#,
    ));
    talk.server.assert_sent(&[
        r#"{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":{"action":"accept"}}"#,
    ]);
}

/// C72, C73.
#[test]
fn roots_are_told_and_their_changes() {
    let mut talk = legacy(builder().roots([Root::new("file:///a").with_name("A")]));
    talk.server.send(ask("1", "roots/list", "{}"));
    talk.server.assert_sent(&[
        r#"{"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///a","name":"A"}]}}"#,
    ]);
    talk.client.set_roots([Root::new("file:///b")]).unwrap();
    talk.server.assert_sent(&[
        r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{}}"#,
    ]);
    talk.server
        .send(r#"{"jsonrpc":"2.0","id":2,"method":"roots/list"}"#);
    talk.server
        .assert_sent(&[r#"{"jsonrpc":"2.0","id":2,"result":{"roots":[{"uri":"file:///b"}]}}"#]);

    let mut talk = Talk::modern_with(builder().roots([]), OFFERS);
    talk.client.set_roots([Root::new("file:///b")]).unwrap();
    talk.server.assert_sent(&[]);
    let mut talk = legacy(builder());
    assert!(talk.client.set_roots([]).is_err());
    talk.server.assert_sent(&[]);
}

/// Who gives clones of a client to handlers does not keep the connection open for ever.
#[test]
fn a_running_handler_does_not_keep_the_connection_open() {
    let gate = Gate::new();
    let mut talk = legacy(held(&gate));
    talk.server
        .send(ask("1", "elicitation/create", &form("")))
        .run();
    assert_eq!(gate.waiting(), 1);
    drop(talk.client);
    talk.server.run();
    assert!(talk.server.is_let_go());
    assert_eq!(gate.waiting(), 0);
}
