use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned as _;
use syn::{Type, WherePredicate};

use super::check::{Form, Part, Shape};
use crate::expand::respanned;

/// The traits that the type has, on the condition that its parts have theirs.
pub(super) fn form(form: &Form) -> TokenStream {
    let krate = &form.krate;
    let private = quote!(#krate::__private);
    let (whole, field, choice) = (quote!(Form), quote!(FormField), quote!(FormChoice));
    match &form.shape {
        Shape::Whole(parts) => {
            let bounds = parts.iter().map(|part| match part {
                Part::Field(ty) => bound(ty, &private, &field),
                Part::Flattened(ty) => bound(ty, &private, &whole),
            });
            implementation(form, &private, &whole, bounds.collect())
        }
        Shape::Like(ty) => [whole, field, choice]
            .iter()
            .map(|kind| implementation(form, &private, kind, vec![bound(ty, &private, kind)]))
            .collect(),
        Shape::Choice => [field, choice]
            .iter()
            .map(|kind| implementation(form, &private, kind, Vec::new()))
            .collect(),
        Shape::Other => TokenStream::new(),
    }
}

/// Without `for`, a bound that does not hold would be an error here rather than where a person is asked.
fn bound(ty: &Type, private: &TokenStream, kind: &TokenStream) -> WherePredicate {
    let kind = respanned(quote!(#private::#kind), ty.span());
    syn::parse_quote_spanned!(ty.span()=> for<'always> #ty: #kind)
}

fn implementation(
    form: &Form,
    private: &TokenStream,
    kind: &TokenStream,
    bounds: Vec<WherePredicate>,
) -> TokenStream {
    let ident = &form.ident;
    let mut generics = form.generics.clone();
    if !bounds.is_empty() {
        generics.make_where_clause().predicates.extend(bounds);
    }
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        #[doc(hidden)]
        #[allow(private_bounds, deprecated, unused_qualifications)]
        impl #impl_generics #private::#kind for #ident #ty_generics #where_clause {}
    }
}
