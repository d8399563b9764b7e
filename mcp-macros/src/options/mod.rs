//! What stands between the parentheses of `#[tool(…)]` and its relatives.

mod check;
mod flow;
mod parse;
mod resource;

pub(crate) use check::{CrateOption, Options, Place, SetOptions, check_name, check_own_name};
pub(crate) use parse::{Form, Said, Setting, settings};
