use proc_macro2::Span;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{
    Attribute, FnArg, GenericParam, Ident, ItemImpl, Receiver, ReceiverKind, Signature, Type,
};

use super::parse::{Parsed, ParsedMethod};
use crate::arguments::{Arguments, Where};
use crate::mistakes::Mistakes;
use crate::options::{Place, SetOptions, ToolOptions, check_name};
use crate::signature::{Style, output_type, refuse_generics};

/// An `impl` block whose methods are tools.
pub(super) struct ToolSet {
    pub(super) block: ItemImpl,
    pub(super) options: SetOptions,
    pub(super) methods: Vec<Method>,
}

/// One of the tools.
pub(super) struct Method {
    pub(super) attributes: Vec<Attribute>,
    pub(super) ident: Ident,
    pub(super) options: ToolOptions,
    pub(super) arguments: Arguments,
    pub(super) style: Style,
    pub(super) name: String,
    /// How it takes the value that it belongs to, and where it says so.
    pub(super) receiver: Option<(Holds, Span)>,
    pub(super) output: Type,
}

/// How a method takes the value that it belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// `&self` or `self: &Arc<Self>`.
    Borrowed,
    /// `self: Arc<Self>`.
    Shared,
}

impl ToolSet {
    pub(super) fn check(parsed: Parsed, mistakes: &mut Mistakes) -> Self {
        let Parsed {
            settings,
            block,
            methods,
        } = parsed;
        let options = SetOptions::check(settings, mistakes);
        if let Some((path, _)) = &block.trait_ {
            mistakes.under(path, "tools are methods of the type itself; put `#[tools]` on an `impl` block without a trait");
        }
        for param in &block.generics.params {
            if let GenericParam::Lifetime(lifetime) = param {
                mistakes.under(
                    lifetime,
                    "tools live as long as their server, so what they share can't borrow",
                );
            }
        }
        if methods.is_empty() {
            mistakes.under(block.impl_token, "no method here has `#[tool]`");
        }
        let methods = methods
            .into_iter()
            .map(|method| Method::check(method, &block.self_ty, &options.prefix, mistakes))
            .collect();
        let set = Self {
            block,
            options,
            methods,
        };
        set.refuse_same_names(mistakes);
        set
    }

    fn refuse_same_names(&self, mistakes: &mut Mistakes) {
        for (index, method) in self.methods.iter().enumerate() {
            let conditional = |method: &Method| {
                method
                    .attributes
                    .iter()
                    .any(|attribute| attribute.path().is_ident("cfg"))
            };
            let twin = self.methods[..index]
                .iter()
                .find(|other| other.name == method.name);
            // Of two that depend on `cfg`, one may be there at a time; the server checks again.
            if twin.is_some_and(|twin| !(conditional(twin) && conditional(method))) {
                let at = method
                    .options
                    .name
                    .as_ref()
                    .map_or_else(|| method.ident.span(), |name| name.span());
                mistakes.at(at, format!("two tools are called `{}`", method.name));
            }
        }
    }
}

impl Method {
    fn check(
        parsed: ParsedMethod,
        self_type: &Type,
        prefix: &str,
        mistakes: &mut Mistakes,
    ) -> Self {
        let ParsedMethod {
            settings,
            attributes,
            signature,
            parameters,
        } = parsed;
        let options = ToolOptions::check(settings, Place::Method, mistakes);
        let around = Where {
            self_type: Some(self_type),
            closed: !options.open,
        };
        let arguments = Arguments::check(parameters, around, mistakes);
        let style = Style::check(&signature, &options, mistakes);
        refuse_generics(&signature.generics, mistakes);
        let (own, at) = match &options.name {
            Some(name) => (name.value(), name.span()),
            None => (signature.ident.unraw().to_string(), signature.ident.span()),
        };
        let name = format!("{prefix}{own}");
        if options.name.is_none() || !prefix.is_empty() {
            check_name(&name, at, mistakes);
        }
        Self {
            receiver: receiver(&signature, mistakes),
            output: output_type(&signature, Some(self_type)),
            ident: signature.ident,
            attributes,
            options,
            arguments,
            style,
            name,
        }
    }
}

fn receiver(signature: &Signature, mistakes: &mut Mistakes) -> Option<(Holds, Span)> {
    let Some(FnArg::Receiver(receiver)) = signature.inputs.first() else {
        return None;
    };
    if is_mutable(receiver) {
        mistakes.under(
            receiver,
            "tools run side by side, so none can have `&mut self`; take `&self` and keep what changes in a `Mutex` or an atomic",
        );
    } else if is_owned(receiver) {
        mistakes.under(receiver, "a tool is called more than once, so it can't take `self`; take `&self` or `self: Arc<Self>`");
    }
    match &receiver.kind {
        ReceiverKind::Typed(_, ty) if matches!(&**ty, Type::Reference(_)) => {
            Some((Holds::Borrowed, ty.span()))
        }
        ReceiverKind::Typed(_, ty) => Some((Holds::Shared, ty.span())),
        _ => Some((Holds::Borrowed, receiver.self_token.span())),
    }
}

fn is_mutable(receiver: &Receiver) -> bool {
    match &receiver.kind {
        ReceiverKind::Reference(_, _, mutability) => mutability.is_some(),
        ReceiverKind::Typed(_, ty) => {
            matches!(&**ty, Type::Reference(reference) if is_exclusive(reference))
        }
        _ => false,
    }
}

fn is_exclusive(reference: &syn::TypeReference) -> bool {
    reference.mutability.is_some()
}

fn is_owned(receiver: &Receiver) -> bool {
    match &receiver.kind {
        ReceiverKind::Value => true,
        ReceiverKind::Typed(_, ty) => {
            matches!(&**ty, Type::Path(path) if path.path.is_ident("Self"))
        }
        _ => false,
    }
}
