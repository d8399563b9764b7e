//! The variables of a resource's URI, and the arguments that take them.

use proc_macro2::Span;
use syn::{LitStr, PathArguments, Type};

use super::check::{Argument, Arguments, Default, Held, ungrouped};
use crate::closest::suggestion;
use crate::mistakes::Mistakes;
use crate::template::{self, Variable};

/// The URI of a resource, or the template of a family of URIs.
pub(crate) struct Uri {
    pub(crate) literal: LitStr,
    /// `None` if it can't be read.
    variables: Option<Vec<Variable>>,
}

impl Uri {
    /// `at` is where it would stand.
    pub(crate) fn check(literal: Option<LitStr>, at: Span, mistakes: &mut Mistakes) -> Self {
        let Some(literal) = literal else {
            mistakes.at(
                at,
                "a resource has a URI, which stands first and is written out: `#[resource(\"notes://{id}\")]`",
            );
            return Self {
                literal: LitStr::new("", at),
                variables: None,
            };
        };
        let variables = match template::variables(&literal.value()) {
            Ok(variables) => Some(variables),
            Err(fault) => {
                mistakes.under(&literal, format!("{}, at byte {}", fault.why, fault.at));
                None
            }
        };
        Self { literal, variables }
    }

    /// Whether it is one of a family.
    pub(crate) fn is_template(&self) -> bool {
        (self.variables.as_ref()).is_some_and(|variables| !variables.is_empty())
    }

    /// Each variable has to be an argument, and the other way round.
    pub(crate) fn fill(&self, arguments: &mut Arguments, mistakes: &mut Mistakes) {
        if let Some(at) = arguments.whole_at {
            mistakes.at(
                at,
                "a resource takes the variables of its URI one by one, so that none is forgotten",
            );
            return;
        }
        let Some(variables) = &self.variables else {
            return;
        };
        // What is inside is not known, and that is reported already.
        if (arguments.named.iter()).any(|argument| argument.has_serde("flatten")) {
            return;
        }
        for argument in &mut arguments.named {
            let (name, at) = argument.wire_name();
            match variables.iter().find(|variable| variable.name == name) {
                Some(variable) => argument.take_variable(variable, mistakes),
                None => mistakes.at(at, self.lacks(&name, variables)),
            }
        }
        for variable in variables.iter().filter(|_| !arguments.has_unread) {
            let mut names = arguments
                .named
                .iter()
                .map(|argument| argument.wire_name().0);
            if !names.any(|name| name == variable.name) {
                mistakes.under(&self.literal, no_parameter(variable));
            }
        }
    }

    fn lacks(&self, name: &str, variables: &[Variable]) -> String {
        let uri = self.literal.value();
        if variables.is_empty() {
            return format!(
                "`{uri}` has no variables, so nothing says what `{name}` is; write `{{{name}}}` into the URI, or lend the value"
            );
        }
        let known: Vec<&str> = variables.iter().map(|variable| &*variable.name).collect();
        format!(
            "`{uri}` has no variable `{name}`; {}",
            suggestion(name, &known)
        )
    }
}

fn no_parameter(variable: &Variable) -> String {
    let Variable {
        name, expression, ..
    } = variable;
    let ty = if variable.is_optional {
        "Option<&str>"
    } else {
        "&str"
    };
    let is_ident = syn::parse_str::<syn::Ident>(name).is_ok();
    let parameter = if is_ident {
        format!("{name}: {ty}")
    } else {
        let ident: String = (name.chars())
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        format!("#[arg(rename = \"{name}\")] {ident}: {ty}")
    };
    format!("no parameter takes the `{name}` of `{expression}`; add `{parameter}`")
}

impl Argument {
    fn take_variable(&mut self, variable: &Variable, mistakes: &mut Mistakes) {
        let Variable {
            name, expression, ..
        } = variable;
        if variable.is_optional {
            let has_default = !matches!(self.default, Default::None) || self.has_serde("default");
            if has_default {
                return;
            }
            if matches!(self.held, Held::Text | Held::Slice(_)) {
                mistakes.under(
                    &self.ty,
                    format!(
                        "a URI may leave out `{expression}`; take an `Option`, or give it a default"
                    ),
                );
                return;
            }
            self.may_be_missing = true;
        } else if is_option(&self.ty) {
            mistakes.under(
                &self.ty,
                format!("`{name}` always has a value, as `{expression}` can't be left out; take it without `Option`"),
            );
        } else if let Default::Value(value) = &self.default {
            mistakes.under(
                value,
                format!("`{name}` always has a value, as `{expression}` can't be left out; no default is ever taken"),
            );
        }
    }
}

/// A name is guessed at, but the guess refuses what makes no sense and makes nothing of it: under another name, an `Option`
/// is always there.
fn is_option(ty: &Type) -> bool {
    let Type::Path(path) = ungrouped(ty) else {
        return false;
    };
    path.path.segments.last().is_some_and(|last| {
        last.ident == "Option" && matches!(last.arguments, PathArguments::AngleBracketed(_))
    })
}
