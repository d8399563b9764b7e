//! What a function must be like to be a tool, and how it runs.

use quote::ToTokens as _;
use syn::{Generics, ReturnType, Signature, Type};

use crate::mistakes::Mistakes;
use crate::options::ToolOptions;
use crate::tokens::{Rewrite, mentions_impl};

/// How a tool runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// In place.
    Now,
    /// As a future.
    Later,
    /// On a thread that may block.
    Blocking,
}

impl Style {
    /// How this function runs, and what of its settings makes no sense then.
    pub(crate) fn check(
        signature: &Signature,
        options: &ToolOptions,
        mistakes: &mut Mistakes,
    ) -> Self {
        if let syn::Safety::Unsafe(unsafety) = &signature.safety {
            mistakes.under(
                unsafety,
                "clients call a tool with any arguments, so it can't be `unsafe`; wrap it in a safe function",
            );
        }
        let style = match (&signature.asyncness, options.blocking) {
            (Some(_), Some(at)) => {
                mistakes.at(at, "an `async` tool waits without a thread of its own; take out `async` or `blocking`");
                Self::Later
            }
            (Some(_), None) => Self::Later,
            (None, Some(_)) => Self::Blocking,
            (None, None) => Self::Now,
        };
        if let (Self::Now, Some((at, _))) = (style, options.deadline) {
            mistakes.at(
                at,
                "a function that runs in place can't be ended at a deadline; make it `async` or `blocking`",
            );
        }
        if let (Self::Now | Self::Blocking, Some(at)) = (style, options.finishes) {
            mistakes.at(at, "only an `async` tool can be dropped when it is cancelled; this one finishes always");
        }
        if let ReturnType::Type(_, output) = &signature.output
            && mentions_impl(&output.to_token_stream())
        {
            mistakes.under(
                output,
                "name the type that a tool returns; clients decode it",
            );
        }
        style
    }
}

/// The type that a function returns, fit to stand outside of it.
pub(crate) fn output_type(signature: &Signature, self_type: Option<&Type>) -> Type {
    match &signature.output {
        ReturnType::Default => syn::parse_quote!(()),
        ReturnType::Type(_, ty) => Rewrite {
            lifetime: "static",
            self_type,
        }
        .apply(ty),
    }
}

/// Generics that nothing says the types of when a method is called by its name.
pub(crate) fn refuse_generics(generics: &Generics, mistakes: &mut Mistakes) {
    for param in &generics.params {
        if !matches!(param, syn::GenericParam::Lifetime(_)) {
            mistakes.under(
                param,
                "a method that is a tool can't be generic: nothing would say for which types",
            );
        }
    }
}
