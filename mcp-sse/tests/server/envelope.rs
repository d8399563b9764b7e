//! Bodies that are no message.

use crate::tools::server;
use crate::web::{MODERN, Web};

/// JRP-01.
#[tokio::test]
async fn what_is_no_message_is_refused_without_an_id() {
    let web = Web::new(server());
    let id = web.open("2025-11-25").await;
    let session = ("mcp-session-id", &*id);
    for (headers, body, code) in [
        (MODERN, "", -32700),
        (MODERN, "{", -32700),
        (MODERN, "\u{0}", -32700),
        (MODERN, "5", -32600),
        (MODERN, "{}", -32600),
        (
            MODERN,
            r#"{"jsonrpc":"2.0","id":null,"method":"tools/list","params":{}}"#,
            -32600,
        ),
        (
            MODERN,
            r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]"#,
            -32600,
        ),
        (
            session,
            r#"{"jsonrpc":"2.0","id":null,"method":"tools/list","params":{}}"#,
            -32600,
        ),
        (session, "{", -32700),
    ] {
        let mut reply = web.post(&[headers], body).await;
        let text = reply.text().await;
        assert_eq!(reply.status, 400, "{body}: {text}");
        if !text.is_empty() {
            assert!(
                text.starts_with(&format!(r#"{{"jsonrpc":"2.0","error":{{"code":{code}"#)),
                "{body}: {text}"
            );
        }
    }
    // Before 2025-11-25 an error has an id or is none.
    let id = web.open("2025-06-18").await;
    let mut reply = web.post(&[("mcp-session-id", &*id)], "{").await;
    assert_eq!((reply.status, reply.text().await.as_str()), (400, ""));
}

/// FRM-07.
#[tokio::test]
async fn line_separators_of_unicode_are_text() {
    let web = Web::new(server());
    let text = "a\u{2028}b\u{2029}c\u{85}d";
    let body = crate::web::modern("tools/call", &format!(r#""name":"{text}""#));
    let encoded = mcp_core::protocol::http_headers::encode_value(text);
    let headers = [
        MODERN,
        ("mcp-method", "tools/call"),
        ("mcp-name", &*encoded),
    ];
    let answer = web.post(&headers, body).await.text().await;
    assert!(
        answer.contains(&format!("there is no tool `{text}`")),
        "{answer}"
    );
}
