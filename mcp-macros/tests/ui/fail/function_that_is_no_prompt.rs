#![allow(unused)]
use mcp_core::{Server, prompt, resource};

fn write() {}
struct Read;

fn server() -> Server {
    Server::new("notes", "1").prompt::<Write>().resource::<Read>()
}

struct Write;

fn main() {}
