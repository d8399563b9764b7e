//! `#[data]` on a struct or an enum.

mod check;
mod expand;
mod parse;

use proc_macro2::TokenStream;

use crate::mistakes::Mistakes;

/// Expands `#[data(settings)] item`.
pub(crate) fn expand(settings: TokenStream, item: TokenStream) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let Some(parsed) = parse::Parsed::parse(settings, item.clone(), &mut mistakes) else {
        let errors = mistakes.into_compile_errors();
        return crate::expand::refused(&errors, &item);
    };
    let data = check::Data::check(parsed, &mut mistakes);
    crate::expand::refused(&mistakes.into_compile_errors(), &expand::data(&data))
}
