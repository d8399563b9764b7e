//! A client for the command line, for any MCP server that is a command or has a URL:
//!
//! ```sh
//! inspect list -- npx -y @modelcontextprotocol/server-everything
//! inspect call get-sum a=2 b=3 -- npx -y @modelcontextprotocol/server-everything
//! inspect list -- http://localhost:3001/mcp
//! ```

mod arguments;
mod ask;
mod options;
mod progress;
mod show;

use std::error::Error;
use std::process::ExitCode;

use clap::Parser;
use mcp_core::Client;
use mcp_core::client::Event;
use mcp_core::protocol::{LoggingLevel, SubscriptionFilter};
use mcp_sse::Connect;
use mcp_stdio::{Command, Stderr};

use crate::options::{Options, What};
use crate::show::Show;

type Outcome<T> = Result<T, Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options).await {
        Ok(true) => ExitCode::SUCCESS,
        // The tool has failed, and has said so.
        Ok(false) => ExitCode::from(2),
        Err(error) => {
            show::complain(&*error);
            ExitCode::FAILURE
        }
    }
}

async fn run(options: &Options) -> Outcome<bool> {
    let mut client = Client::builder("inspect", env!("CARGO_PKG_VERSION"))
        .timeout(options.timeout())
        .on_elicitation(ask::person);
    if options.verbose {
        client = client.log_level(LoggingLevel::Debug).on_log(show::log);
    }
    let client = match options.command.as_slice() {
        [url] if url.starts_with("http://") || url.starts_with("https://") => {
            at_url(url, options)?.connect_as(client).await?
        }
        command => of_command(command, options)?.connect_as(client).await?,
    };
    let done = tokio::select! {
        done = act(&client, options) => done,
        _ = tokio::signal::ctrl_c() => Ok(true),
    };
    client.close().await;
    done
}

fn at_url(url: &str, options: &Options) -> Outcome<Connect> {
    let mut connect = Connect::new(url);
    for header in &options.header {
        let (name, value) = header.split_once('=').ok_or("a header is NAME=VALUE")?;
        connect = connect.header(name, value);
    }
    Ok(connect)
}

fn of_command(command: &[String], options: &Options) -> Outcome<Command> {
    let (program, arguments) = command
        .split_first()
        .ok_or("which server? Give its command, or its URL, after `--`")?;
    let mut command = Command::new(program).args(arguments);
    if options.inherit_env {
        command = command.inherit_env();
    }
    for variable in &options.env {
        let (name, value) = variable.split_once('=').ok_or("a variable is NAME=VALUE")?;
        command = command.env(name, value);
    }
    if !options.verbose {
        command = command.stderr(Stderr::Tail);
    }
    Ok(command)
}

async fn act(client: &Client, options: &Options) -> Outcome<bool> {
    let show = Show::new(options.json);
    match &options.what {
        What::List => list(client, &show).await?,
        What::Call { name, arguments } => return call(client, &show, name, arguments).await,
        What::Read { uri } => show.contents(&client.read_resource(uri).await?)?,
        What::Prompt { name, arguments } => {
            let arguments = arguments::texts(arguments)?;
            show.messages(&client.get_prompt(name, arguments).await?)?;
        }
        What::Watch { uris } => watch(client, &show, uris).await?,
    }
    Ok(true)
}

async fn list(client: &Client, show: &Show) -> Outcome<()> {
    let (tools, prompts) = (
        client.list_all_tools().await?,
        client.list_all_prompts().await?,
    );
    let resources = client.list_all_resources().await?;
    let templates = client.list_all_resource_templates().await?;
    show.lists(client.server(), &tools, &prompts, &resources, &templates)
}

async fn call(client: &Client, show: &Show, name: &str, given: &[String]) -> Outcome<bool> {
    let tools = client.list_all_tools().await?;
    let Some(tool) = tools.iter().find(|tool| tool.name == name) else {
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        return Err(format!("there is no tool `{name}`, only {}", names.join(", ")).into());
    };
    let arguments = arguments::by_schema(given, &tool.input_schema)?;
    let mut bar = progress::Bar::new();
    let called = client
        .call_tool(name, arguments)
        .on_progress(|progress| bar.show(&progress))
        .await;
    bar.end();
    let result = called?;
    show.result(&result)?;
    Ok(result.is_error != Some(true))
}

async fn watch(client: &Client, show: &Show, uris: &[String]) -> Outcome<()> {
    let mut events = client.events();
    let mut filter = SubscriptionFilter::default();
    filter.resource_subscriptions = Some(uris.to_vec());
    let mut resources = match uris {
        [] => None,
        _ => Some(client.listen(filter).await?),
    };
    show.watching(client.server());
    loop {
        let event = tokio::select! {
            event = events.next() => event,
            change = next(&mut resources) => change.map(event),
        };
        match event {
            Some(event) => show.event(&event)?,
            None => return Err("the server is gone".into()),
        }
    }
}

async fn next(
    resources: &mut Option<mcp_core::client::Subscription>,
) -> Option<mcp_core::client::Change> {
    match resources {
        Some(resources) => resources.next().await,
        None => std::future::pending().await,
    }
}

fn event(change: mcp_core::client::Change) -> Event {
    use mcp_core::client::Change;
    match change {
        Change::Resource(uri) => Event::ResourceUpdated(uri),
        Change::Tools => Event::ToolsChanged,
        Change::Prompts => Event::PromptsChanged,
        _ => Event::ResourcesChanged,
    }
}
