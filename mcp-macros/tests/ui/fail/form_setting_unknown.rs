#![allow(unused)]
#[derive(mcp_core::Form)]
#[form(krate = mcp_core)]
struct Order {
    count: u8,
}

#[derive(mcp_core::Form)]
#[form]
struct Empty {}

fn main() {}
