//! The macros of `mcp-core`, which re-exports them.

mod arguments;
mod closest;
mod data;
mod docs;
mod expand;
mod generics;
mod json;
mod mistakes;
mod options;
mod signature;
#[cfg(test)]
mod snapshots;
mod struct_tool;
mod tokens;
mod tool;
mod tool_set;

use proc_macro::TokenStream;

/// Makes a tool of a function.
#[proc_macro_attribute]
pub fn tool(settings: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(settings.into(), item.into()).into()
}

/// Makes tools of the methods of an `impl` block.
#[proc_macro_attribute]
pub fn tools(settings: TokenStream, item: TokenStream) -> TokenStream {
    tool_set::expand(settings.into(), item.into()).into()
}

/// Makes a tool of a struct.
#[proc_macro_derive(Tool, attributes(tool))]
pub fn derive_tool(item: TokenStream) -> TokenStream {
    struct_tool::expand(item.into()).into()
}

/// Derives what a type needs to go over the wire.
#[proc_macro_attribute]
pub fn data(settings: TokenStream, item: TokenStream) -> TokenStream {
    data::expand(settings.into(), item.into()).into()
}
