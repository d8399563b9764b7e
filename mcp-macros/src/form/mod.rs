//! `derive(Form)`: which types a person can fill in.

mod check;
mod expand;

use proc_macro2::TokenStream;

use crate::mistakes::Mistakes;

/// Expands the derive. A type that is no form is no mistake, since `#[data]` derives it for all: it is one when a person
/// is asked for it.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let Some(input) = mistakes.keep(syn::parse2(item)) else {
        return mistakes.into_compile_errors();
    };
    let form = check::Form::check(input, &mut mistakes);
    let (errors, expansion) = (mistakes.into_compile_errors(), expand::form(&form));
    quote::quote!(#errors #expansion)
}
