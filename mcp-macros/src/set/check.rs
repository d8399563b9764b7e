use proc_macro2::Span;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{
    Attribute, FnArg, GenericParam, Ident, ImplItem, ItemImpl, Receiver, ReceiverKind, Signature,
    Type,
};

use super::client::OWN_METHODS;
use super::parse::{Parsed, ParsedMethod};
use crate::arguments::{Arguments, Uri, Where};
use crate::kind::Kind;
use crate::mistakes::Mistakes;
use crate::options::{Options, Place, SetOptions, check_name};
use crate::signature::{Style, output_type, refuse_generics};

/// An `impl` block whose methods are tools, prompts or resources.
pub(super) struct Set {
    pub(super) kind: Kind,
    pub(super) block: ItemImpl,
    pub(super) options: SetOptions,
    pub(super) methods: Vec<Method>,
    /// All methods of the block that take the value, and how.
    pub(super) receivers: Vec<(Ident, Holds)>,
}

/// One of them.
pub(super) struct Method {
    pub(super) attributes: Vec<Attribute>,
    pub(super) ident: Ident,
    pub(super) options: Options,
    pub(super) arguments: Arguments,
    pub(super) style: Style,
    pub(super) name: String,
    /// Where a resource is.
    pub(super) uri: Option<Uri>,
    /// How it takes the value that it belongs to, and where it says so.
    pub(super) receiver: Option<(Holds, Span)>,
    pub(super) output: Type,
}

/// How a method takes the value that it belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// `&self` or `self: &Arc<Self>`.
    Borrowed,
    /// `self: Arc<Self>`.
    Shared,
}

impl Set {
    pub(super) fn check(parsed: Parsed, mistakes: &mut Mistakes) -> Self {
        let Parsed {
            kind,
            settings,
            block,
            methods,
        } = parsed;
        let words = kind.words();
        let options = SetOptions::check(settings, kind, mistakes);
        if let Some((path, _)) = &block.trait_ {
            mistakes.under(path, format!("{words} are methods of the type itself; put `#[{words}]` on an `impl` block without a trait"));
        }
        for param in &block.generics.params {
            if let GenericParam::Lifetime(lifetime) = param {
                mistakes.under(
                    lifetime,
                    format!(
                        "{words} live as long as their server, so what they share can't borrow"
                    ),
                );
            }
        }
        if methods.is_empty() {
            mistakes.under(
                block.impl_token,
                format!("no method here has `{}`", kind.attribute()),
            );
        }
        let methods = methods
            .into_iter()
            .map(|method| Method::check(method, kind, &block.self_ty, &options.prefix, mistakes))
            .collect();
        let set = Self {
            kind,
            receivers: receivers(&block),
            block,
            options,
            methods,
        };
        set.refuse_same_names(mistakes);
        set.refuse_names_of_the_client(mistakes);
        set
    }

    fn refuse_names_of_the_client(&self, mistakes: &mut Mistakes) {
        let Some((_, client)) = &self.options.client else {
            return;
        };
        let own = |method: &&Method| OWN_METHODS.iter().any(|own| method.ident == own);
        for method in self.methods.iter().filter(own) {
            let name = &method.ident;
            mistakes.under(
                name,
                format!("`{client}` has a `{name}` of its own; call the method something else, and name the tool by `#[tool(name = \"{name}\")]`"),
            );
        }
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
                .find(|other| other.called() == method.called());
            // Of two that depend on `cfg`, one may be there at a time; the server checks again.
            if twin.is_some_and(|twin| !(conditional(twin) && conditional(method))) {
                let (words, called) = (self.kind.words(), method.called());
                match (&method.uri, &method.options.name) {
                    // What is missing is reported already.
                    (Some(_), _) if called.is_empty() => {}
                    (Some(uri), _) => {
                        mistakes.under(&uri.literal, format!("two {words} are at `{called}`"));
                    }
                    (None, Some(name)) => {
                        mistakes.under(name, format!("two {words} are called `{called}`"));
                    }
                    (None, None) => {
                        mistakes.under(&method.ident, format!("two {words} are called `{called}`"));
                    }
                }
            }
        }
    }
}

/// The methods of a block that take its value, and how.
fn receivers(block: &ItemImpl) -> Vec<(Ident, Holds)> {
    let methods = block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(method) => Some(&method.sig),
        _ => None,
    });
    methods
        .filter_map(|signature| {
            let (holds, _) = receiver(signature)?;
            Some((signature.ident.clone(), holds))
        })
        .collect()
}

impl Method {
    /// What clients ask for it by.
    fn called(&self) -> String {
        match &self.uri {
            Some(uri) => uri.literal.value(),
            None => self.name.clone(),
        }
    }

    fn check(
        parsed: ParsedMethod,
        kind: Kind,
        self_type: &Type,
        prefix: &str,
        mistakes: &mut Mistakes,
    ) -> Self {
        let ParsedMethod {
            said,
            attributes,
            signature,
            parameters,
        } = parsed;
        let at = said.at.unwrap_or_else(Span::call_site);
        let uri = (kind == Kind::Resource).then(|| Uri::check(said.uri, at, mistakes));
        let options = Options::check(said.settings, kind, Place::Method, mistakes);
        let around = Where {
            self_type: Some(self_type),
            closed: options.is_closed(),
            kind,
        };
        let mut arguments = Arguments::check(parameters, around, mistakes);
        if let Some(uri) = &uri {
            uri.fill(&mut arguments, mistakes);
            options.refuse_size(uri.is_template(), mistakes);
        }
        let style = Style::check(&signature, &options, mistakes);
        refuse_generics(&signature.generics, kind, mistakes);
        let (own, at) = match &options.name {
            Some(name) => (name.value(), name.span()),
            None => (signature.ident.unraw().to_string(), signature.ident.span()),
        };
        let name = format!("{prefix}{own}");
        if options.name.is_none() || !prefix.is_empty() {
            check_name(kind, &name, at, mistakes);
        }
        Self {
            receiver: {
                refuse_receiver(&signature, kind, mistakes);
                receiver(&signature)
            },
            output: output_type(&signature, Some(self_type)),
            ident: signature.ident,
            attributes,
            options,
            arguments,
            style,
            name,
            uri,
        }
    }
}

fn refuse_receiver(signature: &Signature, kind: Kind, mistakes: &mut Mistakes) {
    let Some(FnArg::Receiver(receiver)) = signature.inputs.first() else {
        return;
    };
    let (word, words) = (kind.word(), kind.words());
    if is_mutable(receiver) {
        mistakes.under(
            receiver,
            format!("{words} run side by side, so none can have `&mut self`; take `&self` and keep what changes in a `Mutex` or an atomic"),
        );
    } else if is_owned(receiver) {
        let called = match kind {
            Kind::Tool => "called",
            Kind::Prompt => "asked for",
            Kind::Resource => "read",
        };
        mistakes.under(
            receiver,
            format!("a {word} is {called} more than once, so it can't take `self`; take `&self` or `self: Arc<Self>`"),
        );
    }
}

/// How a method takes the value that it belongs to, and where it says so.
fn receiver(signature: &Signature) -> Option<(Holds, Span)> {
    let Some(FnArg::Receiver(receiver)) = signature.inputs.first() else {
        return None;
    };
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
