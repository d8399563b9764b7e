//! Requests of 2026-07-28, each alone.

use mcp_core::testing::Gate;

use crate::tools::{Ended, gated, mark, server};
use crate::web::{BOTH, JSON, META, MODERN, Web, modern};

const ADD: &str = r#""name":"add","arguments":{"a":2,"b":3}"#;

#[tokio::test]
async fn a_call_that_is_done_at_once_is_answered_as_json() {
    let web = Web::new(server());
    let mut reply = web.modern("tools/call", Some("add"), ADD).await;
    assert_eq!(
        (reply.status, reply.header("content-type")),
        (200, "application/json")
    );
    assert_eq!(
        reply.text().await,
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"5"}],"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"web","version":"1"}}}}"#
    );
    assert!(reply.headers.get("mcp-session-id").is_none());
}

#[tokio::test]
async fn the_first_report_makes_the_answer_a_stream() {
    let gate = Gate::new();
    let web = Web::new(gated(&gate));
    let call = format!(
        r#"{{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{{"name":"steps","arguments":{{}},"_meta":{{"progressToken":7,{META}}}}}}}"#
    );
    let headers = [MODERN, ("mcp-method", "tools/call"), ("mcp-name", "steps")];
    let mut reply = web.post(&headers, call).await;
    let head =
        ["content-type", "cache-control", "x-accel-buffering"].map(|name| reply.header(name));
    assert_eq!(
        (reply.status, head),
        (200, ["text/event-stream", "no-cache", "no"])
    );
    assert_eq!(
        reply.next().await.unwrap(),
        "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":7,\"progress\":1,\"total\":2}}\n\n"
    );
    assert!(reply.is_quiet());
    gate.open();
    let rest = reply.text().await;
    let frames: Vec<_> = rest.split_terminator("\n\n").collect();
    assert_eq!(frames.len(), 2, "{rest}");
    assert!(frames[0].ends_with(r#""progress":2,"total":2}}"#));
    assert!(frames[1].starts_with(
        r#"data: {"jsonrpc":"2.0","id":"a","result":{"content":[{"type":"text","text":"done"}]"#
    ));
}

/// CAN-05, T18.
#[tokio::test]
async fn whoever_goes_away_cancels_the_call() {
    let (gate, ended) = (Gate::new(), Ended::default());
    let web = Web::new(
        server()
            .lend(gate.clone())
            .lend(ended.clone())
            .tool::<mark>(),
    );
    let call = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"mark","arguments":{{}},"_meta":{{"progressToken":7,{META}}}}}}}"#
    );
    let headers = [MODERN, ("mcp-method", "tools/call"), ("mcp-name", "mark")];
    let mut reply = web.post(&headers, call.clone()).await;
    assert!(reply.next().await.is_some() && reply.is_quiet());
    assert_eq!(gate.waiting(), 1);
    drop(reply);
    assert_eq!(gate.waiting(), 0);
    // Before there is an answer, too.
    let quiet = call.replace(r#""progressToken":7,"#, "");
    let early = tokio::time::timeout(
        std::time::Duration::from_millis(1),
        web.post(&headers, quiet),
    );
    assert!(early.await.is_err());
    assert_eq!(gate.waiting(), 0);
    gate.open();
    tokio::task::yield_now().await;
    assert!(!ended.is());
}

/// S26-03, T20, T23, T25, T27.
#[tokio::test]
async fn headers_say_what_the_request_says() {
    let web = Web::new(server());
    let body = || modern("tools/call", ADD);
    let good = [MODERN, ("Mcp-Method", "tools/call"), ("mcp-NAME", " add\t")];
    assert_eq!(web.post(&good, body()).await.status, 200);
    assert_eq!(
        web.post(&[good[0], good[1], ("mcp-name", "=?base64?YWRk?=")], body())
            .await
            .status,
        200
    );
    let version = ("mcp-protocol-version", "2025-11-25");
    for (headers, why) in [
        (
            &[good[1], good[2]][..],
            "the header `mcp-protocol-version` is missing",
        ),
        (
            &[version, good[1], good[2]],
            "the header `mcp-protocol-version` is not the revision in `_meta`",
        ),
        (
            &[MODERN, MODERN, good[1], good[2]],
            "the header `mcp-protocol-version` occurs twice",
        ),
        (&[MODERN, good[2]], "the header `mcp-method` is missing"),
        (
            &[MODERN, ("mcp-method", "tools/list"), good[2]],
            "the header `mcp-method` is not the method of the request",
        ),
        (
            &[MODERN, ("mcp-method", "TOOLS/CALL"), good[2]],
            "the header `mcp-method` is not the method of the request",
        ),
        (&[MODERN, good[1]], "the header `mcp-name` is missing"),
        (
            &[MODERN, good[1], ("mcp-name", "Add")],
            "the header `mcp-name` is not what the request names",
        ),
        (
            &[MODERN, good[1], ("mcp-name", "")],
            "the header `mcp-name` is not what the request names",
        ),
        (
            &[MODERN, good[1], ("mcp-name", "=?base64?YWRk===?=")],
            "the header `mcp-name` is not encoded as it should be",
        ),
        (
            &[MODERN, good[1], good[2], ("mcp-name", "other")],
            "the header `mcp-name` occurs twice",
        ),
    ] {
        let mut reply = web.post(headers, body()).await;
        let expected =
            format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":-32020,"message":"{why}"}}}}"#);
        assert_eq!(
            (reply.status, reply.text().await),
            (400, expected),
            "{headers:?}"
        );
    }
}

/// S26-05, T26.
#[tokio::test]
async fn headers_repeat_the_arguments_that_the_schema_names() {
    let web = Web::new(server());
    let status = async |arguments: &str, more: &[(&str, &str)]| {
        let body = modern(
            "tools/call",
            &format!(r#""name":"near","arguments":{arguments}"#),
        );
        let all = [
            &[MODERN, ("mcp-method", "tools/call"), ("mcp-name", "near")],
            more,
        ]
        .concat();
        let mut reply = web.post(&all, body).await;
        let text = reply.text().await;
        assert_eq!(text.contains("-32020"), reply.status == 400, "{text}");
        reply.status
    };
    let region = |value| ("Mcp-Param-Region", value);
    let count = |value| ("mcp-param-count", value);
    assert_eq!(status(r#"{"region":"eu"}"#, &[region("eu")]).await, 200);
    assert_eq!(
        status(r#"{"region":"dü"}"#, &[region("=?base64?ZMO8?=")]).await,
        200
    );
    assert_eq!(
        status(r#"{"region":"=?base64?x"}"#, &[region("=?base64?x")]).await,
        200
    );
    assert_eq!(status(r#"{"count":42}"#, &[count("42.0")]).await, 200);
    assert_eq!(status(r#"{"region":null}"#, &[]).await, 200);
    assert_eq!(status("{}", &[]).await, 200);
    assert_eq!(status(r#"{"region":"eu"}"#, &[]).await, 400);
    assert_eq!(status(r#"{"region":"eu"}"#, &[region("us")]).await, 400);
    assert_eq!(status(r#"{"region":"eu"}"#, &[region("EU")]).await, 400);
    assert_eq!(
        status(r#"{"region":"Hello"}"#, &[region("=?base64?SGVsbG8?=")]).await,
        400
    );
    assert_eq!(status(r#"{"count":42}"#, &[count("43")]).await, 400);
    assert_eq!(status("{}", &[region("eu")]).await, 400);
    assert_eq!(
        status(r#"{"region":"eu"}"#, &[region("eu"), region("us")]).await,
        400
    );
    assert_eq!(status("{}", &[("mcp-param-other", "x")]).await, 200);
}

/// S26-06, S3, S6, T21.
#[tokio::test]
async fn the_status_tells_what_kind_of_error_it_is() {
    let web = Web::new(server());
    for method in [
        "no/such",
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
    ] {
        let mut reply = web.modern(method, None, "").await;
        let text = reply.text().await;
        assert_eq!(reply.status, 404, "{text}");
        assert!(
            text.starts_with(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601"#),
            "{text}"
        );
    }
    let version = |named: &'static str| ("mcp-protocol-version", named);
    let old = modern("tools/list", "").replace("2026-07-28", "1900-01-01");
    let mut reply = web
        .post(&[version("1900-01-01"), ("mcp-method", "tools/list")], old)
        .await;
    assert_eq!(reply.status, 400);
    assert_eq!(
        reply.text().await,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"1900-01-01"}}}"#
    );
    // What a request must say of itself comes before what its headers say.
    for meta in [
        "",
        r#","params":{}"#,
        r#","params":{"_meta":{}}"#,
        r#","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#,
        r#","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}"#,
        r#","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":5,"io.modelcontextprotocol/clientCapabilities":{}}}"#,
    ] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list"{meta}}}"#);
        let mut reply = web.post(&[MODERN], body).await;
        let text = reply.text().await;
        assert_eq!(reply.status, 400, "{text}");
        assert!(text.contains(r#""id":1,"error":{"code":-32602"#), "{text}");
    }
    // What is no fault of the request's form is answered with success.
    let mut reply = web
        .modern("tools/call", Some("none"), r#""name":"none""#)
        .await;
    assert_eq!(reply.status, 200);
    assert!(reply.text().await.contains("-32602"));
}

/// S26-11, S4.
#[tokio::test]
async fn a_client_that_cannot_be_asked_is_told_what_it_lacks() {
    let web = Web::new(gated(&Gate::new()));
    let mut reply = web
        .modern("tools/call", Some("ask"), r#""name":"ask""#)
        .await;
    let text = reply.text().await;
    assert_eq!(reply.status, 400, "{text}");
    assert!(
        text.contains(r#""code":-32021"#)
            && text.contains(r#""data":{"requiredCapabilities":{"elicitation":{"form":{}}}}"#),
        "{text}"
    );
}

/// S9, S26-09.
#[tokio::test]
async fn a_question_ends_the_call_and_the_answer_begins_it_anew() {
    let web = Web::new(gated(&Gate::new()));
    let with = |params: &str| {
        modern("tools/call", params).replace(
            r#"clientCapabilities":{}"#,
            r#"clientCapabilities":{"elicitation":{}}"#,
        )
    };
    let headers = [MODERN, ("mcp-method", "tools/call"), ("mcp-name", "ask")];
    let mut reply = web
        .post(&headers, with(r#""name":"ask","arguments":{}"#))
        .await;
    let first = reply.text().await;
    assert!(
        first.contains(r#""inputRequests":{"sure":"#)
            && first.contains(r#""resultType":"input_required""#),
        "{first}"
    );
    let (_, state) = first.split_once(r#""requestState":""#).unwrap();
    let (state, _) = state.split_once('"').unwrap();
    let answer = format!(
        r#""name":"ask","arguments":{{}},"requestState":"{state}","inputResponses":{{"sure":{{"action":"accept","content":{{"yes":true}}}}}}"#
    );
    let mut reply = web.post(&headers, with(&answer)).await;
    let text = reply.text().await;
    assert!(text.contains("yes: true"), "{text}");
    let mut reply = web
        .post(&headers, with(&answer.replace(state, &format!("{state}x"))))
        .await;
    let text = reply.text().await;
    assert!(reply.status == 200 && text.contains("-32602"), "{text}");
}

/// S26-08, S30, S31, S32, S34.
#[tokio::test(start_paused = true)]
async fn a_subscription_is_a_stream_that_shows_it_is_alive() {
    let server = server();
    let live = server.live();
    let web = Web::new(server);
    let mut reply = web
        .modern(
            "subscriptions/listen",
            None,
            r#""notifications":{"toolsListChanged":true,"promptsListChanged":true}"#,
        )
        .await;
    assert_eq!(reply.header("content-type"), "text/event-stream");
    assert_eq!(
        reply.next().await.unwrap(),
        "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{\"toolsListChanged\":true},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}\n\n"
    );
    assert!(reply.is_quiet());
    live.remove("add");
    assert_eq!(
        reply.next().await.unwrap(),
        "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}\n\n"
    );
    for _ in 0..3 {
        assert_eq!(reply.next().await.unwrap(), ":\n\n");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_takes_long_becomes_a_stream_that_shows_it_is_alive() {
    let gate = Gate::new();
    let web = Web::new(gated(&gate));
    let mut reply = web
        .modern("tools/call", Some("wait"), r#""name":"wait""#)
        .await;
    assert_eq!(
        (reply.status, reply.header("content-type")),
        (200, "text/event-stream")
    );
    assert_eq!(reply.next().await.unwrap(), ":\n\n");
    assert_eq!(reply.next().await.unwrap(), ":\n\n");
    gate.open();
    let rest = reply.text().await;
    assert!(
        rest.starts_with("data: {") && rest.contains("on we go"),
        "{rest}"
    );
}

/// HTP-07, HTP-08.
#[tokio::test(start_paused = true)]
async fn an_answer_is_of_a_kind_that_the_client_takes() {
    let gate = Gate::new();
    gate.open();
    let web = Web::new(gated(&gate));
    let call = |tool: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{{"a":1,"b":1}},"_meta":{{"progressToken":7,{META}}}}}}}"#
        )
    };
    let headers = |tool: &'static str, accept: &'static str| {
        [
            JSON,
            MODERN,
            ("mcp-method", "tools/call"),
            ("mcp-name", tool),
            ("accept", accept),
        ]
    };
    let mut reply = web
        .send(
            "POST",
            &headers("add", "application/json;q=0, text/event-stream"),
            call("add"),
        )
        .await;
    assert_eq!(reply.header("content-type"), "text/event-stream");
    assert!(reply.text().await.starts_with("data: {"));
    let steps = call("steps").replace(r#""a":1,"b":1"#, "");
    let mut reply = web
        .send("POST", &headers("steps", "application/json"), steps)
        .await;
    assert_eq!(reply.header("content-type"), "application/json");
    assert!(
        reply
            .text()
            .await
            .starts_with(r#"{"jsonrpc":"2.0","id":1,"result""#)
    );
    assert_eq!(
        web.send("POST", &headers("add", "text/html"), call("add"))
            .await
            .status,
        406
    );
}

/// T13: what is no request is taken in without a word, but only where it can mean something.
#[tokio::test]
async fn notifications_are_accepted_and_responses_refused() {
    let web = Web::new(server());
    let note = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let mut reply = web.post(&[MODERN], note).await;
    assert_eq!((reply.status, reply.text().await.as_str()), (202, ""));
    let mut reply = web
        .post(&[MODERN], r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        .await;
    let text = reply.text().await;
    assert_eq!(reply.status, 400);
    assert!(
        text.starts_with(r#"{"jsonrpc":"2.0","error":{"code":-32600"#),
        "{text}"
    );
}

/// T29: ids of sessions mean nothing here, and none are made.
#[tokio::test]
async fn sessions_are_none_of_its_business() {
    let web = Web::new(server());
    let headers = [
        MODERN,
        BOTH,
        ("mcp-method", "tools/list"),
        ("mcp-session-id", "none"),
        ("last-event-id", "1-1"),
    ];
    let reply = web.post(&headers, modern("tools/list", "")).await;
    assert_eq!(reply.status, 200);
    assert!(reply.headers.get("mcp-session-id").is_none());
}
