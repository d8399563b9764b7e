//! The parameters of a function that is a tool: arguments, and what is lent to it.

mod check;
mod expand;
mod parse;

pub(crate) use check::{Arguments, Taken, Where};
pub(crate) use expand::{ArgumentStruct, with_function};
pub(crate) use parse::{Parameter, take_parameters};
