use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::{Generics, ItemFn, Type};

use super::parse::Parsed;
use crate::arguments::{Arguments, Where};
use crate::generics::without_lifetimes;
use crate::mistakes::Mistakes;
use crate::options::{Place, ToolOptions, check_name};
use crate::signature::{Style, output_type};

/// A function that is a tool.
pub(super) struct FunctionTool {
    pub(super) function: ItemFn,
    pub(super) options: ToolOptions,
    pub(super) arguments: Arguments,
    pub(super) style: Style,
    /// The name on the wire.
    pub(super) name: String,
    /// The name of the type beside the function.
    pub(super) type_name: Ident,
    pub(super) generics: Generics,
    pub(super) output: Type,
}

impl FunctionTool {
    pub(super) fn check(parsed: Parsed, mistakes: &mut Mistakes) -> Self {
        let Parsed {
            settings,
            function,
            parameters,
        } = parsed;
        let options = ToolOptions::check(settings, Place::Function, mistakes);
        let around = Where {
            self_type: None,
            closed: !options.open,
        };
        let arguments = Arguments::check(parameters, around, mistakes);
        let style = Style::check(&function.sig, &options, mistakes);
        let ident = &function.sig.ident;
        let name = match &options.name {
            Some(name) => name.value(),
            None => own_name(ident, mistakes),
        };
        Self {
            type_name: options.type_name.clone().unwrap_or_else(|| ident.clone()),
            generics: without_lifetimes(&function.sig.generics),
            output: output_type(&function.sig, None),
            function,
            options,
            arguments,
            style,
            name,
        }
    }
}

fn own_name(ident: &Ident, mistakes: &mut Mistakes) -> String {
    let name = ident.unraw().to_string();
    if name.is_ascii() {
        check_name(&name, ident.span(), mistakes);
    } else {
        let message = "tool names may hold letters, digits, `_`, `-` and `.` of ASCII; choose one with `#[tool(name = \"…\")]`";
        mistakes.under(ident, message);
    }
    name
}
