//! Writes a typed Rust client for the tools of a server to standard output.
//!
//! ```sh
//! cargo run -p mcp-gen -- npx -y @modelcontextprotocol/server-everything > src/everything.rs
//! cargo run -p mcp-gen -- --client NotesClient --out src/notes.rs ./notes-server
//! cargo run -p mcp-gen -- --from tools.json        # the result of `tools/list`, or its `tools`
//! ```

use std::error::Error;
use std::io::Write as _;
use std::process::ExitCode;

use mcp_core::protocol::Tool;
use serde_json::Value;

const USAGE: &str =
    "usage: mcp-gen [--client NAME] [--out FILE] (--from FILE | COMMAND [ARGUMENT …])";

/// What the command line says.
#[derive(Default)]
struct Options {
    client: Option<String>,
    out: Option<String>,
    from: Option<String>,
    command: Vec<String>,
}

fn main() -> ExitCode {
    match generate() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn generate() -> Result<(), Box<dyn Error>> {
    let options = Options::parse(std::env::args().skip(1)).ok_or(USAGE)?;
    let (server, tools) = match &options.from {
        Some(file) => ("tools".to_owned(), read(&text(file)?)?),
        None => ask(&options.command)?,
    };
    let client = options
        .client
        .unwrap_or_else(|| mcp_gen::client_name(&server));
    let source = mcp_gen::generate(&client, &tools);
    match options.out {
        Some(file) => {
            std::fs::write(&file, source).map_err(|error| format!("`{file}`: {error}"))?;
        }
        None => std::io::stdout().write_all(source.as_bytes())?,
    }
    Ok(())
}

fn text(file: &str) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| format!("`{file}`: {error}"))
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Option<Self> {
        let mut options = Self::default();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--client" => options.client = Some(arguments.next().filter(|name| is_name(name))?),
                "--out" => options.out = Some(arguments.next()?),
                "--from" => options.from = Some(arguments.next()?),
                "--" => options.command = arguments.by_ref().collect(),
                option if option.starts_with('-') => return None,
                _ => {
                    options.command.push(argument);
                    // All that follows is the server's.
                    options.command.extend(arguments.by_ref());
                }
            }
        }
        (options.from.is_some() == options.command.is_empty()).then_some(options)
    }
}

/// Whether it may be the name of a type.
fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && name != "Self"
}

/// The tools of a server that is started for it, and what the server calls itself.
fn ask(command: &[String]) -> Result<(String, Vec<Tool>), Box<dyn Error>> {
    let (program, arguments) = command.split_first().ok_or(USAGE)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let client = mcp_stdio::Command::new(program)
            .args(arguments)
            .connect()
            .await?;
        let tools = client.list_all_tools().await?.to_vec();
        let server = client.server().name().to_owned();
        client.close().await;
        Ok((server, tools))
    })
}

/// The result of `tools/list`, or the list in it.
fn read(text: &str) -> Result<Vec<Tool>, Box<dyn Error>> {
    let mut value: Value = serde_json::from_str(text)?;
    if let Some(tools) = value.get_mut("tools") {
        value = tools.take();
    }
    Ok(serde_json::from_value(value)?)
}
