//! A child whose standard error is ours. Ours belongs to whoever runs the tests, so the test is run once more with one
//! that can be read.

use std::process::{Command as Process, Stdio};

use mcp_stdio::{Command, Stderr};

use crate::fixture::{close, end, in_time, line};

/// Set where this is the process whose standard error is read.
const WITHIN: &str = "MCP_STDIO_TEST_INHERITS";

/// HST-15, too: what a terminal would obey does not reach one.
#[tokio::test]
async fn lines_of_a_child_are_shown_with_its_name_in_front() {
    if std::env::var_os(WITHIN).is_some() {
        return within().await;
    }
    let own = std::env::current_exe().expect("it runs");
    let name = "inherits::lines_of_a_child_are_shown_with_its_name_in_front";
    let output = tokio::task::spawn_blocking(move || {
        Process::new(own)
            .args(["--exact", name, "--nocapture"])
            .env(WITHIN, "1")
            .stdin(Stdio::null())
            .output()
    });
    let output = in_time(output).await.expect("it does not panic");
    let output = output.expect("it starts");
    let shown = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success(), "{shown}");
    let long = format!("[sh] {}…", "x".repeat(1024));
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(
        lines,
        [
            "[sh] one",
            "[sh] two",
            "[sh] ",
            "[sh] red",
            &long,
            "[sh] last"
        ]
    );
}

async fn within() {
    let script = "printf 'one\\r\\ntwo\\n\\n\\033[31mred\\033[0m\\033]0;title\\a\\n' >&2;
        head -c 5000 /dev/zero | tr '\\0' x >&2; echo >&2; printf last >&2; echo {}; exec cat";
    let command = Command::new("/bin/sh").args(["-c", script]);
    let mut child = command.spawn().expect("the shell starts");
    assert_eq!(line(&mut child).await, "{}");
    let handle = child.handle();
    close(&mut child).await.0.expect("it ends with its input");
    assert!(handle.stderr().ends_with("\nlast"));

    for quiet in [Stderr::Tail, Stderr::Null] {
        let command = Command::new("sh").args(["-c", "echo unseen >&2"]);
        let mut child = command.stderr(quiet).spawn().expect("the shell starts");
        let (_, ended) = end(&mut child).await;
        let kept = if quiet == Stderr::Tail { "unseen" } else { "" };
        assert_eq!(ended.stderr(), kept);
    }
}
