#![allow(unused)]
use mcp_core::{tool, tools};

struct Files;

#[tools(prefix = "a_prefix_that_leaves_no_room_for_the_name_of_the_tool_itself_")]
impl Files {
    #[tool]
    fn search(&self) {}
}

fn main() {}
