//! `#[tools]` on an `impl` block.

mod check;
mod expand;
mod parse;

use proc_macro2::TokenStream;

use crate::mistakes::Mistakes;

/// Expands `#[tools(settings)] item`.
pub(crate) fn expand(settings: TokenStream, item: TokenStream) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let Some(parsed) = parse::Parsed::parse(settings, item.clone(), &mut mistakes) else {
        let errors = mistakes.into_compile_errors();
        return crate::expand::refused(&errors, &item);
    };
    let set = check::ToolSet::check(parsed, &mut mistakes);
    if mistakes.is_empty() {
        expand::tool_set(&set)
    } else {
        expand::stub(&set, mistakes.into_compile_errors())
    }
}
