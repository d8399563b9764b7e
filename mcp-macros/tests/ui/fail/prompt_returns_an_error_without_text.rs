#![allow(unused)]
use mcp_core::prompt;

struct Gone;

#[prompt]
fn write() -> Result<String, Gone> {
    Err(Gone)
}

fn main() {}
