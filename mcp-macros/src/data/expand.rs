use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::WherePredicate;

use super::check::{DERIVED, Data};
use crate::expand::{allowed, conditions, path_text};

/// The item with the derives in front.
pub(super) fn data(data: &Data) -> TokenStream {
    let Data {
        krate,
        attributes,
        item,
        derived,
        ..
    } = data;
    let private = quote!(#krate::__private);
    let ours: Vec<Ident> = DERIVED
        .into_iter()
        .filter(|name| !derived.contains(name))
        .map(|name| Ident::new(name, Span::call_site()))
        .collect();
    let derive = (!ours.is_empty()).then(|| quote!(#[derive(#(#private::#ours),*)]));
    let serde = path_text(&quote!(#private::serde));
    let schemars = ours.iter().any(|name| name == "JsonSchema").then(|| {
        let path = path_text(&quote!(#private::schemars));
        quote!(#[schemars(crate = #path)])
    });
    let form = (ours.iter())
        .any(|name| name == "Form")
        .then(|| quote!(#[form(crate = #krate)]));
    let returned = derived.is_empty().then(|| returned(data, &private));
    quote! {
        #derive
        #form
        #[serde(crate = #serde)]
        #schemars
        #(#attributes)*
        #item

        #returned
    }
}

/// What the type is for the client of a tool that returns it.
fn returned(data: &Data, private: &TokenStream) -> TokenStream {
    let ident = &data.ident;
    let mut generics = data.generics.clone();
    let (_, arguments, _) = data.generics.split_for_impl();
    // With `for`, it is no error when the user's attributes make it untrue.
    let read: WherePredicate =
        syn::parse_quote!(for<'always> #ident #arguments: #private::DeserializeOwned);
    generics.make_where_clause().predicates.push(read);
    let (impl_generics, arguments, where_clause) = generics.split_for_impl();
    let (conditions, allowed) = (conditions(&data.attributes), allowed());
    // Inlined, the method is no work for the compiler until a client calls it.
    quote! {
        #(#conditions)*
        #allowed
        #[automatically_derived]
        impl #impl_generics #private::Returned for #ident #arguments #where_clause {
            type Value = Self;

            #[inline]
            fn from_result(
                result: #private::CallToolResult,
            ) -> ::core::result::Result<Self, #private::String> {
                #private::read_result(&result)
            }
        }
    }
}
