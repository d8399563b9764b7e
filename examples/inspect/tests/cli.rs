//! The program as people use it.

use std::process::{Command, Output};

fn inspect(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_inspect"));
    command
        .args(arguments)
        .arg("--")
        .arg(env!("CARGO_BIN_EXE_inspect-demo"));
    command.output().unwrap()
}

#[track_caller]
fn assert_prints(arguments: &[&str], expected: &str) {
    let output = inspect(arguments);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        printed.trim_end(),
        expected,
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success());
}

#[test]
fn everything_a_server_has_is_listed() {
    let expected = "\
demo 1.0.0 (2026-07-28)

Tools
  add a=… b=…
      Adds two integers.
  count to=…
      Counts, and says how far it is.
  fail
      Fails.

Prompts
  greeting name=…
      Greets somebody.

Resource templates
  note://{name}
      A note.";
    assert_prints(&["list"], expected);
}

#[test]
fn tools_are_called_with_what_is_typed() {
    assert_prints(&["call", "add", "a=2", "b=3"], "5");
    assert_prints(&["call", "count", "to=3"], "counted to 3");
    let output = inspect(&["--json", "call", "add", "a=2", "b=3"]).stdout;
    let result: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(
        result["content"],
        serde_json::json!([{"type": "text", "text": "5"}])
    );
}

#[test]
fn resources_are_read_and_prompts_got() {
    assert_prints(&["read", "note://one"], "This is the note one.");
    assert_prints(
        &["prompt", "greeting", "name=Ada"],
        "user: Say hello to Ada.",
    );
}

#[test]
fn a_tool_that_fails_says_so_and_exits_with_two() {
    let output = inspect(&["call", "fail"]);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "that did not work\n"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn mistakes_are_explained() {
    let error = |arguments: &[&str]| {
        let output = inspect(arguments);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    let unknown = error(&["call", "sub", "a=2"]);
    assert_eq!(
        unknown,
        "error: there is no tool `sub`, only add, count, fail\n"
    );
    let misfit = error(&["call", "add", "a=x", "b=3"]);
    assert_eq!(misfit, "error: `a` is to be of type integer, not `x`\n");
    let absent = error(&["read", "note:"]);
    assert!(
        absent.contains("demo: `resources/read`: error -32602"),
        "{absent}"
    );
    let program = Command::new(env!("CARGO_BIN_EXE_inspect"))
        .args(["list", "--", "no-such-program"])
        .output()
        .unwrap();
    let told = String::from_utf8(program.stderr).unwrap();
    assert!(
        told.starts_with("error: cannot start `no-such-program`"),
        "{told}"
    );
}
