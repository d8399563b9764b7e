//! Everything that is wrong with an item, reported at once.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The mistakes found so far. An expansion with mistakes is made of them and of stubs.
#[derive(Default)]
pub(crate) struct Mistakes(Option<syn::Error>);

impl Mistakes {
    /// A mistake under these tokens.
    pub(crate) fn under(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// A mistake at a place.
    pub(crate) fn at(&mut self, span: Span, message: impl Display) {
        self.push(syn::Error::new(span, message));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// The result of a parser, or a mistake.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// What makes rustc report them.
    pub(crate) fn into_compile_errors(self) -> TokenStream {
        self.0
            .map(|errors| errors.into_compile_error())
            .unwrap_or_default()
    }
}
