//! What a function must be like to be a tool, a prompt or a resource, and how it runs.

use quote::ToTokens as _;
use syn::{Generics, ReturnType, Signature, Type};

use crate::kind::Kind;
use crate::mistakes::Mistakes;
use crate::options::Options;
use crate::tokens::{Rewrite, mentions_impl};

/// How a function runs.
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
    pub(crate) fn check(signature: &Signature, options: &Options, mistakes: &mut Mistakes) -> Self {
        let word = options.kind.word();
        if let syn::Safety::Unsafe(unsafety) = &signature.safety {
            let message = match options.kind {
                Kind::Resource => {
                    "clients read a resource by any values of its variables, so it can't be `unsafe`; wrap it in a safe function"
                }
                Kind::Tool => {
                    "clients call a tool with any arguments, so it can't be `unsafe`; wrap it in a safe function"
                }
                Kind::Prompt => {
                    "clients get a prompt with any arguments, so it can't be `unsafe`; wrap it in a safe function"
                }
            };
            mistakes.under(unsafety, message);
        }
        let style = match (&signature.asyncness, options.blocking) {
            (Some(_), Some(at)) => {
                mistakes.at(at, format!("an `async` {word} waits without a thread of its own; take out `async` or `blocking`"));
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
            mistakes.at(at, format!("only an `async` {word} can be dropped when it is cancelled; this one finishes always"));
        }
        if let ReturnType::Type(_, output) = &signature.output
            && mentions_impl(&output.to_token_stream())
        {
            let why = match options.kind {
                Kind::Tool => "; clients decode it",
                Kind::Prompt | Kind::Resource => "",
            };
            mistakes.under(output, format!("name the type that a {word} returns{why}"));
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
pub(crate) fn refuse_generics(generics: &Generics, kind: Kind, mistakes: &mut Mistakes) {
    for param in &generics.params {
        if !matches!(param, syn::GenericParam::Lifetime(_)) {
            mistakes.under(
                param,
                format!(
                    "a method that is a {} can't be generic: nothing would say for which types",
                    kind.word()
                ),
            );
        }
    }
}
