#![allow(unused)]
use mcp_core::{prompts, resources};

#[prompts]
fn write() {}

#[resources]
fn read() {}

#[prompts]
struct Notes;

fn main() {}
