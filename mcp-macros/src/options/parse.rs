use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Expr, Ident, LitStr, Token, Visibility, parenthesized};

use crate::kind::Kind;
use crate::mistakes::Mistakes;

/// One of the settings: `read_only`, `name = "…"` or `flow(…)`.
pub(crate) struct Setting {
    pub(crate) key: Ident,
    pub(crate) form: Form,
    /// What stands before a value, as in `client = pub NotesClient`.
    pub(crate) visibility: Visibility,
}

/// How a setting is written.
pub(crate) enum Form {
    Word,
    Value(Box<Expr>),
    List(TokenStream),
}

/// All settings of a list. What can't be read is a mistake, and reading goes on after the next comma.
pub(crate) fn settings(tokens: TokenStream, mistakes: &mut Mistakes) -> Vec<Setting> {
    // The parser consumes all tokens, so it does not fail.
    (|input: ParseStream<'_>| all(input, mistakes))
        .parse2(tokens)
        .unwrap_or_default()
}

/// What an attribute says: settings, and for a resource its URI before them.
#[derive(Default)]
pub(crate) struct Said {
    pub(crate) uri: Option<LitStr>,
    pub(crate) settings: Vec<Setting>,
    /// Where the attribute is, when that can be known.
    pub(crate) at: Option<Span>,
}

impl Said {
    pub(crate) fn parse(kind: Kind, tokens: TokenStream, mistakes: &mut Mistakes) -> Self {
        if kind != Kind::Resource {
            return Self {
                settings: settings(tokens, mistakes),
                ..Self::default()
            };
        }
        let parser = |input: ParseStream<'_>| {
            let uri: Option<LitStr> = input.peek(LitStr).then(|| input.parse()).transpose()?;
            if uri.is_some() && !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
            let settings = all(input, mistakes)?;
            Ok(Self {
                uri,
                settings,
                at: None,
            })
        };
        let said = parser.parse2(tokens);
        mistakes.keep(said).unwrap_or_default()
    }
}

fn all(input: ParseStream<'_>, mistakes: &mut Mistakes) -> syn::Result<Vec<Setting>> {
    let mut settings = Vec::new();
    while !input.is_empty() {
        match setting(input) {
            Ok(setting) => settings.push(setting),
            Err(error) => {
                mistakes.push(error);
                while !input.is_empty() && !input.peek(Token![,]) {
                    input.parse::<proc_macro2::TokenTree>()?;
                }
            }
        }
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(settings)
}

fn setting(input: ParseStream<'_>) -> syn::Result<Setting> {
    if !input.peek(Ident::peek_any) {
        return Err(input.error("expected a word, as in `read_only` or `name = \"search\"`"));
    }
    let key = input.call(Ident::parse_any)?;
    let mut visibility = Visibility::Inherited;
    let form = if input.peek(syn::token::Paren) {
        let list;
        parenthesized!(list in input);
        Form::List(list.parse()?)
    } else if input.parse::<Option<Token![=]>>()?.is_some() {
        visibility = input.parse()?;
        Form::Value(Box::new(ungrouped(input.parse()?)))
    } else {
        Form::Word
    };
    if !input.is_empty() && !input.peek(Token![,]) {
        return Err(input.error("expected a comma between two settings"));
    }
    Ok(Setting {
        key,
        form,
        visibility,
    })
}

/// What a macro by example hands on comes in groups without delimiters: `$title` is as good as the string behind it.
fn ungrouped(mut value: Expr) -> Expr {
    while let Expr::Group(group) = value {
        value = *group.expr;
    }
    value
}
