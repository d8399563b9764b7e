#![allow(unused)]
use mcp_core::Tool;

struct Search;

fn definition<T: Tool>() {}

fn main() {
    definition::<Search>();
}
