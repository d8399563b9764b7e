use std::time::Duration;

use clap::{Parser, Subcommand};

/// Talks to an MCP server that is a command, or at a URL.
#[derive(Debug, Parser)]
#[command(name = "inspect", subcommand_required = true)]
pub(crate) struct Options {
    /// Print what the server says as JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// How long an answer may take without a sign of life, in seconds.
    #[arg(long, global = true, default_value_t = 60, value_name = "SECONDS")]
    timeout: u64,
    /// Show what the server logs, and writes to its standard error.
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Set a variable in the server's environment.
    #[arg(long, global = true, value_name = "NAME=VALUE")]
    pub(crate) env: Vec<String>,
    /// Send a header with every request, to a server at a URL. `-H authorization='Bearer …'` says who you are.
    #[arg(short = 'H', long, global = true, value_name = "NAME=VALUE")]
    pub(crate) header: Vec<String>,
    /// Pass all of this environment on to the server.
    #[arg(long, global = true)]
    pub(crate) inherit_env: bool,
    #[command(subcommand)]
    pub(crate) what: What,
    /// The server, after `--`: a command with its arguments, or a URL.
    #[arg(last = true, global = true, value_name = "COMMAND or URL")]
    pub(crate) command: Vec<String>,
}

impl Options {
    pub(crate) const fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum What {
    /// Show what the server has: tools, prompts, resources.
    List,
    /// Call a tool.
    Call {
        /// The tool.
        name: String,
        /// Its arguments: `name=value`, read as the tool's schema says, or `name:=JSON`.
        arguments: Vec<String>,
    },
    /// Read a resource.
    Read {
        /// The resource.
        uri: String,
    },
    /// Get a prompt.
    Prompt {
        /// The prompt.
        name: String,
        /// Its arguments: `name=value`.
        arguments: Vec<String>,
    },
    /// Show what the server tells by itself, until Ctrl-C.
    Watch {
        /// Resources whose changes to be told of.
        uris: Vec<String>,
    },
}
