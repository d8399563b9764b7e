//! Who is let in.

use crate::tools::server;
use crate::web::{BOTH, JSON, MODERN, Web, initialize, modern};

/// SEC-01.
#[tokio::test]
async fn strangers_are_refused_whatever_they_want() {
    let web = Web::new(server());
    let evil = [("origin", "http://attacker.test")];
    let elsewhere = [("host", "attacker.test:8000")];
    for method in ["POST", "GET", "DELETE", "OPTIONS", "PUT"] {
        for stranger in [&evil[..], &elsewhere] {
            let mut reply = web
                .send(method, &[&[JSON, BOTH], stranger].concat(), "not even JSON")
                .await;
            let text = reply.text().await;
            assert_eq!(reply.status, 403, "{method} {stranger:?}");
            assert!(text.contains("HttpService::allow_"), "{text}");
        }
    }
}

/// SEC-03.
#[tokio::test]
async fn names_and_pages_are_allowed_one_by_one() {
    let web = Web::new(server()).set(|service| {
        service
            .allow_host("mcp.example.com")
            .allow_origin("https://app.example.com")
    });
    let named = [
        ("host", "mcp.example.com"),
        ("origin", "https://app.example.com"),
    ];
    assert_eq!(web.post(&named, initialize("2025-11-25")).await.status, 200);
    let other = [named[0], ("origin", "https://example.com")];
    assert_eq!(web.post(&other, initialize("2025-11-25")).await.status, 403);
    // Whether something in front of the server speaks TLS is not known here.
    let own = [named[0], ("origin", "https://mcp.example.com")];
    assert_eq!(web.post(&own, initialize("2025-11-25")).await.status, 200);
    let own = [named[0], ("origin", "http://mcp.example.com")];
    assert_eq!(web.post(&own, initialize("2025-11-25")).await.status, 200);
}

/// HTP-09.
#[tokio::test]
async fn a_body_that_a_web_page_could_send_unasked_is_refused() {
    let web = Web::new(server());
    let body = modern("tools/list", "");
    let rest = [BOTH, MODERN, ("mcp-method", "tools/list")];
    for kind in [
        "text/plain",
        "application/json; charset=latin1",
        "application/x-www-form-urlencoded",
    ] {
        let headers = [&rest[..], &[("content-type", kind)]].concat();
        assert_eq!(
            web.send("POST", &headers, body.clone()).await.status,
            415,
            "{kind}"
        );
    }
    assert_eq!(web.send("POST", &rest, body.clone()).await.status, 415);
    let headers = [
        &rest[..],
        &[("content-type", "Application/JSON;charset=UTF-8")],
    ]
    .concat();
    assert_eq!(web.send("POST", &headers, body).await.status, 200);
}

/// HTP-02, HTP-07.
#[tokio::test]
async fn other_methods_and_kinds_are_refused_by_name() {
    let web = Web::new(server());
    for method in ["PUT", "PATCH", "OPTIONS", "HEAD"] {
        let reply = web.send(method, &[], "").await;
        assert_eq!(
            (reply.status, reply.header("allow")),
            (405, "GET, POST, DELETE"),
            "{method}"
        );
    }
    let id = web.open("2025-11-25").await;
    let json_only = [("accept", "application/json"), ("mcp-session-id", &*id)];
    assert_eq!(web.send("GET", &json_only, "").await.status, 406);
}
