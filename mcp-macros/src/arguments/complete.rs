//! `#[complete(…)]`: how an argument of a prompt or a variable of a resource goes on while a person types it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprPath, LitStr, Member, Token};

use super::check::{Arguments, Where};
use crate::expand::{local, respanned};
use crate::kind::Kind;
use crate::mistakes::Mistakes;
use crate::set::Holds;

/// What `#[complete(…)]` says.
pub(super) enum Complete {
    /// All values that there are.
    Values(Vec<LitStr>),
    /// A function of what was typed.
    Function(ExprPath),
    /// A method of the value that a set shares, as in `self.titles`.
    Method(Ident),
}

const EXPECTED: &str = "`#[complete]` takes a function, as in `#[complete(languages)]`, or all values, as in `#[complete(\"rust\", \"go\")]`";

impl Complete {
    /// Where a completer that is none is reported.
    fn place(&self) -> Span {
        match self {
            Self::Values(_) => Span::call_site(),
            Self::Function(path) => path.span(),
            Self::Method(name) => name.span(),
        }
    }

    pub(super) fn check(
        at: Span,
        list: Option<TokenStream>,
        around: Where<'_>,
        mistakes: &mut Mistakes,
    ) -> Option<Self> {
        if around.kind == Kind::Tool {
            mistakes.at(
                at,
                "a model fills in the arguments of a tool, and nobody types them; `#[complete]` is for prompts and resources",
            );
            return None;
        }
        let Some(list) = list.filter(|list| !list.is_empty()) else {
            mistakes.at(at, EXPECTED);
            return None;
        };
        let parser = |input: ParseStream<'_>| {
            if input.peek(LitStr) {
                let values = Punctuated::<LitStr, Token![,]>::parse_terminated(input)?;
                return Ok(Ok(Vec::from_iter(values)));
            }
            let expr: Expr = input.parse()?;
            input.parse::<Option<Token![,]>>()?;
            if !input.is_empty() {
                return Err(input.error("a function stands alone in `#[complete(…)]`"));
            }
            Ok(Err(expr))
        };
        match mistakes.keep(parser.parse2(list))? {
            Ok(values) => {
                refuse_repeated(&values, mistakes);
                Some(Self::Values(values))
            }
            Err(Expr::Path(path)) => Some(Self::Function(path)),
            Err(Expr::Field(field)) => {
                if let (Expr::Path(base), Member::Named(name)) = (&*field.base, &field.member)
                    && base.path.is_ident("self")
                {
                    if around.self_type.is_none() {
                        mistakes.under(&field.base, "there is no `self` here; name a function");
                    }
                    return Some(Self::Method(name.clone()));
                }
                mistakes.under(field, EXPECTED);
                None
            }
            Err(other) => {
                mistakes.under(other, EXPECTED);
                None
            }
        }
    }
}

fn refuse_repeated(values: &[LitStr], mistakes: &mut Mistakes) {
    for (place, value) in values.iter().enumerate() {
        if values[..place]
            .iter()
            .any(|earlier| earlier.value() == value.value())
        {
            mistakes.under(value, "this is listed twice");
        }
    }
}

/// What the expansion of completers needs to know.
#[derive(Clone, Copy)]
pub(crate) struct Completing<'a> {
    pub(crate) private: &'a TokenStream,
    /// The local that holds the value of a set.
    pub(crate) this: Option<&'a Ident>,
    /// The methods of the block that take this value.
    pub(crate) methods: &'a [(Ident, Holds)],
}

/// The calls that add the completers to a definition.
pub(crate) fn completers(arguments: &Arguments, around: Completing<'_>) -> TokenStream {
    let calls = arguments.named.iter().filter_map(|argument| {
        let complete = argument.complete.as_ref()?;
        let (name, _) = argument.wire_name();
        let completer = around.completer(complete);
        let place = complete.place();
        Some(quote_spanned!(place=> .with_completer(#name, #completer)))
    });
    calls.collect()
}

impl Completing<'_> {
    fn completer(self, complete: &Complete) -> TokenStream {
        let Self { private, .. } = self;
        let typed = local("typed");
        match complete {
            Complete::Values(values) => quote! {
                |#typed: #private::Completing| {
                    ::core::future::ready(#private::Completion::matching(&#typed, [#(#values),*]))
                }
            },
            Complete::Function(path) => match self.method_of(path) {
                Some((name, holds)) => self.shared(name, holds, &typed),
                None => {
                    let place = path.span();
                    let typed_so_far = respanned(quote!(&#typed), place);
                    let call = quote_spanned!(place=> #path(#typed_so_far));
                    let body = self.found(&call, place);
                    quote_spanned!(place=> |#typed: #private::Completing| async move { #body })
                }
            },
            Complete::Method(name) => {
                let known = self.methods.iter().find(|(known, _)| known == name);
                let holds = known.map_or(Holds::Borrowed, |(_, holds)| *holds);
                self.shared(name, holds, &typed)
            }
        }
    }

    /// `Self::titles`, if that is a method of the same block that takes the value.
    fn method_of<'p>(&self, path: &'p ExprPath) -> Option<(&'p Ident, Holds)> {
        let segments = &path.path.segments;
        if path.qself.is_some() || segments.len() != 2 || segments[0].ident != "Self" {
            return None;
        }
        let name = &segments[1].ident;
        let known = self.methods.iter().find(|(known, _)| known == name);
        known.map(|(_, holds)| (name, *holds))
    }

    fn shared(self, name: &Ident, holds: Holds, typed: &Ident) -> TokenStream {
        let Self { private, this, .. } = self;
        let place = name.span();
        let shared = local("shared");
        let typed_so_far = respanned(quote!(&#typed), place);
        let receiver = match holds {
            Holds::Borrowed => quote!(&#this),
            Holds::Shared => quote!(#private::share(&#this)),
        };
        let receiver = respanned(receiver, place);
        let call = quote_spanned!(place=> Self::#name(#receiver, #typed_so_far));
        let body = self.found(&call, place);
        quote_spanned! {place=> {
            let #shared = #private::share(&#this);
            move |#typed: #private::Completing| {
                let #this = #private::share(&#shared);
                async move { #body }
            }
        }}
    }

    /// What a call gives, awaited if it is a future.
    fn found(self, call: &TokenStream, place: Span) -> TokenStream {
        let Self { private, .. } = self;
        let (found, way) = (local("found"), local("way"));
        // What can't be returned is reported where the value is, so that is made to be where the function is named.
        let values = respanned(quote!(#found), place);
        let completed = quote_spanned!(place=> IntoCompletion::into_completion(#values));
        quote! {
            let #found = #call;
            let #way = (&&#private::Completes::of(&#found)).completes();
            let #found = #way.wait(#found).await;
            #private::#completed
        }
    }
}
