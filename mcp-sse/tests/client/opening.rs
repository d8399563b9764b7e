//! Which era a server is of, and who is let in.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::{HeaderValue, StatusCode};
use mcp_core::ProtocolVersion;
use mcp_core::runtime::BoxFuture;
use mcp_sse::{Authorizer, BoxError, Challenge, Connect, ConnectError};

use crate::say::{DISCOVERED, connecting, handshake, open_legacy};
use crate::{Server, connected, soon};

fn error_body(id: &str, code: i32, data: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"m"{data}}}}}"#)
}

const JSON: &str = "content-type: application/json\r\n";

/// S26-02 and LEG-05, of HTTP.
#[tokio::test]
async fn whatever_no_modern_server_says_to_a_probe_leads_to_a_handshake() {
    for (status, headers, body) in [
        ("400 Bad Request", "", String::new()),
        ("400 Bad Request", JSON, error_body("null", -32000, "")),
        ("400 Bad Request", JSON, error_body("1", -32602, "")),
        (
            "404 Not Found",
            "content-type: text/html\r\n",
            "<html>".to_owned(),
        ),
        ("405 Method Not Allowed", "allow: GET\r\n", String::new()),
        (
            "422 Unprocessable Entity",
            JSON,
            r#"{"detail":"no"}"#.to_owned(),
        ),
        ("200 OK", JSON, error_body("1", -32601, "")),
        ("200 OK", JSON, error_body("1", -32602, "")),
        (
            "200 OK",
            JSON,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_owned(),
        ),
    ] {
        let mut server = Server::start().await;
        let connecting = connecting(&Connect::new(server.url("/mcp")));
        let probe = server.post().await;
        assert_eq!(probe.rpc(), "server/discover");
        probe.answer(status, headers, &body);
        handshake(&mut server, "2025-11-25", "s").await;
        let client = connected(connecting).await;
        assert_eq!(client.server().version, ProtocolVersion::V2025_11_25);
    }
}

/// LEG-05.
#[tokio::test]
async fn what_says_nothing_of_an_era_is_an_error() {
    for (status, headers, body) in [
        (
            "401 Unauthorized",
            "www-authenticate: Bearer\r\n",
            String::new(),
        ),
        ("403 Forbidden", "", String::new()),
        ("406 Not Acceptable", "", String::new()),
        ("429 Too Many Requests", "", String::new()),
        ("500 Internal Server Error", "", String::new()),
        (
            "500 Internal Server Error",
            JSON,
            error_body("1", -32603, ""),
        ),
        ("503 Service Unavailable", "", String::new()),
    ] {
        let mut server = Server::start().await;
        let connecting = connecting(&Connect::new(server.url("/mcp?key=secret")));
        server.post().await.answer(status, headers, &body);
        let error = soon(connecting).await.unwrap().unwrap_err();
        let text = format!("{error} {error:?}");
        assert!(text.contains(&format!("HTTP {status}")), "{text}");
        assert!(
            text.contains(&server.origin()) && !text.contains("secret"),
            "{text}"
        );
        server.assert_quiet();
    }
}

/// S26-01, of HTTP.
#[tokio::test]
async fn a_modern_server_is_never_asked_for_a_handshake() {
    for (data, expected) in [
        (
            r#","data":{"supported":["2026-10-01"],"requested":"2026-07-28"}"#,
            "2026-10-01",
        ),
        (
            r#","data":{"supported":[],"requested":"2026-07-28"}"#,
            "names none of its own",
        ),
        ("", "names none of its own"),
    ] {
        let mut server = Server::start().await;
        let connecting = connecting(&Connect::new(server.url("/mcp")));
        let probe = server.post().await;
        probe.answer("400 Bad Request", JSON, &error_body("1", -32022, data));
        let error = soon(connecting).await.unwrap().unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        server.assert_quiet();
    }
    let mut server = Server::start().await;
    let connecting = connecting(&Connect::new(server.url("/mcp")));
    let data = r#","data":{"supported":["2026-07-28"],"requested":"x"}"#;
    server
        .post()
        .await
        .answer("400 Bad Request", JSON, &error_body("1", -32022, data));
    let again = server.post().await;
    assert_eq!((&*again.rpc(), &*again.id()), ("server/discover", "2"));
    again.result(DISCOVERED);
    connected(connecting).await;
}

#[tokio::test]
async fn nobody_at_home_is_said_at_once() {
    let server = Server::start().await;
    let connect = Connect::new(server.url("/mcp?key=secret"));
    server.leave();
    drop(server);
    let error = soon(connecting(&connect)).await.unwrap().unwrap_err();
    let text = format!("{error} {error:?}");
    assert!(
        text.contains("refused") && !text.contains("secret"),
        "{text}"
    );
}

#[tokio::test]
async fn the_era_of_a_server_is_remembered_and_asked_anew_when_it_has_changed() {
    let mut server = Server::start().await;
    let connect = Connect::new(server.url("/mcp"));
    let first = connecting(&connect);
    open_legacy(&mut server, "2025-06-18", "s1").await;
    let first = connected(first).await;
    let stream = server.next().await;
    stream.answer("405 Method Not Allowed", "", "");

    let second = connecting(&connect.clone());
    handshake(&mut server, "2025-06-18", "s2").await;
    let second = connected(second).await;
    server.next().await.answer("405 Method Not Allowed", "", "");

    let third = connecting(&connect);
    let refused = server.post().await;
    assert_eq!(refused.rpc(), "initialize");
    let id = refused.id();
    refused.answer("400 Bad Request", JSON, &error_body(&id, -32020, ""));
    let probe = server.post().await;
    assert_eq!(probe.rpc(), "server/discover");
    probe.result(DISCOVERED);
    let third = connected(third).await;
    assert!(third.server().version.is_modern());
    drop((first, second));
}

#[tokio::test]
async fn what_can_not_be_sent_is_an_error_before_anything_is() {
    for (connect, expected) in [
        (
            Connect::new("ftp://h/"),
            "the URL can't be used: it is no URL of HTTP",
        ),
        (
            Connect::new("http://user:secret@h/"),
            "the URL can't be used: it holds credentials; give them as a header",
        ),
        (
            Connect::new("http://h/").header("a b", "secret"),
            "the header \"a b\" can't be sent",
        ),
        (
            Connect::new("http://h/").header("a", "se\ncret"),
            "the header \"a\" can't be sent",
        ),
        (
            Connect::new("http://h/").bearer_token("se\ncret"),
            "the header \"authorization\" can't be sent",
        ),
    ] {
        let error = soon(connecting(&connect)).await.unwrap().unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(!format!("{connect:?} {error:?}").contains("cret"));
        assert!(matches!(
            error,
            ConnectError::Url(_) | ConnectError::Header(_)
        ));
    }
}

#[tokio::test]
async fn tokens_and_headers_go_with_every_request() {
    let mut server = Server::start().await;
    let count = AtomicUsize::new(0);
    let connect = Connect::new(server.url("/mcp"))
        .header("X-Tenant", "blue")
        .header("Accept", "text/plain")
        .bearer_token_with(move || {
            let count = count.fetch_add(1, Ordering::Relaxed);
            async move { Ok(format!("t{count}")) }
        });
    let connecting = connecting(&connect);
    let probe = server.post().await;
    let (authorization, tenant) = (probe.header("authorization"), probe.header("x-tenant"));
    assert_eq!((authorization, tenant), (Some("Bearer t0"), Some("blue")));
    assert_eq!(
        probe.header("accept"),
        Some("application/json, text/event-stream")
    );
    probe.answer("400 Bad Request", "", "");
    let initialize = server.post().await;
    assert_eq!(initialize.header("authorization"), Some("Bearer t1"));
    initialize.hang_up();
    soon(connecting).await.unwrap().unwrap_err();

    let without =
        Connect::new(server.url("/mcp")).bearer_token_with(|| async { Err("no login".into()) });
    let error = soon(crate::say::connecting(&without))
        .await
        .unwrap()
        .unwrap_err();
    assert!(
        error.to_string().contains("no authorization: no login"),
        "{error}"
    );
    server.assert_quiet();
}

#[derive(Default)]
struct Login {
    seen: std::sync::Mutex<Vec<(StatusCode, String, String)>>,
}

impl Authorizer for Login {
    fn authorization(&self) -> BoxFuture<'_, Result<Option<HeaderValue>, BoxError>> {
        Box::pin(async {
            let count = self.seen.lock().unwrap().len();
            Ok((count > 0).then(|| HeaderValue::try_from(format!("Bearer {count}")).unwrap()))
        })
    }

    fn challenged<'a>(&'a self, challenge: &'a Challenge) -> BoxFuture<'a, Result<bool, BoxError>> {
        Box::pin(async {
            let header = challenge.www_authenticate[0].to_str()?.to_owned();
            let url = challenge.url.to_string();
            self.seen
                .lock()
                .unwrap()
                .push((challenge.status, header, url));
            Ok(true)
        })
    }
}

#[tokio::test]
async fn a_challenge_is_shown_to_whoever_authorizes_and_the_request_sent_again() {
    let mut server = Server::start().await;
    let login = Arc::new(Login::default());
    let connect = Connect::new(server.url("/mcp")).authorizer(Arc::clone(&login));
    let connecting = connecting(&connect);
    let challenge = "www-authenticate: Bearer scope=\"a\"\r\n";
    let probe = server.post().await;
    assert_eq!(probe.header("authorization"), None);
    probe.answer("401 Unauthorized", challenge, "");
    let probe = server.post().await;
    assert_eq!(probe.header("authorization"), Some("Bearer 1"));
    probe.answer("403 Forbidden", challenge, "");
    let probe = server.post().await;
    assert_eq!(probe.header("authorization"), Some("Bearer 2"));
    // It is sent no more often than that.
    probe.answer("403 Forbidden", challenge, "");
    let error = soon(connecting).await.unwrap().unwrap_err();
    assert!(error.to_string().contains("HTTP 403 Forbidden"), "{error}");
    let seen = login.seen.lock().unwrap().clone();
    let url = server.url("/mcp");
    let header = "Bearer scope=\"a\"".to_owned();
    assert_eq!(
        seen,
        [
            (StatusCode::UNAUTHORIZED, header.clone(), url.clone()),
            (StatusCode::FORBIDDEN, header, url),
        ]
    );
}
