#![allow(unused)]
use mcp_core::prompt;

struct Style;

#[prompt]
fn write(style: Style) -> &'static str {
    ""
}

fn main() {}
