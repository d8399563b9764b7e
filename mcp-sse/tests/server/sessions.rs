//! Sessions of the older revisions.

use std::time::Duration;

use mcp_core::Principal;
use mcp_core::testing::Gate;

use crate::tools::{gated, server};
use crate::web::{BOTH, JSON, Parts, Web, call, initialize, request};

const VERSION: (&str, &str) = ("mcp-protocol-version", "2025-11-25");

#[tokio::test]
async fn a_session_is_opened_used_and_ended() {
    let web = Web::new(server());
    let id = web.open("2025-06-18").await;
    assert!(id.len() >= 32 && id.bytes().all(|byte| byte.is_ascii_graphic()));
    let within = [
        ("mcp-session-id", &*id),
        ("mcp-protocol-version", "2025-06-18"),
    ];
    let add = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3}}}"#;
    let mut reply = web.post(&within, add).await;
    assert_eq!(
        (reply.status, reply.header("content-type")),
        (200, "application/json")
    );
    assert_eq!(
        reply.text().await,
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"5"}]}}"#
    );
    assert_eq!(web.send("DELETE", &within, "").await.status, 204);
    assert_eq!(web.send("DELETE", &within, "").await.status, 404);
    assert_eq!(web.post(&within, add).await.status, 404);
    let all = [within[0], BOTH];
    assert_eq!(web.send("GET", &all, "").await.status, 404);
}

/// HTP-06, HTP-14, T35.
#[tokio::test]
async fn ids_that_nobody_was_given_open_nothing() {
    let web = Web::new(server());
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    assert_eq!(
        web.post(&[("mcp-session-id", "none")], list).await.status,
        404
    );
    assert_eq!(
        web.post(&[("mcp-session-id", "a b")], list).await.status,
        400
    );
    assert_eq!(web.post(&[("mcp-session-id", "")], list).await.status, 400);
    assert_eq!(
        web.post(&[("mcp-session-id", "a"), ("mcp-session-id", "b")], list)
            .await
            .status,
        400
    );
    for headers in [&[][..], &[VERSION]] {
        let mut reply = web.post(headers, list).await;
        let text = reply.text().await;
        assert_eq!(reply.status, 400, "{text}");
        assert!(text.contains("initialize"), "{text}");
    }
    let mut reply = web
        .post(&[("mcp-session-id", "mine")], initialize("2025-11-25"))
        .await;
    assert_eq!((reply.status, reply.header("mcp-session-id")), (404, ""));
    assert!(reply.text().await.contains("no such session"));
    assert_eq!(web.send("DELETE", &[], "").await.status, 400);
}

/// LIF-15.
#[tokio::test]
async fn each_initialize_has_a_session_of_its_own() {
    let web = Web::new(server());
    let (first, second) = (web.open("2025-11-25").await, web.open("2025-03-26").await);
    assert_ne!(first, second);
    let mut reply = web
        .post(&[("mcp-session-id", &first)], initialize("2025-11-25"))
        .await;
    let text = reply.text().await;
    assert_eq!(reply.status, 400);
    assert!(text.contains("-32600"), "{text}");
    let ping = r#"{"jsonrpc":"2.0","id":5,"method":"ping"}"#;
    assert_eq!(
        web.post(&[("mcp-session-id", &first)], ping)
            .await
            .text()
            .await,
        r#"{"jsonrpc":"2.0","id":5,"result":{}}"#
    );
}

/// LIF-07, HTP-17, T36.
#[tokio::test]
async fn the_header_rules_after_initialize_and_the_body_in_it() {
    let web = Web::new(server());
    let unknown = ("mcp-protocol-version", "2025-99-99");
    let mut reply = web.post(&[VERSION], initialize("2099-01-01")).await;
    assert_eq!(reply.status, 200);
    assert!(
        reply
            .text()
            .await
            .contains(r#""protocolVersion":"2025-11-25""#)
    );
    let id = web.open("2025-06-18").await;
    let session = ("mcp-session-id", &*id);
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    assert_eq!(web.post(&[session], list).await.status, 200);
    assert_eq!(
        web.post(&[session, ("mcp-protocol-version", "2025-06-18")], list)
            .await
            .status,
        200
    );
    for bad in ["banana", "2025-99-99", ""] {
        assert_eq!(
            web.post(&[session, ("mcp-protocol-version", bad)], list)
                .await
                .status,
            400,
            "{bad}"
        );
    }
    assert_eq!(
        web.post(&[session, VERSION, unknown], list).await.status,
        400
    );
}

/// LIF-01.
#[tokio::test]
async fn a_ping_is_answered_before_there_is_a_session() {
    let web = Web::new(server());
    let mut reply = web
        .post(&[], r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
        .await;
    assert_eq!(
        (reply.status, reply.text().await.as_str()),
        (200, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
    );
}

/// Before 2026-07-28, 404 says that the session is gone.
#[tokio::test]
async fn a_method_that_is_not_there_does_not_end_the_session() {
    let web = Web::new(server());
    let id = web.open("2025-11-25").await;
    let unknown = r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#;
    let mut reply = web.post(&[("mcp-session-id", &id)], unknown).await;
    assert_eq!(reply.status, 200);
    assert_eq!(
        reply.text().await,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}"#
    );
}

/// What a handler makes of a request says nothing about the form of the request.
#[tokio::test]
async fn an_error_of_a_handler_is_answered_with_success() {
    let web = Web::new(server().prompt::<crate::tools::odd>());
    let id = web.open("2025-11-25").await;
    let get = r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"odd"}}"#;
    let mut reply = web.post(&[("mcp-session-id", &id)], get).await;
    assert_eq!(reply.status, 200);
    assert_eq!(
        reply.text().await,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"odd"}}"#
    );
}

/// HTP-04.
#[tokio::test]
async fn notifications_and_responses_are_taken_in_at_once() {
    let web = Web::new(server());
    let id = web.open("2025-11-25").await;
    for message in [
        r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
        r#"{"jsonrpc":"2.0","id":99,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":"no"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12}}"#,
    ] {
        let mut reply = web.post(&[("mcp-session-id", &id)], message).await;
        assert_eq!(
            (reply.status, reply.text().await.as_str()),
            (202, ""),
            "{message}"
        );
    }
}

/// CON-06, CON-03: a question goes out on the stream of its call, and the answer comes by a request of its own.
#[tokio::test]
async fn a_call_asks_its_client_on_its_own_stream() {
    let web = Web::new(gated(&Gate::new()));
    let id = web.open("2025-11-25").await;
    let session = ("mcp-session-id", &*id);
    let mut first = web.post(&[session], call(1, "ask")).await;
    let mut second = web.post(&[session], call(2, "ask")).await;
    let question = async |reply: &mut crate::web::Reply| {
        let mut text = reply.next().await.unwrap();
        while !text.contains("elicitation/create") {
            text += &reply.next().await.unwrap();
        }
        let (_, id) = text.rsplit_once(r#"{"jsonrpc":"2.0","id":"#).unwrap();
        id.split_once(',').unwrap().0.to_owned()
    };
    let (asked_first, asked_second) = (question(&mut first).await, question(&mut second).await);
    assert_ne!(asked_first, asked_second);
    for (asked, yes) in [(&asked_second, false), (&asked_first, true)] {
        let answer = format!(
            r#"{{"jsonrpc":"2.0","id":{asked},"result":{{"action":"accept","content":{{"yes":{yes}}}}}}}"#
        );
        assert_eq!(web.post(&[session], answer).await.status, 202);
    }
    assert!(first.text().await.contains("yes: true"));
    assert!(second.text().await.contains("yes: false"));
}

#[tokio::test]
async fn a_cancelled_call_ends_without_an_answer() {
    let gate = Gate::new();
    let web = Web::new(gated(&gate));
    let id = web.open("2025-11-25").await;
    let session = ("mcp-session-id", &*id);
    let mut reply = web.post(&[session], call(7, "steps")).await;
    assert!(
        reply
            .next()
            .await
            .unwrap()
            .contains("notifications/progress")
    );
    assert_eq!(gate.waiting(), 1);
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#;
    assert_eq!(web.post(&[session], cancel).await.status, 202);
    assert_eq!(reply.text().await, "");
    assert_eq!(gate.waiting(), 0);
}

/// CON-07: ids are a namespace of their request.
#[tokio::test]
async fn the_same_id_twice_is_two_calls() {
    let gate = Gate::new();
    let web = Web::new(gated(&gate));
    let id = web.open("2025-11-25").await;
    let session = [("mcp-session-id", &*id)];
    let mut first = web.post(&session, call(5, "steps")).await;
    let mut second = web.post(&session, call(5, "steps")).await;
    assert_eq!(gate.waiting(), 2);
    gate.open();
    assert!(first.text().await.contains("done") && second.text().await.contains("done"));
}

/// JRP-12.
#[tokio::test]
async fn batches_are_answered_together_where_the_revision_has_them() {
    let web = Web::new(server());
    let id = web.open("2025-03-26").await;
    let session = [("mcp-session-id", &*id)];
    let batch = r#"[{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":1}}}]"#;
    let mut reply = web.post(&session, batch).await;
    assert_eq!(
        (reply.status, reply.text().await.as_str()),
        (
            200,
            r#"[{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"2"}]}}]"#
        )
    );
    let notes =
        r#"[{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":9,"result":{}}]"#;
    assert_eq!(web.post(&session, notes).await.status, 202);
    assert_eq!(web.post(&session, "[]").await.status, 400);
    let id = web.open("2025-11-25").await;
    let mut reply = web.post(&[("mcp-session-id", &*id)], batch).await;
    let text = reply.text().await;
    assert!(
        reply.status == 400 && text.starts_with(r#"{"jsonrpc":"2.0","error":{"code":-32600"#),
        "{text}"
    );
}

/// S84: a session is of use only to the one who opened it.
#[tokio::test]
async fn somebody_elses_session_is_no_session() {
    let web = Web::new(server());
    let send = async |method: &str, who: Option<&str>, headers: &[(&str, &str)], body: String| {
        let mut request = request(method, headers)
            .body(Parts(vec![body.into()]))
            .unwrap();
        if let Some(who) = who {
            request.extensions_mut().insert(Principal::new(who));
        }
        web.request(request).await
    };
    let opened = send("POST", Some("ann"), &[JSON, BOTH], initialize("2025-11-25")).await;
    let id = opened.header("mcp-session-id").to_owned();
    let within = [JSON, BOTH, ("mcp-session-id", &*id)];
    let whoami = || call(1, "whoami");
    let mut reply = send("POST", Some("ann"), &within, whoami()).await;
    assert!(reply.text().await.contains("ann - -"));
    for who in [Some("bob"), None] {
        assert_eq!(send("POST", who, &within, whoami()).await.status, 404);
        assert_eq!(send("GET", who, &within, String::new()).await.status, 404);
        assert_eq!(
            send("DELETE", who, &within, String::new()).await.status,
            404
        );
    }
    assert_eq!(
        send("DELETE", Some("ann"), &within, String::new())
            .await
            .status,
        204
    );
}

/// HTP-12.
#[tokio::test(start_paused = true)]
async fn a_session_that_is_left_alone_ends_but_not_one_in_use() {
    let gate = Gate::new();
    let web = Web::new(gated(&gate)).set(|service| service.session_idle(Duration::from_secs(60)));
    let (idle, busy, heard) = (
        web.open("2025-11-25").await,
        web.open("2025-11-25").await,
        web.open("2025-11-25").await,
    );
    let mut call_of_busy = web
        .post(&[("mcp-session-id", &*busy)], call(1, "steps"))
        .await;
    let mut stream = web
        .send("GET", &[BOTH, ("mcp-session-id", &*heard)], "")
        .await;
    assert!(stream.next().await.is_some());
    let listening = tokio::spawn(async move { stream.text().await });
    tokio::time::sleep(Duration::from_secs(100)).await;
    let ping = r#"{"jsonrpc":"2.0","id":5,"method":"ping"}"#;
    assert_eq!(
        web.post(&[("mcp-session-id", &*idle)], ping).await.status,
        404
    );
    assert_eq!(
        web.post(&[("mcp-session-id", &*busy)], ping).await.status,
        200
    );
    assert_eq!(
        web.post(&[("mcp-session-id", &*heard)], ping).await.status,
        200
    );
    gate.open();
    assert!(call_of_busy.text().await.contains("done"));
    listening.abort();
}

/// HTP-12.
#[tokio::test]
async fn there_are_only_so_many_sessions() {
    let web = Web::new(server()).set(|service| service.max_sessions(2));
    let first = web.open("2025-11-25").await;
    web.open("2025-11-25").await;
    let mut reply = web.post(&[], initialize("2025-11-25")).await;
    assert_eq!((reply.status, reply.header("retry-after")), (503, "5"));
    assert!(reply.text().await.contains("max_sessions"));
    assert_eq!(
        web.send("DELETE", &[("mcp-session-id", &first)], "")
            .await
            .status,
        204
    );
    web.open("2025-11-25").await;
}

/// Headers that repeat arguments are of 2026-07-28.
#[tokio::test]
async fn older_clients_repeat_no_arguments_in_headers() {
    let near = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"near","arguments":{"region":"eu"}}}"#;
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"eu 0"}]}}"#;
    let web = Web::new(server());
    let id = web.open("2025-11-25").await;
    let mut reply = web.post(&[("mcp-session-id", &*id)], near).await;
    assert_eq!(reply.text().await, answer);
    let web = Web::new(server()).set(mcp_sse::HttpService::stateless);
    assert_eq!(web.post(&[VERSION], near).await.text().await, answer);
}

/// HTP-02: without sessions there is no stream to open.
#[tokio::test]
async fn without_sessions_each_request_stands_alone() {
    let web = Web::new(server()).set(mcp_sse::HttpService::stateless);
    let reply = web.post(&[], initialize("2025-11-25")).await;
    assert_eq!((reply.status, reply.header("mcp-session-id")), (200, ""));
    let add = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3}}}"#;
    for headers in [&[][..], &[VERSION]] {
        let mut reply = web.post(headers, add).await;
        assert_eq!(
            reply.text().await,
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"5"}]}}"#
        );
    }
    let note = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(web.post(&[VERSION], note).await.status, 202);
    for method in ["GET", "DELETE", "PUT", "OPTIONS"] {
        let reply = web.send(method, &[BOTH], "").await;
        assert_eq!(
            (reply.status, reply.header("allow")),
            (405, "POST"),
            "{method}"
        );
    }
}
