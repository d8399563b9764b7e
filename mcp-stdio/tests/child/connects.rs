//! Clients of children, in one step.

use std::time::{Duration, Instant};

use mcp_core::{Client, ClientError};
use mcp_stdio::{ChildEnded, Command, ConnectError};
use serde_json::json;

use crate::fixture::{OPENING, Scratch, in_time, server, shell, wait_until_gone};

fn client_error(error: ConnectError) -> ClientError {
    match error {
        ConnectError::Client(error) => error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_server_is_opened_called_and_closed() {
    let script = r#"
        read -r call
        echo '{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"hello"}]}}'
        exec cat >/dev/null
    "#;
    let client = in_time(server(script).connect()).await.unwrap();
    let result = in_time(client.call_tool("greet", json!({}))).await.unwrap();
    assert_eq!(result.text(), "hello");
    in_time(client.close()).await;
}

/// HST-07.
#[tokio::test]
async fn a_child_that_ends_at_once_says_why() {
    let error = in_time(shell("echo no database >&2; exit 3").connect())
        .await
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("exit status: 3") && text.contains("no database"),
        "{text}"
    );
}

/// HST-07: a child that stays silent is given up, and killed.
#[tokio::test]
async fn a_silent_child_is_given_up_and_killed() {
    let scratch = Scratch::new();
    let command = shell(r#"echo $$ >"$0"; exec sleep 600"#).arg(&scratch.0);
    let short = Duration::from_millis(300);
    let client = Client::builder("test", "1")
        .timeout(short)
        .probe_timeout(short);
    let error = client_error(in_time(command.connect_as(client)).await.unwrap_err());
    assert!(error.is_timeout(), "{error}");
    assert_eq!(error.server(), "sh");
    let pid: i32 = std::fs::read_to_string(&scratch.0)
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    // The connection is closed in the background, so the runtime has to go on.
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    let gone = tokio::task::spawn_blocking(move || wait_until_gone(pid));
    in_time(gone).await.unwrap();
}

/// HST-07.
#[tokio::test]
async fn a_program_that_is_not_there_is_an_error_of_its_own() {
    let error = Command::new("no-such-server").connect().await.unwrap_err();
    assert!(matches!(error, ConnectError::Spawn(_)), "{error:?}");
    assert!(
        error
            .to_string()
            .starts_with("cannot start `no-such-server`"),
        "{error}"
    );
}

/// S26-02: one that leaves when it is probed is started once more, as an older one.
#[tokio::test]
async fn a_child_that_leaves_on_the_probe_is_started_again() {
    let scratch = Scratch::new();
    let script = r#"
        echo started >>"$0"
        read -r line
        case "$line" in *server/discover*) exit 1;; esac
        echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"old","version":"1"}}}'
        exec cat >/dev/null
    "#;
    let client = in_time(shell(script).arg(&scratch.0).connect())
        .await
        .unwrap();
    assert_eq!(client.server().version.as_str(), "2025-06-18");
    in_time(client.close()).await;
    let starts = std::fs::read_to_string(&scratch.0).unwrap();
    assert_eq!(starts.lines().count(), 2);
}

/// HST-06, HST-12.
#[tokio::test]
async fn the_end_of_a_child_fails_all_its_calls_at_once() {
    let script = "read -r one; read -r two; echo out of memory >&2; kill -9 $$";
    let client = in_time(server(script).connect()).await.unwrap();
    let (one, two) = (
        client.call_tool("a", json!({})),
        client.call_tool("b", json!({})),
    );
    let asked = Instant::now();
    let (one, two) = in_time(async { tokio::join!(one, two) }).await;
    assert!(
        asked.elapsed() < Duration::from_secs(10),
        "{:?}",
        asked.elapsed()
    );
    for failed in [one, two] {
        let error = failed.unwrap_err();
        assert!(error.is_disconnected() && error.is_outcome_unknown());
        let cause = std::error::Error::source(&error).unwrap();
        let io = cause.downcast_ref::<std::io::Error>().unwrap();
        let ended: &ChildEnded = io.get_ref().unwrap().downcast_ref().unwrap();
        assert_eq!(ended.stderr(), "out of memory");
        assert!(error.to_string().contains("signal: 9"), "{error}");
    }
    let later = client.call_tool("c", json!({})).await.unwrap_err();
    assert!(later.is_disconnected() && !later.is_outcome_unknown());
    assert!(client.is_closed());
}

/// FRM-16.
#[tokio::test]
async fn noise_on_standard_output_is_skipped() {
    let banner = format!(
        "printf 'Server mode: STDIO\\n\\033[32mINFO\\033[0m ready\\n'\n{OPENING}exec cat >/dev/null"
    );
    let client = in_time(shell(&banner).connect()).await.unwrap();
    assert_eq!(client.server().name(), "script");
    in_time(client.close()).await;
}

/// HST-10.
#[tokio::test]
async fn a_connection_is_one_process() {
    let scratch = Scratch::new();
    let answer = r#"
        echo $$ >>"$0"
        n=3
        while read -r call; do
            echo '{"jsonrpc":"2.0","id":'$n',"result":{"content":[{"type":"text","text":"'$n'"}]}}'
            n=$((n + 1))
        done
    "#;
    let client = in_time(server(answer).arg(&scratch.0).connect())
        .await
        .unwrap();
    for n in 3..8 {
        let result = in_time(client.call_tool("count", json!({}))).await.unwrap();
        assert_eq!(result.text(), n.to_string());
    }
    in_time(client.close()).await;
    assert_eq!(
        std::fs::read_to_string(&scratch.0).unwrap().lines().count(),
        1
    );
}
