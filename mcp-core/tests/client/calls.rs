//! What tools give back, and what they report while they run.

use std::sync::{Arc, Mutex};

use mcp_core::client::{ClientErrorKind, read_result};
use mcp_core::protocol::ProgressParams;
use mcp_core::testing::Started;
use mcp_core::{ClientError, Content, ToolResult, TypedToolCall};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::talk::{Talk, kind, result, text};

fn called(answer: &str) -> Result<ToolResult, ClientError> {
    let mut talk = Talk::modern();
    let call = talk.call("t");
    talk.server.run();
    talk.answer(answer);
    call.take().unwrap()
}

fn typed<T: DeserializeOwned + Send + 'static>(answer: &str) -> Result<T, ClientError> {
    let mut talk = Talk::legacy();
    let call = talk.start(|c| async move { c.call_tool("t", ()).into_typed::<T>().await });
    talk.server.run();
    talk.answer(answer);
    call.take().unwrap()
}

/// RES-04, B5: results of every shape.
#[test]
fn content_of_every_kind_is_read_and_unknown_kinds_are_kept() {
    let kinds = [
        r#"{"type":"text","text":"a\u00e9\n"}"#,
        r#"{"type":"text","text":"b","annotations":{"priority":1},"_meta":{"x":1}}"#,
        r#"{"type":"image","data":"AA==","mimeType":"image/png"}"#,
        r#"{"type":"audio","data":"AA==","mimeType":"audio/wav"}"#,
        r#"{"type":"resource","resource":{"uri":"u","text":"t"}}"#,
        r#"{"type":"resource_link","uri":"u","name":"n"}"#,
        r#"{"type":"hologram","beams":[1,{"a":null}]}"#,
        r#"{"type":"text","new":1,"text":"c"}"#,
    ];
    let result = called(&format!(
        r#"{{"content":[{}],"new":{{"x":1}},"_meta":{{"com.ex/a":1}},"isError":false}}"#,
        kinds.join(",")
    ))
    .unwrap();
    assert_eq!(result.content.len(), kinds.len());
    for (block, text) in result.content.iter().zip(kinds) {
        let mut given: Value = serde_json::from_str(text).unwrap();
        if text.contains("new") {
            given.as_object_mut().unwrap().remove("new");
        }
        assert_eq!(serde_json::to_value(block).unwrap(), given);
    }
    assert!(matches!(&result.content[0], Content::Text(text) if text.text == "aé\n"));
    assert_eq!(result.meta.parse::<i32>("com.ex/a"), Some(1));
}

/// RES-04: a result is one because a tool was called.
#[test]
fn odd_results_are_results() {
    for (answer, structured) in [
        (r#"{"content":[]}"#, None),
        (r#"{"structuredContent":{"a":1}}"#, Some(r#"{"a":1}"#)),
        (r#"{"content":[{"type":"text","text":""}]}"#, None),
        (r#"{"_meta":{}}"#, None),
        ("{}", None),
        (r#"{"content":null}"#, None),
        // 37 of the pitfalls: null is a value.
        (r#"{"content":[],"structuredContent":null}"#, Some("null")),
        (
            r#"{"content":[],"structuredContent":9007199254740993.0}"#,
            Some("9007199254740993.0"),
        ),
        (r#"{"content":[],"isError":"maybe","_meta":7}"#, None),
    ] {
        let result = called(answer).unwrap_or_else(|error| panic!("{answer}: {error}"));
        assert_eq!(
            result
                .structured_content
                .as_ref()
                .map(mcp_core::RawJson::get),
            structured,
            "{answer}"
        );
    }
    for answer in [
        r#"{"content":{}}"#,
        r#"{"content":[7]}"#,
        r#"{"content":[{"type":"text"}]}"#,
        r#"{"content":[{"type":"image","data":1}]}"#,
    ] {
        let failed = called(answer).unwrap_err();
        assert!(
            matches!(failed.kind(), ClientErrorKind::Malformed(_)),
            "{answer}: {failed}"
        );
    }
}

/// C42: what a tool says when it fails is for the model.
#[test]
fn a_tool_that_fails_gives_a_result_and_typed_calls_an_error() {
    let failure = r#"{"content":[{"type":"text","text":"no such city"}],"isError":true,"structuredContent":{"error":1}}"#;
    let result = called(failure).unwrap();
    assert_eq!(
        (result.is_error, result.text().as_str()),
        (Some(true), "no such city")
    );
    let failed = typed::<Value>(failure).unwrap_err();
    assert!(
        matches!(failed.kind(), ClientErrorKind::Tool(result) if result.text() == "no such city")
    );
    assert_eq!(
        failed.to_string(),
        "s: `tools/call`: the tool failed: no such city"
    );
    assert!(!failed.is_outcome_unknown());
    let long = format!(
        r#"{{"content":[{{"type":"text","text":"{}"}}],"isError":true}}"#,
        "é".repeat(5_000)
    );
    let failed = typed::<Value>(&long).unwrap_err().to_string();
    assert_eq!(failed.matches('é').count(), 500);
}

#[test]
fn typed_results_are_found_where_they_are() {
    let structured = |value: &str| {
        format!(r#"{{"content":[{{"type":"text","text":"other"}}],"structuredContent":{value}}}"#)
    };
    assert_eq!(typed::<Vec<i32>>(&structured("[1]")).unwrap(), [1]);
    // Up to 2025-11-25 what is no object is wrapped in one.
    assert_eq!(
        typed::<i64>(&structured(r#"{"result":9007199254740993}"#)).unwrap(),
        9_007_199_254_740_993
    );
    assert_eq!(
        typed::<Value>(&structured(r#"{"result":1}"#)).unwrap(),
        json!({"result": 1})
    );
    assert_eq!(typed::<i64>(&text("42")).unwrap(), 42);
    assert_eq!(typed::<Vec<i32>>(&text("[1, 2]")).unwrap(), [1, 2]);
    assert_eq!(
        typed::<String>(&text("plain words")).unwrap(),
        "plain words"
    );
    assert_eq!(typed::<Option<i64>>(&structured("null")).unwrap(), None);
    assert_eq!(typed::<Option<i64>>(r#"{"content":[]}"#).unwrap(), None);
    let failed = typed::<i64>(&text("forty-two")).unwrap_err();
    assert!(
        matches!(failed.kind(), ClientErrorKind::Malformed(why) if why.starts_with("it is no `i64`")),
        "{failed}"
    );
    assert!(typed::<i64>(&structured(r#"{"result":1,"more":2}"#)).is_err());
    let result = called(&text("7")).unwrap();
    assert_eq!(read_result::<u8>(&result), Ok(7));
}

#[test]
fn typed_calls_have_deadlines_and_names_like_others() {
    let mut talk = Talk::modern();
    let call = talk.start(|c| async move {
        let call =
            TypedToolCall::<_, Result<i64, String>>::new("add", json!({"a": 1})).named("sum.add");
        c.call(call)
            .with(|call| call.timeout(crate::talk::SECOND))
            .await
    });
    let line = talk.server.run().take_sent().remove(0);
    assert!(
        line.contains(r#""params":{"name":"sum.add","arguments":{"a":1},"#),
        "{line}"
    );
    talk.server.advance(crate::talk::SECOND);
    assert!(call.take().unwrap().unwrap_err().is_timeout());
}

type Seen = Arc<Mutex<Vec<ProgressParams>>>;

fn watched(talk: &Talk) -> (Seen, Started<usize>) {
    let seen = Seen::default();
    let sink = Arc::clone(&seen);
    let call = talk.start(|c| async move {
        let kept = Arc::clone(&sink);
        let call = c
            .call_tool("t", ())
            .on_progress(move |progress| kept.lock().unwrap().push(progress));
        call.await.unwrap();
        // How many there were when the call ended.
        sink.lock().unwrap().len()
    });
    (seen, call)
}

fn progress(value: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":2,"progress":{value}}}}}"#
    )
}

/// B32, PRG-02: in order, before the result, and nothing after it.
#[test]
fn progress_is_told_in_order_before_the_result() {
    let mut talk = Talk::modern();
    let (seen, call) = watched(&talk);
    talk.server.run();
    talk.server
        .send(progress(r#"0,"total":4,"message":"begins""#))
        .send(progress(r#"1.5,"message":null"#))
        .run();
    assert_eq!(seen.lock().unwrap().len(), 2);
    // All of this is read at once.
    talk.server
        .send(progress("2"))
        .send(progress("2"))
        .send(progress("1"))
        .send(progress("-1"))
        .send(progress("1e999"))
        .send(progress("3"))
        .send(result(2, &text("x")))
        .send(progress("4"))
        .run();
    assert_eq!(call.take(), Some(4));
    let seen: Vec<_> = seen
        .lock()
        .unwrap()
        .iter()
        .map(|p| (p.progress, p.total, p.message.clone()))
        .collect();
    assert_eq!(
        seen,
        [
            (0.0, Some(4.0), Some("begins".to_owned())),
            (1.5, None, None),
            (2.0, None, None),
            (3.0, None, None)
        ]
    );
    assert!(!talk.client.is_closed());
}

/// Whoever is slow sees the newest of many.
#[test]
fn progress_that_comes_faster_than_it_is_taken_is_bounded() {
    let mut talk = Talk::modern();
    let (seen, call) = watched(&talk);
    talk.server.run();
    for step in 0..1_000 {
        talk.server.send(progress(&step.to_string()));
    }
    talk.server.send(result(2, &text("x"))).run();
    assert!(call.take().is_some());
    let seen = seen.lock().unwrap();
    assert!(!seen.is_empty() && seen.len() <= 1_000);
    assert!((seen.last().unwrap().progress - 999.0).abs() < 0.1);
}

/// A callback that panics takes its own task down, and the call with it.
#[test]
fn a_call_that_unwinds_is_cancelled() {
    let mut talk = Talk::modern();
    let client = talk.client.clone();
    let mut call = Box::pin(
        client
            .call_tool("t", ())
            .on_progress(|_| panic!("of the test")),
    );
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(call.as_mut().poll(&mut cx).is_pending());
    drop(talk.server.run().take_sent());
    talk.server.send(progress("1")).run();
    let polled =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| call.as_mut().poll(&mut cx)));
    assert!(polled.is_err());
    drop(call);
    assert_eq!(talk.methods(), ["notifications/cancelled"]);
    let next = talk.call("t");
    talk.server.run().send(result(3, &text("x"))).run();
    assert!(next.take().unwrap().is_ok());
}

#[test]
fn a_result_of_another_kind_is_not_taken_for_one() {
    let mut talk = Talk::modern();
    let call = talk.call("t");
    talk.server.run();
    talk.answer(r#"{"resultType":"task","taskId":"x","content":[]}"#);
    assert!(matches!(kind(call.take()), ClientErrorKind::Malformed(why) if why.contains("task")));
}
