//! `#[tools]`, `#[prompts]` or `#[resources]` on an `impl` block.

mod check;
mod client;
mod expand;
mod parse;

use proc_macro2::TokenStream;

pub(crate) use self::check::Holds;

use crate::kind::Kind;
use crate::mistakes::Mistakes;

/// Expands `#[tools(settings)] item` and its like.
pub(crate) fn expand(kind: Kind, settings: TokenStream, item: TokenStream) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let Some(parsed) = parse::Parsed::parse(kind, settings, item.clone(), &mut mistakes) else {
        let errors = mistakes.into_compile_errors();
        return crate::expand::refused(&errors, &item);
    };
    let set = check::Set::check(parsed, &mut mistakes);
    if mistakes.is_empty() {
        expand::set(&set)
    } else {
        expand::stub(&set, mistakes.into_compile_errors())
    }
}
