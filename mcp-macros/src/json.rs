//! JSON written as Rust tokens, as in `meta("vendor/rank" = [1, null])`.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Lit, LitStr, Token};

/// One JSON value, as its text.
pub(crate) struct Json(pub(crate) String);

const EXPECTED: &str =
    "expected JSON: a string, a number, `true`, `false`, `null`, `[…]` or `{\"key\": …}`";

impl Parse for Json {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let minus = input.parse::<Option<Token![-]>>()?.map_or("", |_| "-");
        if input.peek(Lit) {
            return literal(minus, &input.parse()?).map(Self);
        }
        match input
            .parse::<TokenTree>()
            .map_err(|end| syn::Error::new(end.span(), EXPECTED))?
        {
            TokenTree::Ident(word) if word == "null" && minus.is_empty() => {
                Ok(Self("null".to_owned()))
            }
            TokenTree::Group(group) if minus.is_empty() => match group.delimiter() {
                Delimiter::Bracket => array(group.stream()).map(Self),
                Delimiter::Brace => object(group.stream()).map(Self),
                Delimiter::Parenthesis | Delimiter::None => {
                    Err(syn::Error::new(group.span(), EXPECTED))
                }
            },
            other => Err(syn::Error::new_spanned(other, EXPECTED)),
        }
    }
}

fn literal(minus: &str, literal: &Lit) -> syn::Result<String> {
    match literal {
        Lit::Str(text) if minus.is_empty() => Ok(quoted(&text.value())),
        Lit::Bool(flag) if minus.is_empty() => Ok(flag.value.to_string()),
        Lit::Int(number) if number.suffix().is_empty() => {
            Ok(format!("{minus}{}", number.base10_digits()))
        }
        Lit::Float(number)
            if number.suffix().is_empty()
                && number.base10_parse::<f64>().is_ok_and(f64::is_finite) =>
        {
            // Rust allows `1.`, JSON does not.
            let digits = number.base10_digits();
            let zero = if digits.ends_with('.') { "0" } else { "" };
            Ok(format!("{minus}{digits}{zero}"))
        }
        _ => Err(syn::Error::new_spanned(literal, EXPECTED)),
    }
}

fn array(tokens: TokenStream) -> syn::Result<String> {
    let values = Punctuated::<Json, Token![,]>::parse_terminated.parse2(tokens)?;
    let values: Vec<String> = values.into_iter().map(|value| value.0).collect();
    Ok(format!("[{}]", values.join(",")))
}

fn object(tokens: TokenStream) -> syn::Result<String> {
    let members = Punctuated::<Member, Token![,]>::parse_terminated.parse2(tokens)?;
    let members: Vec<String> = members.into_iter().map(|member| member.0).collect();
    Ok(format!("{{{}}}", members.join(",")))
}

struct Member(String);

impl Parse for Member {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key: LitStr = input.parse()?;
        input.parse::<Token![:]>()?;
        let value: Json = input.parse()?;
        Ok(Self(format!("{}:{}", quoted(&key.value()), value.0)))
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A key and its value, as in `"vendor/rank" = 3`.
pub(crate) struct Pair {
    pub(crate) key: LitStr,
    pub(crate) value: Json,
}

impl Parse for Pair {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Self {
            key,
            value: input.parse()?,
        })
    }
}

impl ToTokens for Json {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(rust: &str) -> Option<String> {
        syn::parse_str::<Json>(rust).ok().map(|json| json.0)
    }

    #[test]
    fn values_of_every_kind_become_their_text() {
        assert_eq!(json("-1.5").as_deref(), Some("-1.5"));
        assert_eq!(json("1.").as_deref(), Some("1.0"));
        assert_eq!(json("1_000").as_deref(), Some("1000"));
        assert_eq!(
            json(r#"{"a": [true, null], "b\n": "\""}"#).as_deref(),
            Some(r#"{"a":[true,null],"b\u000a":"\""}"#)
        );
    }

    #[test]
    fn what_json_does_not_have_is_refused() {
        for rust in [
            "1u8", "'c'", "nil", "-\"a\"", "(1)", "b\"a\"", "-true", "1e999",
        ] {
            assert_eq!(json(rust), None, "{rust}");
        }
    }
}
