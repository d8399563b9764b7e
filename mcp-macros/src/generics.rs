//! The generics of a function or an `impl`, as far as types made beside it need them.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::{GenericParam, Generics, Ident, TypeParamBound, WherePredicate};

use crate::tokens::{has_lifetime, mentions};

/// The generics without lifetimes, and without what is said about lifetimes.
pub(crate) fn without_lifetimes(generics: &Generics) -> Generics {
    kept(generics, |_| true)
}

/// The generics that are mentioned in some tokens, with what is said about these alone.
pub(crate) fn mentioned(generics: &Generics, tokens: &TokenStream) -> Generics {
    kept(generics, |name| mentions(tokens, name))
}

fn kept(generics: &Generics, wanted: impl Fn(&Ident) -> bool) -> Generics {
    let mut kept = Generics::default();
    let mut dropped = Vec::new();
    for param in &generics.params {
        match param {
            GenericParam::Lifetime(_) => {}
            GenericParam::Type(param) if wanted(&param.ident) => {
                let mut param = param.clone();
                param.bounds = param.bounds.into_iter().filter(lifetime_free).collect();
                kept.params.push(GenericParam::Type(param));
            }
            GenericParam::Const(param) if wanted(&param.ident) => {
                kept.params.push(GenericParam::Const(param.clone()));
            }
            GenericParam::Type(param) => dropped.push(&param.ident),
            GenericParam::Const(param) => dropped.push(&param.ident),
        }
    }
    let predicates: Punctuated<WherePredicate, syn::Token![,]> = generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates)
        .filter(|predicate| {
            let tokens = predicate.to_token_stream();
            let bound = matches!(predicate, WherePredicate::Type(ty) if ty.lifetimes.is_some());
            (bound || !has_lifetime(&tokens)) && !dropped.iter().any(|name| mentions(&tokens, name))
        })
        .cloned()
        .collect();
    if !predicates.is_empty() {
        kept.make_where_clause().predicates.extend(predicates);
    }
    kept
}

fn lifetime_free(bound: &TypeParamBound) -> bool {
    // `for<'a> Fn(&'a str)` binds the lifetimes it mentions.
    match bound {
        TypeParamBound::Trait(bound) => {
            bound.lifetimes.is_some() || !has_lifetime(&bound.to_token_stream())
        }
        TypeParamBound::Lifetime(lifetime) => lifetime.ident == "static",
        _ => true,
    }
}

/// The names of the type parameters.
pub(crate) fn type_names(generics: &Generics) -> Vec<&Ident> {
    generics.type_params().map(|param| &param.ident).collect()
}

/// The names of type and const parameters in order, as arguments.
pub(crate) fn arguments(generics: &Generics) -> Vec<&Ident> {
    generics
        .params
        .iter()
        .filter_map(|param| match param {
            GenericParam::Type(param) => Some(&param.ident),
            GenericParam::Const(param) => Some(&param.ident),
            GenericParam::Lifetime(_) => None,
        })
        .collect()
}

/// Whether any of them occurs in these tokens.
pub(crate) fn mentions_any(tokens: &TokenStream, generics: &Generics) -> bool {
    arguments(generics)
        .into_iter()
        .any(|name| mentions(tokens, name))
}
