//! Calls two servers through the clients that mcp-gen has written for them.
#![deny(warnings)]

use std::error::Error;

use mcp_core::Client;
use mcp_stdio::{Command, Stderr};

mod everything;
mod files;

fn main() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(ask())
}

/// The arguments are Node, two programs for it, and the folder that the second may read.
async fn ask() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let mut next = || arguments.next().ok_or("an argument is missing");
    let (node, program, files, folder) = (next()?, next()?, next()?, next()?);
    let server = Command::new(&node).arg(program).stderr(Stderr::Null);
    ask_everything(server.connect().await?).await?;
    let server = Command::new(&node).arg(files).arg(folder).stderr(Stderr::Null);
    ask_files(server.connect().await?).await
}

async fn ask_everything(connection: Client) -> Result<(), Box<dyn Error>> {
    use everything::{
        EverythingClient, GetStructuredContentArguments, GetStructuredContentLocation, GetSumArguments,
    };
    let client = EverythingClient::new(connection);
    let sum = client.get_sum(&GetSumArguments { a: 2.0, b: 3.0 }).await?;
    println!("{}", sum.text());
    let location = GetStructuredContentLocation::Chicago;
    let arguments = GetStructuredContentArguments { location };
    let weather = client.get_structured_content(&arguments).await?;
    println!("{}, {}", weather.temperature, weather.conditions);
    client.client().close().await;
    Ok(())
}

async fn ask_files(connection: Client) -> Result<(), Box<dyn Error>> {
    use files::{FilesClient, ReadTextFileArguments};
    let client = FilesClient::new(connection);
    let allowed = client.list_allowed_directories().await?.content;
    let folder = allowed.lines().last().unwrap_or_default();
    let mut arguments = ReadTextFileArguments {
        path: format!("{folder}/lines.txt"),
        head: Some(1.0),
        tail: None,
    };
    println!("{}", client.read_text_file(&arguments).await?.content);
    arguments.path = "/etc/passwd".to_owned();
    match client.read_text_file(&arguments).await {
        Ok(read) => return Err(read.content.into()),
        Err(error) => println!("{error}"),
    }
    client.client().close().await;
    Ok(())
}
