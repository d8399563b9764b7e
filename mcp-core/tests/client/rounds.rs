//! Servers of 2026-07-28 that need input before they can finish.

use std::sync::{Arc, Mutex};

use mcp_core::client::ClientErrorKind;
use mcp_core::protocol::{CreateMessageResult, ElicitParams, ElicitResult, Root, SamplingContent};
use mcp_core::testing::Gate;
use mcp_core::{ClientBuilder, ErrorCode, ErrorObject};
use serde_json::json;

use crate::talk::{OFFERS, Talk, builder, error, facts, kind, result, text, words};

const CAPABILITIES: &str =
    r#"{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{}}}"#;
const FORM: &str = r#"{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}"#;
const SAMPLE: &str = r#"{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":5}}"#;
const ROOTS: &str = r#"{"method":"roots/list"}"#;

fn answering() -> ClientBuilder {
    builder()
        .on_elicitation(|asked| async move {
            let name = asked.server().unwrap().name().to_owned();
            assert!(matches!(&*asked, ElicitParams::Form(form) if form.message == "Who?"));
            ElicitResult::accept(json!({"name": name}))
        })
        .on_sampling(|_| async {
            CreateMessageResult::new("assistant", [SamplingContent::text("ho")], "m")
        })
        .roots([Root::new("file:///x")])
}

fn required(requests: &str, state: &str) -> String {
    let requests = if requests.is_empty() {
        String::new()
    } else {
        format!(r#","inputRequests":{{{requests}}}"#)
    };
    let state = if state.is_empty() {
        String::new()
    } else {
        format!(r#","requestState":{state}"#)
    };
    format!(r#"{{"resultType":"input_required"{requests}{state}}}"#)
}

/// A call as it is repeated: what follows the arguments.
fn again(id: u64, capabilities: &str, members: &str) -> String {
    let facts = facts(capabilities);
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"t","arguments":{{}}{members},"_meta":{{{facts},"progressToken":{id}}}}}}}"#
    )
}

/// C20, C21, C22, C23, S26-09: several questions at once, a new id, and the state byte for byte.
#[test]
fn all_that_is_asked_is_answered_under_a_new_id() {
    let mut talk = Talk::modern_with(answering(), OFFERS);
    let call = talk.call("t");
    talk.server.assert_sent(&[&again(2, CAPABILITIES, "")]);
    let asked = format!(r#""who":{FORM},"a\"b":{SAMPLE},"r":{ROOTS}"#);
    talk.answer(&required(&asked, r#""a+/=\u00e9 \n\u2028""#));
    let members = ",\"inputResponses\":{\"a\\\"b\":{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"ho\"},\"model\":\"m\"},\"r\":{\"roots\":[{\"uri\":\"file:///x\"}]},\"who\":{\"action\":\"accept\",\"content\":{\"name\":\"s\"}}},\"requestState\":\"a+/=é \\n\u{2028}\"";
    talk.server.assert_sent(&[&again(3, CAPABILITIES, members)]);
    // C23: another call knows nothing of it.
    let other = talk.call("t");
    talk.server.assert_sent(&[&again(4, CAPABILITIES, "")]);
    talk.answer(&text("done"));
    assert_eq!(call.take().unwrap().unwrap().text(), "done");
    talk.answer(&text("other"));
    assert_eq!(other.take().unwrap().unwrap().text(), "other");
}

/// C21, C20: none if none was given, and the empty string is one.
#[test]
fn a_state_is_given_back_as_it_is() {
    for (asked, state, members) in [
        (
            format!(r#""r":{ROOTS}"#),
            "",
            r#","inputResponses":{"r":{"roots":[{"uri":"file:///x"}]}}"#,
        ),
        (String::new(), r#""s""#, r#","requestState":"s""#),
        (String::new(), r#""""#, r#","requestState":"""#),
    ] {
        let mut talk = Talk::modern_with(answering(), OFFERS);
        let call = talk.call("t");
        drop(talk.server.run().take_sent());
        talk.answer(&required(&asked, state));
        talk.server.assert_sent(&[&again(3, CAPABILITIES, members)]);
        talk.answer(&text("x"));
        assert!(call.take().unwrap().is_ok());
    }
    let mut talk = Talk::modern_with(answering(), OFFERS);
    let call = talk.call("t");
    drop(talk.server.run().take_sent());
    talk.answer(r#"{"resultType":"input_required","inputRequests":{},"requestState":"2"}"#);
    talk.server
        .assert_sent(&[&again(3, CAPABILITIES, r#","requestState":"2""#)]);
    // C21: the newest counts, and none if there is none any more.
    talk.answer(&required(&format!(r#""r":{ROOTS}"#), ""));
    talk.server.assert_sent(&[&again(
        4,
        CAPABILITIES,
        r#","inputResponses":{"r":{"roots":[{"uri":"file:///x"}]}}"#,
    )]);
    drop(call);
}

/// S22: repeating the request would only do once more what it does.
#[test]
fn asking_for_nothing_is_malformed() {
    let mut talk = Talk::modern_with(answering(), OFFERS);
    let call = talk.call("t");
    drop(talk.server.run().take_sent());
    talk.answer(r#"{"resultType":"input_required"}"#);
    talk.server.assert_sent(&[]);
    assert!(matches!(kind(call.take()), ClientErrorKind::Malformed(_)));
    for odd in [
        r#"{"resultType":"input_required","requestState":7}"#,
        r#"{"resultType":"input_required","inputRequests":[]}"#,
        r#"{"resultType":"input_required","inputRequests":{"a":{}}}"#,
    ] {
        let call = talk.call("t");
        drop(talk.server.run().take_sent());
        talk.answer(odd);
        talk.server.assert_sent(&[]);
        assert!(
            matches!(kind(call.take()), ClientErrorKind::Malformed(_)),
            "{odd}"
        );
    }
}

/// S20: the other two requests that may be answered so.
#[test]
fn prompts_and_resources_may_ask_too() {
    let mut talk = Talk::modern_with(answering(), OFFERS);
    let got = talk.start(|c| async move { c.get_prompt("p", [("a", "1")]).await.is_ok() });
    let read = talk.start(|c| async move { c.read_resource("u").await.is_ok() });
    drop(talk.server.run().take_sent());
    talk.answer(&required("", r#""p""#))
        .answer(&required("", r#""r""#));
    let facts = facts(CAPABILITIES);
    talk.server.assert_sent(&[
        &format!(r#"{{"jsonrpc":"2.0","id":4,"method":"prompts/get","params":{{"name":"p","arguments":{{"a":"1"}},"requestState":"p","_meta":{{{facts}}}}}}}"#),
        &format!(r#"{{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{{"uri":"u","requestState":"r","_meta":{{{facts}}}}}}}"#),
    ]);
    talk.answer(r#"{"messages":[]}"#)
        .answer(r#"{"contents":[]}"#);
    assert_eq!((got.take(), read.take()), (Some(true), Some(true)));
}

/// S26-10: a part of the answers is not sent.
#[test]
fn what_nobody_can_answer_fails_the_call() {
    let url = r#"{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://x"}}"#;
    let other = r#"{"method":"com.ex/ask","params":{}}"#;
    let tools = SAMPLE.replace(r#""maxTokens""#, r#""tools":[],"maxTokens""#);
    for (builder, asked) in [
        (answering(), url.to_owned()),
        (answering(), other.to_owned()),
        (answering(), tools),
        (builder().roots([]), SAMPLE.to_owned()),
        (builder(), ROOTS.to_owned()),
        (builder().roots([]), FORM.to_owned()),
    ] {
        let ran = Arc::new(Mutex::new(0));
        let count = Arc::clone(&ran);
        let builder = builder.on_log(move |_| *count.lock().unwrap() += 1);
        let mut talk = Talk::modern_with(builder, OFFERS);
        let call = talk.call("t");
        drop(talk.server.run().take_sent());
        talk.answer(&required(&format!(r#""a":{ROOTS},"b":{asked}"#), r#""s""#));
        talk.server.assert_sent(&[]);
        let failed = call.take().unwrap().unwrap_err();
        assert!(
            matches!(failed.kind(), ClientErrorKind::Input(_)),
            "{failed}"
        );
    }
}

#[test]
fn a_handler_that_fails_fails_the_call() {
    for (builder, expected) in [
        (
            builder().on_elicitation(|_| async {
                Err::<ElicitResult, _>(ErrorObject::new(ErrorCode::new(7), "not today"))
            }),
            "s: `tools/call`: not today",
        ),
        (
            builder().on_elicitation(|_| async {
                if true {
                    panic!("of the test")
                }
                ElicitResult::decline()
            }),
            "s: `tools/call`: the client's handler panicked",
        ),
        (
            builder().on_elicitation(|asked| {
                assert!(asked.message().is_none(), "of the test");
                async { ElicitResult::decline() }
            }),
            "s: `tools/call`: the client's handler panicked",
        ),
        (
            builder().on_elicitation(|_| async { ElicitResult::accept(json!({"name": 7})) }),
            "s: `tools/call`: the answer does not fit the form at /name",
        ),
    ] {
        let mut talk = Talk::modern_with(builder, OFFERS);
        let call = talk.call("t");
        drop(talk.server.run().take_sent());
        talk.answer(&required(&format!(r#""a":{FORM}"#), ""));
        talk.server.assert_sent(&[]);
        assert_eq!(words(call.take()), expected);
        assert!(!talk.client.is_closed());
    }
}

/// S26-10: the bound can be changed, and has a name when it is met.
#[test]
fn rounds_are_bounded() {
    for (builder, rounds) in [
        (answering(), 16),
        (answering().max_rounds(2), 2),
        (answering().max_rounds(0), 0),
    ] {
        let mut talk = Talk::modern_with(builder, OFFERS);
        let call = talk.call("t");
        drop(talk.server.run().take_sent());
        for round in 0..=rounds {
            assert!(call.take().is_none(), "{round} of {rounds}");
            talk.answer(&required("", r#""s""#));
        }
        assert_eq!(
            words(call.take()),
            format!("s: `tools/call`: the server asks on after {rounds} rounds")
        );
        assert_eq!(talk.methods().len(), rounds);
    }
    let mut talk = Talk::modern_with(answering(), OFFERS);
    let call = talk.call("t");
    drop(talk.server.run().take_sent());
    for _ in 0..12 {
        talk.answer(&required(&format!(r#""r":{ROOTS}"#), ""));
    }
    talk.answer(&text("x"));
    assert!(call.take().unwrap().is_ok());
}

/// S26-10: between rounds and while a handler runs, too.
#[test]
fn a_cancelled_call_asks_nobody_any_more() {
    let gate = Gate::new();
    let waits = gate.clone();
    let builder = builder().on_elicitation(move |_| {
        let waits = waits.clone();
        async move {
            waits.wait().await;
            ElicitResult::decline()
        }
    });
    let capabilities = r#"{"elicitation":{"form":{}}}"#;
    let mut talk = Talk::modern_with(builder, OFFERS);
    let call = talk.call("t");
    drop(talk.server.run().take_sent());
    talk.answer(&required(&format!(r#""a":{FORM}"#), ""));
    talk.answer("{}");
    assert_eq!(gate.waiting(), 1);
    drop(call);
    talk.server.assert_sent(&[]);
    assert_eq!(gate.waiting(), 0);

    talk.next = 3;
    let token = Gate::new();
    let cancel = token.clone();
    let call = talk.start(|c| async move {
        c.call_tool("t", ())
            .cancelled_by(async move { cancel.wait().await })
            .await
    });
    drop(talk.server.run().take_sent());
    talk.answer(&required(&format!(r#""a":{FORM}"#), ""));
    gate.open();
    talk.server.assert_sent(&[&again(
        4,
        capabilities,
        r#","inputResponses":{"a":{"action":"decline"}}"#,
    )]);
    token.open();
    assert_eq!(talk.methods(), ["notifications/cancelled"]);
    assert!(matches!(kind(call.take()), ClientErrorKind::Cancelled));
}

/// Each round may report, and fails as a request does.
#[test]
fn a_later_round_reports_and_fails_like_the_first() {
    let mut talk = Talk::modern_with(answering(), OFFERS);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let call = talk.start(|c| async move {
        c.call_tool("t", ())
            .on_progress(move |progress| sink.lock().unwrap().push(progress.progress))
            .await
    });
    drop(talk.server.run().take_sent());
    let progress = |token: u64| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":{token}}}}}"#
        )
    };
    talk.server
        .send(progress(2))
        .send(result(2, &required("", r#""s""#)))
        .run();
    talk.server.send(progress(2)).send(progress(3)).run();
    talk.server.send(error(3, -32602)).run();
    assert_eq!(*seen.lock().unwrap(), [2.0, 3.0]);
    assert!(call.take().unwrap().unwrap_err().error_object().is_some());
}
