use proc_macro2::TokenStream;
use syn::{FnArg, Item, ItemFn};

use crate::arguments::{Parameter, take_parameters};
use crate::mistakes::Mistakes;
use crate::options::{Setting, settings};

/// A function, without the attributes of its parameters, and what was read from them.
pub(super) struct Parsed {
    pub(super) settings: Vec<Setting>,
    pub(super) function: ItemFn,
    pub(super) parameters: Vec<Parameter>,
}

impl Parsed {
    pub(super) fn parse(
        attribute: TokenStream,
        item: TokenStream,
        mistakes: &mut Mistakes,
    ) -> Option<Self> {
        let settings = settings(attribute, mistakes);
        let mut function = match mistakes.keep(syn::parse2(item))? {
            Item::Fn(function) => function,
            other => {
                mistakes.under(first_of(&other), instead(&other));
                return None;
            }
        };
        if let Some(FnArg::Receiver(receiver)) = function.sig.inputs.first() {
            mistakes.under(
                receiver,
                "methods become tools inside of an `impl` block with `#[tools]` on it",
            );
            return None;
        }
        let parameters = take_parameters(&mut function.sig, mistakes);
        Some(Self {
            settings,
            function,
            parameters,
        })
    }
}

fn instead(item: &Item) -> &'static str {
    match item {
        Item::Struct(_) | Item::Enum(_) => {
            "`#[tool]` goes on functions; for a struct, write `#[derive(Tool)]` first and `#[tool(…)]` below it"
        }
        Item::Impl(_) => {
            "`#[tool]` goes on functions; for an `impl` block, use `#[tools]` and put `#[tool]` on its methods"
        }
        _ => "`#[tool]` goes on functions",
    }
}

/// The words that say what an item is, which are enough to point at.
fn first_of(item: &Item) -> TokenStream {
    use quote::ToTokens as _;
    match item {
        Item::Struct(item) => item.struct_token.to_token_stream(),
        Item::Enum(item) => item.enum_token.to_token_stream(),
        Item::Impl(item) => item.impl_token.to_token_stream(),
        other => other.to_token_stream(),
    }
}
