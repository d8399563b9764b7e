//! A calculator that starts itself as a server, and calls itself as a client.
//! `-- serve` is the server alone, for the configuration of a client.

use std::error::Error;

use mcp_core::{Server, tool};
use mcp_stdio::Command;
use serde_json::json;

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
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(call())
}

async fn call() -> Result<(), Box<dyn Error>> {
    let client = Command::new(std::env::current_exe()?)
        .arg("serve")
        .connect()
        .await?;
    let server = client.server();
    println!(
        "Connected to {} in revision {}.",
        server.name(),
        server.version.as_str()
    );
    for tool in client.list_all_tools().await?.iter() {
        println!("It has the tool {}: {}", tool.name, tool.input_schema);
    }

    // Typed on both sides by the one function above.
    let sum = client.call(add::with(2, 3)).await?;
    println!("2 + 3 = {sum}");

    // By name, as a model does it. This one got the arguments wrong.
    let result = client.call_tool("add", json!({"a": "two"})).await?;
    println!("The model is told: {}", result.text());
    client.close().await;
    Ok(())
}
