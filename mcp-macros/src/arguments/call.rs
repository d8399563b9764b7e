//! The arguments of a call, seen from the client that makes it.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Attribute, Expr, Path, Type};

use super::check::{Argument, Arguments, Default};
use super::expand::rewritten;
use crate::expand::path_text;
use crate::tokens::{call_lifetime, has_lifetime};

/// How a client gives the arguments, and what is made of them.
pub(crate) struct CallArguments<'a> {
    /// The struct that is serialised. Nothing for `#[args]`.
    ///
    /// It is generic, so that argument types which only deserialise are no error until a client wants to send one.
    pub(crate) items: TokenStream,
    /// The parameters, in the order of the function.
    pub(crate) params: Vec<Param<'a>>,
    /// The arguments as a value that serialises.
    pub(crate) value: TokenStream,
}

/// A parameter of a function that makes a call.
pub(crate) struct Param<'a> {
    pub(crate) name: &'a Ident,
    ty: &'a Type,
    /// What is asked of the type that is given, where that is not just the type of the argument.
    into: Option<TokenStream>,
    /// A function of the user's writes the value, so that its type need not be one that is written.
    converted: bool,
}

impl<'a> CallArguments<'a> {
    pub(crate) fn of(arguments: &'a Arguments, krate: &Path) -> Self {
        let private = quote!(#krate::__private);
        if let Some((name, ty)) = &arguments.whole {
            let whole = Param {
                name,
                ty,
                into: None,
                converted: false,
            };
            return Self {
                items: TokenStream::new(),
                value: name.to_token_stream(),
                params: vec![whole],
            };
        }
        let params: Vec<Param<'_>> = arguments.named.iter().map(Param::of).collect();
        let fields = params.iter().map(Param::field);
        Self {
            items: call_struct(&arguments.named, &private),
            value: quote!(__Call { #(#fields),* }),
            params,
        }
    }

    /// Whether something given is borrowed.
    pub(crate) fn borrows(&self) -> bool {
        self.types().any(|ty| has_lifetime(&ty.to_token_stream()))
    }

    /// The types of the arguments.
    pub(crate) fn types(&self) -> impl Iterator<Item = &Type> {
        self.params.iter().map(|param| param.ty)
    }

    /// What the arguments have to be to be sent. It is asked of whoever makes a call, and not of the tool.
    pub(crate) fn bounds(&self, private: &TokenStream) -> Vec<TokenStream> {
        let written = self.params.iter();
        let written = written.filter(|param| !param.converted && !is_plain(param.ty));
        written
            .map(|Param { ty, .. }| quote_spanned!(ty.span()=> for<'always> #ty: #private::Given))
            .collect()
    }
}

impl<'a> Param<'a> {
    fn of(argument: &'a Argument) -> Self {
        let ty = &argument.ty;
        let converted = SerializeAttributes::of(&argument.passed).concrete;
        // These guess by the last word of a path, and may: `Into` of another type that is called so is the type itself.
        let into = if converted || is_called(ty, "Option") {
            None
        } else if argument.has_default() {
            Some(quote_spanned!(ty.span()=> ::core::option::Option<#ty>))
        } else if is_called(ty, "String") {
            Some(ty.to_token_stream())
        } else {
            None
        };
        Self {
            name: &argument.name,
            ty,
            into,
            converted,
        }
    }

    /// As it stands in a function that may have `impl Trait`.
    pub(crate) fn declared(&self) -> TokenStream {
        let (name, ty) = (self.name, self.ty);
        match &self.into {
            Some(into) => quote!(#name: impl ::core::convert::Into<#into>),
            None => quote!(#name: #ty),
        }
    }

    /// As it stands in a function whose result says which generics it captures, and the generic that it needs.
    fn generic(&self, index: usize) -> (TokenStream, Option<(Ident, TokenStream)>) {
        let (name, ty) = (self.name, self.ty);
        match &self.into {
            Some(into) => {
                let generic = format_ident!("__A{index}");
                let bound = quote!(::core::convert::Into<#into>);
                (quote!(#name: #generic), Some((generic, bound)))
            }
            None => (quote!(#name: #ty), None),
        }
    }

    fn field(&self) -> TokenStream {
        let name = self.name;
        match &self.into {
            Some(into) => quote!(#name: ::core::convert::Into::<#into>::into(#name)),
            None => name.to_token_stream(),
        }
    }
}

/// The constructor of calls, `add::with(2, 3)`, and the struct that it makes them of.
pub(crate) fn with_function(
    arguments: &Arguments,
    around: &[&Ident],
    visibility: &syn::Visibility,
    output: &Type,
    krate: &Path,
) -> (TokenStream, TokenStream) {
    let private = quote!(#krate::__private);
    let call = CallArguments::of(arguments, krate);
    let mut params = Vec::new();
    let mut generics = Vec::new();
    let mut bounded = Vec::new();
    for (index, param) in call.params.iter().enumerate() {
        let (declared, generic) = param.generic(index);
        params.push(declared);
        if let Some((name, bound)) = generic {
            bounded.push(quote!(#name: #bound));
            generics.push(name);
        }
    }
    let lifetime = call.borrows().then(call_lifetime);
    let lifetime: Vec<_> = lifetime.iter().collect();
    let declared = (!lifetime.is_empty() || !generics.is_empty())
        .then(|| quote!(<#(#lifetime,)* #(#bounded),*>));
    let (items, value, bounds) = (&call.items, &call.value, call.bounds(&private));
    let function = quote! {
        /// A call of this tool, for a client to make.
        #visibility fn with #declared (#(#params),*)
            -> #private::TypedToolCall<
                impl #private::Serialize + use<#(#lifetime,)* #(#around,)* #(#generics),*>,
                #output,
            >
        where
            #(#bounds,)*
        {
            #private::TypedToolCall::new(<Self as #private::Tool>::NAME, #value)
        }
    };
    (items.clone(), function)
}

fn call_struct(named: &[Argument], private: &TokenStream) -> TokenStream {
    let serde_crate = path_text(&quote!(#private::serde));
    let is_none = path_text(&quote!(#private::is_none));
    let mut generics = Vec::new();
    let fields: Vec<TokenStream> = named
        .iter()
        .enumerate()
        .map(|(index, argument)| {
            let name = &argument.name;
            let passed = SerializeAttributes::of(&argument.passed);
            let rename = argument.rename.as_ref().map(|rename| quote!(#[serde(rename = #rename)]));
            let metas = passed.metas;
            if passed.concrete {
                let ty = rewritten(&argument.ty, "static");
                return quote!(#rename #(#[serde(#metas)])* #name: #ty);
            }
            let generic = format_ident!("A{index}");
            generics.push(generic.clone());
            quote!(#rename #[serde(skip_serializing_if = #is_none)] #(#[serde(#metas)])* #name: #generic)
        })
        .collect();
    quote! {
        #[derive(#private::Serialize)]
        #[serde(crate = #serde_crate)]
        #[allow(non_snake_case, dead_code)]
        struct __Call<#(#generics),*> {
            #(#fields,)*
        }
    }
}

fn is_called(ty: &Type, word: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == word))
}

/// Whether a type is one that everybody writes and reads, so that documentation need not be full of bounds that hold.
pub(crate) fn is_plain(ty: &Type) -> bool {
    const PLAIN: [&str; 17] = [
        "bool", "char", "str", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32",
        "u64", "u128", "usize", "f32", "f64",
    ];
    match ty {
        Type::Path(path) => PLAIN.iter().any(|name| path.path.is_ident(name)),
        Type::Reference(reference) => is_plain(&reference.elem),
        Type::Tuple(tuple) => tuple.elems.is_empty(),
        _ => false,
    }
}

impl Argument {
    /// Whether a client may leave it out for the server to fill in.
    fn has_default(&self) -> bool {
        !matches!(self.default, Default::None) || self.has_serde("default")
    }
}

/// What of the user's `#[serde]` concerns the way out.
struct SerializeAttributes {
    metas: Vec<TokenStream>,
    /// A function of the user's writes the value, so that its type has to be the user's.
    concrete: bool,
}

impl SerializeAttributes {
    fn of(passed: &[Attribute]) -> Self {
        let mut found = Self {
            metas: Vec::new(),
            concrete: false,
        };
        for attribute in passed
            .iter()
            .filter(|attribute| attribute.path().is_ident("serde"))
        {
            // What does not parse was given to `Deserialize` as well, which reports it.
            let _ = attribute.parse_nested_meta(|meta| {
                let path = &meta.path;
                let value = if meta.input.peek(syn::Token![=]) {
                    let value: Expr = meta.value()?.parse()?;
                    quote!(= #value)
                } else if meta.input.peek(syn::token::Paren) {
                    meta.input
                        .parse::<proc_macro2::TokenTree>()?
                        .into_token_stream()
                } else {
                    TokenStream::new()
                };
                let writes = path.is_ident("with") || path.is_ident("serialize_with");
                if writes || path.is_ident("rename") {
                    found.metas.push(quote!(#path #value));
                }
                found.concrete |= writes;
                Ok(())
            });
        }
        found
    }
}
