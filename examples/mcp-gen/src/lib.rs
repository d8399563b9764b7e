//! Writes a typed Rust client for the tools of a server, from what `tools/list` says of them.

mod docs;
mod names;
mod schema;
mod shape;
mod write;

use std::collections::HashSet;

use mcp_core::protocol::Tool;

use names::Names;
use schema::Reader;
use shape::{Shape, Types};

/// A tool as its method needs it.
struct Method<'a> {
    tool: &'a Tool,
    ident: String,
    arguments: Arguments,
    /// What its structured content is, where that is known.
    result: Option<Shape>,
}

/// What a method takes.
enum Arguments {
    None,
    /// A type with a shape.
    Shaped(Shape),
    /// Anything that serialises: nothing is known of them.
    Any,
}

/// The name of the client for a server that calls itself this.
#[must_use]
pub fn client_name(server: &str) -> String {
    format!("{}Client", names::type_name(server))
}

/// The source of a module: a client struct of this name with a method for each tool, and the types of their arguments and
/// results.
///
/// The module needs the crates mcp-core, serde (with `derive`) and serde_json. Whatever a server says ends up in comments,
/// strings and names that were made safe, and nowhere else.
#[must_use]
pub fn generate(client: &str, tools: &[Tool]) -> String {
    let mut types = Types::new(client);
    let mut idents = Names::of_methods();
    let mut seen = HashSet::new();
    let methods: Vec<Method<'_>> = tools
        .iter()
        .filter(|tool| seen.insert(&tool.name))
        .map(|tool| method(tool, &mut types, &mut idents))
        .collect();
    write::module(client, &methods, &types)
}

fn method<'a>(tool: &'a Tool, types: &mut Types, idents: &mut Names) -> Method<'a> {
    let base = names::type_name(&tool.name);
    let arguments = tool.input_schema.parse().map_or(Arguments::Any, |schema| {
        let about = format!("What {} takes.", docs::quoted(&tool.name));
        let mut reader = Reader::new(&schema, types, &base, about);
        if reader.takes_nothing() {
            return Arguments::None;
        }
        let shape = reader.root(&format!("{base}Arguments"));
        if types.is_object(&shape) {
            Arguments::Shaped(shape)
        } else {
            Arguments::Any
        }
    });
    let result = tool.output_schema.as_ref().and_then(|schema| {
        let schema = schema.parse().ok()?;
        let about = format!("What {} gives.", docs::quoted(&tool.name));
        let base = format!("{base}Result");
        Some(Reader::new(&schema, types, &base, about).root(&base))
    });
    Method {
        tool,
        ident: idents.take(&names::field_name(&tool.name)),
        arguments,
        result,
    }
}
