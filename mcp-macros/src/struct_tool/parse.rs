use proc_macro2::TokenStream;
use syn::{DeriveInput, Meta};

use crate::mistakes::Mistakes;
use crate::options::{Setting, settings};

/// The struct, and what its `#[tool(…)]` says.
pub(super) struct Parsed {
    pub(super) settings: Vec<Setting>,
    pub(super) input: DeriveInput,
}

impl Parsed {
    pub(super) fn parse(item: TokenStream, mistakes: &mut Mistakes) -> Option<Self> {
        let input: DeriveInput = mistakes.keep(syn::parse2(item))?;
        let mut all = Vec::new();
        for attribute in input
            .attrs
            .iter()
            .filter(|attribute| attribute.path().is_ident("tool"))
        {
            match &attribute.meta {
                Meta::Path(_) => {}
                Meta::List(list) => all.extend(settings(list.tokens.clone(), mistakes)),
                Meta::NameValue(pair) => mistakes.under(
                    pair,
                    "write `#[tool(…)]`, as in `#[tool(name = \"search\")]`",
                ),
            }
        }
        Some(Self {
            settings: all,
            input,
        })
    }
}
