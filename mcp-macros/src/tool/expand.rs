use proc_macro2::TokenStream;
use quote::quote;
use syn::Generics;
use syn::spanned::Spanned as _;

use super::check::FunctionTool;
use crate::arguments::{ArgumentStruct, Taken, with_function};
use crate::docs::{description, is_doc};
use crate::expand::{Definition, allowed, conditions, imports, local, start};
use crate::generics;

/// The function, the type beside it, and what the type implements.
#[expect(clippy::too_many_lines, reason = "an expansion is read in one piece")]
pub(super) fn tool(tool: FunctionTool) -> TokenStream {
    let FunctionTool {
        function,
        options,
        arguments,
        style,
        name,
        type_name,
        output,
        ..
    } = &tool;
    let krate = &options.krate.0;
    let private = quote!(#krate::__private);
    let invocation = local("invocation");
    let generics = bounded(&tool, &private);
    let decoded =
        ArgumentStruct::expand(arguments, &tool.generics, !options.open, krate, &invocation);
    let (values, items) = (&decoded.values, &decoded.items);
    let call = {
        let ident = &function.sig.ident;
        let types = generics::arguments(&tool.generics);
        let turbofish = (!types.is_empty()).then(|| quote!(::<#(#types),*>));
        quote!(#ident #turbofish (#(#values),*))
    };
    let step = start(
        *style,
        krate,
        &invocation,
        &decoded.decode,
        &call,
        output.span(),
    );
    let definition = Definition {
        krate,
        name: quote!(<Self as #private::Tool>::NAME),
        options,
        description: description(&function.attrs),
        arguments: decoded.ty.clone(),
        lent: lent(&tool),
        output,
        handler: quote!({
            let start: fn(#private::Invocation) -> #private::Step = |#invocation| #step;
            start
        }),
    }
    .expand();
    let (call_items, with) = with_function(arguments, &tool.generics, &function.vis, krate);
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let (allowed, imports) = (allowed(), imports(&private));
    let conditions = conditions(&function.attrs);
    let beside = beside(&tool);
    quote! {
        #function

        #beside

        #(#conditions)*
        #allowed
        const _: () = {
            #imports

            #items
            #call_items

            #[automatically_derived]
            impl #impl_generics #private::Tool for #type_name #ty_generics #where_clause {
                const NAME: &'static str = #name;

                type Output = #output;

                fn definition() -> #private::ToolDefinition {
                    #definition
                }
            }

            #[automatically_derived]
            impl #impl_generics #type_name #ty_generics #where_clause {
                #with
            }
        };
    }
}

/// The mistakes, the function as it is, and a type that can be registered, so that nothing else is reported.
pub(super) fn stub(tool: &FunctionTool, errors: TokenStream) -> TokenStream {
    let FunctionTool {
        function,
        options,
        arguments,
        type_name,
        ..
    } = tool;
    let krate = &options.krate.0;
    let private = quote!(#krate::__private);
    let with = {
        let params = arguments.named.iter().map(|argument| {
            let (name, ty) = (&argument.name, &argument.ty);
            quote!(#name: #ty)
        });
        let whole = arguments.whole.iter().map(|(name, ty)| quote!(#name: #ty));
        let visibility = &function.vis;
        quote! {
            #visibility fn with<'call>(#(#whole,)* #(#params),*) -> #private::ToolCall<Self, ()> {
                loop {}
            }
        }
    };
    let bounded = bounded(tool, &private);
    let (impl_generics, ty_generics, where_clause) = bounded.split_for_impl();
    let allowed = allowed();
    let conditions = conditions(&function.attrs);
    let name = &tool.name;
    let beside = beside(tool);
    quote! {
        #errors

        #function

        #beside

        #(#conditions)*
        #allowed
        #[allow(unused_variables)]
        const _: () = {
            #[automatically_derived]
            impl #impl_generics #private::Tool for #type_name #ty_generics #where_clause {
                const NAME: &'static str = #name;

                type Output = ();

                fn definition() -> #private::ToolDefinition {
                    loop {}
                }
            }

            #[automatically_derived]
            impl #impl_generics #type_name #ty_generics #where_clause {
                #with
            }
        };
    }
}

/// The type beside the function. It has braces, so that it lives among the types only.
fn beside(tool: &FunctionTool) -> TokenStream {
    let FunctionTool {
        function,
        type_name,
        generics,
        ..
    } = tool;
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

/// The generics of the function, with what a tool has to ask of them.
fn bounded(tool: &FunctionTool, private: &TokenStream) -> Generics {
    let mut generics = tool.generics.clone();
    for param in generics.type_params_mut() {
        param.bounds.push(syn::parse_quote!('static));
    }
    let bounds = tool.arguments.bounds(&tool.generics, private);
    if !bounds.is_empty() {
        generics.make_where_clause().predicates.extend(bounds);
    }
    generics
}

fn lent(tool: &FunctionTool) -> Vec<&syn::Type> {
    tool.arguments
        .taken
        .iter()
        .filter_map(|taken| match taken {
            Taken::Lent(ty) => Some(&**ty),
            Taken::Argument(_) | Taken::Whole => None,
        })
        .collect()
}
