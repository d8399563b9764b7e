#![allow(unused)]
use mcp_core::ToolSet;

struct Files;

fn definitions<T: ToolSet>() {}

fn main() {
    definitions::<Files>();
}
