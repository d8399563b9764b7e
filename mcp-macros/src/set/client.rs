use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Generics, Visibility};

use super::check::{Method, Set};
use crate::arguments::{CallArguments, Param, is_plain};
use crate::docs::is_doc;
use crate::expand::{allowed, conditions};
use crate::generics::{self, without_lifetimes};
use crate::tokens::call_lifetime;

/// What clients have besides their tools.
pub(super) const OWN_METHODS: [&str; 3] = ["new", "connect", "client"];

/// The typed client of a set of tools: a struct with a method for each.
pub(super) fn client(set: &Set, visibility: &Visibility, name: &Ident) -> TokenStream {
    let around = generics_of(set);
    let methods: Vec<TokenStream> = set
        .methods
        .iter()
        .map(|tool| method(tool, visibility, set))
        .collect();
    let (declared, own) = itself(set, visibility, name, &around);
    let (impl_generics, ty_generics, where_clause) = around.split_for_impl();
    let (conditions, allowed) = (conditions(&set.block.attrs), allowed());
    quote! {
        #declared
        #own

        #(#conditions)*
        #allowed
        #[automatically_derived]
        impl #impl_generics #name #ty_generics #where_clause {
            #(#methods)*
        }
    }
}

/// The struct and what it is without its tools.
#[expect(clippy::too_many_lines, reason = "an expansion is read in one piece")]
fn itself(
    set: &Set,
    visibility: &Visibility,
    name: &Ident,
    generics: &Generics,
) -> (TokenStream, TokenStream) {
    let krate = &set.options.krate.0;
    let private = quote!(#krate::__private);
    let (conditions, allowed) = (conditions(&set.block.attrs), allowed());
    let types = generics::type_names(generics);
    let types = (!types.is_empty())
        .then(|| quote!(, ::core::marker::PhantomData<fn() -> (#(*const #types,)*)>));
    let marker = types
        .as_ref()
        .map(|_| quote!(, ::core::marker::PhantomData));
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let text = name.to_string();
    let docs = format!(
        " A client of the tools of `{}`: a method for each, typed as the tool is.",
        set.block
            .self_ty
            .to_token_stream()
            .to_string()
            .replace(' ', "")
    );
    let declared = quote! {
        #(#conditions)*
        #[doc = #docs]
        ///
        /// Clones are handles on the same connection.
        #allowed
        #visibility struct #name #impl_generics (#private::Client #types) #where_clause;
    };
    let own = quote! {
        #(#conditions)*
        #allowed
        #[automatically_derived]
        impl #impl_generics #name #ty_generics #where_clause {
            /// A client that makes its calls over this connection.
            #[must_use]
            #visibility const fn new(client: #private::Client) -> Self {
                Self(client #marker)
            }

            /// Connects to the server at the other end of a transport, by the name and version of this package. For
            /// anything else, connect by `Client::builder` and take [`new`](Self::new).
            ///
            /// # Errors
            ///
            /// When the server is gone, does not answer in time, or speaks none of our revisions.
            #visibility async fn connect(
                transport: impl #private::Transport,
                runtime: impl #private::Runtime,
            ) -> ::core::result::Result<Self, #private::ClientError> {
                let package = (
                    ::core::option_env!("CARGO_PKG_NAME"),
                    ::core::option_env!("CARGO_PKG_VERSION"),
                );
                let client = #private::connect(package, #text, transport, runtime);
                ::core::result::Result::map(client.await, Self::new)
            }

            /// The connection.
            #[must_use]
            #visibility const fn client(&self) -> &#private::Client {
                &self.0
            }
        }

        #(#conditions)*
        #[automatically_derived]
        impl #impl_generics ::core::clone::Clone for #name #ty_generics #where_clause {
            fn clone(&self) -> Self {
                Self(::core::clone::Clone::clone(&self.0) #marker)
            }
        }

        #(#conditions)*
        #[automatically_derived]
        impl #impl_generics ::core::fmt::Debug for #name #ty_generics #where_clause {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Formatter::debug_tuple(f, #text).field(&self.0).finish()
            }
        }
    };
    (declared, own)
}

fn method(tool: &Method, visibility: &Visibility, set: &Set) -> TokenStream {
    let krate = &set.options.krate.0;
    let private = quote!(#krate::__private);
    let Method {
        ident,
        name,
        output,
        arguments,
        attributes,
        ..
    } = tool;
    let call = CallArguments::of(arguments, krate);
    let params = call.params.iter().map(Param::declared);
    let lifetime = call.borrows().then(call_lifetime);
    let lifetime = lifetime.map(|lifetime| quote!(<#lifetime>));
    let (items, value) = (&call.items, &call.value);
    let mut bounds = call.bounds(&private);
    if !is_plain(output) {
        bounds.push(quote_spanned!(output.span()=> for<'always> #output: #private::Returned));
    }
    let bounds = (!bounds.is_empty()).then(|| quote!(where #(#bounds),*));
    let returned = quote_spanned!(output.span()=> <#output as #private::Returned>::Value);
    let conditions = conditions(attributes);
    let docs = attributes.iter().filter(|attribute| is_doc(attribute));
    quote! {
        #(#conditions)*
        #(#docs)*
        #visibility fn #ident #lifetime (&self, #(#params),*)
            -> #private::TypedCallFuture<'_, #returned>
        #bounds
        {
            #items
            self.0.call(#private::TypedToolCall::<_, #output>::new(#name, #value))
        }
    }
}

/// The generics of the block that clients have to do with.
fn generics_of(set: &Set) -> Generics {
    let around = without_lifetimes(&set.block.generics);
    let mut mentioned = TokenStream::new();
    for method in &set.methods {
        method.output.to_tokens(&mut mentioned);
        let call = CallArguments::of(&method.arguments, &set.options.krate.0);
        call.types().for_each(|ty| ty.to_tokens(&mut mentioned));
    }
    generics::mentioned(&around, &mentioned)
}
