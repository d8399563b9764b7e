use syn::ext::IdentExt as _;
use syn::{Data, DeriveInput, Fields, GenericParam};

use super::parse::Parsed;
use crate::kind::Kind;
use crate::mistakes::Mistakes;
use crate::options::{Options, Place, check_name};

/// A struct that is a tool, its fields the arguments.
pub(super) struct StructTool {
    pub(super) input: DeriveInput,
    pub(super) options: Options,
    pub(super) name: String,
}

impl StructTool {
    pub(super) fn check(parsed: Parsed, mistakes: &mut Mistakes) -> Self {
        let Parsed { settings, input } = parsed;
        let options = Options::check(settings, Kind::Tool, Place::Struct, mistakes);
        match &input.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(_) => {}
                Fields::Unnamed(fields) => {
                    mistakes.under(fields, "arguments have names; write `{ name: Type }`");
                }
                Fields::Unit => mistakes.under(
                    &input.ident,
                    "arguments are an object; for none, write the struct with braces: `{}`",
                ),
            },
            Data::Enum(data) => mistakes.under(
                data.enum_token,
                "arguments are an object with fixed names; derive `Tool` on a struct, which may hold the enum",
            ),
            Data::Union(data) => mistakes.under(data.union_token, "derive `Tool` on a struct with named fields"),
        }
        for param in &input.generics.params {
            if let GenericParam::Lifetime(lifetime) = param {
                mistakes.under(
                    lifetime,
                    "the struct form owns its arguments; to borrow, use `#[tool]` on a function",
                );
            }
        }
        refuse_on_fields(&input, mistakes);
        let name = match &options.name {
            Some(name) => name.value(),
            None => {
                let name = snake_case(&input.ident.unraw().to_string());
                check_name(Kind::Tool, &name, input.ident.span(), mistakes);
                name
            }
        };
        Self {
            input,
            options,
            name,
        }
    }
}

fn refuse_on_fields(input: &DeriveInput, mistakes: &mut Mistakes) {
    let Data::Struct(data) = &input.data else {
        return;
    };
    for field in &data.fields {
        for attribute in field
            .attrs
            .iter()
            .filter(|attribute| attribute.path().is_ident("tool"))
        {
            mistakes.under(
                attribute,
                "`#[tool]` goes on the struct; describe fields with docs, `#[serde]` and `#[schemars]`",
            );
        }
    }
}

/// `FindFiles` as a tool is `find_files`, and `HTTPGet` is `http_get`.
fn snake_case(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (i, letter) in letters.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| letters[i]);
        let after = letters.get(i + 1);
        let starts = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_ascii_digit()
                    || (before.is_uppercase() && after.is_some_and(|after| after.is_lowercase()))
            });
        if starts {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_names_become_tool_names_word_by_word() {
        for (name, tool) in [
            ("FindFiles", "find_files"),
            ("HTTPGet", "http_get"),
            ("Get2Files", "get2_files"),
            ("Ping", "ping"),
            ("already_snake", "already_snake"),
        ] {
            assert_eq!(snake_case(name), tool);
        }
    }
}
