use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Generics, Lit, LitInt, Path, Type, UnOp, WherePredicate};

use super::check::{Argument, Arguments, Bound, Default, Held, Taken};
use super::limits::Limits;
use crate::expand::{path_text, respanned};
use crate::generics;
use crate::tokens::{Rewrite, call_lifetime, has_lifetime, mentions};

/// What decodes the arguments.
pub(crate) struct ArgumentStruct {
    /// The hidden struct and what belongs to it. Nothing for `#[args]` and for tools without arguments.
    pub(crate) items: TokenStream,
    /// Its type, for the schema.
    pub(crate) ty: TokenStream,
    /// Statements that decode from the invocation.
    pub(crate) decode: TokenStream,
    /// The values for the parameters.
    pub(crate) values: Vec<TokenStream>,
}

impl ArgumentStruct {
    /// `invocation` names the local that is an `Invocation` or a reference to one.
    pub(crate) fn expand(
        arguments: &Arguments,
        around: &Generics,
        closed: bool,
        krate: &Path,
        invocation: &Ident,
    ) -> Self {
        let private = quote!(#krate::__private);
        let (items, ty, decode) = if let Some((_, whole)) = &arguments.whole {
            let shown = rewritten(whole, "static");
            let decoded = rewritten(whole, "_");
            let all = whole_local();
            let decode_whole = quote_spanned!(whole.span()=> #private::arguments::<#decoded>);
            let decode = quote!(let #all = #decode_whole(&#invocation)?;);
            (TokenStream::new(), shown.to_token_stream(), decode)
        } else if arguments.named.is_empty() {
            let none = if closed {
                quote!(NoArguments)
            } else {
                quote!(AnyArguments)
            };
            let decode = quote!(let #private::#none {} = #invocation.arguments()?;);
            (TokenStream::new(), quote!(#private::#none), decode)
        } else {
            expand_struct(&arguments.named, around, closed, krate, invocation)
        };
        let values = arguments
            .taken
            .iter()
            .map(|taken| value(taken, arguments, &private, invocation));
        Self {
            items,
            ty,
            decode,
            values: values.collect(),
        }
    }
}

fn value(
    taken: &Taken,
    arguments: &Arguments,
    private: &TokenStream,
    invocation: &Ident,
) -> TokenStream {
    match taken {
        Taken::Whole => whole_local().into_token_stream(),
        Taken::Lent(ty) => quote_spanned!(ty.span()=> #invocation.lent::<#ty>()?),
        Taken::Argument(index) => {
            let local = local(*index);
            match arguments.named[*index].held {
                Held::Value => quote!(#local),
                Held::Text | Held::Slice(_) => quote!(&*#local),
                Held::Nested => quote!(#private::LendAs::lend_as(&#local)),
            }
        }
    }
}

#[expect(clippy::too_many_lines, reason = "an expansion is read in one piece")]
fn expand_struct(
    named: &[Argument],
    around: &Generics,
    closed: bool,
    krate: &Path,
    invocation: &Ident,
) -> (TokenStream, TokenStream, TokenStream) {
    let private = quote!(#krate::__private);
    let held: Vec<TokenStream> = named
        .iter()
        .map(|argument| held_type(argument, &private))
        .collect();
    let all: TokenStream = held.iter().cloned().collect();
    let mut generics = generics::mentioned(around, &all);
    let names: Vec<Ident> = generics::arguments(&generics)
        .into_iter()
        .cloned()
        .collect();
    let mut decoded = decoded_bounds(named.iter(), &generics, &private);
    decoded.extend(owned_bounds(named.iter(), around, &private));
    decoded.extend(missing_bounds(named, &private));
    if !decoded.is_empty() {
        generics.make_where_clause().predicates.extend(decoded);
    }
    let (serde_bound, schemars_bound) = if !names.is_empty() {
        (quote!(, bound(deserialize = "")), quote!(, bound = ""))
    } else {
        (TokenStream::new(), TokenStream::new())
    };
    let (declared, shown, decoded) = if named.iter().any(Argument::borrows) {
        let call = call_lifetime();
        let params = &generics.params;
        (
            quote!(<#call, #params>),
            quote!(<'static, #(#names),*>),
            quote!(<'_, #(#names),*>),
        )
    } else {
        let arguments = quote!(<#(#names),*>);
        (generics.to_token_stream(), arguments.clone(), arguments)
    };
    let where_clause = &generics.where_clause;
    let serde_crate = path_text(&quote!(#private::serde));
    let schemars_crate = path_text(&quote!(#private::schemars));
    let closed = closed.then(|| quote!(, deny_unknown_fields));
    let mut defaults = TokenStream::new();
    let fields: Vec<TokenStream> = named
        .iter()
        .zip(&held)
        .enumerate()
        .map(|(index, (argument, ty))| {
            defaults.extend(default_function(index, argument, around, &private));
            field(index, argument, ty, around)
        })
        .collect();
    let items = quote! {
        #defaults
        #[derive(#private::Deserialize, #private::JsonSchema)]
        #[serde(crate = #serde_crate #closed #serde_bound)]
        #[schemars(crate = #schemars_crate #schemars_bound)]
        #[allow(non_snake_case, dead_code)]
        struct __Arguments #declared #where_clause {
            #(#fields,)*
        }
    };
    let fields = named.iter().enumerate().map(|(index, argument)| {
        let name = &argument.name;
        let local = local(index);
        quote!(#name: #local)
    });
    let decode =
        quote!(let __Arguments { #(#fields),* }: __Arguments #decoded = #invocation.arguments()?;);
    (items, quote!(__Arguments #shown), decode)
}

impl Arguments {
    /// What generics have to promise so that the arguments can be decoded.
    pub(crate) fn bounds(&self, around: &Generics, private: &TokenStream) -> Vec<WherePredicate> {
        let mut bounds = decoded_bounds(self.named.iter(), around, private);
        if let Some((_, ty)) = &self.whole
            && generics::mentions_any(&ty.to_token_stream(), around)
        {
            bounds.push(syn::parse_quote!(#ty: #private::Argument));
        }
        bounds
    }
}

fn decoded_bounds<'a>(
    named: impl Iterator<Item = &'a Argument>,
    around: &Generics,
    private: &TokenStream,
) -> Vec<WherePredicate> {
    let mut bounds = Vec::new();
    for argument in named {
        let ty = match &argument.held {
            Held::Slice(element) => element,
            _ => &argument.ty,
        };
        let tokens = ty.to_token_stream();
        if has_lifetime(&tokens) {
            // What borrows is no `Argument` itself, so its parts have to be.
            let names = generics::type_names(around);
            let parts = names.into_iter().filter(|name| mentions(&tokens, name));
            bounds.extend(parts.map(|name| syn::parse_quote!(#name: #private::Argument)));
        } else if generics::mentions_any(&tokens, around) {
            // A slice is borrowed while the function waits, maybe on another thread.
            let shared =
                matches!(argument.held, Held::Slice(_)).then(|| quote!(+ ::core::marker::Sync));
            bounds.push(syn::parse_quote!(#ty: #private::Argument #shared));
        }
    }
    bounds
}

fn held_type(argument: &Argument, private: &TokenStream) -> TokenStream {
    let ty = &argument.ty;
    let call = call_lifetime();
    match &argument.held {
        Held::Value => ty.to_token_stream(),
        Held::Text => quote_spanned!(ty.span()=> #private::Text<#call>),
        Held::Slice(element) => quote_spanned!(ty.span()=> #private::Vec<#element>),
        Held::Nested => quote_spanned!(ty.span()=> <#ty as #private::Nested>::Held),
    }
}

/// What arguments are that have no generics, which are bounded anyway, and do not borrow.
///
/// All that is derived takes these bounds as given, so that a type that breaks its promise is reported where the struct is
/// used: once, and in our words. Without `for`, rustc would look at each derived item as well.
fn owned_bounds<'a>(
    named: impl Iterator<Item = &'a Argument>,
    around: &Generics,
    private: &TokenStream,
) -> impl Iterator<Item = WherePredicate> {
    named
        .filter(|argument| !argument.is_converted())
        .filter_map(|argument| match &argument.held {
            Held::Value => Some(&argument.ty),
            Held::Slice(element) => Some(&**element),
            Held::Text | Held::Nested => None,
        })
        .filter(|ty| {
            let tokens = ty.to_token_stream();
            !has_lifetime(&tokens) && !generics::mentions_any(&tokens, around)
        })
        .map(move |ty| {
            let owned = respanned(quote!(#private::Owned), ty.span());
            syn::parse_quote_spanned!(ty.span()=> for<'always> #ty: #owned)
        })
}

/// What the variables are that a URI may leave out.
fn missing_bounds(
    named: &[Argument],
    private: &TokenStream,
) -> impl Iterator<Item = WherePredicate> {
    (named.iter())
        .filter(|argument| argument.may_be_missing)
        .map(move |argument| {
            let ty = &argument.ty;
            let may_be_missing = respanned(quote!(#private::MayBeMissing), ty.span());
            syn::parse_quote_spanned!(ty.span()=> for<'always> #ty: #may_be_missing)
        })
}

fn field(index: usize, argument: &Argument, held: &TokenStream, around: &Generics) -> TokenStream {
    let Argument {
        name,
        docs,
        passed,
        description,
        bounds,
        rename,
        ..
    } = argument;
    let borrow_word = Ident::new("borrow", Span::call_site());
    let borrowed = passed
        .iter()
        .any(|attribute| mentions(&attribute.to_token_stream(), &borrow_word));
    let borrow = (!borrowed && has_lifetime(held)).then(|| quote!(#[serde(borrow)]));
    let rename = rename
        .as_ref()
        .map(|rename| quote!(#[serde(rename = #rename)]));
    let description = description
        .as_ref()
        .map(|text| quote!(#[schemars(description = #text)]));
    let default = match &argument.default {
        Default::None => None,
        Default::OfType => Some(quote!(#[serde(default)])),
        Default::Value(_) => {
            let function = default_name(index);
            let generics = generics::mentioned(around, held);
            let types = generics::arguments(&generics);
            let turbofish = (!types.is_empty()).then(|| quote!(::<#(#types),*>));
            let path = path_text(&quote!(#function #turbofish));
            Some(quote!(#[serde(default = #path)]))
        }
    };
    let bounds = bounds.iter().map(bound);
    quote! {
        #(#docs)*
        #borrow #rename #default #description
        #(#bounds)*
        #(#passed)*
        #name: #held
    }
}

fn bound(bound: &Bound) -> TokenStream {
    match bound {
        Bound::Pattern(pattern) => quote!(#[schemars(regex(pattern = #pattern))]),
        Bound::Length(limits) => {
            let min = limits.low.iter().map(|low| widened(low, false));
            let max = limits.longest();
            let max = max.iter();
            quote!(#[schemars(length(#(min = #min,)* #(max = #max)*))])
        }
        Bound::Range(Limits {
            low,
            high,
            inclusive,
        }) => {
            let min = low.iter().map(|low| widened(low, false));
            let high = high.as_ref().map(|high| widened(high, false));
            let max = high.iter().filter(|_| *inclusive);
            let below = high.iter().filter(|_| !*inclusive);
            let inclusive = (low.is_some() || *inclusive)
                .then(|| quote!(#[schemars(range(#(min = #min,)* #(max = #max)*))]));
            quote!(#inclusive #(#[schemars(extend("exclusiveMaximum" = #below))])*)
        }
    }
}

impl Limits {
    /// The greatest length inside.
    fn longest(&self) -> Option<TokenStream> {
        let high = self.high.as_ref()?;
        if self.inclusive {
            return Some(widened(high, false));
        }
        let Expr::Lit(ExprLit {
            lit: Lit::Int(int), ..
        }) = high
        else {
            return Some(quote!((#high) - 1));
        };
        let below = int.base10_parse::<u128>().ok()?.checked_sub(1)?;
        Some(integer(&below.to_string(), below, int.span(), false))
    }
}

/// The end of a range. Nothing in an expansion says what integer it is, and rustc would make it an `i32`.
fn widened(end: &Expr, negative: bool) -> TokenStream {
    match end {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            let (minus, positive) = (&unary.op, widened(&unary.expr, !negative));
            quote!(#minus #positive)
        }
        Expr::Lit(ExprLit {
            lit: Lit::Int(int), ..
        }) if int.suffix().is_empty() => {
            let value = int.base10_parse().unwrap_or(u128::MAX);
            integer(int.base10_digits(), value, int.span(), negative)
        }
        // A macro by example puts its literals into these.
        Expr::Group(group) if matches!(&*group.expr, Expr::Lit(_) | Expr::Unary(_)) => {
            widened(&group.expr, negative)
        }
        end => end.to_token_stream(),
    }
}

fn integer(digits: &str, value: u128, span: Span, negative: bool) -> TokenStream {
    let widest = i64::MAX.unsigned_abs() + u64::from(negative);
    let suffix = match value {
        _ if i32::try_from(value).is_ok() => "",
        _ if value <= u128::from(widest) => "i64",
        _ => "u64",
    };
    LitInt::new(&format!("{digits}{suffix}"), span).to_token_stream()
}

fn default_function(
    index: usize,
    argument: &Argument,
    around: &Generics,
    private: &TokenStream,
) -> Option<TokenStream> {
    let Default::Value(value) = &argument.default else {
        return None;
    };
    let function = default_name(index);
    let ty = match &argument.held {
        Held::Text => quote!(#private::Text<'static>),
        Held::Slice(element) => {
            let element = rewritten(element, "static");
            quote!(#private::Vec<#element>)
        }
        Held::Value | Held::Nested => rewritten(&argument.ty, "static").to_token_stream(),
    };
    let text = matches!(argument.held, Held::Text)
        || matches!(&**value, Expr::Lit(literal) if matches!(literal.lit, Lit::Str(_)));
    let value = if text {
        quote_spanned!(value.span()=> ::core::convert::From::from(#value))
    } else {
        value.to_token_stream()
    };
    let generics = generics::mentioned(around, &ty);
    let where_clause = &generics.where_clause;
    Some(quote! {
        fn #function #generics () -> #ty #where_clause {
            #value
        }
    })
}

impl Argument {
    /// Whether the user says how it is decoded or shown, so that its type need not.
    fn is_converted(&self) -> bool {
        let words = ["with", "deserialize_with", "schema_with"];
        self.passed.iter().any(|attribute| {
            let tokens = attribute.to_token_stream();
            let said = |word: &&str| mentions(&tokens, &Ident::new(word, Span::call_site()));
            words.iter().any(said)
        })
    }
}

pub(super) fn rewritten(ty: &Type, lifetime: &str) -> Type {
    Rewrite {
        lifetime,
        self_type: None,
    }
    .apply(ty)
}

fn local(index: usize) -> Ident {
    format_ident!("argument_{index}", span = Span::mixed_site())
}

fn whole_local() -> Ident {
    Ident::new("all_arguments", Span::mixed_site())
}

fn default_name(index: usize) -> Ident {
    format_ident!("__default_{index}")
}
