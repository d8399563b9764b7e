//! The parameters of a function that is a tool, a prompt or a resource: arguments, and what is lent to it.

mod call;
mod check;
mod complete;
mod expand;
mod limits;
mod parse;
mod variables;

pub(crate) use call::{CallArguments, Param, is_plain, with_function};
pub(crate) use check::{Arguments, Taken, Where};
pub(crate) use complete::{Completing, completers};
pub(crate) use expand::ArgumentStruct;
pub(crate) use parse::{Parameter, take_parameters};
pub(crate) use variables::Uri;
