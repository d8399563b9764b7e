use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::{Expr, ExprLit, ExprRange, Lit, RangeLimits};

use super::check::string;
use crate::mistakes::Mistakes;

/// The ends of a range, and whether the upper one is in it.
pub(crate) struct Limits {
    pub(crate) low: Option<Expr>,
    pub(crate) high: Option<Expr>,
    pub(crate) inclusive: bool,
}

impl Limits {
    pub(super) fn check(value: Expr, example: &str, mistakes: &mut Mistakes) -> Option<Self> {
        let Expr::Range(ExprRange {
            start, limits, end, ..
        }) = value
        else {
            mistakes.under(value, format!("expected a range, as in `{example}`"));
            return None;
        };
        let inclusive = matches!(limits, RangeLimits::Closed(_));
        if start.is_none() && end.is_none() {
            mistakes.under(
                limits,
                format!("a range without ends bounds nothing; write `{example}`"),
            );
            return None;
        }
        if let (Some(low), Some(high)) = (&start, &end)
            && let (Some(from), Some(to)) = (number(low), number(high))
            && (from > to || (!inclusive && from >= to))
        {
            mistakes.under(
                quote_range(low, high),
                "this range is empty; the smaller end comes first",
            );
            return None;
        }
        Some(Self {
            low: start.map(|low| *low),
            high: end.map(|high| *high),
            inclusive,
        })
    }

    pub(super) fn are_lengths(&self, mistakes: &mut Mistakes) -> bool {
        let odd = [&self.low, &self.high].into_iter().flatten().find(|end| {
            number(end).is_some_and(|n| n < 0.0 || n.fract() != 0.0) || string(end).is_some()
        });
        if let Some(odd) = odd {
            mistakes.under(odd, "a length is a whole number and not negative");
        }
        odd.is_none()
    }
}

fn quote_range(low: &Expr, high: &Expr) -> TokenStream {
    let mut tokens = low.to_token_stream();
    high.to_tokens(&mut tokens);
    tokens
}

/// The number that a literal stands for, exact enough to compare the ends of a range.
fn number(value: &Expr) -> Option<f64> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Int(int), ..
        }) => int.base10_digits().parse().ok(),
        Expr::Lit(ExprLit {
            lit: Lit::Float(float),
            ..
        }) => float.base10_digits().parse().ok(),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => {
            number(&unary.expr).map(|n| -n)
        }
        Expr::Group(group) => number(&group.expr),
        _ => None,
    }
}
