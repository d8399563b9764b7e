//! What the expansions have in common.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Attribute, LitStr, Path, Type};

use crate::docs::Description;
use crate::kind::Kind;
use crate::options::Options;
use crate::signature::Style;

/// The lints that expansions are excused from.
pub(crate) fn allowed() -> TokenStream {
    quote! {
        #[allow(
            missing_docs,
            missing_debug_implementations,
            missing_copy_implementations,
            unreachable_pub,
            dead_code,
            deprecated,
            non_camel_case_types,
            non_upper_case_globals,
            unused_imports,
            unused_lifetimes,
            unused_qualifications,
            unnameable_types,
            private_interfaces,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            clippy::exhaustive_structs
        )]
    }
}

/// What method calls in expansions, and in what schemars derives inside of them, look for when there is no prelude.
pub(crate) fn imports(kind: Kind, private: &TokenStream) -> TokenStream {
    let ours = match kind {
        Kind::Tool => quote! {
            ReturnsAny as _, ReturnsFailing as _, ReturnsFailingJson as _, ReturnsJson as _, ReturnsReply as _,
            ReturnsResult as _,
        },
        Kind::Prompt | Kind::Resource => quote!(CompletesLater as _, CompletesNow as _),
    };
    quote! {
        use ::core::convert::Into as _;
        use ::core::option::Option::Some;
        use #private::{#ours};
    }
}

/// The attributes that decide whether an item is there, which hold for what stands beside it too.
pub(crate) fn conditions(attributes: &[Attribute]) -> Vec<&Attribute> {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"))
        .collect()
}

/// The definition of one tool, prompt or resource.
pub(crate) struct Definition<'a> {
    pub(crate) krate: &'a Path,
    pub(crate) name: TokenStream,
    /// Where a resource is.
    pub(crate) uri: Option<TokenStream>,
    pub(crate) options: &'a Options,
    pub(crate) description: Description,
    pub(crate) arguments: TokenStream,
    pub(crate) lent: Vec<&'a Type>,
    pub(crate) output: &'a Type,
    pub(crate) handler: TokenStream,
    pub(crate) completers: TokenStream,
}

impl Definition<'_> {
    /// An expression of the type of the definition.
    pub(crate) fn expand(&self) -> TokenStream {
        let krate = self.krate;
        let private = quote!(#krate::__private);
        let Self {
            name,
            uri,
            options,
            arguments,
            lent,
            output,
            handler,
            completers,
            ..
        } = self;
        let ty = options.kind.definition();
        let uri = uri.iter();
        let description = self.described(&private);
        let with_arguments = match options.kind {
            Kind::Tool => quote!(with_arguments),
            Kind::Prompt => quote!(reads_arguments),
            Kind::Resource => quote!(with_variables),
        };
        let lent = lent
            .iter()
            .map(|ty| quote_spanned!(ty.span()=> .borrows::<#ty>()));
        let settings = settings(options, &private);
        let annotations = annotations(options, &private);
        let made = quote! {
            #private::#ty::new(#(#uri,)* #name, #handler)
                #description
                .#with_arguments::<#arguments>()
                #(#lent)*
                #annotations
                #settings
                #completers
        };
        if options.kind != Kind::Tool {
            return made;
        }
        let definition = local("definition");
        let shown = quote_spanned!(output.span()=> returned().define(#definition));
        quote! {{
            let #definition = #made;
            (&&&&&&#private::Returns::<#output>::new()).#shown
        }}
    }

    fn described(&self, private: &TokenStream) -> Option<TokenStream> {
        if let Some(description) = &self.options.description {
            return Some(quote!(.with_description(#description)));
        }
        match &self.description {
            Description::None => None,
            Description::Text(text) => Some(quote!(.with_description(#text))),
            Description::Lines(lines) => Some(
                quote!(.with_description(#private::description(::core::concat!(#(#lines, "\n"),*)))),
            ),
        }
    }
}

fn annotations(options: &Options, private: &TokenStream) -> Option<TokenStream> {
    if options.kind == Kind::Resource {
        return resource_annotations(options, private);
    }
    let hints = &options.annotations;
    let calls: Vec<TokenStream> = [
        (hints.read_only, quote!(with_read_only_hint)),
        (hints.destructive, quote!(with_destructive_hint)),
        (hints.idempotent, quote!(with_idempotent_hint)),
        (hints.open_world, quote!(with_open_world_hint)),
    ]
    .into_iter()
    .filter_map(|(hint, method)| hint.map(|hint| quote!(.#method(#hint))))
    .collect();
    (!hints.is_empty()).then(|| {
        quote!(.with_annotations(<#private::ToolAnnotations as ::core::default::Default>::default() #(#calls)*))
    })
}

fn resource_annotations(options: &Options, private: &TokenStream) -> Option<TokenStream> {
    let resource = &options.resource;
    let roles = resource.audience.iter().map(|role| {
        let role = Ident::new(role, Span::call_site());
        quote!(#private::Role::#role)
    });
    let audience = (!resource.audience.is_empty()).then(|| quote!(.with_audience([#(#roles),*])));
    let priority = resource
        .priority
        .map(|priority| quote!(.with_priority(#priority)));
    let modified = (resource.last_modified.as_ref()).map(|time| quote!(.with_last_modified(#time)));
    (audience.is_some() || priority.is_some() || modified.is_some()).then(|| {
        quote! {
            .with_annotations(
                <#private::Annotations as ::core::default::Default>::default() #audience #priority #modified
            )
        }
    })
}

fn settings(options: &Options, private: &TokenStream) -> TokenStream {
    let title = options
        .title
        .as_ref()
        .map(|title| quote!(.with_title(#title)));
    let icons = &options.icons;
    let flow = (!options.flow.is_empty()).then(|| {
        let flow = options
            .flow
            .iter()
            .map(|name| Ident::new(name, Span::call_site()));
        quote!(.with_flow(&[#(#private::Flow::#flow),*]))
    });
    let meta = (!options.meta.is_empty()).then(|| {
        let keys = options.meta.iter().map(|pair| &pair.key);
        let values = options.meta.iter().map(|pair| &pair.value);
        quote!(.with_meta(#private::meta(&[#((#keys, #values)),*])))
    });
    let open = options.open.then(|| quote!(.open()));
    let strict = options.strict.then(|| quote!(.strict()));
    let finishes = options.finishes.map(|_| quote!(.finishes()));
    let deadline = options
        .deadline
        .map(|(_, millis)| quote!(.with_deadline(::core::time::Duration::from_millis(#millis))));
    let mime_type =
        (options.resource.mime_type.as_ref()).map(|mime_type| quote!(.with_mime_type(#mime_type)));
    let size = (options.resource.size.as_ref()).map(|(_, size)| quote!(.with_size(#size)));
    quote!(#mime_type #size #title #(.with_icon(#private::Icon::new(#icons)))* #flow #meta #open #strict #finishes #deadline)
}

/// What starts a call, and how.
pub(crate) struct Start<'a> {
    pub(crate) kind: Kind,
    pub(crate) style: Style,
    pub(crate) krate: &'a Path,
    /// The local that `decode` and `call` use.
    pub(crate) invocation: &'a Ident,
    pub(crate) decode: &'a TokenStream,
    pub(crate) call: &'a TokenStream,
    /// Where a type that can't be returned is reported.
    pub(crate) output: Span,
}

impl Start<'_> {
    /// The body of a function from `invocation` to a `Step`.
    pub(crate) fn expand(&self) -> TokenStream {
        let Self {
            krate,
            invocation,
            decode,
            call,
            ..
        } = self;
        let private = quote!(#krate::__private);
        let value = local("value");
        let wait = (self.style == Style::Later).then(|| quote!(.await));
        let reply = self.reply(&private, &value);
        let body = quote! {
            #decode
            let #value = #call #wait;
            ::core::result::Result::Ok(#reply)
        };
        match self.style {
            Style::Now => {
                quote!(#private::Step::now(&#invocation, |#invocation: &#private::Invocation| { #body }))
            }
            Style::Later => quote!(#private::Step::later(async move { #body })),
            Style::Blocking => {
                quote!(#private::Step::blocking(#invocation, move |#invocation: &#private::Invocation| { #body }))
            }
        }
    }

    fn reply(&self, private: &TokenStream, value: &Ident) -> TokenStream {
        let invocation = self.invocation;
        match self.kind {
            Kind::Tool => {
                let reply = quote_spanned!(self.output=> returned().reply(#value));
                quote!((&&&&&&#private::Returns::of(&#value)).#reply)
            }
            // What can't be returned is reported where the value is, so that is made to be where the type is.
            Kind::Prompt => {
                let value = respanned(value.to_token_stream(), self.output);
                quote_spanned!(self.output=> #private::IntoMessages::into_messages(#value))
            }
            Kind::Resource => {
                let value = respanned(value.to_token_stream(), self.output);
                quote_spanned!(self.output=> #private::Invocation::contents(&#invocation, #value))
            }
        }
    }
}

/// A local of the expansion, which no name of the user's meets.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// A path as the string that serde and schemars take.
pub(crate) fn path_text(path: &TokenStream) -> LitStr {
    LitStr::new(&path.to_string().replace(' ', ""), Span::call_site())
}

/// An item that could not be understood: what is wrong, and the item as it was.
pub(crate) fn refused(errors: &TokenStream, item: &TokenStream) -> TokenStream {
    quote!(#errors #item)
}

/// The same tokens, so placed that errors about them are reported elsewhere.
pub(crate) fn respanned(tokens: TokenStream, place: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            token.set_span(token.span().located_at(place));
            token
        })
        .collect()
}
