#![allow(unused)]
use mcp_core::prompt;

struct Notes;

#[prompt]
impl Notes {}

fn main() {}
