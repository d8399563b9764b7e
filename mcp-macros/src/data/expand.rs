use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::check::{DERIVED, Data};
use crate::expand::path_text;

/// The item with the derives in front.
pub(super) fn data(data: &Data) -> TokenStream {
    let Data {
        krate,
        attributes,
        item,
        derived,
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
    quote! {
        #derive
        #form
        #[serde(crate = #serde)]
        #schemars
        #(#attributes)*
        #item
    }
}
