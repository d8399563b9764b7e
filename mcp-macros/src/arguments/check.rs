use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, ExprLit, GenericArgument, Lit, LitStr, Pat, PathArguments, Type};

use super::complete::Complete;
use super::limits::Limits;
use super::parse::Parameter;
use crate::closest::suggestion;
use crate::kind::Kind;
use crate::mistakes::Mistakes;
use crate::options::{Form, Setting};
use crate::tokens::{CALL, Rewrite, has_lifetime, has_reference, mentions_impl};

/// All parameters of a function.
#[derive(Default)]
pub(crate) struct Arguments {
    /// Where each parameter gets its value, in the order of the function.
    pub(crate) taken: Vec<Taken>,
    pub(crate) named: Vec<Argument>,
    /// The struct that `#[args]` takes, and the name of its parameter.
    pub(crate) whole: Option<(Ident, Type)>,
    /// Where `#[args]` is.
    pub(super) whole_at: Option<Span>,
    /// A parameter could not be read, which was reported.
    pub(super) has_unread: bool,
}

/// Where a parameter gets its value.
pub(crate) enum Taken {
    /// From the argument with this index.
    Argument(usize),
    /// It is the struct of all arguments.
    Whole,
    /// It is lent by the server.
    Lent(Box<Type>),
}

/// One argument.
pub(crate) struct Argument {
    pub(crate) name: Ident,
    /// Its name on the wire, where that is another.
    pub(crate) rename: Option<LitStr>,
    pub(crate) docs: Vec<Attribute>,
    pub(crate) passed: Vec<Attribute>,
    pub(crate) description: Option<Expr>,
    pub(crate) default: Default,
    pub(crate) bounds: Vec<Bound>,
    pub(crate) held: Held,
    pub(super) complete: Option<Complete>,
    /// It is a variable that a URI may leave out, and has no default.
    pub(super) may_be_missing: bool,
    /// The type as written, in terms of the lifetime of the call.
    pub(crate) ty: Type,
}

/// How an argument is held while the function runs.
pub(crate) enum Held {
    /// As it is.
    Value,
    /// As text that `&str` borrows from.
    Text,
    /// As a vector of this that `&[T]` borrows from.
    Slice(Box<Type>),
    /// As what the trait `Nested` says for a type with a reference inside.
    Nested,
}

/// What a missing argument is.
#[derive(Default)]
pub(crate) enum Default {
    #[default]
    None,
    OfType,
    Value(Box<Expr>),
}

/// A keyword that the schema shows and the server enforces.
pub(crate) enum Bound {
    Range(Limits),
    Length(Limits),
    Pattern(LitStr),
}

/// What is around the parameters.
#[derive(Clone, Copy)]
pub(crate) struct Where<'a> {
    pub(crate) self_type: Option<&'a Type>,
    /// Unknown arguments are refused.
    pub(crate) closed: bool,
    pub(crate) kind: Kind,
}

const KNOWN: [&str; 6] = [
    "default",
    "range",
    "length",
    "pattern",
    "rename",
    "description",
];

impl Arguments {
    pub(crate) fn check(
        parameters: Vec<Parameter>,
        around: Where<'_>,
        mistakes: &mut Mistakes,
    ) -> Self {
        let mut arguments = Self::default();
        let several = parameters
            .iter()
            .filter(|parameter| !is_lent(&parameter.ty))
            .count()
            > 1;
        for parameter in parameters {
            if let Some(at) = parameter.args_at
                && several
            {
                mistakes.at(
                    at,
                    "`#[args]` takes all arguments, so it can't stand beside another",
                );
            }
            arguments.add(parameter, around, mistakes);
        }
        arguments.refuse_same_names(mistakes);
        arguments
    }

    fn add(&mut self, parameter: Parameter, around: Where<'_>, mistakes: &mut Mistakes) {
        if let Some(referent) = lent_type(&parameter.ty, mistakes) {
            if let Some(at) = parameter.arg_at.or(parameter.args_at) {
                mistakes.at(
                    at,
                    "this is lent by the server and no argument; take arguments by value",
                );
            }
            if let Some(attribute) = parameter.passed.first() {
                mistakes.under(
                    attribute,
                    "this is lent by the server and no argument; take arguments by value",
                );
            }
            if let Some((at, _)) = parameter.complete {
                mistakes.at(at, "this is lent by the server, so nobody types it");
            }
            self.taken.push(Taken::Lent(Box::new(referent)));
        } else if let Some(at) = parameter.args_at {
            if let Some(arg) = parameter.arg_at {
                mistakes.at(
                    arg,
                    "`#[arg]` is for single arguments; describe the fields of the struct instead",
                );
            }
            if let Some(attribute) = parameter.passed.first() {
                mistakes.under(
                    attribute,
                    "put this on the struct; `#[args]` takes it as it is",
                );
            }
            if let Some((complete, _)) = parameter.complete {
                mistakes.at(
                    complete,
                    "`#[complete]` is for single arguments; take this one as a parameter of its own",
                );
            }
            if matches!(parameter.ty, Type::Reference(_)) {
                mistakes.under(&parameter.ty, "`#[args]` takes a struct by value");
            }
            let rewrite = Rewrite {
                lifetime: CALL,
                self_type: around.self_type,
            };
            let name = match &parameter.pat {
                Pat::Ident(pat) => pat.ident.clone(),
                _ => Ident::new("arguments", at),
            };
            self.taken.push(Taken::Whole);
            self.whole_at = Some(at);
            self.whole = Some((name, rewrite.apply(&parameter.ty)));
        } else if let Some(argument) = Argument::check(parameter, around, mistakes) {
            self.taken.push(Taken::Argument(self.named.len()));
            self.named.push(argument);
        } else {
            self.has_unread = true;
        }
    }

    fn refuse_same_names(&self, mistakes: &mut Mistakes) {
        let mut names: Vec<String> = Vec::new();
        for argument in &self.named {
            let (name, at) = argument.wire_name();
            if names.contains(&name) {
                mistakes.at(at, format!("two arguments are called `{name}`"));
            }
            names.push(name);
        }
    }
}

impl Argument {
    fn check(parameter: Parameter, around: Where<'_>, mistakes: &mut Mistakes) -> Option<Self> {
        let name = name_of(&parameter.pat, mistakes)?;
        let ty = ungrouped(&parameter.ty);
        refuse_context(&parameter, ty, around.kind, mistakes);
        let rewrite = Rewrite {
            lifetime: CALL,
            self_type: around.self_type,
        };
        let tokens = ty.to_token_stream();
        if mentions_impl(&tokens) {
            mistakes.under(
                ty,
                "name the type of an argument; `impl Trait` can't be decoded",
            );
            return None;
        }
        let held = match ty {
            Type::Reference(reference) => match ungrouped(&reference.elem) {
                Type::Slice(slice) => {
                    if has_reference(&slice.elem.to_token_stream()) {
                        mistakes.under(
                            &slice.elem,
                            "the elements of a slice are owned, as in `&[String]`",
                        );
                    }
                    Held::Slice(Box::new(rewrite.apply(&slice.elem)))
                }
                _ => Held::Text,
            },
            _ if has_reference(&tokens) => {
                refuse_deep_reference(ty, mistakes);
                Held::Nested
            }
            _ => Held::Value,
        };
        let mut argument = Self {
            name,
            rename: None,
            docs: parameter.docs,
            passed: parameter.passed,
            description: None,
            default: Default::None,
            bounds: Vec::new(),
            complete: parameter
                .complete
                .and_then(|(at, list)| Complete::check(at, list, around, mistakes)),
            may_be_missing: false,
            ty: rewrite.apply(ty),
            held,
        };
        argument.refuse_hidden(around, mistakes);
        argument.set_all(parameter.arg, mistakes);
        Some(argument)
    }

    /// The name that a client sends, as far as `#[arg]` and `#[serde]` say.
    pub(super) fn wire_name(&self) -> (String, Span) {
        match self.rename.clone().or_else(|| self.serde_rename()) {
            Some(rename) => (rename.value(), rename.span()),
            None => (self.name.unraw().to_string(), self.name.span()),
        }
    }

    fn serde_rename(&self) -> Option<LitStr> {
        let mut found = None;
        self.serde_metas(|meta| {
            if meta.path.is_ident("rename") && meta.input.peek(syn::Token![=]) {
                found = meta.value()?.parse()?;
            } else if meta.path.is_ident("rename") {
                meta.parse_nested_meta(|side| {
                    let name = side.value()?.parse()?;
                    if side.path.is_ident("deserialize") {
                        found = Some(name);
                    }
                    Ok(())
                })?;
            }
            Ok(())
        });
        found
    }

    /// Whether `#[serde]` has a word.
    pub(super) fn has_serde(&self, word: &str) -> bool {
        let mut found = false;
        self.serde_metas(|meta| {
            found |= meta.path.is_ident(word);
            Ok(())
        });
        found
    }

    /// Looks at what `#[serde]` says. What does not parse is for serde to report.
    fn serde_metas(&self, mut look: impl FnMut(&ParseNestedMeta<'_>) -> syn::Result<()>) {
        for attribute in self
            .passed
            .iter()
            .filter(|attribute| attribute.path().is_ident("serde"))
        {
            let _ = attribute.parse_nested_meta(|meta| {
                look(&meta)?;
                if meta.input.peek(syn::Token![=]) {
                    meta.value()?.parse::<Expr>()?;
                } else if meta.input.peek(syn::token::Paren) {
                    meta.input.parse::<proc_macro2::TokenTree>()?;
                }
                Ok(())
            });
        }
    }

    /// Whether it holds something of the frame that it came in.
    pub(super) fn borrows(&self) -> bool {
        matches!(self.held, Held::Text | Held::Nested) || has_lifetime(&self.held_tokens())
    }

    fn held_tokens(&self) -> TokenStream {
        match &self.held {
            Held::Slice(element) => element.to_token_stream(),
            _ => self.ty.to_token_stream(),
        }
    }

    fn refuse_hidden(&self, around: Where<'_>, mistakes: &mut Mistakes) {
        self.serde_metas(|meta| {
            if meta.path.is_ident("flatten") && around.kind == Kind::Resource {
                mistakes.under(
                    &meta.path,
                    "`flatten` hides which variables there are; take them one by one",
                );
            } else if meta.path.is_ident("flatten") && around.kind == Kind::Prompt {
                mistakes.under(
                    &meta.path,
                    "`flatten` hides which arguments are unknown; take the struct with `#[args]`",
                );
            } else if meta.path.is_ident("flatten") && around.closed {
                mistakes.under(
                    &meta.path,
                    "`flatten` hides which arguments are unknown; take the struct with `#[args]`, or allow any with `open`",
                );
            } else if meta.path.is_ident("skip") || meta.path.is_ident("skip_deserializing") {
                mistakes.under(&meta.path, "a skipped argument can never be given; make it a value of the function");
            }
            Ok(())
        });
    }

    fn set_all(&mut self, settings: Vec<Setting>, mistakes: &mut Mistakes) {
        let mut seen: Vec<String> = Vec::new();
        for setting in settings {
            let key = setting.key.to_string();
            if seen.contains(&key) {
                mistakes.under(&setting.key, format!("`{key}` is given twice"));
                continue;
            }
            self.set(&key, setting, mistakes);
            seen.push(key);
        }
    }

    fn set(&mut self, key: &str, Setting { key: at, form, .. }: Setting, mistakes: &mut Mistakes) {
        match (key, form) {
            ("default", Form::Word | Form::Value(_)) if matches!(self.held, Held::Nested) => {
                mistakes.under(
                    &at,
                    "this is optional as it is; for a default, take the text as `&str`",
                );
            }
            ("default", Form::Word) => self.default = Default::OfType,
            ("default", Form::Value(value)) => self.default = Default::Value(value),
            ("description", Form::Value(value)) => self.description = Some(*value),
            ("rename", Form::Value(value)) => match string(&value) {
                Some(name) if name.value().is_empty() => {
                    mistakes.under(name, "an argument needs a name")
                }
                Some(name) => self.rename = Some(name),
                None => mistakes.under(value, "`rename` is a string, as in `rename = \"type\"`"),
            },
            ("pattern", Form::Value(value)) => match string(&value) {
                Some(_) if matches!(self.held, Held::Slice(_)) => {
                    mistakes.under(&at, "`pattern` is for text, and this is a list");
                }
                Some(pattern) => self.bounds.push(Bound::Pattern(pattern)),
                None => mistakes.under(
                    value,
                    "`pattern` is a string, as in `pattern = \"^[a-z]+$\"`",
                ),
            },
            ("range", Form::Value(value)) => {
                let limits = Limits::check(*value, "range = 1..=500", mistakes);
                match self.held {
                    Held::Text => {
                        mistakes.under(&at, "`range` bounds numbers; `length` bounds text")
                    }
                    Held::Slice(_) => {
                        mistakes.under(&at, "`range` bounds numbers; `length` bounds lists")
                    }
                    Held::Value | Held::Nested => self.bounds.extend(limits.map(Bound::Range)),
                }
            }
            ("length", Form::Value(value)) => {
                let limits = Limits::check(*value, "length = 1..=80", mistakes);
                self.bounds.extend(
                    limits
                        .filter(|limits| limits.are_lengths(mistakes))
                        .map(Bound::Length),
                );
            }
            (key, _) if KNOWN.contains(&key) => {
                mistakes.under(
                    &at,
                    format!("`{key}` needs a value, as in `{key} = {}`", example(key)),
                );
            }
            (key, _) => mistakes.under(
                &at,
                format!("unknown setting `{key}`; {}", suggestion(key, &KNOWN)),
            ),
        }
    }
}

pub(super) fn string(value: &Expr) -> Option<LitStr> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.clone()),
        _ => None,
    }
}

fn example(key: &str) -> &'static str {
    match key {
        "range" => "1..=500",
        "length" => "1..=80",
        "default" => "50",
        "pattern" => "\"^[a-z]+$\"",
        "rename" => "\"type\"",
        _ => "\"The file to read.\"",
    }
}

fn name_of(pat: &Pat, mistakes: &mut Mistakes) -> Option<Ident> {
    match pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat.ident.clone()),
        Pat::Wild(_) => {
            mistakes.under(
                pat,
                "an argument needs a name, which is what clients call it",
            );
            None
        }
        _ => {
            mistakes.under(
                pat,
                "an argument is a plain name; take it apart in the function",
            );
            None
        }
    }
}

/// A name is guessed at: nothing but the message depends on it, and `#[arg]` says otherwise.
fn refuse_context(parameter: &Parameter, ty: &Type, kind: Kind, mistakes: &mut Mistakes) {
    let named_so = match ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "Context" && last.arguments.is_none()),
        _ => false,
    };
    if named_so && parameter.arg_at.is_none() {
        mistakes.under(
            ty,
            format!(
                "the context is lent to a {}: take `&Context`; an argument whose type is called so needs `#[arg]`",
                kind.word()
            ),
        );
    }
}

/// A trait decides which types with a reference inside are arguments. This only says so in one message instead of a
/// screen full, for all that can't be one.
fn refuse_deep_reference(ty: &Type, mistakes: &mut Mistakes) {
    let last = match ty {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    let holds_one = last.is_some_and(|last| {
        let one = match &last.arguments {
            PathArguments::AngleBracketed(arguments) => {
                arguments.args.len() == 1 && is_reference(&arguments.args[0])
            }
            _ => false,
        };
        one && (last.ident == "Option" || last.ident == "Vec")
    });
    if !holds_one {
        mistakes.under(
            ty,
            "references are taken as `&str`, `&[T]`, `Option<&str>`, `Option<&[T]>` and `Vec<&str>`; take anything else by value",
        );
    }
}

fn is_reference(argument: &GenericArgument) -> bool {
    matches!(argument, GenericArgument::Type(Type::Reference(reference)) if !has_reference(&reference.elem.to_token_stream()))
}

pub(super) fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        Type::Paren(paren) => ungrouped(&paren.elem),
        other => other,
    }
}

fn is_lent(ty: &Type) -> bool {
    lent_type(ty, &mut Mistakes::default()).is_some()
}

/// What a reference borrows from the server: anything but `str` and slices, which are arguments.
fn lent_type(ty: &Type, mistakes: &mut Mistakes) -> Option<Type> {
    let Type::Reference(reference) = ungrouped(ty) else {
        return None;
    };
    if reference.mutability.is_some() {
        mistakes.under(
            ty,
            "`&mut` can't be had while other calls run; lend a `Mutex` or an atomic and take `&` of it",
        );
        return Some((*reference.elem).clone());
    }
    let elem = ungrouped(&reference.elem);
    let argument = match elem {
        Type::Slice(_) => true,
        Type::Path(path) => path.path.is_ident("str"),
        _ => false,
    };
    if argument {
        if let Some(lifetime) = reference
            .lifetime
            .as_ref()
            .filter(|lifetime| lifetime.ident == "static")
        {
            mistakes.at(
                lifetime.span(),
                "an argument lives as long as its call; leave `'static` out",
            );
        }
        return None;
    }
    match elem {
        Type::TraitObject(_) => mistakes.under(
            ty,
            "a trait object can't be lent; lend a type that holds it, such as a struct around `Arc<dyn …>`",
        ),
        Type::ImplTrait(_) => mistakes.under(ty, "name the type that is lent; `impl Trait` names none"),
        _ => {}
    }
    Some(elem.clone())
}
