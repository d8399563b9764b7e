#![allow(unused)]
use mcp_core::{tool, tools};

struct Files(std::rc::Rc<u8>);

#[tools]
impl Files {
    #[tool]
    fn search(&self) {}
}

fn main() {}
