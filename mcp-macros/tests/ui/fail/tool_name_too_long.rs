#![allow(unused)]
use mcp_core::tool;

#[tool(name = "a_name_that_is_much_longer_than_what_clients_and_models_are_known_to_take")]
fn search() {}

fn main() {}
