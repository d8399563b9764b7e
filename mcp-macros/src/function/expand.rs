use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Generics;
use syn::spanned::Spanned as _;

use super::check::Function;
use crate::arguments::{
    ArgumentStruct, CallArguments, Completing, Param, Taken, Uri, completers, with_function,
};
use crate::docs::{description, is_doc};
use crate::expand::{Definition, Start, allowed, conditions, imports, local};
use crate::generics;
use crate::kind::Kind;

/// The function, the type beside it, and what the type implements.
#[expect(clippy::too_many_lines, reason = "an expansion is read in one piece")]
pub(super) fn function(item: &Function) -> TokenStream {
    let Function {
        function,
        options,
        arguments,
        style,
        type_name,
        output,
        ..
    } = item;
    let kind = options.kind;
    let krate = &options.krate.0;
    let private = quote!(#krate::__private);
    let invocation = local("invocation");
    let generics = bounded(item, &private);
    let decoded = ArgumentStruct::expand(
        arguments,
        &item.generics,
        options.is_closed(),
        krate,
        &invocation,
    );
    let (values, items) = (&decoded.values, &decoded.items);
    let call = {
        let ident = &function.sig.ident;
        let types = generics::arguments(&item.generics);
        let turbofish = (!types.is_empty()).then(|| quote!(::<#(#types),*>));
        quote!(#ident #turbofish (#(#values),*))
    };
    let step = Start {
        kind,
        style: *style,
        krate,
        invocation: &invocation,
        decode: &decoded.decode,
        call: &call,
        output: output.span(),
    }
    .expand();
    let name = &item.name;
    let definition = Definition {
        krate,
        name: match kind {
            Kind::Tool | Kind::Prompt => {
                let one = kind.one();
                quote!(<Self as #private::#one>::NAME)
            }
            Kind::Resource => quote!(#name),
        },
        uri: (item.uri.as_ref()).map(|_| quote!(<Self as #private::Resource>::URI)),
        options,
        description: description(&function.attrs),
        arguments: decoded.ty.clone(),
        lent: lent(item),
        output,
        handler: quote!({
            let start: fn(#private::Invocation) -> #private::Step = |#invocation| #step;
            start
        }),
        completers: completers(
            arguments,
            Completing {
                private: &private,
                this: None,
                methods: &[],
            },
        ),
    }
    .expand();
    let (call_items, with) = match kind {
        Kind::Tool => {
            let around = generics::arguments(&item.generics);
            with_function(arguments, &around, &function.vis, output, krate)
        }
        Kind::Prompt | Kind::Resource => Default::default(),
    };
    let with = (kind == Kind::Tool).then(|| inherent(type_name, &generics, &with));
    let implementation = implementation(item, &private, &generics, &definition, &quote!(#output));
    let (allowed, imports) = (allowed(), imports(kind, &private));
    let conditions = conditions(&function.attrs);
    let beside = beside(item);
    quote! {
        #function

        #beside

        #(#conditions)*
        #allowed
        const _: () = {
            #imports

            #items
            #call_items

            #implementation

            #with
        };
    }
}

/// The mistakes, the function as it is, and a type that can be registered, so that nothing else is reported.
pub(super) fn stub(item: &Function, errors: TokenStream) -> TokenStream {
    let Function {
        function,
        options,
        arguments,
        type_name,
        ..
    } = item;
    let krate = &options.krate.0;
    let private = quote!(#krate::__private);
    let generics = bounded(item, &private);
    let with = (options.kind == Kind::Tool).then(|| {
        let call = CallArguments::of(arguments, krate);
        let params = call.params.iter().map(Param::declared);
        let visibility = &function.vis;
        let with = quote! {
            #visibility fn with<'call>(#(#params),*) -> #private::TypedToolCall<(), ()> {
                loop {}
            }
        };
        inherent(type_name, &generics, &with)
    });
    let implementation = implementation(item, &private, &generics, &quote!(loop {}), &quote!(()));
    let allowed = allowed();
    let conditions = conditions(&function.attrs);
    let beside = beside(item);
    quote! {
        #errors

        #function

        #beside

        #(#conditions)*
        #allowed
        #[allow(unused_variables)]
        const _: () = {
            #implementation

            #with
        };
    }
}

/// What makes the type one that can be registered.
fn implementation(
    item: &Function,
    private: &TokenStream,
    generics: &Generics,
    definition: &TokenStream,
    output: &TokenStream,
) -> TokenStream {
    let Function {
        options,
        type_name,
        name,
        ..
    } = item;
    let (one, definition_type) = (options.kind.one(), options.kind.definition());
    let constants = match &item.uri {
        Some(Uri { literal, .. }) => quote!(const URI: &'static str = #literal;),
        None => quote!(const NAME: &'static str = #name;),
    };
    let output = (options.kind == Kind::Tool).then(|| quote!(type Output = #output;));
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #private::#one for #type_name #ty_generics #where_clause {
            #constants

            #output

            fn definition() -> #private::#definition_type {
                #definition
            }
        }
    }
}

fn inherent(type_name: &Ident, generics: &Generics, items: &TokenStream) -> TokenStream {
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #type_name #ty_generics #where_clause {
            #items
        }
    }
}

/// The type beside the function. It has braces, so that it lives among the types only.
fn beside(item: &Function) -> TokenStream {
    let Function {
        function,
        type_name,
        generics,
        ..
    } = item;
    let visibility = &function.vis;
    let conditions = conditions(&function.attrs);
    let docs = function.attrs.iter().filter(|attribute| is_doc(attribute));
    let allowed = allowed();
    let types = generics::type_names(generics);
    let marker = (!types.is_empty()).then(|| {
        quote! {
            #[doc(hidden)]
            __types: ::core::marker::PhantomData<fn() -> (#(*const #types,)*)>,
        }
    });
    let (_, _, where_clause) = generics.split_for_impl();
    quote! {
        #(#conditions)*
        #(#docs)*
        #allowed
        #visibility struct #type_name #generics #where_clause {
            #marker
        }
    }
}

/// The generics of the function, with what has to be asked of them.
fn bounded(item: &Function, private: &TokenStream) -> Generics {
    let mut generics = item.generics.clone();
    for param in generics.type_params_mut() {
        param.bounds.push(syn::parse_quote!('static));
    }
    let bounds = item.arguments.bounds(&item.generics, private);
    if !bounds.is_empty() {
        generics.make_where_clause().predicates.extend(bounds);
    }
    generics
}

fn lent(item: &Function) -> Vec<&syn::Type> {
    item.arguments
        .taken
        .iter()
        .filter_map(|taken| match taken {
            Taken::Lent(ty) => Some(&**ty),
            Taken::Argument(_) | Taken::Whole => None,
        })
        .collect()
}
