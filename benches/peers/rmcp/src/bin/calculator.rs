//! The seven-line server of our README as rmcp's documentation writes it: its size, crates and build time are measured.

use std::error::Error;

use rmcp::{ServiceExt, handler::server::wrapper::Parameters, tool, tool_router, transport::stdio};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Add {
    /// The left operand.
    a: i64,
    /// The right operand.
    b: i64,
}

struct Calculator;

#[tool_router(server_handler)]
impl Calculator {
    #[tool(description = "Adds two integers.")]
    fn add(&self, Parameters(Add { a, b }): Parameters<Add>) -> String {
        (a + b).to_string()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    Calculator.serve(stdio()).await?.waiting().await?;
    Ok(())
}
