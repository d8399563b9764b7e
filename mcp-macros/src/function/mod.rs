//! `#[tool]`, `#[prompt]` or `#[resource(…)]` on a function.

mod check;
mod expand;
mod parse;

use proc_macro2::TokenStream;

use crate::kind::Kind;
use crate::mistakes::Mistakes;

/// Expands `#[tool(settings)] item` and its like.
pub(crate) fn expand(kind: Kind, settings: TokenStream, item: TokenStream) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let Some(parsed) = parse::Parsed::parse(kind, settings, item.clone(), &mut mistakes) else {
        let errors = mistakes.into_compile_errors();
        return crate::expand::refused(&errors, &item);
    };
    let function = check::Function::check(parsed, &mut mistakes);
    if mistakes.is_empty() {
        expand::function(&function)
    } else {
        expand::stub(&function, mistakes.into_compile_errors())
    }
}
