use proc_macro2::{Span, TokenStream};
use syn::spanned::Spanned as _;
use syn::{Attribute, FnArg, Meta, Pat, Signature, Type};

use crate::docs::is_doc;
use crate::kind::Kind;
use crate::mistakes::Mistakes;
use crate::options::{Setting, settings};

/// A parameter, with the attributes that were taken from it.
pub(crate) struct Parameter {
    pub(crate) docs: Vec<Attribute>,
    /// What goes to serde and schemars.
    pub(crate) passed: Vec<Attribute>,
    pub(crate) arg: Vec<Setting>,
    pub(crate) arg_at: Option<Span>,
    pub(crate) args_at: Option<Span>,
    /// What `#[complete(…)]` says, and where.
    pub(crate) complete: Option<(Span, Option<TokenStream>)>,
    pub(crate) pat: Pat,
    pub(crate) ty: Type,
}

/// Takes the attributes that are ours from the parameters; what is left is a function that rustc takes.
pub(crate) fn take_parameters(
    signature: &mut Signature,
    kind: Kind,
    mistakes: &mut Mistakes,
) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    for input in &mut signature.inputs {
        match input {
            FnArg::Typed(typed) => {
                let attributes = std::mem::take(&mut typed.attrs);
                let mut parameter = Parameter {
                    docs: Vec::new(),
                    passed: Vec::new(),
                    arg: Vec::new(),
                    arg_at: None,
                    args_at: None,
                    complete: None,
                    pat: (*typed.pat).clone(),
                    ty: (*typed.ty).clone(),
                };
                for attribute in attributes {
                    typed
                        .attrs
                        .extend(parameter.take(attribute, kind, mistakes));
                }
                parameters.push(parameter);
            }
            // Receivers are for `#[tools]` to judge; documentation on them is no parameter's.
            FnArg::Receiver(receiver) => receiver.attrs.retain(|attribute| !is_doc(attribute)),
        }
    }
    parameters
}

impl Parameter {
    /// Takes an attribute, or gives it back.
    fn take(
        &mut self,
        attribute: Attribute,
        kind: Kind,
        mistakes: &mut Mistakes,
    ) -> Option<Attribute> {
        let path = attribute.path();
        if is_doc(&attribute) {
            self.docs.push(attribute);
        } else if path.is_ident("serde") || path.is_ident("schemars") {
            self.passed.push(attribute);
        } else if path.is_ident("args") {
            if !matches!(attribute.meta, Meta::Path(_)) {
                mistakes.under(&attribute.meta, "`#[args]` takes no settings");
            }
            self.args_at = Some(path.span());
        } else if path.is_ident("arg") {
            self.arg_at = Some(path.span());
            match &attribute.meta {
                Meta::List(list) => self.arg.extend(settings(list.tokens.clone(), mistakes)),
                Meta::Path(_) => {}
                Meta::NameValue(pair) => {
                    mistakes.under(pair, "write `#[arg(…)]`, as in `#[arg(default = 50)]`")
                }
            }
        } else if path.is_ident("complete") {
            if self.complete.is_some() {
                mistakes.under(path, "`#[complete]` is given twice");
            }
            let list = match &attribute.meta {
                Meta::List(list) => Some(list.tokens.clone()),
                Meta::Path(_) | Meta::NameValue(_) => None,
            };
            self.complete = Some((path.span(), list));
        } else if path.is_ident("cfg") || path.is_ident("cfg_attr") {
            mistakes.under(
                &attribute,
                format!(
                    "the arguments of a {} can't depend on `cfg`; put it on the whole function",
                    kind.word()
                ),
            );
        } else {
            return Some(attribute);
        }
        None
    }
}
