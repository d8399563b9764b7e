//! Requests to the byte, and what is made of answers.

use mcp_core::client::{ClientErrorKind, Disconnected};
use mcp_core::protocol::{
    CompleteParams, CompletionArgument, CompletionReference, LoggingLevel, Ping, PromptReference,
    ProtocolVersion, ReadResource, ReadResourceParams, Root,
};
use mcp_core::{Client, RawJson};
use serde_json::json;

use crate::talk::{SECOND, Talk, builder, error, kind, modern_request, result, text, words};

fn raw(text: &str) -> RawJson {
    text.parse().unwrap()
}

fn completing() -> CompleteParams {
    let prompt = CompletionReference::Prompt(PromptReference::new("p"));
    CompleteParams::new(prompt, CompletionArgument::new("a", "x"))
}

/// B3: the era before 2026-07-28 forbids it, and the later one has nothing to gain.
#[test]
fn ids_are_never_used_again() {
    for mut talk in [Talk::modern(), Talk::legacy()] {
        for id in 2..6 {
            let call = talk.call("t");
            assert_eq!(
                talk.server.run().take_sent().pop(),
                Some(talk.called(id, "t"))
            );
            match id {
                2 => drop(call),
                3 => drop(talk.server.send(error(3, 1)).run()),
                4 => drop(talk.server.advance(SECOND * 60)),
                _ => drop(talk.server.send(result(id, "{}")).run()),
            }
            drop(talk.server.run().take_sent());
        }
        let _call = talk.call("t");
        talk.server.assert_sent(&[&talk.called(6, "t")]);
    }
}

/// B4, C11, JRP-04, JRP-14: what answers nothing is skipped, and what waits goes on.
#[test]
fn answers_to_nothing_are_skipped() {
    let mut talk = Talk::modern();
    let (first, second) = (talk.call("a"), talk.call("b"));
    talk.server.run();
    talk.server
        .send(r#"{"jsonrpc":"2.0","id":99999,"result":{}}"#)
        .send(r#"{"jsonrpc":"2.0","id":"zz","error":{"code":0,"message":""}}"#)
        .send(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        .send(r#"{"jsonrpc":"2.0","id":0,"result":{}}"#)
        .send(r#"{"jsonrpc":"2.0","id":-2,"result":{}}"#)
        .send(r#"{"jsonrpc":"2.0","id":2.0,"result":{}}"#)
        .send(r#"{"jsonrpc":"2.0","id":"","result":{}}"#)
        .send(r#"{"jsonrpc":"2.0","id":"+2","result":{}}"#)
        .send(r#"{"jsonrpc":"2.0","id":"02","result":{}}"#)
        .send(r#"{"jsonrpc":"2.0","id":[2],"result":{}}"#)
        .send(r#"{"jsonrpc":"2.0","id":{"id":2},"result":{}}"#)
        .send(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"m"}}"#)
        .send(r#"{"jsonrpc":"2.0","id":18446744073709551618,"result":{}}"#)
        .send(r#"[{"jsonrpc":"2.0","id":2,"result":{}}]"#)
        .send(r#"{"jsonrpc":"2.0","method":""}"#)
        .run();
    assert!(first.take().is_none() && second.take().is_none());
    // JRP-04: an id that came back as text; the first answer counts.
    talk.server
        .send(format!(
            r#"{{"jsonrpc":"2.0","id":"2","result":{}}}"#,
            text("one")
        ))
        .send(result(2, &text("two")))
        .send(result(3, &text("three")))
        .run();
    talk.server.send(result(2, &text("four"))).run();
    assert_eq!(first.take().unwrap().unwrap().text(), "one");
    assert_eq!(second.take().unwrap().unwrap().text(), "three");
    talk.methods();
    assert!(!talk.client.is_closed());
}

/// B4, B6: answers that are none fail the request at once.
#[test]
fn a_malformed_answer_fails_its_request_and_no_other() {
    for (answer, expected) in [
        (
            r#"{"jsonrpc":"2.0","id":2,"result":{},"error":{"code":1,"message":"m"}}"#,
            "one of `result` and `error`",
        ),
        (r#"{"jsonrpc":"2.0","id":2}"#, "it has no result"),
        (
            r#"{"jsonrpc":"2.0","id":2,"result":null}"#,
            "it is no object",
        ),
        (r#"{"jsonrpc":"2.0","id":2,"result":[]}"#, "it is no object"),
        (
            r#"{"jsonrpc":"2.0","id":2,"result":"x"}"#,
            "it is no object",
        ),
        (
            r#"{"jsonrpc":"1.0","id":2,"result":{}}"#,
            "`jsonrpc` must be",
        ),
        (r#"{"id":2,"result":{}}"#, "`jsonrpc` must be"),
        (
            r#"{"jsonrpc":"2.0","id":2,"result":{},"result":{}}"#,
            "occurs twice",
        ),
    ] {
        let mut talk = Talk::modern();
        let (first, second) = (talk.call("a"), talk.call("b"));
        talk.server.run().send(answer).run();
        let failed = first
            .take()
            .unwrap_or_else(|| panic!("{answer}"))
            .unwrap_err();
        assert!(
            matches!(failed.kind(), ClientErrorKind::Malformed(why) if why.contains(expected)),
            "{failed}"
        );
        assert!(failed.is_outcome_unknown());
        assert!(second.take().is_none());
        talk.server.send(result(3, &text("x"))).run();
        assert!(second.take().unwrap().is_ok());
    }
}

/// B6, JRP-14: errors as they are met.
#[test]
fn errors_are_read_leniently() {
    for (error, code, message) in [
        (r#"{"code":0,"message":""}"#, 0, ""),
        (r#""boom""#, -32603, "boom"),
        ("null", -32603, "an error that is no error object"),
        (r#"{"code":"-5","message":"m"}"#, -5, "m"),
        (r#"{"message":"m"}"#, -32603, "m"),
    ] {
        let mut talk = Talk::legacy();
        let call = talk.call("a");
        talk.server
            .run()
            .send(format!(r#"{{"jsonrpc":"2.0","id":2,"error":{error}}}"#))
            .run();
        let failed = call.take().unwrap().unwrap_err();
        let object = failed.error_object().unwrap();
        assert_eq!(
            (object.code.get(), &*object.message),
            (code, message),
            "{error}"
        );
        assert!(!failed.is_outcome_unknown());
    }
}

type Asking = fn(Client) -> std::pin::Pin<Box<dyn Future<Output = bool> + Send>>;

/// Each request of the client: its method, the members of its params, a result, and how it is made.
const REQUESTS: [(&str, &str, &str, Asking); 12] = [
    ("tools/list", "", r#"{"tools":[]}"#, |c| {
        Box::pin(async move { c.list_tools(None).await.is_ok() })
    }),
    ("tools/list", r#""cursor":"a\nb""#, r#"{"tools":[]}"#, |c| {
        Box::pin(async move { c.list_tools(Some(&"a\nb".into())).await.is_ok() })
    }),
    ("prompts/list", "", r#"{"prompts":[]}"#, |c| {
        Box::pin(async move { c.list_all_prompts().await.is_ok() })
    }),
    ("resources/list", "", r#"{"resources":[]}"#, |c| {
        Box::pin(async move { c.list_all_resources().await.is_ok() })
    }),
    (
        "resources/templates/list",
        "",
        r#"{"resourceTemplates":[]}"#,
        |c| Box::pin(async move { c.list_all_resource_templates().await.is_ok() }),
    ),
    (
        "resources/read",
        r#""uri":"file:///x""#,
        r#"{"contents":[]}"#,
        |c| Box::pin(async move { c.read_resource("file:///x").await.is_ok() }),
    ),
    ("prompts/get", r#""name":"p""#, r#"{"messages":[]}"#, |c| {
        Box::pin(async move { c.get_prompt("p", [("", ""); 0]).await.is_ok() })
    }),
    (
        "prompts/get",
        r#""name":"p","arguments":{"a":"1","b":"\"\u2028"}"#,
        r#"{"messages":[]}"#,
        |c| {
            Box::pin(async move {
                c.get_prompt("p", [("b", "\"\u{2028}"), ("a", "1")])
                    .await
                    .is_ok()
            })
        },
    ),
    (
        "completion/complete",
        r#""ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"x"}"#,
        r#"{"completion":{"values":["xy"]}}"#,
        |c| {
            Box::pin(async move {
                let params = completing();
                c.complete(&params).await.is_ok()
            })
        },
    ),
    ("com.ex/m", r#""x":[1,  2]"#, "[7]", |c| {
        Box::pin(async move {
            let params = raw("{\"x\":[1,  2]\n}");
            c.request_raw("com.ex/m", Some(&params))
                .await
                .is_ok_and(|result| result.get() == "[7]")
        })
    }),
    // A method is data: it can't end its frame, or add a member to it.
    (r#"m\",\"x\":\"\n"#, "", "7", |c| {
        Box::pin(async move {
            c.request_raw("m\",\"x\":\"\n", None)
                .await
                .is_ok_and(|result| result.get() == "7")
        })
    }),
    (
        "resources/read",
        r#""uri":"u""#,
        r#"{"contents":[]}"#,
        |c| {
            Box::pin(async move {
                c.request::<ReadResource>(&ReadResourceParams::new("u"))
                    .await
                    .is_ok()
            })
        },
    ),
];

/// C1, C31: to the byte, in both eras.
#[test]
fn each_request_says_what_it_has_to_and_no_more() {
    let (mut modern, mut legacy) = (Talk::modern(), Talk::legacy());
    for (method, params, answer, ask) in REQUESTS {
        let params = params.replace("\\u2028", "\u{2028}");
        let asked = modern.start(ask);
        let line = modern_request(modern.next, method, &params, "");
        modern.server.assert_sent(&[&line]);
        modern.answer(answer);
        assert_eq!(asked.take(), Some(true), "{method}");

        let asked = legacy.start(ask);
        let id = legacy.next;
        let params = if params.is_empty() {
            String::new()
        } else {
            format!(r#","params":{{{params}}}"#)
        };
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"{params}}}"#);
        legacy.server.assert_sent(&[&line]);
        legacy.answer(answer);
        assert_eq!(asked.take(), Some(true), "{method}");
    }
}

/// C1: the one place where `_meta` is written out.
#[test]
fn a_call_of_a_tool_carries_the_facts_and_a_token() {
    let mut talk = Talk::modern();
    let _call =
        talk.start(|c| async move { c.call_tool("add", json!({"a": 1, "b": [null]})).await });
    talk.server.assert_sent(&[
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":[null]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"progressToken":2}}}"#,
    ]);
    let mut talk = Talk::legacy();
    let _call =
        talk.start(|c| async move { c.call_tool("a\"b", json!({})).without_progress().await });
    talk.server.assert_sent(&[
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a\"b","arguments":{}}}"#,
    ]);
}

/// B21, B22: what callers add stands in the one `_meta`, and what the client sets can't be set by others.
#[test]
fn metadata_of_callers_is_sent_along() {
    let meta = r#"{"com.ex/a":{"b": 1},"traceparent":"00-1","progressToken":"mine","io.modelcontextprotocol/protocolVersion":"x","io.modelcontextprotocol/logLevel":"debug"}"#;
    let sent = r#""com.ex/a":{"b": 1},"traceparent":"00-1""#;
    for is_modern in [true, false] {
        let mut talk = if is_modern {
            Talk::modern()
        } else {
            Talk::legacy()
        };
        let line = |id: u64, method: &str, params: &str, token: &str| {
            if is_modern {
                return modern_request(id, method, params, &format!("{sent}{token}"));
            }
            format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params},"_meta":{{{sent}{token}}}}}}}"#
            )
        };
        let _call = talk
            .start(|c| async move { c.call_tool("t", ()).meta(&raw(meta).parse().unwrap()).await });
        let call = line(
            2,
            "tools/call",
            r#""name":"t","arguments":{}"#,
            r#","progressToken":2"#,
        );
        talk.server.assert_sent(&[&call]);
        let _asked = talk.start(|c| async move {
            let params = raw(&format!(r#"{{"_meta":{meta},"x":1}}"#));
            c.request_raw("m", Some(&params)).await
        });
        talk.server.assert_sent(&[&line(3, "m", r#""x":1"#, "")]);
        let _asked = talk.start(|c| async move {
            let mut params = ReadResourceParams::new("u");
            params.meta = raw(meta).parse().unwrap();
            c.request::<ReadResource>(&params).await
        });
        talk.server
            .assert_sent(&[&line(4, "resources/read", r#""uri":"u""#, "")]);
        let params = raw(&format!(r#"{{"x":1,"_meta":{meta}}}"#));
        talk.client.notify("n/m", Some(&params)).unwrap();
        // A notification has no facts, so it is sent as it was given.
        talk.server.assert_sent(&[&format!(
            r#"{{"jsonrpc":"2.0","method":"n/m","params":{{"x":1,"_meta":{meta}}}}}"#
        )]);
    }
}

/// T3: one frame is one line, whatever the caller hands over.
#[test]
fn line_breaks_between_tokens_are_not_sent() {
    let mut talk = Talk::legacy();
    let pretty = "{\n  \"a\":\r\n 1}";
    let arguments: Box<serde_json::value::RawValue> = serde_json::from_str(pretty).unwrap();
    let _call = talk.start(|c| async move { c.call_tool("t", arguments).without_progress().await });
    talk.server.assert_sent(&[
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","arguments":{  "a": 1}}}"#,
    ]);
    talk.client.notify("n", Some(&raw(pretty))).unwrap();
    talk.server
        .assert_sent(&[r#"{"jsonrpc":"2.0","method":"n","params":{  "a": 1}}"#]);
}

#[test]
fn params_and_arguments_are_objects() {
    let mut talk = Talk::modern();
    for call in [
        talk.start(|c| async move { c.call_tool("t", [1]).await.map(drop) }),
        talk.start(|c| async move { c.call_tool("t", "x").await.map(drop) }),
        talk.start(|c| async move {
            c.call_tool("t", std::collections::HashMap::from([((1, 2), 3)]))
                .await
                .map(drop)
        }),
        talk.start(|c| async move { c.request_raw("m", Some(&raw("[1]"))).await.map(drop) }),
        talk.start(|c| async move { c.notify("m", Some(&raw("7"))) }),
    ] {
        talk.server.assert_sent(&[]);
        let failed = call.take().unwrap().unwrap_err();
        assert!(
            matches!(failed.kind(), ClientErrorKind::Unwritable(_)),
            "{failed}"
        );
        assert!(!failed.is_outcome_unknown());
    }
}

/// LIF-10, B33: what the server has not declared is not asked of it.
#[test]
fn what_a_server_does_not_offer_is_refused_here() {
    for mut talk in [
        Talk::modern_with(builder(), "{}"),
        Talk::legacy_with(builder(), ProtocolVersion::V2025_11_25, "{}"),
    ] {
        let refused = |outcome: Option<Result<(), mcp_core::ClientError>>| {
            assert!(matches!(kind(outcome), ClientErrorKind::Unsupported(_)));
        };
        let is_legacy = !talk.client.server().version.is_modern();
        let asked = [
            talk.start(|c| async move { c.call_tool("t", ()).await.map(drop) }),
            talk.start(|c| async move { c.list_tools(None).await.map(drop) }),
            talk.start(|c| async move { c.list_prompts(None).await.map(drop) }),
            talk.start(|c| async move { c.list_resources(None).await.map(drop) }),
            talk.start(|c| async move { c.list_resource_templates(None).await.map(drop) }),
            talk.start(|c| async move { c.read_resource("u").await.map(drop) }),
            talk.start(|c| async move { c.get_prompt("p", [("", ""); 0]).await.map(drop) }),
            talk.start(|c| async move {
                let params = completing();
                c.complete(&params).await.map(drop)
            }),
            talk.start(|c| async move { c.set_log_level(LoggingLevel::Info).await }),
        ];
        talk.server.assert_sent(&[]);
        asked.into_iter().for_each(|asked| refused(asked.take()));
        if is_legacy {
            let subscribed = talk.start(|c| async move { c.subscribe(["u"]).await.map(drop) });
            talk.server.assert_sent(&[]);
            refused(subscribed.take());
        }
        // An empty list is what such a server has.
        let all = talk.start(|c| async move {
            c.list_all_tools().await.unwrap().is_empty()
                && c.list_all_prompts().await.unwrap().is_empty()
        });
        talk.server.assert_sent(&[]);
        assert_eq!(all.take(), Some(true));
        // Who insists may ask.
        let _asked = talk.start(|c| async move {
            c.request::<ReadResource>(&ReadResourceParams::new("u"))
                .await
        });
        assert_eq!(talk.methods(), ["resources/read"]);
    }
}

/// Completions are older than their capability.
#[test]
fn revisions_without_the_capability_of_completions_have_completions() {
    let mut talk = Talk::legacy_with(builder(), ProtocolVersion::V2024_11_05, "{}");
    let _asked = talk.start(|c| async move {
        let params = completing();
        c.complete(&params).await
    });
    assert_eq!(talk.methods(), ["completion/complete"]);
}

/// LIF-10: a refused request is that and no more.
#[test]
fn an_error_ends_its_request_and_nothing_else() {
    let mut talk = Talk::modern();
    let asked = talk.start(|c| async move { c.list_prompts(None).await });
    talk.server.run().send(error(2, -32601)).run();
    assert_eq!(words(asked.take()), "s: `prompts/list`: error -32601: no");
    let call = talk.call("t");
    talk.next = 3;
    talk.server.run();
    talk.answer(&text("x"));
    assert!(call.take().unwrap().is_ok() && !talk.client.is_closed());
}

/// B40, and the table of revisions: 2026-07-28 has no ping.
#[test]
fn a_ping_is_sent_where_there_is_one() {
    let mut talk = Talk::legacy();
    let pinged = talk.start(|c| async move { c.ping().await });
    talk.server
        .assert_sent(&[r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#]);
    talk.answer("{}");
    assert!(pinged.take().unwrap().is_ok());

    let mut talk = Talk::modern();
    let pinged = talk.start(|c| async move { c.ping().await });
    talk.server.assert_sent(&[]);
    assert!(words(pinged.take()).contains("2026-07-28"));
    let _asked = talk.start(|c| async move {
        c.request::<Ping>(&mcp_core::protocol::RequestParams::default())
            .await
    });
    assert_eq!(talk.methods(), ["ping"]);
}

/// 2026-07-28 asks for logs with each request, earlier revisions once.
#[test]
fn log_levels_are_asked_for_as_the_revision_has_it() {
    let mut talk = Talk::legacy();
    let set = talk.start(|c| async move { c.set_log_level(LoggingLevel::Warning).await });
    talk.server.assert_sent(&[
        r#"{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"warning"}}"#,
    ]);
    talk.answer("{}");
    assert!(set.take().unwrap().is_ok());

    let mut talk = Talk::modern();
    let set = talk.start(|c| async move { c.set_log_level(LoggingLevel::Warning).await });
    talk.server.assert_sent(&[]);
    assert!(set.take().unwrap().is_ok());
    let _asked = talk.start(|c| async move { c.list_tools(None).await });
    let level = r#""io.modelcontextprotocol/logLevel":"warning""#;
    talk.server
        .assert_sent(&[&modern_request(2, "tools/list", "", level)]);
}

#[test]
fn a_level_given_at_the_start_is_asked_for_when_the_server_logs() {
    use crate::talk::{INITIALIZED, OFFERS, connecting, initialize, initialized};
    let leveled = builder()
        .log_level(LoggingLevel::Error)
        .protocol(ProtocolVersion::V2025_06_18);
    let (_, mut server, connecting) = connecting(leveled.clone());
    server
        .assert_sent(&[&initialize(1, "2025-06-18", "{}")])
        .send(initialized(1, "2025-06-18", OFFERS))
        .assert_sent(&[
            INITIALIZED,
            r#"{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"error"}}"#,
        ])
        .send(result(2, "{}"))
        .run();
    assert!(connecting.take().unwrap().is_ok());
    let mut talk = Talk::legacy_with(leveled, ProtocolVersion::V2025_06_18, "{}");
    talk.server.assert_sent(&[]);
}

/// RSC-05, C47.
#[test]
fn a_missing_resource_is_known_in_both_eras() {
    for (mut talk, code) in [(Talk::legacy(), -32002), (Talk::modern(), -32602)] {
        let read = talk.start(|c| async move { c.read_resource("file:///x").await });
        talk.server.run().send(error(2, code)).run();
        let failed = read.take().unwrap().unwrap_err();
        assert!(failed.is_resource_not_found());
        let call = talk.call("t");
        talk.server.run().send(error(3, code)).run();
        assert!(!call.take().unwrap().unwrap_err().is_resource_not_found());
    }
}

/// S26-13, C2, RES-05: what kind of result it is.
#[test]
fn results_of_unknown_kinds_are_malformed_in_the_revision_that_has_kinds() {
    for (kind, is_ok) in [
        ("", true),
        (r#""resultType":"complete","#, true),
        (r#""resultType":null,"#, true),
        (r#""resultType":"input_required","#, false),
        (r#""resultType":"com.ex/new","#, false),
        (r#""resultType":"task","#, false),
        (r#""resultType":5,"#, false),
    ] {
        let answer = format!(r#"{{{kind}"tools":[]}}"#);
        let mut talk = Talk::modern();
        let listed = talk.start(|c| async move { c.list_tools(None).await });
        talk.server.run();
        talk.answer(&answer);
        let listed = listed.take().unwrap();
        assert_eq!(listed.is_ok(), is_ok, "{kind}");
        if let Err(failed) = listed {
            assert!(
                matches!(failed.kind(), ClientErrorKind::Malformed(_)),
                "{failed}"
            );
        }
        let mut talk = Talk::legacy();
        let listed = talk.start(|c| async move { c.list_tools(None).await });
        talk.server.run();
        talk.answer(&answer);
        assert!(listed.take().unwrap().is_ok(), "{kind}");
    }
    // C20 and the page of input rounds: only three requests may be answered so.
    let mut talk = Talk::modern();
    let completed = talk.start(|c| async move {
        let params = completing();
        c.complete(&params).await
    });
    talk.server.run();
    talk.answer(r#"{"resultType":"input_required","requestState":"s"}"#);
    talk.server.run();
    assert!(matches!(
        kind(completed.take()),
        ClientErrorKind::Malformed(_)
    ));
}

/// Errors say which server and which request they are about, and carry no payload.
#[test]
fn errors_name_the_server_and_the_method() {
    let mut talk = Talk::modern_with(builder().label("notes"), "{}");
    let call =
        talk.start(|c| async move { c.call_tool("secret", json!({"token": "hunter2"})).await });
    talk.server.run();
    let failed = call.take().unwrap().unwrap_err();
    assert_eq!(
        failed.to_string(),
        "notes: `tools/call`: the server offers no tools"
    );
    assert_eq!((failed.server(), failed.method()), ("notes", "tools/call"));
    assert!(!format!("{failed:?}").contains("hunter2"));
}

#[test]
fn what_is_asked_after_the_end_fails_at_once_and_says_why_it_ended() {
    let mut talk = Talk::legacy_with(
        builder().roots([Root::new("file:///x")]),
        ProtocolVersion::V2025_11_25,
        crate::talk::OFFERS,
    );
    talk.server.end_output().run();
    let by_server = |kind: ClientErrorKind| {
        assert!(
            matches!(
                kind,
                ClientErrorKind::Disconnected {
                    why: Disconnected::ByServer,
                    sent: false
                }
            ),
            "{kind:?}"
        );
    };
    let call = talk.call("t");
    let subscribed = talk.start(|c| async move { c.subscribe(["u"]).await.map(drop) });
    talk.server.run();
    by_server(kind(call.take()));
    by_server(kind(subscribed.take()));
    by_server(talk.client.notify("n", None).unwrap_err().kind().clone());
    by_server(talk.client.set_roots([]).unwrap_err().kind().clone());
    assert!(talk.client.is_closed());
}
