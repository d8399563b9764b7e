//! Servers of 2026-07-28.

use mcp_core::ErrorCode;
use mcp_core::client::{Change, ClientErrorKind};
use mcp_core::protocol::SubscriptionFilter;
use mcp_sse::{Connect, HttpError, HttpErrorKind};
use serde_json::json;

use crate::say::{TEXT, connecting};
use crate::{Server, connected, modern, soon};

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1.0"}}"#;

#[tokio::test]
async fn every_request_says_what_it_is() {
    let mut server = Server::start().await;
    let connecting = connecting(&Connect::new(server.url("/mcp?key=k")));
    let discover = server.post().await;
    let expected = format!(
        "POST /mcp?key=k
accept: application/json, text/event-stream
content-type: application/json
mcp-method: server/discover
mcp-protocol-version: 2026-07-28

{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{{{META}}}}}
"
    );
    assert_eq!(discover.text(), expected);
    discover.result(crate::say::DISCOVERED);
    let client = connected(connecting).await;

    let calling = tokio::spawn(async move {
        let called = client
            .call_tool("größe", json!({"a": 1}))
            .without_progress();
        (called.await, client)
    });
    let call = server.post().await;
    let expected = format!(
        "POST /mcp?key=k
accept: application/json, text/event-stream
content-type: application/json
mcp-method: tools/call
mcp-name: =?base64?Z3LDtsOfZQ==?=
mcp-protocol-version: 2026-07-28

{{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{{\"name\":\"größe\",\"arguments\":{{\"a\":1}},{META}}}}}
"
    );
    assert_eq!(call.text(), expected);
    assert_eq!(call.connection, 0);
    call.result(TEXT);
    let (called, client) = soon(calling).await.unwrap();
    assert_eq!(called.unwrap().text(), "done");

    // Nothing is to be ended.
    soon(client.close()).await;
    server.assert_quiet();
}

#[tokio::test]
async fn prompts_and_resources_are_named_too() {
    let mut server = Server::start().await;
    let client = modern(&mut server).await;
    let reading = tokio::spawn(async move {
        let read = client.read_resource("test://a?b=%20").await;
        (read, client)
    });
    let read = server.post().await;
    assert_eq!(read.header("mcp-name"), Some("test://a?b=%20"));
    assert_eq!(read.header("mcp-method"), Some("resources/read"));
    read.result(r#"{"resultType":"complete","contents":[],"ttlMs":0,"cacheScope":"private"}"#);
    let (read, client) = soon(reading).await.unwrap();
    read.unwrap();
    let getting = tokio::spawn(async move { client.get_prompt("p", [("a", "b")]).await });
    let get = server.post().await;
    assert_eq!(get.header("mcp-name"), Some("p"));
    get.result(r#"{"resultType":"complete","messages":[]}"#);
    soon(getting).await.unwrap().unwrap();
}

#[tokio::test]
async fn an_answer_may_be_a_stream_with_notifications_before_it() {
    let mut server = Server::start().await;
    let client = modern(&mut server).await;
    let calling = tokio::spawn(async move {
        let mut seen = Vec::new();
        let call = client.call_tool("t", json!({}));
        let called = call
            .on_progress(|progress| seen.push(progress.progress))
            .await;
        (called, seen, client)
    });
    let call = server.post().await;
    let id = call.id();
    let events = call.events();
    let progress = |n: u32| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{id},"progress":{n}}}}}"#
        )
    };
    events
        .chunk(": hello\r\n\r\ndata: ")
        .chunk(&progress(1))
        .chunk("\r\n\r");
    events.chunk(&format!("\ndata: {}\n\nid: ignored\n\n", progress(2)));
    let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{TEXT}}}"#);
    let (one, other) = answer.split_at(17);
    events
        .chunk(&format!("data: {one}\ndata: {other}\n"))
        .chunk("\n");
    let (called, seen, client) = soon(calling).await.unwrap();
    assert_eq!(called.unwrap().text(), "done");
    assert_eq!(seen, [1.0, 2.0]);
    // The connection is used again once the stream has ended.
    events.end();
    let listing = tokio::spawn(async move { client.list_tools(None).await });
    let list = server.post().await;
    list.result(r#"{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}"#);
    soon(listing).await.unwrap().unwrap();
}

#[tokio::test]
async fn dropping_a_call_closes_its_stream_and_says_no_more() {
    let mut server = Server::start().await;
    let client = modern(&mut server).await;
    for streams in [false, true] {
        let calling = {
            let client = client.clone();
            tokio::spawn(async move { client.call_tool("t", json!({})).await })
        };
        let mut call = server.post().await;
        if streams {
            let events = call.events();
            events.chunk(":\n\n");
            call = events.0;
        }
        calling.abort();
        call.gone().await;
    }
    server.assert_quiet();
    soon(client.close()).await;
    server.assert_quiet();
}

/// HTP-10 and HTP-11.
#[tokio::test]
async fn what_goes_wrong_with_a_call_is_told_to_it_and_to_no_other() {
    let mut server = Server::start().await;
    let client = modern(&mut server).await;
    let html = format!("<html>\r\n{}", "x".repeat(10_000));
    let cases: [(&str, &str, &str, &str, bool); 9] = [
        (
            "502 Bad Gateway",
            "content-type: text/html\r\n",
            &html,
            "HTTP 502 Bad Gateway: <html> xxx",
            true,
        ),
        (
            "200 OK",
            "content-type: text/html\r\n",
            &html,
            "the answer is \"text/html\"",
            true,
        ),
        ("200 OK", "", "{}", "the answer has no media type", true),
        (
            "429 Too Many Requests",
            "retry-after: 7\r\n",
            "",
            "HTTP 429 Too Many Requests, try again in 7 seconds",
            false,
        ),
        (
            "401 Unauthorized",
            "www-authenticate: Bearer resource_metadata=\"x\"\r\n",
            "",
            "HTTP 401 Unauthorized, it wants authorization: Bearer",
            false,
        ),
        (
            "202 Accepted",
            "",
            "",
            "the response ended without an answer",
            true,
        ),
        (
            "200 OK",
            "content-type: application/json\r\ncontent-encoding: gzip\r\n",
            "xx",
            "the answer is compressed (\"gzip\")",
            true,
        ),
        (
            "302 Found",
            "location: https://evil.test/\r\n",
            "",
            "HTTP 302 Found",
            false,
        ),
        (
            "307 Temporary Redirect",
            "location: https://evil.test/\r\n",
            "",
            "it sends its clients to https://evil.test, which is not followed",
            false,
        ),
    ];
    for (status, headers, body, expected, is_unknown) in cases {
        let calling = {
            let client = client.clone();
            tokio::spawn(async move { client.call_tool("t", json!({})).await })
        };
        server.post().await.answer(status, headers, body);
        let error = soon(calling).await.unwrap().unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains(&format!("{}: {expected}", server.origin())),
            "{text}"
        );
        assert!(text.len() < 600, "{text}");
        assert_eq!(error.is_outcome_unknown(), is_unknown, "{text}");
        let ClientErrorKind::Failed { error, .. } = error.kind() else {
            panic!("{text}");
        };
        let error = error
            .get_ref()
            .unwrap()
            .downcast_ref::<HttpError>()
            .unwrap();
        assert_eq!(error.origin(), server.origin());
    }
    // The connection goes on.
    let calling = tokio::spawn(async move { client.call_tool("t", json!({})).await });
    server.post().await.result(TEXT);
    soon(calling).await.unwrap().unwrap();
}

/// HTP-10.
#[tokio::test]
async fn an_error_of_the_protocol_is_one_whatever_its_status() {
    let mut server = Server::start().await;
    let client = modern(&mut server).await;
    for (status, id) in [
        ("400 Bad Request", "ID"),
        ("404 Not Found", "null"),
        ("500 Internal Server Error", ""),
    ] {
        let calling = {
            let client = client.clone();
            tokio::spawn(async move { client.call_tool("t", json!({})).await })
        };
        let call = server.post().await;
        let id = match id {
            "" => String::new(),
            id => format!(r#""id":{},"#, id.replace("ID", &call.id())),
        };
        let body = format!(
            r#"{{"jsonrpc":"2.0",{id}"error":{{"code":-32602,"message":"m","data":{{"k":1}}}}}}"#
        );
        call.answer(status, "content-type: application/json\r\n", &body);
        let error = soon(calling).await.unwrap().unwrap_err();
        let error = error.error_object().unwrap();
        assert_eq!(
            (error.code, &*error.message),
            (ErrorCode::INVALID_PARAMS, "m")
        );
        assert_eq!(error.data, Some(json!({"k": 1})));
    }
}

/// HTP-11 and SSE-08.
#[tokio::test]
async fn a_response_that_breaks_off_fails_its_call_at_once() {
    let mut server = Server::start().await;
    let client = modern(&mut server).await;
    for case in 0..4 {
        let calling = {
            let client = client.clone();
            tokio::spawn(async move { client.call_tool("t", json!({})).await })
        };
        let call = server.post().await;
        match case {
            0 => call.hang_up(),
            1 => {
                let events = call.events();
                events.chunk("id: 7\ndata: {}\n\n");
                events.0.hang_up();
            }
            2 => {
                let answer = format!(
                    "data: {{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{TEXT}}}\n",
                    call.id()
                );
                let events = call.events();
                events.chunk(&answer);
                events.end();
            }
            _ => {
                call.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{");
                call.hang_up();
            }
        }
        let error = soon(calling).await.unwrap().unwrap_err();
        assert!(error.is_outcome_unknown(), "{error}");
        assert!(!client.is_closed());
    }
    server.assert_quiet();
    server.leave();
    drop(server);
    let error = soon(client.call_tool("t", json!({}))).await.unwrap_err();
    assert!(
        !error.is_outcome_unknown() && error.to_string().contains("refused"),
        "{error}"
    );
}

/// HTP-18, of clients.
#[tokio::test]
async fn an_answer_that_is_too_long_fails_its_call_alone() {
    let mut server = Server::start().await;
    let connecting = connecting(&Connect::new(server.url("/mcp")).max_message(1_000));
    server.post().await.result(crate::say::DISCOVERED);
    let client = connected(connecting).await;
    for streams in [false, true] {
        let calling = {
            let client = client.clone();
            tokio::spawn(async move { client.call_tool("t", json!({})).await })
        };
        let call = server.post().await;
        let long = format!(
            r#"{{"jsonrpc":"2.0","id":{},"result":{{"x":"{}"}}}}"#,
            call.id(),
            "x".repeat(2_000)
        );
        if streams {
            call.events().event(&long);
        } else {
            call.json_answer(&long);
        }
        let error = soon(calling).await.unwrap().unwrap_err();
        assert!(
            matches!(error.kind(), ClientErrorKind::TooLong(1_000)),
            "{error}"
        );
    }
    let calling = tokio::spawn(async move { client.call_tool("t", json!({})).await });
    server.post().await.result(TEXT);
    soon(calling).await.unwrap().unwrap();
}

#[tokio::test]
async fn what_is_no_message_on_a_stream_is_passed_over() {
    let mut server = Server::start().await;
    let client = modern(&mut server).await;
    let calling = tokio::spawn(async move { client.call_tool("t", json!({})).await });
    let call = server.post().await;
    let answer = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{TEXT}}}"#, call.id());
    let events = call.events();
    events
        .event("ping")
        .event(r#"{"type":"heartbeat"}"#)
        .chunk("event: ping\ndata: {}\n\n");
    // There are no requests of servers in this revision, and no answers to them.
    events.event(r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#);
    events.event(&answer);
    assert_eq!(soon(calling).await.unwrap().unwrap().text(), "done");
    server.assert_quiet();
}

#[tokio::test]
async fn a_redirect_within_the_origin_is_followed_and_remembered() {
    let mut server = Server::start().await;
    let connecting = connecting(&Connect::new(server.url("/mcp")));
    let discover = server.post().await;
    discover.answer("307 Temporary Redirect", "location: /mcp/\r\n", "");
    let discover = server.post().await;
    assert_eq!(
        (&*discover.path, &*discover.rpc()),
        ("/mcp/", "server/discover")
    );
    discover.result(crate::say::DISCOVERED);
    let client = connected(connecting).await;
    let calling = tokio::spawn(async move { client.call_tool("t", json!({})).await });
    for _ in 0..4 {
        let call = server.post().await;
        call.answer("308 Permanent Redirect", "location: again\r\n", "");
    }
    let error = soon(calling).await.unwrap().unwrap_err();
    assert!(error.to_string().contains("from place to place"), "{error}");
}

const LISTED: &str =
    r#"{"resultType":"complete","tools":[TOOLS],"ttlMs":0,"cacheScope":"private"}"#;

fn tool(name: &str, properties: &str) -> String {
    format!(
        r#"{{"name":"{name}","inputSchema":{{"type":"object","properties":{{{properties}}}}}}}"#
    )
}

/// S26-05, of clients.
#[tokio::test]
async fn arguments_are_repeated_in_headers_where_a_tool_wants_that() {
    let mut server = Server::start().await;
    let client = modern(&mut server).await;
    let listing = {
        let client = client.clone();
        tokio::spawn(async move { client.list_tools(None).await })
    };
    let good = tool(
        "good",
        r#""region":{"type":"string","x-mcp-header":"Region"},"deep":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}},"flag":{"type":"boolean","x-mcp-header":"Flag"},"plain":{"type":"string"}"#,
    );
    let bad = [
        r#""a":{"type":"number","x-mcp-header":"A"}"#,
        r#""a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}"#,
        r#""a":{"anyOf":[{"type":"string","x-mcp-header":"A"}]}"#,
        r#""a":{"type":"string","x-mcp-header":""}"#,
        r#""a":{"type":"string","x-mcp-header":"a b"}"#,
        r#""a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}"#,
    ];
    let mut tools: Vec<String> = bad
        .iter()
        .map(|properties| tool("bad", properties))
        .collect();
    tools.push(good);
    tools.push(tool("free", ""));
    server
        .post()
        .await
        .result(&LISTED.replace("TOOLS", &tools.join(",")));
    let listed = soon(listing).await.unwrap().unwrap().items;
    let names: Vec<_> = listed.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["good", "free"]);

    for (arguments, expected) in [
        (
            json!({"region": "Zürich", "deep": {"n": 42}, "flag": false, "plain": "x"}),
            [Some("=?base64?WsO8cmljaA==?="), Some("42"), Some("false")],
        ),
        (
            json!({"region": null, "deep": {}, "flag": true}),
            [None, None, Some("true")],
        ),
        (json!({"region": ""}), [Some(""), None, None]),
    ] {
        let calling = {
            let client = client.clone();
            tokio::spawn(async move { client.call_tool("good", arguments).await })
        };
        let call = server.post().await;
        let headers =
            ["mcp-param-region", "mcp-param-n", "mcp-param-flag"].map(|name| call.header(name));
        assert_eq!(headers, expected);
        assert_eq!(call.header("mcp-param-plain"), None);
        call.result(TEXT);
        soon(calling).await.unwrap().unwrap();
    }
    let error = client
        .call_tool("good", json!({"deep": {"n": 9_007_199_254_740_993_i64}}))
        .await
        .unwrap_err();
    assert!(
        matches!(error.kind(), ClientErrorKind::Unwritable(_)),
        "{error}"
    );
    server.assert_quiet();
}

#[tokio::test]
async fn headers_that_were_not_known_of_are_learnt_and_the_call_repeated_once() {
    let mut server = Server::start().await;
    let client = modern(&mut server).await;
    let mismatch = |id: String| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32020,"message":"header missing"}}}}"#
        )
    };
    let calling = {
        let client = client.clone();
        tokio::spawn(async move { client.call_tool("t", json!({"a": "x"})).await })
    };
    let call = server.post().await;
    assert_eq!(call.header("mcp-param-a"), None);
    let (first, body) = (call.id(), mismatch(call.id()));
    call.answer(
        "400 Bad Request",
        "content-type: application/json\r\n",
        &body,
    );
    let list = server.post().await;
    assert_eq!(list.rpc(), "tools/list");
    let annotated = tool("t", r#""a":{"type":"string","x-mcp-header":"A"}"#);
    list.result(&LISTED.replace("TOOLS", &annotated));
    let call = server.post().await;
    assert_eq!(call.header("mcp-param-a"), Some("x"));
    assert_ne!(call.id(), first);
    call.result(TEXT);
    soon(calling).await.unwrap().unwrap();

    // What is refused again is refused.
    let calling = tokio::spawn(async move { client.call_tool("t", json!({"a": "x"})).await });
    for is_last in [false, true] {
        let call = server.post().await;
        assert_eq!(call.rpc(), "tools/call");
        let body = mismatch(call.id());
        call.answer(
            "400 Bad Request",
            "content-type: application/json\r\n",
            &body,
        );
        if !is_last {
            let list = server.post().await;
            assert_eq!(list.rpc(), "tools/list");
            list.result(&LISTED.replace("TOOLS", &annotated));
        }
    }
    let error = soon(calling).await.unwrap().unwrap_err();
    assert_eq!(
        error.error_object().unwrap().code,
        ErrorCode::HEADER_MISMATCH
    );
    server.assert_quiet();
}

#[tokio::test]
async fn a_subscription_is_a_stream_that_is_closed_when_it_is_dropped() {
    let mut server = Server::start().await;
    let client = modern(&mut server).await;
    let listening = {
        let client = client.clone();
        let filter = SubscriptionFilter::default().with_tools_list_changed(true);
        tokio::spawn(async move { client.listen(filter).await })
    };
    let listen = server.post().await;
    assert_eq!(listen.rpc(), "subscriptions/listen");
    let id = listen.id();
    let events = listen.events();
    let tagged = |method: &str, rest: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"{method}","params":{{{rest}"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}}}"#
        )
    };
    events.event(&tagged(
        "notifications/subscriptions/acknowledged",
        r#""notifications":{"toolsListChanged":true},"#,
    ));
    let mut subscription = soon(listening).await.unwrap().unwrap();
    events.event(&tagged("notifications/tools/list_changed", ""));
    assert_eq!(soon(subscription.next()).await, Some(Change::Tools));
    drop(subscription);
    let mut request = events.0;
    request.gone().await;
    server.assert_quiet();
}

#[tokio::test]
async fn only_so_many_requests_are_under_way_and_lasting_ones_do_not_count() {
    let mut server = Server::start().await;
    let connecting = connecting(&Connect::new(server.url("/mcp")).max_concurrent(2));
    server.post().await.result(crate::say::DISCOVERED);
    let client = connected(connecting).await;
    let filter = SubscriptionFilter::default().with_tools_list_changed(true);
    let listening = {
        let client = client.clone();
        tokio::spawn(async move { client.listen(filter).await.map(drop) })
    };
    let listen = server.post().await;
    let calls: Vec<_> = (0..3)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { client.call_tool("t", json!({})).await })
        })
        .collect();
    let first = server.post().await;
    let second = server.post().await;
    server.assert_quiet();
    // It is answered, though its stream goes on.
    let id = first.id();
    let first = first.events();
    first.event(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{TEXT}}}"#));
    let third = server.post().await;
    third.result(TEXT);
    second.result(TEXT);
    for call in calls {
        soon(call).await.unwrap().unwrap();
    }
    listen.result("{}");
    soon(listening).await.unwrap().unwrap_err();
}

#[tokio::test]
async fn a_request_without_an_answer_in_time_is_let_go_of() {
    let mut server = Server::start().await;
    let client = modern(&mut server).await;
    let calling = tokio::spawn(async move {
        let call = client.call_tool("t", json!({}));
        call.timeout(std::time::Duration::from_millis(50)).await
    });
    let mut call = server.post().await;
    let error = soon(calling).await.unwrap().unwrap_err();
    assert!(error.is_timeout(), "{error}");
    call.gone().await;
    server.assert_quiet();
}

#[test]
fn errors_hold_their_kind() {
    fn is_error<T: std::error::Error + Send + Sync + 'static>() {}
    is_error::<HttpError>();
    let _: fn(&HttpError) -> &HttpErrorKind = HttpError::kind;
}
