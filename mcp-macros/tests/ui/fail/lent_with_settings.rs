#![allow(unused)]
use mcp_core::tool;

use mcp_core::Context;

struct Db;

#[tool]
fn search(#[arg(default)] cx: &Context, #[serde(default)] db: &Db) {}

fn main() {}
