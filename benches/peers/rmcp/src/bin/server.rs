//! The bench's tools on rmcp, its router built once and kept. `MCP_STDIO=std` takes `stdio()`, as the examples do, instead of
//! `stdio_pipes()`; `MCP_RT=ct` the current-thread runtime; `MCP_TOOLS` is the number of tools.

use std::{error::Error, sync::Arc, time::Duration};

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    handler::server::{
        common::schema_for_input,
        router::tool::{ToolRoute, ToolRouter},
        wrapper::Parameters,
    },
    model::{
        CallToolResult, ContentBlock, Implementation, ProgressNotificationParam,
        ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
    tool, tool_handler, tool_router,
    transport::{io::stdio_pipes, stdio},
};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::runtime::Builder;

#[derive(Deserialize, JsonSchema)]
struct Echo {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Add {
    a: f64,
    b: f64,
}

#[derive(Deserialize, JsonSchema)]
struct Sleep {
    ms: u64,
}

#[derive(Deserialize, JsonSchema)]
struct Progress {
    n: u32,
}

#[derive(Deserialize, JsonSchema)]
struct Big {
    bytes: usize,
}

#[derive(Clone)]
struct Bench {
    tool_router: ToolRouter<Self>,
}

type Reply = Result<CallToolResult, ErrorData>;

fn text(text: impl Into<String>) -> Reply {
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]))
}

#[tool_router]
impl Bench {
    fn new(tools: usize) -> Result<Self, Box<dyn Error>> {
        let mut tool_router = Self::tool_router();
        if tools < 5 {
            for name in ["add", "sleep", "progress", "big"] {
                tool_router.remove_route(name);
            }
        }
        let schema = Arc::new(schema_for_input::<Echo>()?.as_ref().clone());
        for number in 5..tools {
            let tool = Tool::new(
                format!("filler_{number:04}"),
                format!("Filler tool number {number}"),
                Arc::clone(&schema),
            );
            tool_router.add_route(ToolRoute::new(tool, filler));
        }
        Ok(Self { tool_router })
    }

    #[tool(description = "Echo the text back")]
    fn echo(&self, Parameters(arguments): Parameters<Echo>) -> Reply {
        text(arguments.text)
    }

    #[tool(description = "Add two numbers")]
    fn add(&self, Parameters(Add { a, b }): Parameters<Add>) -> Reply {
        text((a + b).to_string())
    }

    #[tool(description = "Sleep for ms milliseconds")]
    async fn sleep(&self, Parameters(Sleep { ms }): Parameters<Sleep>) -> Reply {
        tokio::time::sleep(Duration::from_millis(ms)).await;
        text("slept")
    }

    #[tool(description = "Send n progress notifications")]
    async fn progress(
        &self,
        Parameters(Progress { n }): Parameters<Progress>,
        context: RequestContext<RoleServer>,
    ) -> Reply {
        if let Some(token) = context.meta.get_progress_token() {
            for step in 0..n {
                let progress = ProgressNotificationParam::new(token.clone(), f64::from(step))
                    .with_total(f64::from(n));
                context
                    .peer
                    .notify_progress(progress)
                    .await
                    .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
            }
        }
        text("done")
    }

    #[tool(description = "Return a text of the given size")]
    fn big(&self, Parameters(Big { bytes }): Parameters<Big>) -> Reply {
        text("x".repeat(bytes))
    }
}

fn filler(Parameters(arguments): Parameters<Echo>) -> Reply {
    text(arguments.text)
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Bench {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("bench", "1.0.0"))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut builder = match std::env::var("MCP_RT").as_deref() {
        Ok("ct") => Builder::new_current_thread(),
        _ => Builder::new_multi_thread(),
    };
    let runtime = builder.enable_all().build()?;
    runtime.block_on(serve())?;
    // A read of stdin may still sit in the blocking pool; nobody waits for it.
    runtime.shutdown_background();
    Ok(())
}

async fn serve() -> Result<(), Box<dyn Error>> {
    let tools = std::env::var("MCP_TOOLS")
        .ok()
        .and_then(|count| count.parse().ok());
    let bench = Bench::new(tools.unwrap_or(5))?;
    let running = match std::env::var("MCP_STDIO").as_deref() {
        Ok("std") => bench.serve(stdio()).await?,
        _ => bench.serve(stdio_pipes()).await?,
    };
    running.waiting().await?;
    Ok(())
}
