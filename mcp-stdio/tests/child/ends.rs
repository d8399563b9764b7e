//! Children that end by themselves, wholly or in part.

use std::io::ErrorKind;
use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

use mcp_core::Client;
use mcp_core::client::{ClientErrorKind, Disconnected};
use mcp_core::runtime::TokioRuntime;
use mcp_core::transport::Incoming;

use crate::fixture::{
    close, end, ended, exists, line, own, pid, receive, send, shell, start, wait_until_gone,
};

/// Several times what it should take.
const SOON: Duration = Duration::from_secs(5);

/// HST-04, HST-07.
#[tokio::test]
async fn an_early_exit_is_told_with_its_status_and_last_words() {
    let mut child = start("echo 'no \x1b[31mdatabase\x1b[0m' >&2; exit 3");
    let (lines, ended) = end(&mut child).await;
    assert_eq!(lines, [""; 0]);
    assert_eq!(ended.status().expect("it ended").code(), Some(3));
    assert_eq!(ended.stderr(), "no database");
    assert_eq!(
        ended.to_string(),
        "`sh` has ended, exit status: 3; its last words: no database"
    );
    assert!(!exists(own(&child)), "it was waited for");
    assert_eq!(child.handle().status(), ended.status());
    // It stays so.
    assert_eq!(end(&mut child).await.1.status(), ended.status());
    let later = send(&mut child, "{}\n").await.expect_err("nobody reads");
    assert_eq!(later.kind(), ErrorKind::BrokenPipe);
    close(&mut child)
        .await
        .0
        .expect("there is nothing left to end");
}

/// HST-07, from the client's side.
#[tokio::test]
async fn a_client_hears_why_its_server_did_not_start() {
    let child = start("echo no database >&2; exit 3");
    let runtime = TokioRuntime::new();
    let connected = Client::builder("test", "1.0.0")
        .connect(child, runtime)
        .await;
    let error = connected.expect_err("nobody answers");
    let ClientErrorKind::Disconnected {
        why: Disconnected::Failed(error),
        ..
    } = error.kind()
    else {
        panic!("{error:?}");
    };
    assert_eq!(ended(error).stderr(), "no database");
}

#[tokio::test]
async fn what_was_written_before_the_end_comes_before_it() {
    let mut child = start("echo '{\"id\":1}'; printf '{\"id\":2}'; echo bye >&2");
    let (lines, ended) = end(&mut child).await;
    assert_eq!(lines, ["{\"id\":1}", "{\"id\":2}"]);
    assert_eq!(ended.status().expect("it ended").code(), Some(0));
    assert_eq!(ended.stray_output(), None);
}

/// Sending is refused only when there was time to receive.
#[tokio::test]
async fn the_last_answer_is_received_though_a_request_fails() {
    let mut child = start("exec <&-; echo '{\"id\":1}'; echo gone >&2; exit 4");
    // Until it is too late to send.
    let handle = child.handle();
    let failed = loop {
        let sent = send(&mut child, "{}\n").await;
        if let Err(error) = sent {
            break error;
        }
    };
    assert_eq!(failed.kind(), ErrorKind::BrokenPipe);
    assert_eq!(ended(&failed).status().expect("it ended").code(), Some(4));
    assert_eq!(ended(&failed).stderr(), "gone");
    assert_eq!(handle.status(), ended(&failed).status());
    let (lines, _) = end(&mut child).await;
    assert_eq!(lines, ["{\"id\":1}"]);
}

/// HST-06: a grandchild holds the pipes, so that their end does not tell.
#[tokio::test]
async fn a_death_within_a_call_is_told_though_a_grandchild_holds_the_pipes() {
    let mut child = start("sleep 600 & echo $!; read -r call; kill -9 $$");
    let grandchild = pid(&mut child).await;
    send(&mut child, "{\"id\":1}\n").await.expect("it reads");
    let asked = Instant::now();
    let (_, ended) = end(&mut child).await;
    assert!(asked.elapsed() < SOON, "{:?}", asked.elapsed());
    assert_eq!(ended.status().expect("it ended").signal(), Some(9));
    wait_until_gone(grandchild);
}

#[tokio::test]
async fn an_exit_between_request_and_answer_is_told() {
    let mut child = start("read -r call; echo \"cannot do $call\" >&2; exit 4");
    send(&mut child, "{\"id\":1}\n").await.expect("it reads");
    let (_, ended) = end(&mut child).await;
    assert_eq!(ended.status().expect("it ended").code(), Some(4));
    assert_eq!(ended.stderr(), "cannot do {\"id\":1}");
}

#[tokio::test]
async fn a_child_that_closes_its_output_has_ended_for_us() {
    let mut child = start("echo deaf >&2; exec >&-; exec sleep 600");
    let (_, ended) = end(&mut child).await;
    assert_eq!(ended.status(), None);
    assert_eq!(
        ended.to_string(),
        "`sh` has closed its output; its last words: deaf"
    );
    assert!(exists(own(&child)));
    drop(child);
}

#[tokio::test]
async fn a_child_that_closes_its_input_has_ended_for_us() {
    let mut child = start("exec <&-; echo '{}'; exec sleep 600");
    assert_eq!(line(&mut child).await, "{}");
    let error = send(&mut child, "{}\n").await.expect_err("nobody reads");
    assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    assert_eq!(ended(&error).to_string(), "`sh` has closed its input");
}

#[tokio::test]
async fn a_line_may_come_in_halves() {
    let mut child = start("printf '{\"id\"'; read -r go; printf ':1}\\n'; exec cat");
    let go = async |child: &mut _| send(child, "go\n").await;
    go(&mut child).await.expect("it reads");
    assert_eq!(line(&mut child).await, "{\"id\":1}");
}

/// FRM-16.
#[tokio::test]
async fn what_is_no_message_is_remembered_for_the_error() {
    let mut child = start("printf '\\033[32mServer mode: STDIO\\033[0m\\n{}\\nmore\\n'; exit 1");
    let (lines, ended) = end(&mut child).await;
    assert_eq!(lines.len(), 3);
    assert_eq!(ended.stray_output(), Some("Server mode: STDIO"));
    assert_eq!(child.handle().stray_output(), ended.stray_output());
    assert_eq!(
        ended.to_string(),
        "`sh` has ended, exit status: 1; on standard output, where only messages belong: Server mode: STDIO"
    );
}

#[tokio::test]
async fn a_line_over_the_limit_is_passed_over() {
    let command = shell("head -c 3000 /dev/zero; echo; echo '{}'; exec cat").max_line(1000);
    let mut child = command.spawn().expect("the shell starts");
    let first = receive(&mut child).await.expect("it lives");
    assert!(matches!(
        first,
        Some(Incoming::Overlong { limit: 1000, .. })
    ));
    assert_eq!(line(&mut child).await, "{}");
}
