//! Our client, calling a server that is a child: `depth` calls at a time over clones of one handle, without a task a call.

use std::{cell::RefCell, error::Error};

use futures_util::future::try_join_all;
use mcp_benches::{ClientLoad, Meter};
use mcp_core::{Client, ClientError, ProtocolVersion};
use mcp_stdio::Command;
use serde::Serialize;

#[derive(Serialize)]
struct Echo<'a> {
    text: &'a str,
}

fn main() -> Result<(), Box<dyn Error>> {
    let load = ClientLoad::from_args()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(run(&load))
}

async fn run(load: &ClientLoad) -> Result<(), Box<dyn Error>> {
    let (program, arguments) = load.command.split_first().ok_or("no command")?;
    let command = Command::new(program).args(arguments).inherit_env();
    let version = if load.modern {
        ProtocolVersion::LATEST
    } else {
        ProtocolVersion::LATEST_LEGACY
    };
    let client = Client::builder("bench", "1").protocol(version);
    let client = command.connect_as(client).await?;
    let meter = RefCell::new(Meter::new(load));
    try_join_all((0..load.depth).map(|_| calls(client.clone(), &load.text, &meter))).await?;
    client.close().await;
    meter.into_inner().report()?;
    Ok(())
}

async fn calls(client: Client, text: &str, meter: &RefCell<Meter>) -> Result<(), ClientError> {
    loop {
        if !meter.borrow_mut().start() {
            return Ok(());
        }
        let result = client.call_tool("echo", Echo { text }).await?;
        assert_eq!(
            result
                .content
                .first()
                .and_then(|block| block.as_text())
                .map(str::len),
            Some(text.len())
        );
        meter.borrow_mut().count();
    }
}
