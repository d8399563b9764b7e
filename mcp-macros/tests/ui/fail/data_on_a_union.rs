#![allow(unused)]
#[mcp_core::data]
union Search {
    a: u8,
}

fn main() {}
