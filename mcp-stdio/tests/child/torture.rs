//! Bad servers. Whatever one does, a call of it ends by its deadline in an error that names the server and the reason, and
//! nothing of it stays.

use std::time::{Duration, Instant};

use mcp_core::protocol::ElicitResult;
use mcp_core::{Client, ClientBuilder, ClientError, ToolResult};
use serde_json::json;

use crate::fixture::{Room, Scratch, in_time, server, shell, wait_until_gone_of};

/// What a call has, and each step of opening.
const DEADLINE: Duration = Duration::from_millis(400);
/// By when it has to have ended on a machine that does other things, too. Far from what waits for nothing.
const SOON: Duration = Duration::from_secs(15);
/// What bad servers may make us need in all.
const ROOM_KB: usize = 48 << 10;

fn builder() -> ClientBuilder {
    let builder = Client::builder("test", "1");
    let asks = builder.on_elicitation(|_| async { ElicitResult::decline() });
    asks.timeout(DEADLINE).probe_timeout(DEADLINE)
}

/// Opens a server that says its process's number first, and says why it could not be.
async fn unopened(script: &str) -> String {
    let scratch = Scratch::new();
    let (before, asked) = (Room::now(), Instant::now());
    let command = shell(&format!("echo $$ >\"$0\"\n{script}")).arg(&scratch.0);
    let error = in_time(command.connect_as(builder())).await.unwrap_err();
    assert!(asked.elapsed() < SOON, "{script}: {:?}", asked.elapsed());
    in_time(gone(scratch)).await;
    assert!(before.grown_kb() < ROOM_KB, "{script}");
    error.to_string()
}

/// Calls a tool of a server that was opened well, and closes it.
async fn called_within(deadline: Duration, script: &str) -> Result<ToolResult, ClientError> {
    let scratch = Scratch::new();
    // What it does first is done before it is called.
    let (first, script) = script.split_once('\n').unwrap_or(("", script));
    let command = server(&format!("{first}\necho $$ >\"$0\"\n{script}"))
        .arg(&scratch.0)
        .close_timeout(DEADLINE);
    let client = in_time(command.connect_as(builder())).await.unwrap();
    let events = client.events();
    let scratch = in_time(started(scratch)).await;
    let (before, asked) = (Room::now(), Instant::now());
    let result = in_time(client.call_tool("t", json!({})).timeout(deadline)).await;
    assert!(asked.elapsed() < SOON, "{script}: {:?}", asked.elapsed());
    drop(events);
    let asked = Instant::now();
    in_time(client.close()).await;
    assert!(asked.elapsed() < SOON, "{script}: {:?}", asked.elapsed());
    in_time(gone(scratch)).await;
    assert!(before.grown_kb() < ROOM_KB, "{script}");
    result
}

/// Waits until it has said its number.
async fn started(scratch: Scratch) -> Scratch {
    let started = tokio::task::spawn_blocking(move || {
        crate::fixture::wait_until_named(&scratch);
        scratch
    });
    started.await.expect("it starts in time")
}

/// The connection is closed in the background, so the runtime has to go on.
async fn gone(scratch: Scratch) {
    let gone = tokio::task::spawn_blocking(move || wait_until_gone_of(&scratch));
    gone.await.expect("it is gone in time");
}

/// What a call comes to at its deadline.
async fn failed(script: &str) -> String {
    let called = called_within(DEADLINE, script).await;
    called.unwrap_err().to_string()
}

/// What a call comes to long before its deadline.
async fn failed_early(script: &str) -> String {
    let called = called_within(4 * SOON, script).await;
    called.unwrap_err().to_string()
}

const SILENT: &str = "sh: `initialize`: no answer within 400ms";

#[tokio::test]
async fn silence() {
    assert_eq!(unopened("exec sleep 600").await, SILENT);
    assert_eq!(unopened("while read -r line; do :; done").await, SILENT);
}

#[tokio::test]
async fn an_answer_that_never_ends() {
    let drip = r#"printf '{"jsonrpc":"2.0","id":1,'; while sleep 0.02; do printf ' '; done"#;
    assert_eq!(unopened(drip).await, SILENT);
    let drip = format!("read -r call; {drip}");
    let said = failed(&drip).await;
    assert_eq!(said, "script: `tools/call`: no answer within 400ms");
}

#[tokio::test]
async fn garbage_without_end() {
    let said = unopened("exec yes 'Listening on port 8080'").await;
    let noise = "; it has written what is no message: \"Listening on port 8080\"";
    assert_eq!(said, format!("{SILENT}{noise}"));
    let said = failed("exec yes 'Listening on port 8080'").await;
    assert_eq!(said, "script: `tools/call`: no answer within 400ms");
    let said = unopened("exec cat /dev/urandom").await;
    assert!(said.starts_with("sh: `"), "{said}");
}

#[tokio::test]
async fn notifications_without_end() {
    let flood = r#"exec yes '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'"#;
    assert_eq!(unopened(flood).await, SILENT);
    let said = failed(flood).await;
    assert_eq!(said, "script: `tools/call`: no answer within 400ms");
}

#[tokio::test]
async fn progress_without_end_is_no_answer() {
    let flood = r#"exec yes '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":1}}'"#;
    let said = failed(flood).await;
    assert_eq!(said, "script: `tools/call`: no answer within 400ms");
}

/// Somebody who is told of it gets their turn all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn progress_that_comes_faster_than_it_is_told() {
    let script = r#"
        n=0; while :; do
            n=$((n + 1)); echo '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":'$n'}}'
        done
    "#;
    let command = server(script).close_timeout(DEADLINE);
    let client = in_time(command.connect_as(builder())).await.unwrap();
    let asked = Instant::now();
    let call = client.call_tool("t", json!({})).total_timeout(2 * SOON);
    let call = call.cancelled_by(tokio::time::sleep(DEADLINE));
    let call = call.on_progress(|_| {
        // As long as somebody works who writes it on a slow screen.
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(2) {
            std::hint::spin_loop();
        }
    });
    let error = in_time(call).await.unwrap_err();
    assert!(asked.elapsed() < SOON, "{:?}", asked.elapsed());
    assert_eq!(error.to_string(), "script: `tools/call`: cancelled");
    in_time(client.close()).await;
}

/// Its questions are answered as long as it reads the answers.
#[tokio::test]
async fn questions_without_end() {
    let ask = r#"'{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}'"#;
    let ping = r#"'{"jsonrpc":"2.0","id":"p","method":"ping"}'"#;
    for question in [ask, ping] {
        let said = failed(&format!("exec yes {question}")).await;
        assert_eq!(said, "script: `tools/call`: no answer within 400ms");
    }
}

#[tokio::test]
async fn answers_to_something_else() {
    for answer in [
        r#"{"jsonrpc":"2.0","id":4,"result":{"content":[]}}"#,
        r#"{"jsonrpc":"2.0","id":null,"result":{"content":[]}}"#,
        r#"{"jsonrpc":"2.0","id":3.5,"result":{"content":[]}}"#,
        r#"{"jsonrpc":"2.0","id":[3],"result":{"content":[]}}"#,
        r#"{"jsonrpc":"2.0","result":{"content":[]}}"#,
    ] {
        let said = failed(&format!(
            "read -r call; echo '{answer}'; exec cat >/dev/null"
        ))
        .await;
        assert_eq!(
            said, "script: `tools/call`: no answer within 400ms",
            "{answer}"
        );
    }
}

#[tokio::test]
async fn answers_of_another_kind() {
    for (answer, why) in [
        (
            r#"{"jsonrpc":"2.0","id":3,"result":"text"}"#,
            "it is no object",
        ),
        (
            r#"{"jsonrpc":"2.0","id":3,"result":{"content":"text"}}"#,
            "`content` is no list",
        ),
        (r#"{"jsonrpc":"2.0","id":3}"#, "it has no result"),
    ] {
        let said = failed(&format!(
            "read -r call; echo '{answer}'; exec cat >/dev/null"
        ))
        .await;
        let expected = format!("script: `tools/call`: the answer can't be read: {why}");
        assert_eq!(said, expected, "{answer}");
    }
}

/// The first counts, also when both come in one read.
#[tokio::test]
async fn answers_that_come_twice() {
    let answer = |text| {
        format!(
            r#"{{"jsonrpc":"2.0","id":3,"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}\n"#
        )
    };
    let (one, two) = (answer("one"), answer("two"));
    let script = format!("read -r call; printf '{one}{two}'; exec cat >/dev/null");
    let result = called_within(DEADLINE, &script).await;
    assert_eq!(result.unwrap().text(), "one");
}

#[tokio::test]
async fn an_output_that_is_closed() {
    let said = unopened("exec >&-; echo mute >&2; exec sleep 600").await;
    assert_eq!(
        said,
        "sh: `initialize`: the connection failed: `sh` has closed its output; its last words: mute"
    );
    let said = failed_early("read -r call; exec >&-; exec sleep 600").await;
    assert_eq!(
        said,
        "script: `tools/call`: the connection failed: `sh` has closed its output; whether the request was carried out is unknown"
    );
}

/// Seen when it is written to, also while it talks on.
#[tokio::test]
async fn an_input_that_is_closed() {
    for then in ["sleep 600", r#"yes '{"jsonrpc":"2.0","method":"n"}'"#] {
        let script = format!("exec <&-\nexec {then}");
        let said = failed_early(&script).await;
        assert_eq!(
            said,
            "script: `tools/call`: the connection failed: `sh` has closed its input; whether the request was carried out is unknown"
        );
    }
}

#[tokio::test]
async fn an_end_between_request_and_answer() {
    let said = failed_early(
        "read -r call; printf '{\"jsonrpc\":\"2.0\",\"id\":3,'; echo full >&2; exit 4",
    )
    .await;
    assert_eq!(
        said,
        "script: `tools/call`: the connection failed: `sh` has ended, exit status: 4; its last words: full; whether the request was carried out is unknown"
    );
}

#[tokio::test]
async fn a_line_of_a_gigabyte() {
    let endless = "head -c 1000000000 /dev/zero | tr '\\0' x";
    let said = unopened(endless).await;
    assert_eq!(
        said,
        "sh: `server/discover`: the connection was closed: the server sent a message of more than 10485760 bytes"
    );
    let said = failed_early(&format!("read -r call; {endless}")).await;
    assert_eq!(
        said,
        "script: `tools/call`: the connection was closed: the server sent a message of more than 10485760 bytes; whether the request was carried out is unknown"
    );
}

/// It ends by SIGKILL, and so do its children.
#[tokio::test]
async fn deafness_to_signals() {
    let said = failed("trap '' TERM HUP INT; sleep 600 & while :; do sleep 600; done").await;
    assert_eq!(said, "script: `tools/call`: no answer within 400ms");
}

#[tokio::test]
async fn children_that_hold_the_pipes() {
    let said = failed_early("sleep 600 & sleep 600 & read -r call; exit 5").await;
    assert_eq!(
        said,
        "script: `tools/call`: the connection failed: `sh` has ended, exit status: 5; whether the request was carried out is unknown"
    );
}

/// A daemon is on its own, and neither its pipes nor it hold us.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_daemon() {
    let scratch = Scratch::new();
    let path = scratch.0.display();
    let said = failed_early(&format!(
        "setsid sh -c 'echo $$ >{path}; exec sleep 600' & read -r call; exit 6"
    ))
    .await;
    assert!(said.contains("`sh` has ended, exit status: 6"), "{said}");
    crate::fixture::end_of(&scratch);
}
