//! A calculator that starts itself as a server, calls itself, and shows what is said.
//! `-- serve` is the server alone, for the configuration of a client.

use std::error::Error;
use std::io::Write;

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

/// What a client says: a line each. The last has arguments that a model got wrong.
const REQUESTS: [&str; 5] = [
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"quickstart","version":"1.0.0"}}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3}}}"#,
    r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":"two"}}}"#,
];

fn main() -> Result<(), Box<dyn Error>> {
    let calculator = Server::new("calculator", "1.0.0").tool::<add>();
    if std::env::args().nth(1).as_deref() == Some("serve") {
        return Ok(mcp_stdio::run(calculator)?);
    }
    let (stdin, mut pipe) = std::io::pipe()?;
    pipe.write_all(REQUESTS.join("\n").as_bytes())?;
    // The server finds the end of its input: it answers what it was asked, and ends as well.
    drop(pipe);
    let mut server = std::process::Command::new(std::env::current_exe()?);
    let output = server.arg("serve").stdin(stdin).output()?.stdout;
    let lines: Vec<&str> = str::from_utf8(&output)?.lines().collect();
    let result = |line| serde_json::from_str::<Value>(line).map(|answer| answer["result"].clone());
    println!("The tools: {}\n", result(lines[1])?["tools"]);
    println!("-> {}\n<- {}\n", REQUESTS[3], lines[2]);
    let refused = &result(lines[3])?["content"][0]["text"];
    let told = refused.as_str().ok_or("the answer has no text")?;
    println!("-> {}\nThe model is told: {told}", REQUESTS[4]);
    Ok(())
}
