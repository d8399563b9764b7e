use proc_macro2::TokenStream;
use syn::{Attribute, ImplItem, Item, ItemImpl, Meta, Signature};

use crate::arguments::{Parameter, take_parameters};
use crate::mistakes::Mistakes;
use crate::options::{Setting, settings};

/// An `impl` block without what was read from it.
pub(super) struct Parsed {
    pub(super) settings: Vec<Setting>,
    pub(super) block: ItemImpl,
    pub(super) methods: Vec<ParsedMethod>,
}

/// A method with `#[tool]`.
pub(super) struct ParsedMethod {
    pub(super) settings: Vec<Setting>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) signature: Signature,
    pub(super) parameters: Vec<Parameter>,
}

impl Parsed {
    pub(super) fn parse(
        attribute: TokenStream,
        item: TokenStream,
        mistakes: &mut Mistakes,
    ) -> Option<Self> {
        let settings = settings(attribute, mistakes);
        let mut block = match mistakes.keep(syn::parse2(item))? {
            Item::Impl(block) => block,
            Item::Fn(function) => {
                mistakes.under(
                    function.sig.fn_token,
                    "`#[tools]` goes on an `impl` block; for a function, use `#[tool]`",
                );
                return None;
            }
            other => {
                mistakes.under(other, "`#[tools]` goes on an `impl` block");
                return None;
            }
        };
        let mut methods = Vec::new();
        for item in &mut block.items {
            match item {
                ImplItem::Fn(method) => {
                    if let Some(settings) = take_tool(&mut method.attrs, mistakes) {
                        methods.push(ParsedMethod {
                            settings,
                            attributes: method.attrs.clone(),
                            parameters: take_parameters(&mut method.sig, mistakes),
                            signature: method.sig.clone(),
                        });
                    }
                }
                ImplItem::Const(item) => refuse_tool(&mut item.attrs, mistakes),
                ImplItem::Type(item) => refuse_tool(&mut item.attrs, mistakes),
                _ => {}
            }
        }
        Some(Self {
            settings,
            block,
            methods,
        })
    }
}

fn is_tool(attribute: &Attribute) -> bool {
    // `#[mcp_core::tool]` is the same attribute, and none of the compiler's is called so.
    attribute
        .path()
        .segments
        .last()
        .is_some_and(|last| last.ident == "tool")
}

fn take_tool(attributes: &mut Vec<Attribute>, mistakes: &mut Mistakes) -> Option<Vec<Setting>> {
    let mut found = None;
    attributes.retain(|attribute| {
        if !is_tool(attribute) {
            return true;
        }
        let all = found.get_or_insert_with(Vec::new);
        match &attribute.meta {
            Meta::Path(_) => {}
            Meta::List(list) => all.extend(settings(list.tokens.clone(), mistakes)),
            Meta::NameValue(pair) => mistakes.under(
                pair,
                "write `#[tool(…)]`, as in `#[tool(name = \"search\")]`",
            ),
        }
        false
    });
    found
}

fn refuse_tool(attributes: &mut Vec<Attribute>, mistakes: &mut Mistakes) {
    attributes.retain(|attribute| {
        if is_tool(attribute) {
            mistakes.under(attribute, "`#[tool]` goes on functions and methods");
        }
        !is_tool(attribute)
    });
}
