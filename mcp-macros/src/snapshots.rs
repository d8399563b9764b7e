//! Reviewed expansions. Each `tests/expand/*.rs` is expanded and compared with the `*.expanded.rs` beside it;
//! `EXPAND=overwrite` writes what comes out now, for review.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Item, Meta};

use crate::kind::Kind;

#[test]
fn expansions_are_as_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expand");
    let mut inputs: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.to_string_lossy().ends_with(".expanded.rs"))
        .collect();
    inputs.sort();
    assert!(inputs.len() >= 5, "the cases are missing");
    for input in inputs {
        let expansion = expanded(&fs::read_to_string(&input).unwrap());
        let output = input.with_extension("expanded.rs");
        if std::env::var("EXPAND").is_ok_and(|mode| mode == "overwrite") {
            fs::write(&output, &expansion).unwrap();
        }
        let reviewed = fs::read_to_string(&output).unwrap_or_default();
        assert_eq!(
            expansion,
            reviewed,
            "{} expands to something else",
            input.display()
        );
    }
}

/// The expansions of the items of a file, one after the other.
fn expanded(source: &str) -> String {
    let file = syn::parse_file(source).unwrap();
    let tokens = file.items.into_iter().map(expand).collect::<TokenStream>();
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

fn expand(mut item: Item) -> TokenStream {
    let attributes = match &mut item {
        Item::Fn(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        _ => return item.into_token_stream(),
    };
    let ours = |attribute: &Attribute| {
        let ours = [
            "tool",
            "tools",
            "prompt",
            "prompts",
            "resource",
            "resources",
            "data",
            "derive",
        ];
        ours.iter().any(|name| attribute.path().is_ident(name))
    };
    let Some(place) = attributes.iter().position(ours) else {
        return item.into_token_stream();
    };
    let attribute = attributes.remove(place);
    let settings = match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    let item = item.into_token_stream();
    match attribute
        .path()
        .require_ident()
        .unwrap()
        .to_string()
        .as_str()
    {
        "tool" => crate::function::expand(Kind::Tool, settings, item),
        "tools" => crate::set::expand(Kind::Tool, settings, item),
        "prompt" => crate::function::expand(Kind::Prompt, settings, item),
        "prompts" => crate::set::expand(Kind::Prompt, settings, item),
        "resource" => crate::function::expand(Kind::Resource, settings, item),
        "resources" => crate::set::expand(Kind::Resource, settings, item),
        "data" => crate::data::expand(settings, item),
        _ if settings.to_string().contains("Form") => crate::form::expand(item),
        _ => crate::struct_tool::expand(item),
    }
}
