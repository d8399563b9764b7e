//! The README's program as a stranger has it: a crate of its own, with our packages and nothing else.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::command::{self, Stop};
use crate::workspace::Workspace;

/// Builds the first program of the README in a crate outside the workspace and has it add two numbers.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Stop> {
    let readme = workspace.read("README.md")?;
    let program = first_program(&readme)
        .ok_or_else(|| Stop::Unexpected("README.md shows no Rust program".to_owned()))?;
    let folder = workspace.target().join("outside");
    let source = folder.join("src");
    fs::create_dir_all(&source).map_err(|error| Stop::file(&source, error))?;
    write(&folder.join("Cargo.toml"), &manifest(workspace.root()))?;
    write(&source.join("main.rs"), program)?;
    // The same versions as ours, so that nothing new is fetched and everything built is built once.
    write(&folder.join("Cargo.lock"), &workspace.read("Cargo.lock")?)?;
    command::run(
        workspace
            .cargo(["build", "--manifest-path"])
            .arg(folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(workspace.target()),
    )?;
    converse(&workspace.target().join("debug/outside"))
}

/// The profile is the workspace's, so that what both need is built once.
fn manifest(root: &Path) -> String {
    let root = root.display();
    format!(
        "[package]\n\
         name = \"outside\"\n\
         version = \"0.0.0\"\n\
         edition = \"2024\"\n\
         \n\
         [dependencies]\n\
         mcp-core = {{ path = {core:?} }}\n\
         mcp-stdio = {{ path = {stdio:?} }}\n\
         \n\
         [profile.dev]\n\
         debug = \"line-tables-only\"\n\
         \n\
         [workspace]\n",
        core = format!("{root}/mcp-core"),
        stdio = format!("{root}/mcp-stdio"),
    )
}

/// The first block marked `rust` that has a `main`, as it stands.
fn first_program(readme: &str) -> Option<&str> {
    readme.split("\n```rust").skip(1).find_map(|rest| {
        let (_, block) = rest.split_once('\n')?;
        let (block, _) = block.split_once("\n```")?;
        block.contains("fn main(").then_some(block)
    })
}

/// One conversation in each era, all of it written before the first answer is read; the end of input ends it.
fn converse(program: &Path) -> Result<(), Stop> {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let call = |id: u8, meta: Value| {
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": { "name": "add", "arguments": { "a": 2, "b": 3 }, "_meta": meta } })
    };
    let modern = exchange(program, &[call(1, meta)])?;
    expect_five(&modern, 1)?;
    let legacy = exchange(
        program,
        &[
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": { "name": "outside", "version": "0" } } }),
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
            call(2, json!({})),
        ],
    )?;
    expect_five(&legacy, 2)
}

fn exchange(program: &Path, messages: &[Value]) -> Result<Vec<Value>, Stop> {
    let failed = |source| Stop::file(program, source);
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        for message in messages {
            writeln!(stdin, "{message}").map_err(failed)?;
        }
    }
    let output = child.wait_with_output().map_err(failed)?;
    if !output.status.success() {
        return Err(Stop::Unexpected(format!(
            "the README's program ended with {}",
            output.status
        )));
    }
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| {
            serde_json::from_str(line).map_err(|error| {
                Stop::Unexpected(format!("the README's program wrote `{line}`: {error}"))
            })
        })
        .collect()
}

fn expect_five(answers: &[Value], id: u8) -> Result<(), Stop> {
    let answer = answers
        .iter()
        .find(|answer| answer["id"] == id)
        .ok_or_else(|| {
            Stop::Unexpected(format!("the README's program did not answer request {id}"))
        })?;
    if answer["result"]["content"] == json!([{ "type": "text", "text": "5" }]) {
        return Ok(());
    }
    Err(Stop::Unexpected(format!(
        "2 + 3 was answered with {answer}"
    )))
}

fn write(path: &Path, text: &str) -> Result<(), Stop> {
    // An unchanged file keeps its time, and cargo its build.
    if fs::read_to_string(path).is_ok_and(|present| present == text) {
        return Ok(());
    }
    fs::write(path, text).map_err(|source| Stop::file(path, source))
}

#[cfg(test)]
mod tests {
    use super::first_program;

    #[test]
    fn the_first_block_with_a_main_is_the_program() {
        let readme = "# t\n```rust\nlet a = 1;\n```\ntext\n```rust,no_run\nfn main() {}\n// end\n```\n```rust\nfn main() { b }\n```\n";
        assert_eq!(first_program(readme), Some("fn main() {}\n// end"));
    }

    #[test]
    fn a_readme_without_a_program_has_none() {
        assert_eq!(first_program("```sh\nfn main(\n```\n"), None);
    }
}
