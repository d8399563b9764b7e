#![allow(unused)]
use mcp_core::{prompts, resources};

struct Notes;

#[prompts]
#[resources]
impl Notes {
    fn write(&self) {}
}

fn main() {}
