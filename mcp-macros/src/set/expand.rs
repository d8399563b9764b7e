use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Generics, Path};

use super::check::{Holds, Method, Set};
use super::client;
use crate::arguments::{ArgumentStruct, Completing, Taken, completers};
use crate::docs::description;
use crate::expand::{Definition, Start, allowed, conditions, imports, local};
use crate::generics::without_lifetimes;

/// The block as it is, and its tools, prompts or resources.
pub(super) fn set(set: &Set) -> TokenStream {
    let krate = &set.options.krate.0;
    let private = quote!(#krate::__private);
    let this = local("this");
    let definitions = local("definitions");
    let around = without_lifetimes(&set.block.generics);
    let count = set.methods.len();
    let tools = set.methods.iter().map(|method| {
        let conditions = conditions(&method.attributes);
        let definition = definition(method, &set.receivers, &around, krate, &this);
        quote! {
            #(#conditions)*
            #definitions.push(#definition);
        }
    });
    let block = &set.block;
    let body = quote! {
        let mut #definitions = #private::Vec::with_capacity(#count);
        #(#tools)*
        #definitions
    };
    let implementation = implementation(set, &private, &this, &body);
    let client = (set.options.client.as_ref())
        .map(|(visibility, name)| client::client(set, visibility, name));
    quote! {
        #block

        #implementation

        #client
    }
}

/// The mistakes, the block, and a set of nothing that can be registered.
pub(super) fn stub(set: &Set, errors: TokenStream) -> TokenStream {
    let krate = &set.options.krate.0;
    let private = quote!(#krate::__private);
    let block = &set.block;
    let implementation = block
        .trait_
        .is_none()
        .then(|| implementation(set, &private, &local("_this"), &quote!(loop {})));
    quote! {
        #errors

        #block

        #implementation
    }
}

fn implementation(
    set: &Set,
    private: &TokenStream,
    this: &Ident,
    body: &TokenStream,
) -> TokenStream {
    let self_type = &set.block.self_ty;
    let mut generics = set.block.generics.clone();
    if !generics.params.is_empty() {
        generics.make_where_clause().predicates.push(
            syn::parse_quote!(#self_type: ::core::marker::Send + ::core::marker::Sync + 'static),
        );
        let around = without_lifetimes(&set.block.generics);
        for method in &set.methods {
            let bounds = method.arguments.bounds(&around, private);
            generics.make_where_clause().predicates.extend(bounds);
        }
    }
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (allowed, imports) = (allowed(), imports(set.kind, private));
    let conditions = conditions(&set.block.attrs);
    let (set_trait, definition) = (set.kind.set(), set.kind.definition());
    quote! {
        #(#conditions)*
        #allowed
        const _: () = {
            #imports

            #[automatically_derived]
            impl #impl_generics #private::#set_trait for #self_type #where_clause {
                fn definitions(#this: #private::Arc<Self>) -> #private::Vec<#private::#definition> {
                    #body
                }
            }
        };
    }
}

/// A block expression: the hidden struct of the arguments, and the definition.
#[expect(clippy::too_many_lines, reason = "an expansion is read in one piece")]
fn definition(
    method: &Method,
    receivers: &[(Ident, Holds)],
    around: &Generics,
    krate: &Path,
    this: &Ident,
) -> TokenStream {
    let private = quote!(#krate::__private);
    let Method {
        ident,
        options,
        arguments,
        style,
        name,
        output,
        ..
    } = method;
    let invocation = local("invocation");
    let decoded =
        ArgumentStruct::expand(arguments, around, options.is_closed(), krate, &invocation);
    let (values, items) = (&decoded.values, &decoded.items);
    let shared = local("shared");
    let (receiver, capture, call_capture) = match method.receiver {
        None => (None, TokenStream::new(), TokenStream::new()),
        Some((holds, at)) => {
            let receiver = match holds {
                Holds::Borrowed => quote_spanned!(at=> &#this,),
                Holds::Shared => quote_spanned!(at=> #private::share(&#this),),
            };
            (
                Some(receiver),
                quote!(let #shared = #private::share(&#this);),
                quote!(let #this = #private::share(&#shared);),
            )
        }
    };
    let call = quote!(Self::#ident(#receiver #(#values),*));
    let step = Start {
        kind: options.kind,
        style: *style,
        krate,
        invocation: &invocation,
        decode: &decoded.decode,
        call: &call,
        output: output.span(),
    }
    .expand();
    let completing = Completing {
        private: &private,
        this: Some(this),
        methods: receivers,
    };
    let lent = arguments
        .taken
        .iter()
        .filter_map(|taken| match taken {
            Taken::Lent(ty) => Some(&**ty),
            Taken::Argument(_) | Taken::Whole => None,
        })
        .collect();
    let definition = Definition {
        krate,
        name: quote!(#name),
        uri: (method.uri.as_ref()).map(|uri| uri.literal.to_token_stream()),
        options,
        description: description(&method.attributes),
        arguments: decoded.ty.clone(),
        lent,
        output,
        handler: quote!(move |#invocation: #private::Invocation| { #call_capture #step }),
        completers: completers(arguments, completing),
    }
    .expand();
    quote! {{
        #items
        #capture
        #definition
    }}
}
