use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::check::StructTool;
use crate::docs::description;
use crate::expand::{Definition, Start, allowed, imports, local, respanned};
use crate::kind::Kind;
use crate::signature::Style;

/// What the struct implements.
pub(super) fn tool(tool: &StructTool) -> TokenStream {
    let StructTool { input, options, .. } = tool;
    let krate = &options.krate.0;
    let private = quote!(#krate::__private);
    // What is missing is reported under the name of the struct.
    let run = respanned(quote!(#private::Run), input.ident.span());
    let invocation = local("invocation");
    let this = local("this");
    let decode = quote!(let #this = #private::arguments::<Self>(&#invocation)?;);
    let call =
        quote_spanned!(input.ident.span()=> <Self as #run>::run(#this, #invocation.context()));
    let step = Start {
        kind: Kind::Tool,
        style: Style::Later,
        krate,
        invocation: &invocation,
        decode: &decode,
        call: &call,
        output: input.ident.span(),
    }
    .expand();
    let output = syn::parse_quote_spanned!(input.ident.span()=> <Self as #run>::Output);
    let definition = Definition {
        krate,
        name: quote!(<Self as #private::Tool>::NAME),
        uri: None,
        options,
        description: description(&input.attrs),
        arguments: quote!(Self),
        lent: Vec::new(),
        output: &output,
        handler: quote!({
            let start: fn(#private::Invocation) -> #private::Step = |#invocation| #step;
            start
        }),
        completers: TokenStream::new(),
    }
    .expand();
    implementation(tool, &private, &quote!(#output), &definition)
}

/// The mistakes, and a tool that can be registered.
pub(super) fn stub(tool: &StructTool, errors: TokenStream) -> TokenStream {
    let krate = &tool.options.krate.0;
    let private = quote!(#krate::__private);
    // A tool can't borrow, so there is no stub that would compile.
    let implementation = tool
        .input
        .generics
        .lifetimes()
        .next()
        .is_none()
        .then(|| implementation(tool, &private, &quote!(()), &quote!(loop {})));
    quote!(#errors #implementation)
}

fn implementation(
    tool: &StructTool,
    private: &TokenStream,
    output: &TokenStream,
    definition: &TokenStream,
) -> TokenStream {
    let StructTool { input, name, .. } = tool;
    let ident = &input.ident;
    let mut generics = input.generics.clone();
    if generics.type_params().next().is_some() {
        let (_, arguments, _) = input.generics.split_for_impl();
        let itself: syn::WherePredicate =
            syn::parse_quote!(#ident #arguments: #private::Run + #private::Argument);
        for param in generics.type_params_mut() {
            param.bounds.push(syn::parse_quote!('static));
        }
        let output: syn::WherePredicate =
            syn::parse_quote!(<#ident #arguments as #private::Run>::Output: #private::IntoReply);
        generics
            .make_where_clause()
            .predicates
            .extend([itself, output]);
    }
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let (allowed, imports) = (allowed(), imports(Kind::Tool, private));
    quote! {
        #allowed
        const _: () = {
            #imports

            #[automatically_derived]
            impl #impl_generics #private::Tool for #ident #ty_generics #where_clause {
                const NAME: &'static str = #name;

                type Output = #output;

                fn definition() -> #private::ToolDefinition {
                    #definition
                }
            }
        };
    }
}
