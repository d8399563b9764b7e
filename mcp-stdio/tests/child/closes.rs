//! Children that are closed: asked nicely, then less so, in a bounded time.

use std::future::poll_fn;
use std::io::ErrorKind;
use std::os::unix::process::ExitStatusExt;
use std::task::{Context, Poll};
use std::time::Duration;

use mcp_core::transport::Transport;
use mcp_stdio::ChildTransport;

use crate::fixture::{close, end, ended, exists, line, own, pid, shell, start, wait_until_gone};

/// Before which nothing is forced in these tests.
const PATIENT: Duration = Duration::from_secs(20);
/// Several times what it should take.
const SOON: Duration = Duration::from_secs(5);

/// A child that is hurried: it has half of this before SIGTERM.
fn start_hurried(script: &str) -> ChildTransport {
    let command = shell(script).close_timeout(Duration::from_millis(800));
    command.spawn().expect("the shell starts")
}

/// HST-01.
#[tokio::test]
async fn a_child_that_ends_with_its_input_is_given_the_time() {
    let mut child = start("while read -r line; do :; done; sleep 0.1; echo saved >&2; exit 7");
    let handle = child.handle();
    let (closed, took) = close(&mut child).await;
    closed.expect("it ends by itself");
    assert!(took < SOON, "{took:?}");
    assert_eq!(handle.status().expect("it ended").code(), Some(7));
    assert_eq!(handle.stderr(), "saved");
    assert!(!exists(own(&child)));
    // Closing again is no more to do, and nothing can be received.
    close(&mut child).await.0.expect("it is closed");
    assert_eq!(end(&mut child).await.1.status(), handle.status());
}

/// HST-01: one signal, for a second one means impatience to many.
#[tokio::test]
async fn a_child_that_wants_a_signal_gets_one() {
    let mut child =
        start_hurried("trap 'echo term >&2' TERM; echo {}; sleep 600 & wait; sleep 0.1; exit 0");
    assert_eq!(line(&mut child).await, "{}");
    let handle = child.handle();
    close(&mut child).await.0.expect("it ends when asked");
    assert_eq!(handle.status().expect("it ended").code(), Some(0));
    assert_eq!(handle.stderr(), "term");
}

/// HST-01.
#[tokio::test]
async fn a_child_that_ignores_everything_is_killed_and_that_is_an_error() {
    let mut child =
        start_hurried("trap '' TERM; echo mine >&2; echo {}; while :; do sleep 0.1; done");
    assert_eq!(line(&mut child).await, "{}");
    let (closed, took) = close(&mut child).await;
    let error = closed.expect_err("it was killed");
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    assert_eq!(ended(&error).status().expect("it ended").signal(), Some(9));
    assert_eq!(
        ended(&error).to_string(),
        "`sh` did not end when asked to and was killed; its last words: mine"
    );
    assert!(took < SOON, "{took:?}");
    assert!(!exists(own(&child)));
}

/// HST-02.
#[tokio::test]
async fn a_grandchild_ends_with_its_child() {
    for stubborn in ["", "trap '' TERM;"] {
        let script = format!("({stubborn} exec sleep 600) & echo $!; exec cat");
        let command = shell(&script).close_timeout(PATIENT);
        let mut child = command.spawn().expect("the shell starts");
        let grandchild = pid(&mut child).await;
        let (closed, took) = close(&mut child).await;
        closed.expect("the child itself ends");
        assert!(took < SOON, "{took:?}");
        wait_until_gone(grandchild);
    }
}

/// HST-02: nothing tells of it, but it is in the group.
#[tokio::test]
async fn a_grandchild_without_pipes_ends_with_its_child_at_once() {
    let mut child = start("sleep 600 </dev/null >/dev/null 2>&1 & echo $!; exec cat");
    let grandchild = pid(&mut child).await;
    let (closed, took) = close(&mut child).await;
    closed.expect("the child itself ends");
    assert!(took < Duration::from_secs(2), "{took:?}");
    wait_until_gone(grandchild);
}

/// A launcher may end before the server that it has launched.
#[tokio::test]
async fn a_grandchild_that_cleans_up_is_given_a_moment() {
    let script =
        "(while read -r line; do :; done; sleep 0.1; echo saved >&2) <&0 & exec <&-; exit 0";
    let mut child = start(script);
    let handle = child.handle();
    close(&mut child).await.0.expect("it ends by itself");
    assert_eq!(handle.stderr(), "saved");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_descendant_that_left_the_group_and_holds_the_pipes_does_not_hold_us() {
    use rustix::process::{Signal, kill_process};

    let command = shell("setsid sleep 600 & echo $!; exec cat").close_timeout(PATIENT);
    let mut child = command.spawn().expect("the shell starts");
    let escaped = pid(&mut child).await;
    let (closed, took) = close(&mut child).await;
    closed.expect("the child itself ends");
    assert!(took < SOON, "{took:?}");
    assert!(exists(escaped), "it is on its own");
    kill_process(escaped, Signal::KILL).expect("it is there");
}

/// HST-05.
#[tokio::test]
async fn a_stopped_child_with_a_full_pipe_is_killed() {
    let mut child = start_hurried("echo {}; kill -STOP $$");
    assert_eq!(line(&mut child).await, "{}");
    let block = vec![b'x'; 1 << 16];
    let fill = |cx: &mut Context<'_>| {
        while let Poll::Ready(sent) = child.poll_send(cx, &block) {
            sent.expect("the pipe is open");
        }
        Poll::Ready(())
    };
    poll_fn(fill).await;
    let (closed, took) = close(&mut child).await;
    assert_eq!(
        closed.expect_err("it was killed").kind(),
        ErrorKind::TimedOut
    );
    assert!(took < SOON, "{took:?}");
    assert!(!exists(own(&child)));
}

/// HST-13: it writes more than a pipe holds before it ends.
#[tokio::test]
async fn a_child_that_has_much_to_say_at_the_end_is_listened_to() {
    let script = "cat >/dev/null; head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2; exit 5";
    let mut child = start(script);
    let handle = child.handle();
    close(&mut child).await.0.expect("it ends by itself");
    assert_eq!(handle.status().expect("it ended").code(), Some(5));
}

#[tokio::test]
async fn a_child_that_writes_without_end_is_closed() {
    let mut child = start_hurried("exec yes");
    let handle = child.handle();
    close(&mut child).await.0.expect("it obeys the signal");
    assert_eq!(handle.status().expect("it ended").signal(), Some(15));
}

#[tokio::test]
async fn a_child_that_ended_long_ago_is_closed_at_once() {
    let mut child = start("exit 0");
    let (_, ended) = end(&mut child).await;
    let (closed, took) = close(&mut child).await;
    closed.expect("there is nothing to end");
    assert!(took < Duration::from_millis(1_500), "{took:?}");
    assert_eq!(child.handle().status(), ended.status());
}

/// It may have moved itself out of the group it was put into.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_child_that_changed_its_group_is_found() {
    // `set -m` puts jobs into groups of their own, and `exec` keeps the number; so a process of another group has ours.
    let mut child = start_hurried("echo {}; exec sleep 600");
    assert_eq!(line(&mut child).await, "{}");
    let elsewhere = rustix::process::getpgid(None).expect("we have one");
    // Refused once it runs another program, so this is only tried.
    rustix::process::setpgid(Some(own(&child)), Some(elsewhere)).ok();
    close(&mut child).await.0.expect("it obeys the signal");
}
