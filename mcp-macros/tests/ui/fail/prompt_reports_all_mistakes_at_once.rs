#![allow(unused)]
use mcp_core::prompt;

#[prompt(name = "a b", strict, finishes)]
unsafe fn write(
    _: u8,
    #[arg(range = 3..=1)] limit: u32,
    #[complete] text: &str,
    #[complete("a", "a")] more: &mut u8,
) -> &'static str {
    ""
}

fn it_is_still_a_prompt() {
    let _ = mcp_core::Server::new("notes", "1").prompt::<write>();
}

fn main() {}
