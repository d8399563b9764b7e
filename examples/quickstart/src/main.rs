//! Starts a calculator server as a child process, talks to it, and shows what is said. `-- serve` is the server alone.

use std::error::Error;
use std::io::Write;
use std::process::{Command, Stdio};

use mcp_core::{Server, tool};
use serde_json::Value;

/// Adds two integers.
#[tool]
fn add(
    /** The left operand. */
    a: i64,
    /** The right operand. */
    b: i64,
) -> i64 {
    a + b
}

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().nth(1).as_deref() == Some("serve") {
        return Ok(mcp_stdio::run(
            Server::new("calculator", "1.0.0").tool::<add>(),
        )?);
    }
    let list = request(1, "tools/list", "");
    let good = request(
        2,
        "tools/call",
        r#""name":"add","arguments":{"a":2,"b":3},"#,
    );
    let bad = request(3, "tools/call", r#""name":"add","arguments":{"a":"two"},"#);
    let answers = answers(&format!("{list}\n{good}\n{bad}\n"))?;
    let result =
        |line: &str| serde_json::from_str(line).map(|answer: Value| answer["result"].clone());
    println!("tools: {}\n", result(&answers[0])?["tools"]);
    println!("-> {good}\n<- {}\n", answers[1]);
    let refusal = result(&answers[2])?;
    println!(
        "the model is told: {}",
        refusal["content"][0]["text"].as_str().unwrap_or_default()
    );
    Ok(())
}

fn request(id: u32, method: &str, params: &str) -> String {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}{meta}}}}}"#)
}

fn answers(lines: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut server = Command::new(std::env::current_exe()?);
    let server = server
        .arg("serve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut server = server.spawn()?;
    server
        .stdin
        .take()
        .ok_or("no stdin")?
        .write_all(lines.as_bytes())?;
    let output = String::from_utf8(server.wait_with_output()?.stdout)?;
    Ok(output.lines().map(str::to_owned).collect())
}
