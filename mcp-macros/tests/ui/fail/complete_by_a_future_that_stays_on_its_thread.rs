#![allow(unused)]
use std::rc::Rc;

use mcp_core::prompt;

async fn names(typed: &str) -> Vec<String> {
    let names = Rc::new(typed.to_owned());
    std::future::ready(()).await;
    vec![(*names).clone()]
}

#[prompt]
fn write(#[complete(names)] name: &str) -> String {
    name.to_owned()
}

fn main() {}
