//! Doc comments as descriptions.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// What a tool's doc comment says to a model.
pub(crate) enum Description {
    None,
    /// All of it is known here.
    Text(String),
    /// Some of it is known to the compiler only, as with `#[doc = include_str!("tool.md")]`: its lines in order.
    Lines(Vec<Expr>),
}

/// The attributes that document.
pub(crate) fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

/// The description that doc comments hold: everything up to the first heading, which is for readers of the code.
pub(crate) fn description(attributes: &[Attribute]) -> Description {
    let lines: Vec<&Expr> = attributes
        .iter()
        .filter(|attribute| is_doc(attribute))
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) => Some(&pair.value),
            _ => None,
        })
        .collect();
    let literal: Option<Vec<String>> = lines.iter().map(|line| text_of(line)).collect();
    match literal {
        None => Description::Lines(lines.into_iter().cloned().collect()),
        Some(texts) => match tidied(&texts) {
            text if text.is_empty() => Description::None,
            text => Description::Text(text),
        },
    }
}

fn text_of(line: &Expr) -> Option<String> {
    match line {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    }
}

fn tidied(comments: &[String]) -> String {
    let lines: Vec<&str> = comments
        .iter()
        .flat_map(|comment| comment.split('\n'))
        .collect();
    let starred = lines.len() > 1
        && lines[1..]
            .iter()
            .all(|line| line.trim().is_empty() || line.trim_start().starts_with('*'));
    let lines: Vec<&str> = if starred {
        lines
            .iter()
            .map(|line| line.trim_start().strip_prefix('*').unwrap_or(line))
            .collect()
    } else {
        lines
    };
    let indent = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut fenced = false;
    let kept: Vec<&str> = lines
        .iter()
        .map(|line| line.get(indent..).unwrap_or("").trim_end())
        .take_while(|line| {
            fenced ^= line.starts_with("```");
            fenced || !(line.starts_with('#') && line.trim_start_matches('#').starts_with(' '))
        })
        .collect();
    kept.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(comments: &[&str]) -> String {
        let comments: Vec<String> = comments.iter().map(|line| String::from(*line)).collect();
        tidied(&comments)
    }

    #[test]
    fn lines_lose_their_common_indentation_only() {
        assert_eq!(
            described(&[" Finds files:", "", "   - by name"]),
            "Finds files:\n\n  - by name"
        );
    }

    #[test]
    fn a_heading_ends_the_description_but_not_inside_a_code_block() {
        assert_eq!(described(&[" Adds.", "", " # Errors", " Never."]), "Adds.");
        assert_eq!(described(&[" ```", " # a", " ```"]), "```\n# a\n```");
        assert_eq!(described(&[" #hash"]), "#hash");
    }

    #[test]
    fn a_block_comment_loses_its_stars() {
        assert_eq!(described(&["\n * Adds\n * numbers.\n "]), "Adds\nnumbers.");
    }
}
