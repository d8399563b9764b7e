//! Rewriting of types, token by token, so that errors keep pointing at what the user wrote.

use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use syn::{Lifetime, Type};

/// What to put in place of lifetimes and of `Self`.
#[derive(Clone, Copy)]
pub(crate) struct Rewrite<'a> {
    /// The name, without the tick, of what every lifetime but `'static` becomes.
    pub(crate) lifetime: &'a str,
    /// What `Self` stands for.
    pub(crate) self_type: Option<&'a Type>,
}

impl Rewrite<'_> {
    /// The type with its lifetimes and `Self` replaced.
    ///
    /// A type that does not parse afterwards is left as it was, for rustc to judge.
    pub(crate) fn apply(self, ty: &Type) -> Type {
        let tokens = self.stream(quote::ToTokens::to_token_stream(ty));
        syn::parse2(tokens).unwrap_or_else(|_| ty.clone())
    }

    fn stream(self, tokens: TokenStream) -> TokenStream {
        let mut out = Vec::new();
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(tick) if tick.as_char() == '\'' => {
                    if let Some(TokenTree::Ident(name)) = tokens.next() {
                        let kept = name == "static";
                        self.push_lifetime(&mut out, name.span(), kept.then_some(name));
                    }
                }
                TokenTree::Punct(and) if and.as_char() == '&' => {
                    let span = and.span();
                    out.push(and.into());
                    let named =
                        matches!(tokens.peek(), Some(TokenTree::Punct(p)) if p.as_char() == '\'');
                    if !named {
                        self.push_lifetime(&mut out, span, None);
                    }
                }
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.stream(group.stream()));
                    inner.set_span(group.span());
                    out.push(inner.into());
                }
                TokenTree::Ident(word) if word == "Self" => match self.self_type {
                    Some(ty) => out.extend(quote::ToTokens::to_token_stream(ty)),
                    None => out.push(word.into()),
                },
                other => out.push(other),
            }
        }
        out.into_iter().collect()
    }

    fn push_lifetime(self, out: &mut Vec<TokenTree>, place: Span, kept: Option<Ident>) {
        // Lifetimes are hygienic, so all of them have to be seen from one place.
        let span = Span::call_site().located_at(place);
        let mut tick = Punct::new('\'', Spacing::Joint);
        tick.set_span(span);
        out.push(tick.into());
        out.push(
            kept.unwrap_or_else(|| Ident::new(self.lifetime, span))
                .into(),
        );
    }
}

/// Whether these tokens hold a lifetime other than `'static`, named or elided behind `&`.
pub(crate) fn has_lifetime(tokens: &TokenStream) -> bool {
    let mut tokens = tokens.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        let found = match &token {
            TokenTree::Punct(p) if p.as_char() == '\'' => {
                !matches!(tokens.peek(), Some(TokenTree::Ident(name)) if name == "static")
            }
            TokenTree::Punct(p) if p.as_char() == '&' => {
                !matches!(tokens.peek(), Some(TokenTree::Punct(p)) if p.as_char() == '\'')
            }
            TokenTree::Group(group) => has_lifetime(&group.stream()),
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}

/// Whether a reference occurs in these tokens.
pub(crate) fn has_reference(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Punct(p) => p.as_char() == '&',
        TokenTree::Group(group) => has_reference(&group.stream()),
        _ => false,
    })
}

/// Whether a word occurs in these tokens.
pub(crate) fn mentions(tokens: &TokenStream, word: &Ident) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *word,
        TokenTree::Group(group) => mentions(&group.stream(), word),
        _ => false,
    })
}

/// Whether `impl` occurs in these tokens, as in `impl Trait`.
pub(crate) fn mentions_impl(tokens: &TokenStream) -> bool {
    mentions(tokens, &Ident::new("impl", Span::call_site()))
}

/// The lifetime of everything that a call borrows from its frame.
pub(crate) fn call_lifetime() -> Lifetime {
    Lifetime::new("'call", Span::call_site())
}

/// Its name, for [`Rewrite`].
pub(crate) const CALL: &str = "call";

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    fn rewritten(ty: &str) -> String {
        let ty: Type = syn::parse_str(ty).unwrap();
        let me: Type = syn::parse_str("Notes<T>").unwrap();
        let rewrite = Rewrite {
            lifetime: CALL,
            self_type: Some(&me),
        };
        rewrite
            .apply(&ty)
            .to_token_stream()
            .to_string()
            .replace(' ', "")
    }

    #[test]
    fn lifetimes_named_and_elided_become_the_one_of_the_call() {
        assert_eq!(rewritten("&'a str"), "&'callstr");
        assert_eq!(rewritten("Cow<'_, str>"), "Cow<'call,str>");
        assert_eq!(
            rewritten("Option<(&str, [&'b u8; 2])>"),
            "Option<(&'callstr,[&'callu8;2])>"
        );
    }

    #[test]
    fn static_stays() {
        assert_eq!(rewritten("Cow<'static, str>"), "Cow<'static,str>");
        assert!(!has_lifetime(&syn::parse_str("Cow<'static, str>").unwrap()));
        assert!(has_lifetime(
            &syn::parse_str("Option<Cow<'_, str>>").unwrap()
        ));
        assert!(has_lifetime(&syn::parse_str("(u8, &str)").unwrap()));
    }

    #[test]
    fn self_becomes_the_type_of_the_impl() {
        assert_eq!(rewritten("Vec<Self>"), "Vec<Notes<T>>");
    }
}
