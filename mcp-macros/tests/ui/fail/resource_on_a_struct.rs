#![allow(unused)]
use mcp_core::resource;

#[resource("notes://all")]
struct All;

fn main() {}
