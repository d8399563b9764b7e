//! Shapes as Rust source.

use std::fmt::Write as _;

use crate::docs::{comment, literal};
use crate::names::bare;
use crate::shape::{Field, Kind, Shape, Struct, Type, Types, Variant};
use crate::{Arguments, Method};

const HEADER: &str = "\
//! Written by mcp-gen from what a server says of its tools. It needs mcp-core, serde (with `derive`) and serde_json.
#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    rustdoc::all,
    clippy::all,
    clippy::pedantic,
    reason = \"names and texts are those of the server\"
)]

";

pub(crate) fn module(client: &str, methods: &[Method<'_>], types: &Types) -> String {
    let mut out = HEADER.to_owned();
    imports(methods, types, &mut out);
    let _ = write!(
        out,
        "/// Calls the tools of the server. Clones are handles on the same connection.\n\
         #[derive(Clone, Debug)]\n\
         pub struct {client}(Client);\n\
         \n\
         impl {client} {{\n    \
             /// A client that makes its calls over this connection.\n    \
             #[must_use]\n    \
             pub const fn new(client: Client) -> Self {{\n        \
                 Self(client)\n    \
             }}\n\
         \n    \
             /// The connection.\n    \
             #[must_use]\n    \
             pub const fn client(&self) -> &Client {{\n        \
                 &self.0\n    \
             }}\n"
    );
    for method in methods {
        out.push('\n');
        self::method(method, types, &mut out);
    }
    out.push_str("}\n");
    for made in &types.all {
        out.push('\n');
        definition(made, types, &mut out);
    }
    out
}

/// Only what is used, so that nothing is reported.
fn imports(methods: &[Method<'_>], types: &Types, out: &mut String) {
    let has_plain = methods.iter().any(|method| method.result.is_none());
    let has_typed = methods.iter().any(|method| method.result.is_some());
    let mut names = Vec::new();
    if has_typed {
        names.push("As");
    }
    names.push("Client");
    if has_plain {
        names.push("ToolCallFuture");
    }
    if has_typed {
        names.extend(["TypedCallFuture", "TypedToolCall"]);
    }
    let _ = match names[..] {
        [one] => writeln!(out, "use mcp_core::client::{one};"),
        _ => writeln!(out, "use mcp_core::client::{{{}}};", names.join(", ")),
    };
    if !types.all.is_empty() {
        out.push_str("use serde::{Deserialize, Serialize};\n");
    }
    out.push('\n');
}

fn method(method: &Method<'_>, types: &Types, out: &mut String) {
    let tool = method.tool;
    match tool
        .description
        .as_deref()
        .or(tool.title.as_deref())
        .map(str::trim)
    {
        None | Some("") => out.push_str("    /// Calls the tool.\n"),
        Some(description) => comment(description, "    ", out),
    }
    let (parameter, value) = match &method.arguments {
        Arguments::None => (String::new(), "()"),
        Arguments::Shaped(shape) => (format!(", arguments: &{}", rust(shape, types)), "arguments"),
        Arguments::Any => (", arguments: impl serde::Serialize".to_owned(), "arguments"),
    };
    let (ident, name) = (&method.ident, literal(&tool.name));
    let _ = match &method.result {
        None => writeln!(
            out,
            "    pub fn {ident}(&self{parameter}) -> ToolCallFuture<'_> {{\n        \
                 self.0.call_tool({name}, {value})\n    \
             }}"
        ),
        Some(result) => {
            let result = rust(result, types);
            writeln!(
                out,
                "    pub fn {ident}(&self{parameter}) -> TypedCallFuture<'_, {result}> {{\n        \
                     self.0.call(TypedToolCall::<_, As<{result}>>::new({name}, {value}))\n    \
                 }}"
            )
        }
    };
}

fn definition(made: &Type, types: &Types, out: &mut String) {
    comment(&made.docs, "", out);
    let name = &made.name;
    match &made.kind {
        Kind::Struct(shape) => structure(name, shape, types, out),
        Kind::Choice(variants) => choice(name, variants, out),
        Kind::Union(variants) => {
            let _ = writeln!(
                out,
                "#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]\n#[serde(untagged)]\npub enum {name} {{"
            );
            for (ident, shape) in variants {
                let _ = writeln!(out, "    {ident}({}),", rust(shape, types));
            }
            out.push_str("}\n");
        }
    }
}

fn structure(name: &str, shape: &Struct, types: &Types, out: &mut String) {
    let default = if shape.fields.iter().any(|field| field.is_required) {
        ""
    } else {
        "Default, "
    };
    let _ = writeln!(
        out,
        "#[derive(Clone, Debug, {default}PartialEq, Serialize, Deserialize)]"
    );
    if shape.is_closed {
        out.push_str("#[serde(deny_unknown_fields)]\n");
    }
    let _ = writeln!(out, "pub struct {name} {{");
    for field in &shape.fields {
        self::field(field, types, out);
    }
    if let Some(rest) = &shape.rest {
        let taken = |ident: &str| shape.fields.iter().any(|field| field.ident == ident);
        let mut ident = "others".to_owned();
        while taken(&ident) {
            ident.push('_');
        }
        let rest = rust(rest, types);
        let _ = writeln!(
            out,
            "    /// Members that have no field of their own.\n    #[serde(flatten)]\n    \
             pub {ident}: std::collections::BTreeMap<String, {rest}>,"
        );
    }
    out.push_str("}\n");
}

fn field(field: &Field, types: &Types, out: &mut String) {
    if let Some(docs) = &field.docs {
        comment(docs, "    ", out);
    }
    let mut settings = Vec::new();
    if bare(&field.ident) != field.wire {
        settings.push(format!("rename = {}", literal(&field.wire)));
    }
    let shape = if field.is_required {
        field.shape.clone()
    } else {
        settings.push("default".to_owned());
        settings.push("skip_serializing_if = \"Option::is_none\"".to_owned());
        Shape::Optional(Box::new(match field.shape.clone() {
            Shape::Optional(inner) => *inner,
            shape => shape,
        }))
    };
    if !settings.is_empty() {
        let _ = writeln!(out, "    #[serde({})]", settings.join(", "));
    }
    let _ = writeln!(out, "    pub {}: {},", field.ident, rust(&shape, types));
}

fn choice(name: &str, variants: &[Variant], out: &mut String) {
    let _ = writeln!(
        out,
        "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]\npub enum {name} {{"
    );
    for variant in variants {
        if let Some(docs) = &variant.docs {
            comment(docs, "    ", out);
        }
        if variant.ident != variant.wire {
            let _ = writeln!(out, "    #[serde(rename = {})]", literal(&variant.wire));
        }
        let _ = writeln!(out, "    {},", variant.ident);
    }
    out.push_str("}\n");
}

/// The type in Rust.
fn rust(shape: &Shape, types: &Types) -> String {
    match shape {
        Shape::Null => "()".to_owned(),
        Shape::Bool => "bool".to_owned(),
        Shape::Signed => "i64".to_owned(),
        Shape::Unsigned => "u64".to_owned(),
        Shape::Float => "f64".to_owned(),
        Shape::Text => "String".to_owned(),
        Shape::Any => "serde_json::Value".to_owned(),
        Shape::List(inner) => format!("Vec<{}>", unboxed(inner, types)),
        Shape::Map(inner) => format!(
            "std::collections::BTreeMap<String, {}>",
            unboxed(inner, types)
        ),
        Shape::Optional(inner) => format!("Option<{}>", rust(inner, types)),
        Shape::Named {
            index,
            is_recursive,
        } => {
            let name = &types.all[*index].name;
            if *is_recursive {
                format!("Box<{name}>")
            } else {
                name.clone()
            }
        }
    }
}

/// The same inside of what is on the heap anyway.
fn unboxed(shape: &Shape, types: &Types) -> String {
    match shape {
        Shape::Named { index, .. } => types.all[*index].name.clone(),
        shape => rust(shape, types),
    }
}
