#![allow(unused)]
use mcp_core::prompt;

#[prompt]
fn write(#[complete(self.titles)] title: &str) -> &'static str {
    ""
}

fn main() {}
