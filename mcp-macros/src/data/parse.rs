use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::{Attribute, Generics, Ident, Item};

use crate::mistakes::Mistakes;
use crate::options::{Setting, settings};

/// The item, and what the attribute says.
pub(super) struct Parsed {
    pub(super) settings: Vec<Setting>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) ident: Ident,
    pub(super) generics: Generics,
    /// The item without its own attributes.
    pub(super) item: TokenStream,
}

impl Parsed {
    pub(super) fn parse(
        attribute: TokenStream,
        item: TokenStream,
        mistakes: &mut Mistakes,
    ) -> Option<Self> {
        let settings = settings(attribute, mistakes);
        let (attributes, ident, generics, item) = match mistakes.keep(syn::parse2(item))? {
            Item::Struct(mut item) => {
                let attributes = std::mem::take(&mut item.attrs);
                let (ident, generics) = (item.ident.clone(), item.generics.clone());
                (attributes, ident, generics, item.into_token_stream())
            }
            Item::Enum(mut item) => {
                let attributes = std::mem::take(&mut item.attrs);
                let (ident, generics) = (item.ident.clone(), item.generics.clone());
                (attributes, ident, generics, item.into_token_stream())
            }
            Item::Union(item) => {
                mistakes.under(
                    item.union_token,
                    "a union can't be written as JSON; use an enum",
                );
                return None;
            }
            other => {
                mistakes.under(other, "`#[data]` goes on structs and enums");
                return None;
            }
        };
        Some(Self {
            settings,
            attributes,
            ident,
            generics,
            item,
        })
    }
}
