//! More than the pipes hold, in both directions.

use std::time::{Duration, Instant};

use mcp_core::client::{ClientErrorKind, Disconnected, OverlongMessage};
use mcp_core::{Client, ClientBuilder};
use mcp_stdio::Command;
use serde_json::json;

use crate::fixture::{Room, in_time, server, shell, wait_until_gone_of};

const MIB: usize = 1 << 20;

fn builder() -> ClientBuilder {
    Client::builder("test", "1")
}

async fn connected(command: &Command, client: ClientBuilder) -> Client {
    in_time(command.connect_as(client)).await.unwrap()
}

/// HST-13: each side writes a mebibyte before it reads.
#[tokio::test]
async fn a_mebibyte_each_way_at_once_passes() {
    let script = r#"
        notice='{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"'$(head -c 1000 /dev/zero | tr '\0' x)'"}}'
        i=0; while [ $i -lt 1100 ]; do echo "$notice"; i=$((i + 1)); done
        read -r call
        echo '{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"'${#call}'"}]}}'
        exec cat >/dev/null
    "#;
    let client = connected(&server(script), builder()).await;
    let big = "y".repeat(MIB);
    let result = in_time(client.call_tool("swallow", json!({"big": big})));
    let read: usize = result.await.unwrap().text().parse().unwrap();
    assert!(read > MIB, "{read}");
    in_time(client.close()).await;
}

/// HST-05: a server that reads no more. What could not be written fails at its deadline, and closing is in time.
#[tokio::test]
async fn calls_of_a_server_that_stopped_reading_end_at_their_deadline() {
    let script = "echo $$ >\"$0\"; kill -STOP $$";
    let scratch = crate::fixture::Scratch::new();
    let command = server(script)
        .arg(&scratch.0)
        .close_timeout(Duration::from_millis(800));
    let client = connected(&command, builder()).await;
    let big = "y".repeat(MIB);
    let short = Duration::from_millis(500);
    let call = |name| client.call_tool(name, json!({"big": big})).timeout(short);
    let before = Room::now();
    let asked = Instant::now();
    let (one, two, three) =
        in_time(async { tokio::join!(call("one"), call("two"), call("three")) }).await;
    let took = asked.elapsed();
    assert!(took >= short && took < Duration::from_secs(10), "{took:?}");
    for failed in [one, two, three] {
        let error = failed.unwrap_err();
        assert!(error.is_timeout(), "{error}");
        assert!(
            error.to_string().starts_with("script: `tools/call`: "),
            "{error}"
        );
    }
    // Calls that are given up take no room, however often one tries.
    for _ in 0..40 {
        let call = client.call_tool("more", json!({"big": big}));
        let given_up = tokio::time::timeout(Duration::ZERO, call).await;
        given_up.expect_err("nobody reads");
    }
    let grown = before.grown_kb();
    assert!(grown < 32 << 10, "{grown} kB");
    // One that waits is told at once, and the end does not wait for the server.
    let waiting = client.call_tool("last", json!({"big": big}));
    let asked = Instant::now();
    let (waiting, ()) = in_time(async { tokio::join!(waiting, client.close()) }).await;
    let took = asked.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
    let error = waiting.unwrap_err();
    assert!(
        matches!(
            error.kind(),
            ClientErrorKind::Disconnected {
                why: Disconnected::Closed,
                ..
            }
        ),
        "{error:?}"
    );
    wait_until_gone_of(&scratch);
}

/// FRM-13.
#[tokio::test]
async fn an_overlong_line_of_a_child_ends_the_connection_or_is_skipped() {
    let script = r#"
        read -r call
        echo '{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"'$(head -c 100000 /dev/zero | tr '\0' x)'"}]}}'
        read -r call
        echo '{"jsonrpc":"2.0","id":4,"result":{"content":[]}}'
        exec cat >/dev/null
    "#;
    for policy in [OverlongMessage::Close, OverlongMessage::Skip] {
        let command = server(script).max_line(50_000);
        let client = connected(&command, builder().overlong(policy)).await;
        let error = in_time(client.call_tool("t", json!({}))).await.unwrap_err();
        let next = in_time(client.call_tool("t", json!({}))).await;
        if policy == OverlongMessage::Skip {
            assert_eq!(
                error.to_string(),
                "script: `tools/call`: the answer is longer than 50000 bytes"
            );
            next.unwrap();
            in_time(client.close()).await;
            continue;
        }
        assert_eq!(
            error.to_string(),
            "script: `tools/call`: the connection was closed: the server sent a message of more than 50000 bytes; whether the request was carried out is unknown"
        );
        assert!(next.unwrap_err().is_disconnected());
        in_time(client.closed()).await;
    }
}

/// A line of a gigabyte that never ends takes no more room than the limit.
#[tokio::test]
async fn a_line_of_a_gigabyte_takes_no_room() {
    let script = r#"
        read -r call
        printf '{"jsonrpc":"2.0","id":3,"result":"'; head -c 1000000000 /dev/zero | tr '\0' x; printf '"}\n'
        read -r call
        echo '{"jsonrpc":"2.0","id":4,"result":{"content":[]}}'
        exec cat >/dev/null
    "#;
    let before = Room::now();
    let client = connected(&server(script), builder().overlong(OverlongMessage::Skip)).await;
    let error = in_time(client.call_tool("t", json!({}))).await.unwrap_err();
    assert!(matches!(error.kind(), ClientErrorKind::TooLong(limit) if *limit == 10 * MIB));
    in_time(client.call_tool("t", json!({}))).await.unwrap();
    in_time(client.close()).await;

    let client = connected(&server(script), builder()).await;
    let error = in_time(client.call_tool("t", json!({}))).await.unwrap_err();
    assert!(
        error.is_disconnected() && error.server() == "script",
        "{error}"
    );
    in_time(client.closed()).await;
    let grown = before.grown_kb();
    assert!(grown < 64 << 10, "{grown} kB");
}

/// What it writes besides must not hold its answers up, nor take room.
#[tokio::test]
async fn a_flood_of_notifications_holds_no_call_up() {
    let script = r#"
        read -r call
        yes '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"flood"}}' | head -n 300000
        echo '{"jsonrpc":"2.0","id":3,"result":{"content":[]}}'
        exec cat >/dev/null
    "#;
    let client = connected(&server(script), builder()).await;
    let events = client.events();
    let before = Room::now();
    in_time(client.call_tool("t", json!({}))).await.unwrap();
    let grown = before.grown_kb();
    assert!(grown < 8 << 10, "{grown} kB");
    drop(events);
    in_time(client.close()).await;
}

/// FRM-16: what a child prints where only messages belong is what its user has to know.
#[tokio::test]
async fn noise_is_shown_when_the_handshake_fails() {
    let noise = r"printf '\033[32mUsage: server [--port N]\033[0m\nmore\n'";
    let short = Duration::from_millis(300);
    let client = builder().timeout(short).probe_timeout(short);
    let command = shell(&format!("{noise}; while read -r line; do :; done"));
    let error = in_time(command.connect_as(client.clone()))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "sh: `initialize`: no answer within 300ms; it has written what is no message: \" [32mUsage: server [--port N] [0m\""
    );
    let command = shell(&format!("{noise}; exit 2"));
    let error = in_time(command.connect_as(client)).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "sh: `initialize`: the connection failed: `sh` has ended, exit status: 2; on standard output, where only messages belong: Usage: server [--port N]; it has written what is no message: \" [32mUsage: server [--port N] [0m\""
    );
}
