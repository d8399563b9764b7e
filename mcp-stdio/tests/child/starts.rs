//! How a child starts: what it gets, what it does not, and why it may not.

use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;

use mcp_stdio::{Command, SpawnError, Stderr};

use crate::fixture::{Room, Scratch, close, end, line, send, shell, start, wait_until};

fn refused(command: &Command) -> SpawnError {
    command.spawn().expect_err("it can't start")
}

/// HST-07.
#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let error = refused(&Command::new("/nowhere/no-such-server").arg("secret"));
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert_eq!(error.program(), "no-such-server");
    assert_eq!(
        error.to_string(),
        "cannot start `no-such-server`: no such program was found, or its first line names an interpreter that was not"
    );
    assert_eq!(
        refused(&Command::new("no-such-server")).kind(),
        ErrorKind::NotFound
    );
    assert_eq!(
        refused(&Command::new("no-such-server --verbose")).to_string(),
        "cannot start `no-such-server --verbose`: no such program was found; arguments are given by `arg`, one by one, and not in its name"
    );
}

#[tokio::test]
async fn a_file_that_is_no_program_is_named() {
    let scratch = Scratch::new();
    std::fs::write(&scratch.0, "exit 0\n").expect("the folder can be written");
    let mode = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(&scratch.0, mode).expect("it is ours");
    let error = refused(&Command::new(&scratch.0));
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    assert!(
        error
            .to_string()
            .ends_with("`: the file may not be executed"),
        "{error}"
    );
}

#[tokio::test]
async fn a_working_directory_that_cannot_be_entered_is_told_from_the_program() {
    let error = refused(&Command::new("cat").current_dir("/nowhere"));
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert_eq!(
        error.to_string(),
        "cannot start `cat`: its working directory cannot be entered"
    );
    let error = refused(&Command::new("cat").current_dir("/dev/null"));
    assert_eq!(error.kind(), ErrorKind::NotADirectory);
}

#[test]
fn without_a_runtime_nothing_is_started() {
    let error = refused(&Command::new("cat"));
    assert_eq!(
        error.to_string(),
        "cannot start `cat`: there is no tokio runtime here"
    );
    assert_eq!(std::io::Error::from(error).kind(), ErrorKind::Unsupported);
}

/// HST-08, HST-09: what is configured is added to the base, and nothing else of ours is handed over.
#[tokio::test]
async fn the_environment_is_cleaned_and_what_is_set_is_added() {
    // Set by cargo, and on no list.
    const OURS: &str = "CARGO_PKG_NAME=mcp-stdio";
    let env = Command::new("env")
        .stderr(Stderr::Null)
        .env("GITHUB_TOKEN", "x");
    let (lines, _) = end(&mut env.spawn().expect("found in PATH")).await;
    assert!(lines.contains(&"GITHUB_TOKEN=x".to_owned()));
    assert!(lines.iter().any(|line| line.starts_with("PATH=")));
    assert!(!lines.contains(&OURS.to_owned()));

    let all = env.clone().inherit_env();
    let (lines, _) = end(&mut all.spawn().expect("found in PATH")).await;
    assert!(lines.contains(&OURS.to_owned()) && lines.contains(&"GITHUB_TOKEN=x".to_owned()));

    let path = std::env::var_os("PATH").expect("set");
    let none = env.env_clear().env("PATH", &path);
    let (mut lines, _) = end(&mut none.spawn().expect("found in PATH")).await;
    lines.sort();
    assert_eq!(
        lines,
        [
            "GITHUB_TOKEN=x".to_owned(),
            format!("PATH={}", path.display())
        ]
    );
}

#[tokio::test]
async fn arguments_arrive_as_they_are_and_the_folder_is_entered() {
    let odd = "$HOME; `id` \"q\" 'r' *";
    let printf = Command::new("printf").args(["%s\n", odd, ""]);
    let (lines, _) = end(&mut printf.spawn().expect("found in PATH")).await;
    assert_eq!(lines, [odd]);

    let (lines, _) = end(&mut Command::new("pwd")
        .current_dir("/")
        .spawn()
        .expect("starts"))
    .await;
    assert_eq!(lines, ["/"]);
}

/// A server of the older eras may end when it is probed; its command starts another.
#[tokio::test]
async fn a_command_starts_any_number_of_children() {
    let command = shell("echo $$; exec cat");
    let mut pids = Vec::new();
    for _ in 0..3 {
        let mut child = command.spawn().expect("the shell starts");
        assert_eq!(line(&mut child).await, child.pid().to_string());
        send(&mut child, "{\"id\":1}\n").await.expect("it reads");
        assert_eq!(line(&mut child).await, "{\"id\":1}");
        pids.push(child.pid());
        close(&mut child).await.0.expect("it ends");
    }
    pids.dedup();
    assert_eq!(pids.len(), 3);
}

/// FRM-14: also before the first request, while nobody polls the transport.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn standard_error_is_read_from_the_start_on() {
    let scratch = Scratch::new();
    let script = r#"head -c 300000 /dev/zero >&2; echo >&2; echo read >&2; : >"$0"; exec cat"#;
    let command = shell(script).arg(&scratch.0);
    let child = command.spawn().expect("the shell starts");
    wait_until(|| scratch.0.exists());
    let handle = child.handle();
    wait_until(|| handle.stderr().ends_with("read"));
}

/// FRM-14.
#[tokio::test]
async fn a_flood_on_standard_error_within_a_call_holds_nothing_up() {
    let mut child = start("read -r call; head -c 300000 /dev/zero >&2; echo \"$call\"; exec cat");
    send(&mut child, "{\"id\":1}\n").await.expect("it reads");
    assert_eq!(line(&mut child).await, "{\"id\":1}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn no_descriptor_of_one_child_is_in_another() {
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    fn descriptors(pid: u32) -> Vec<PathBuf> {
        let listed = std::fs::read_dir(format!("/proc/{pid}/fd")).expect("it lives");
        let entries = listed.map(|entry| entry.expect("it stays").path());
        entries
            .map(|path| std::fs::read_link(path).expect("it stays"))
            .collect()
    }

    // Those who start tests hand descriptors down to whatever these start.
    let inherited = descriptors(std::process::id());
    let command = Command::new("cat").stderr(Stderr::Tail);
    let children: Vec<_> = (0..3)
        .map(|_| command.spawn().expect("cat starts"))
        .collect();
    let lists = children.iter().map(|child| {
        let mut list = descriptors(child.pid());
        list.retain(|path| !inherited.contains(path));
        list
    });
    let all: Vec<_> = lists
        .inspect(|list| assert_eq!(list.len(), 3, "{list:?}"))
        .flatten()
        .collect();
    let distinct: BTreeSet<_> = all.iter().collect();
    assert_eq!(distinct.len(), all.len());
}

/// FRM-15: one line without an end, of bytes that are no text.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_endless_line_on_standard_error_takes_no_room() {
    let before = Room::now();
    let mut child = start(
        "read -r call; head -c 300000000 /dev/zero | tr '\\0' '\\377' >&2; echo \"$call\"; exec cat",
    );
    send(&mut child, "{\"id\":1}\n").await.expect("it reads");
    assert_eq!(line(&mut child).await, "{\"id\":1}");
    assert!(child.handle().stderr().len() <= 3 * 4096);
    let grown = before.grown_kb();
    assert!(grown < 8_192, "{grown} kB");
}
