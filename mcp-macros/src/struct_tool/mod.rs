//! `derive(Tool)` on a struct.

mod check;
mod expand;
mod parse;

use proc_macro2::TokenStream;

use crate::mistakes::Mistakes;

/// Expands `#[derive(Tool)] item`.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let Some(parsed) = parse::Parsed::parse(item, &mut mistakes) else {
        return mistakes.into_compile_errors();
    };
    let tool = check::StructTool::check(parsed, &mut mistakes);
    if mistakes.is_empty() {
        expand::tool(&tool)
    } else {
        expand::stub(&tool, mistakes.into_compile_errors())
    }
}
