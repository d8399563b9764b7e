use proc_macro2::Span;
use syn::{Expr, ExprLit, Lit, LitStr};

use super::check::{text, words};
use super::parse::{Form, Setting};
use crate::mistakes::Mistakes;

/// What only `#[resource(…)]` says.
#[derive(Default)]
pub(crate) struct ResourceOptions {
    pub(crate) mime_type: Option<LitStr>,
    /// Variants of `Role`.
    pub(crate) audience: Vec<&'static str>,
    pub(crate) priority: Option<f64>,
    pub(crate) last_modified: Option<Expr>,
    pub(crate) size: Option<(Span, Expr)>,
}

impl ResourceOptions {
    pub(super) fn set(&mut self, key: &str, setting: Setting, mistakes: &mut Mistakes) {
        match key {
            "mime_type" => self.mime_type = mime_type(setting, mistakes),
            "audience" => self.audience = audience(setting, mistakes),
            "priority" => self.priority = priority(&setting, mistakes),
            "last_modified" => self.last_modified = last_modified(setting, mistakes),
            _ => self.size = size(setting, mistakes),
        }
    }
}

fn mime_type(setting: Setting, mistakes: &mut Mistakes) -> Option<LitStr> {
    let written = text(setting, "text/markdown", mistakes)?;
    let value = written.value();
    let is_one = value.split_once('/').is_some_and(|(kind, rest)| {
        !kind.is_empty()
            && !rest.is_empty()
            && value.chars().all(|c| c.is_ascii_graphic() || c == ' ')
    });
    if !is_one {
        mistakes.under(
            &written,
            "a media type has two parts, as in `mime_type = \"text/markdown\"`",
        );
    }
    is_one.then_some(written)
}

fn audience(setting: Setting, mistakes: &mut Mistakes) -> Vec<&'static str> {
    const EXPECTED: &str =
        "`audience` is a list of `user` and `assistant`, as in `audience = [user]`";
    let Form::Value(value) = setting.form else {
        mistakes.under(&setting.key, EXPECTED);
        return Vec::new();
    };
    let Expr::Array(list) = *value else {
        mistakes.under(value, EXPECTED);
        return Vec::new();
    };
    if list.elems.is_empty() {
        mistakes.under(&list, "nobody would be meant; leave `audience` out");
    }
    let mut audience = Vec::new();
    for role in &list.elems {
        let found = match role {
            Expr::Path(path) if path.path.is_ident("user") => "User",
            Expr::Path(path) if path.path.is_ident("assistant") => "Assistant",
            _ => {
                mistakes.under(role, EXPECTED);
                continue;
            }
        };
        if audience.contains(&found) {
            mistakes.under(role, "this is listed twice");
        } else {
            audience.push(found);
        }
    }
    audience
}

fn priority(setting: &Setting, mistakes: &mut Mistakes) -> Option<f64> {
    const EXPECTED: &str = "`priority` is a number from 0 to 1, as in `priority = 0.8`";
    let Form::Value(value) = &setting.form else {
        mistakes.under(&setting.key, EXPECTED);
        return None;
    };
    let number = match &**value {
        Expr::Lit(ExprLit {
            lit: Lit::Float(number),
            ..
        }) => number.base10_parse().ok(),
        Expr::Lit(ExprLit {
            lit: Lit::Int(number),
            ..
        }) => number.base10_parse().ok(),
        _ => None,
    };
    let number = number.filter(|number: &f64| (0.0..=1.0).contains(number));
    if number.is_none() {
        mistakes.under(value, EXPECTED);
    }
    number
}

fn last_modified(setting: Setting, mistakes: &mut Mistakes) -> Option<Expr> {
    const EXAMPLE: &str = "`last_modified = \"2026-07-28T12:00:00Z\"`";
    if !matches!(setting.form, Form::Value(_)) {
        let message = format!("`last_modified` needs a time, as in {EXAMPLE}");
        mistakes.under(&setting.key, message);
        return None;
    }
    let value = words(setting, mistakes)?;
    if let Expr::Lit(ExprLit {
        lit: Lit::Str(text),
        ..
    }) = &value
        && !begins_with_a_date(&text.value())
    {
        mistakes.under(
            text,
            format!("a time is written as ISO 8601 has it, as in {EXAMPLE}"),
        );
        return None;
    }
    Some(value)
}

fn begins_with_a_date(text: &str) -> bool {
    let date = text.as_bytes().get(..10);
    date.is_some_and(|date| {
        (date.iter().enumerate()).all(|(place, byte)| match place {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
    })
}

fn size(setting: Setting, mistakes: &mut Mistakes) -> Option<(Span, Expr)> {
    const EXPECTED: &str = "`size` is a number of bytes or a constant, as in `size = 1024`";
    let at = setting.key.span();
    let Form::Value(value) = setting.form else {
        mistakes.at(at, EXPECTED);
        return None;
    };
    match &*value {
        Expr::Lit(ExprLit {
            lit: Lit::Int(_), ..
        })
        | Expr::Path(_) => Some((at, *value)),
        other => {
            mistakes.under(other, EXPECTED);
            None
        }
    }
}
