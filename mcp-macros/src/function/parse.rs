use proc_macro2::TokenStream;
use syn::{FnArg, Item, ItemFn};

use crate::arguments::{Parameter, take_parameters};
use crate::kind::Kind;
use crate::mistakes::Mistakes;
use crate::options::Said;

/// A function, without the attributes of its parameters, and what was read from them.
pub(super) struct Parsed {
    pub(super) kind: Kind,
    pub(super) said: Said,
    pub(super) function: ItemFn,
    pub(super) parameters: Vec<Parameter>,
}

impl Parsed {
    pub(super) fn parse(
        kind: Kind,
        attribute: TokenStream,
        item: TokenStream,
        mistakes: &mut Mistakes,
    ) -> Option<Self> {
        let said = Said::parse(kind, attribute, mistakes);
        let mut function = match mistakes.keep(syn::parse2(item))? {
            Item::Fn(function) => function,
            other => {
                mistakes.under(first_of(&other), instead(kind, &other));
                return None;
            }
        };
        let words = kind.words();
        if let Some(FnArg::Receiver(receiver)) = function.sig.inputs.first() {
            mistakes.under(
                receiver,
                format!("methods become {words} inside of an `impl` block with `#[{words}]` on it"),
            );
            return None;
        }
        let parameters = take_parameters(&mut function.sig, kind, mistakes);
        Some(Self {
            kind,
            said,
            function,
            parameters,
        })
    }
}

fn instead(kind: Kind, item: &Item) -> String {
    let (attribute, words) = (kind.attribute(), kind.words());
    match item {
        Item::Struct(_) | Item::Enum(_) if kind == Kind::Tool => {
            "`#[tool]` goes on functions; for a struct, write `#[derive(Tool)]` first and `#[tool(…)]` below it".to_owned()
        }
        Item::Impl(_) => format!(
            "`{attribute}` goes on functions; for an `impl` block, use `#[{words}]` and put `{attribute}` on its methods"
        ),
        _ => format!("`{attribute}` goes on functions"),
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
