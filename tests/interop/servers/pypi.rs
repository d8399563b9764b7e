//! Reference servers in Python: they speak both eras, and say the same in each.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::{env, fs, process, thread};

use mcp_core::{Client, ErrorCode};
use mcp_stdio::{Command, Stderr};
use serde_json::{Value, json};

use super::{ERAS, assert_refused, client_of, failure, names, run, text};
use crate::environment::{Environment, scratch, skip};

/// Lets a test speak with a server in each era. The command is made for a Python environment.
fn in_both_eras(
    server: &'static str,
    made: impl Fn(Command) -> Command,
    test: impl AsyncFn(&Client),
) {
    let Some(environment) = Environment::find() else {
        return;
    };
    let program = environment.python().with_file_name(server);
    run(async {
        for revision in ERAS {
            let command = made(Command::new(&program).stderr(Stderr::Tail));
            let client = client_of(command, revision).await;
            test(&client).await;
            let unknown = client.call_tool("fly", ()).await.unwrap_err();
            assert_refused(&unknown, ErrorCode::INVALID_PARAMS, "Unknown tool: fly");
            client.close().await;
        }
    });
}

/// Why a tool failed, in the words of the server after those of its SDK.
async fn reason(client: &Client, tool: &str, arguments: Value) -> String {
    let told = failure(client, tool, arguments).await;
    let reason = told.strip_prefix(&format!("Error executing tool {tool}: "));
    reason.unwrap_or_else(|| panic!("{told}")).to_owned()
}

#[test]
fn mcp_server_time_converts_between_zones() {
    let made = |command: Command| command.args(["--local-timezone", "UTC"]);
    in_both_eras("mcp-server-time", made, async |client| {
        assert_eq!(client.server().name(), "mcp-time");
        assert_eq!(names(client).await, ["get_current_time", "convert_time"]);
        // Neither has a summer time, and it is the same day in both.
        let conversion = |from, time| json!({"source_timezone": from, "time": time, "target_timezone": "Asia/Kolkata"});
        let converted = client.call_tool("convert_time", conversion("UTC", "12:00"));
        let converted: Value = converted.into_typed().await.unwrap();
        let (day, _) = converted["source"]["datetime"]
            .as_str()
            .unwrap()
            .split_once('T')
            .unwrap();
        let weekday = &converted["source"]["day_of_week"];
        let at = |zone, time| json!({"timezone": zone, "datetime": format!("{day}T{time}"), "day_of_week": weekday, "is_dst": false});
        assert_eq!(
            converted,
            json!({
                "source": at("UTC", "12:00:00+00:00"),
                "target": at("Asia/Kolkata", "17:30:00+05:30"),
                "time_difference": "+5.5h",
            })
        );
        assert_eq!(
            reason(client, "convert_time", conversion("Mars/Olympus", "12:00")).await,
            "Invalid timezone: 'No time zone found with key Mars/Olympus'"
        );
        assert_eq!(
            reason(client, "convert_time", conversion("UTC", "noon")).await,
            "Invalid time format. Expected HH:MM [24-hour format]"
        );
    });
}

/// What makes a commit the same everywhere, whatever the machine's own settings of git are.
const GIT: [(&str, &str); 8] = [
    ("GIT_AUTHOR_NAME", "Ada"),
    ("GIT_AUTHOR_EMAIL", "ada@example.org"),
    ("GIT_AUTHOR_DATE", "2026-01-02T03:04:05+00:00"),
    ("GIT_COMMITTER_NAME", "Ada"),
    ("GIT_COMMITTER_EMAIL", "ada@example.org"),
    ("GIT_COMMITTER_DATE", "2026-01-02T03:04:05+00:00"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
];

fn git<const N: usize>(folder: &Path, arguments: [&str; N]) {
    let done = process::Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .envs(env::var_os("PATH").map(|path| ("PATH", path)))
        .envs(GIT)
        .status()
        .unwrap();
    assert!(done.success(), "git {arguments:?} ended with {done}");
}

/// A repository with one commit.
fn repository() -> Option<PathBuf> {
    if process::Command::new("git")
        .arg("--version")
        .output()
        .is_err()
    {
        skip("git is not installed");
        return None;
    }
    let folder = scratch("repository");
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a.txt"), "one\n").unwrap();
    git(
        &folder,
        ["init", "--quiet", "-b", "main", "--object-format=sha1"],
    );
    git(&folder, ["add", "a.txt"]);
    git(&folder, ["commit", "--quiet", "-m", "Begin"]);
    Some(folder)
}

#[test]
fn mcp_server_git_tells_the_history_of_a_repository() {
    let Some(folder) = repository() else { return };
    let made = |command: Command| command.arg("--repository").arg(&folder).envs(GIT);
    in_both_eras("mcp-server-git", made, async |client| {
        assert_eq!(client.server().name(), "mcp-git");
        assert_eq!(
            names(client).await,
            [
                "git_status",
                "git_diff_unstaged",
                "git_diff_staged",
                "git_diff",
                "git_commit",
                "git_add",
                "git_reset",
                "git_log",
                "git_create_branch",
                "git_checkout",
                "git_show",
                "git_branch",
            ]
        );
        let here = json!({"repo_path": folder});
        assert_eq!(
            text(client, "git_log", here.clone()).await,
            "Commit history:\n\
             Commit: 35f65df68f6d710748e447c7661b4fe283880500\n\
             Author: Ada\n\
             Date: 2026-01-02 03:04:05+00:00\n\
             Message: Begin\n\n"
        );
        assert_eq!(
            text(client, "git_status", here).await,
            "Repository status:\nOn branch main\nnothing to commit, working tree clean"
        );
        let nothing = json!({"repo_path": folder, "revision": "nothing"});
        assert_eq!(
            reason(client, "git_show", nothing).await,
            "Ref 'nothing' did not resolve to an object"
        );
        assert_eq!(
            reason(client, "git_log", json!({"repo_path": "/"})).await,
            format!(
                "Repository path '/' is outside the allowed repository '{}'",
                folder.display()
            )
        );
    });
}

const ROBOTS: &str = "User-agent: *\nDisallow: /private\n";
const PAGE: &str = "<html><body><h1>Tea</h1><p>Water, <b>then</b> leaves.</p></body></html>";

/// A web site on this machine, for as long as the process lives.
fn site() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for connection in listener.incoming() {
            answer(&connection.unwrap()).unwrap();
        }
    });
    address
}

fn answer(mut connection: &TcpStream) -> std::io::Result<()> {
    let mut lines = BufReader::new(connection).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    while lines
        .next()
        .transpose()?
        .is_some_and(|line| !line.is_empty())
    {}
    let (status, kind, body) = match request.split(' ').nth(1) {
        Some("/robots.txt") => ("200 OK", "text/plain", ROBOTS),
        Some("/tea") => ("200 OK", "text/html", PAGE),
        Some("/tea.json") => ("200 OK", "application/json", "{\"tea\": true}"),
        _ => ("404 Not Found", "text/plain", "not here"),
    };
    write!(
        connection,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

#[test]
fn mcp_server_fetch_fetches_what_robots_may_see() {
    let site = site();
    let made = |command: Command| {
        // Were there a Node in the path, the server would have npm download more.
        command
            .args(["--allow-private-ips", "--user-agent", "interop/1"])
            .env("PATH", "/nowhere")
    };
    in_both_eras("mcp-server-fetch", made, async |client| {
        assert_eq!(client.server().name(), "mcp-fetch");
        assert_eq!(names(client).await, ["fetch"]);
        let at = |path| json!({"url": format!("http://{site}{path}")});
        assert_eq!(
            text(client, "fetch", at("/tea")).await,
            format!("Contents of http://{site}/tea:\n# Tea\n\nWater, then leaves.")
        );
        assert_eq!(
            text(client, "fetch", at("/tea.json")).await,
            format!(
                "Content type application/json cannot be simplified to markdown, but here is the raw content:\n\
                 Contents of http://{site}/tea.json:\n{{\"tea\": true}}"
            )
        );
        assert_eq!(
            reason(client, "fetch", at("/coffee")).await,
            format!("Failed to fetch http://{site}/coffee - status code 404")
        );
        let private = reason(client, "fetch", at("/private/diary")).await;
        assert_eq!(
            private,
            format!(
                "The sites robots.txt (http://{site}/robots.txt), specifies that autonomous fetching of this page is \
                 not allowed, <useragent>interop/1</useragent>\n\
                 <url>http://{site}/private/diary</url><robots>\n{ROBOTS}\n</robots>\n\
                 The assistant must let the user know that it failed to view the page. The assistant may provide \
                 further guidance based on the above information.\n\
                 The assistant can tell the user that they can try manually fetching the page by using the fetch \
                 prompt within their UI."
            )
        );
        // A person's own wish is not a robot's.
        let manual = client
            .get_prompt("fetch", [("url", format!("http://{site}/tea"))])
            .await
            .unwrap();
        assert_eq!(
            manual.messages[0].content.as_text(),
            Some("# Tea\n\nWater, then leaves.")
        );
    });
}
