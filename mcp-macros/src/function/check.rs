use proc_macro2::{Ident, Span};
use syn::ext::IdentExt as _;
use syn::{Generics, ItemFn, Type};

use super::parse::Parsed;
use crate::arguments::{Arguments, Uri, Where};
use crate::generics::without_lifetimes;
use crate::kind::Kind;
use crate::mistakes::Mistakes;
use crate::options::{Options, Place, check_own_name};
use crate::signature::{Style, output_type};

/// A function that is a tool, a prompt or a resource.
pub(super) struct Function {
    pub(super) function: ItemFn,
    pub(super) options: Options,
    pub(super) arguments: Arguments,
    pub(super) style: Style,
    /// The name on the wire.
    pub(super) name: String,
    /// Where a resource is.
    pub(super) uri: Option<Uri>,
    /// The name of the type beside the function.
    pub(super) type_name: Ident,
    pub(super) generics: Generics,
    pub(super) output: Type,
}

impl Function {
    pub(super) fn check(parsed: Parsed, mistakes: &mut Mistakes) -> Self {
        let Parsed {
            kind,
            said,
            function,
            parameters,
        } = parsed;
        let uri =
            (kind == Kind::Resource).then(|| Uri::check(said.uri, Span::call_site(), mistakes));
        let options = Options::check(said.settings, kind, Place::Function, mistakes);
        let around = Where {
            self_type: None,
            closed: options.is_closed(),
            kind,
        };
        let mut arguments = Arguments::check(parameters, around, mistakes);
        if let Some(uri) = &uri {
            uri.fill(&mut arguments, mistakes);
            options.refuse_size(uri.is_template(), mistakes);
        }
        let style = Style::check(&function.sig, &options, mistakes);
        let ident = &function.sig.ident;
        let name = match &options.name {
            Some(name) => name.value(),
            None => {
                let name = ident.unraw().to_string();
                check_own_name(kind, ident, &name, mistakes);
                name
            }
        };
        Self {
            type_name: options.type_name.clone().unwrap_or_else(|| ident.clone()),
            generics: without_lifetimes(&function.sig.generics),
            output: output_type(&function.sig, None),
            function,
            options,
            arguments,
            style,
            name,
            uri,
        }
    }
}
