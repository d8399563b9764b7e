//! `#[tool]` on a function.

mod check;
mod expand;
mod parse;

use proc_macro2::TokenStream;

use crate::mistakes::Mistakes;

/// Expands `#[tool(settings)] item`.
pub(crate) fn expand(settings: TokenStream, item: TokenStream) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let Some(parsed) = parse::Parsed::parse(settings, item.clone(), &mut mistakes) else {
        let errors = mistakes.into_compile_errors();
        return crate::expand::refused(&errors, &item);
    };
    let tool = check::FunctionTool::check(parsed, &mut mistakes);
    if mistakes.is_empty() {
        expand::tool(tool)
    } else {
        expand::stub(&tool, mistakes.into_compile_errors())
    }
}
