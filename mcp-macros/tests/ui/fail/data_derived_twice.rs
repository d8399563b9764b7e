#![allow(unused)]
#[mcp_core::data]
#[derive(Debug, mcp_core::__private::Serialize)]
struct Search {
    text: String,
}

fn main() {}
