//! What stands between the parentheses of `#[tool(…)]` and its relatives.

mod check;
mod flow;
mod parse;

pub(crate) use check::{CrateOption, Place, SetOptions, ToolOptions, check_name};
pub(crate) use parse::{Form, Setting, settings};
