use proc_macro2::TokenStream;
use syn::{Attribute, ImplItem, Item, ItemImpl, Meta, Signature};

use crate::arguments::{Parameter, take_parameters};
use crate::kind::Kind;
use crate::mistakes::Mistakes;
use crate::options::{Said, Setting, settings};

/// An `impl` block without what was read from it.
pub(super) struct Parsed {
    pub(super) kind: Kind,
    pub(super) settings: Vec<Setting>,
    pub(super) block: ItemImpl,
    pub(super) methods: Vec<ParsedMethod>,
}

/// A method with `#[tool]` or its like.
pub(super) struct ParsedMethod {
    pub(super) said: Said,
    pub(super) attributes: Vec<Attribute>,
    pub(super) signature: Signature,
    pub(super) parameters: Vec<Parameter>,
}

impl Parsed {
    pub(super) fn parse(
        kind: Kind,
        attribute: TokenStream,
        item: TokenStream,
        mistakes: &mut Mistakes,
    ) -> Option<Self> {
        let settings = settings(attribute, mistakes);
        let words = kind.words();
        let mut block = match mistakes.keep(syn::parse2(item))? {
            Item::Impl(block) => block,
            Item::Fn(function) => {
                mistakes.under(
                    function.sig.fn_token,
                    format!(
                        "`#[{words}]` goes on an `impl` block; for a function, use `{}`",
                        kind.attribute()
                    ),
                );
                return None;
            }
            other => {
                mistakes.under(other, format!("`#[{words}]` goes on an `impl` block"));
                return None;
            }
        };
        let mut methods = Vec::new();
        for item in &mut block.items {
            match item {
                ImplItem::Fn(method) => {
                    if let Some(said) = take(kind, &mut method.attrs, mistakes) {
                        methods.push(ParsedMethod {
                            said,
                            attributes: method.attrs.clone(),
                            parameters: take_parameters(&mut method.sig, kind, mistakes),
                            signature: method.sig.clone(),
                        });
                    }
                }
                ImplItem::Const(item) => refuse(kind, &mut item.attrs, mistakes),
                ImplItem::Type(item) => refuse(kind, &mut item.attrs, mistakes),
                _ => {}
            }
        }
        Some(Self {
            kind,
            settings,
            block,
            methods,
        })
    }
}

fn is_ours(kind: Kind, attribute: &Attribute) -> bool {
    // `#[mcp_core::tool]` is the same attribute, and none of the compiler's is called so.
    attribute
        .path()
        .segments
        .last()
        .is_some_and(|last| last.ident == kind.word())
}

fn take(kind: Kind, attributes: &mut Vec<Attribute>, mistakes: &mut Mistakes) -> Option<Said> {
    let mut found: Option<Said> = None;
    attributes.retain(|attribute| {
        if !is_ours(kind, attribute) {
            return true;
        }
        let all = found.get_or_insert_default();
        match &attribute.meta {
            Meta::Path(_) => {}
            Meta::List(list) => {
                let said = Said::parse(kind, list.tokens.clone(), mistakes);
                if let (Some(_), Some(second)) = (&all.uri, &said.uri) {
                    mistakes.under(
                        second,
                        "a resource has one URI; write another method for this one",
                    );
                }
                all.uri = all.uri.take().or(said.uri);
                all.settings.extend(said.settings);
            }
            Meta::NameValue(pair) => {
                let example = match kind {
                    Kind::Resource => "\"notes://{id}\"",
                    Kind::Tool | Kind::Prompt => "name = \"search\"",
                };
                let word = kind.word();
                mistakes.under(
                    pair,
                    format!("write `#[{word}(…)]`, as in `#[{word}({example})]`"),
                );
            }
        }
        all.at = attribute
            .path()
            .segments
            .last()
            .map(|last| last.ident.span());
        false
    });
    found
}

fn refuse(kind: Kind, attributes: &mut Vec<Attribute>, mistakes: &mut Mistakes) {
    attributes.retain(|attribute| {
        let is_ours = is_ours(kind, attribute);
        if is_ours {
            mistakes.under(
                attribute,
                format!("`{}` goes on functions and methods", kind.attribute()),
            );
        }
        !is_ours
    });
}
