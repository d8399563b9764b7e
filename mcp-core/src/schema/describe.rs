//! What a rule expects, in the words of a report.

use super::bounds::Bound;
use super::program::{Program, Rule, RuleId};
use super::report::{shortened, shown};
use super::tree::Tree;

/// Longer lists help nobody.
const MAX_LISTED: usize = 20;
/// How deep unions are described.
const MAX_NESTED: usize = 3;
/// The longest description of anything.
const MAX_LENGTH: usize = 300;

/// `integer`, `one of "a" or "b"`, `string or null`.
pub(super) fn describe(program: &Program, rule: &Rule) -> String {
    let text = describe_within(program, rule, 0);
    shortened(&text, MAX_LENGTH)
}

/// What the branches of a union expect: `string or object with `kind` "a"`.
pub(super) fn describe_union(program: &Program, branches: &[RuleId]) -> String {
    let text = describe_branches(program, branches, 0);
    shortened(&text, MAX_LENGTH)
}

fn describe_within(program: &Program, rule: &Rule, depth: usize) -> String {
    // Unions in unions multiply, and a definition that only refers to itself has nothing to say.
    if depth > MAX_NESTED {
        return "a value".to_owned();
    }
    if let Some(values) = &rule.values {
        return describe_values(values);
    }
    if !rule.types.is_any() {
        let names: Vec<&str> = rule.types.named().collect();
        return names.join(" or ");
    }
    let unions = &rule.unions;
    let branches = if unions.any_of.is_empty() {
        &unions.one_of
    } else {
        &unions.any_of
    };
    if !branches.is_empty() {
        return describe_branches(program, branches, depth);
    }
    if let Some(only) = unions.reference.or_else(|| unions.all_of.first().copied()) {
        return describe_within(program, program.rule(only), depth + 1);
    }
    if unions.not.is_some() {
        return "no value at all".to_owned();
    }
    "any value".to_owned()
}

fn describe_values(values: &[Tree]) -> String {
    let listed: Vec<String> = values
        .iter()
        .take(MAX_LISTED)
        .map(|value| match value {
            Tree::String(text) => Tree::String(shortened(text, 60)).to_string(),
            other => shown(other),
        })
        .collect();
    match (listed.as_slice(), values.len()) {
        ([], _) => "no value at all".to_owned(),
        ([only], _) => only.clone(),
        (_, count) if count > MAX_LISTED => {
            format!(
                "one of {} or {} more",
                listed.join(", "),
                count - MAX_LISTED
            )
        }
        ([first @ .., last], _) => format!("one of {} or {last}", first.join(", ")),
    }
}

fn describe_branches(program: &Program, branches: &[RuleId], depth: usize) -> String {
    let mut listed: Vec<String> = Vec::new();
    for &branch in branches.iter().take(MAX_LISTED) {
        let text = describe_branch(program, program.rule(branch), depth + 1);
        if !listed.contains(&text) {
            listed.push(text);
        }
    }
    listed.join(" or ")
}

/// Objects of a union are told apart by what they must hold.
fn describe_branch(program: &Program, rule: &Rule, depth: usize) -> String {
    let text = describe_within(program, rule, depth);
    if text != "object" {
        return text;
    }
    let tag = rule.object.properties.iter().find_map(|property| {
        let values = program.rule(property.rule).values.as_deref();
        match values {
            Some([only]) if property.required => Some(format!("`{}` {only}", property.name)),
            _ => None,
        }
    });
    let named = || {
        let mut names = rule.object.properties.iter().filter(|p| p.required);
        names.next().map(|property| format!("`{}`", property.name))
    };
    match tag.or_else(named) {
        Some(what) => format!("object with {what}"),
        None => text,
    }
}

/// `integer from 1 to 10`, `number greater than 0`, `integer that is a multiple of 5`.
pub(super) fn describe_number(rule: &Rule) -> String {
    let kind = if rule.types.only_integers() {
        "integer"
    } else {
        "number"
    };
    let range = match (&rule.number.lower, &rule.number.upper) {
        (Some(low), Some(high)) if !low.exclusive && !high.exclusive => {
            format!(" from {low} to {high}")
        }
        (Some(low), Some(high)) => format!(" {} and {}", above(low), below(high)),
        (Some(low), None) => format!(" {}", above(low)),
        (None, Some(high)) => format!(" {}", below(high)),
        (None, None) => match rule.number.float {
            Some(float) => format!(" that fits {} bits", float.bits()),
            None => String::new(),
        },
    };
    match &rule.number.step {
        Some(step) => format!("{kind}{range} that is a multiple of {step}"),
        None => format!("{kind}{range}"),
    }
}

fn above(bound: &Bound) -> String {
    let words = if bound.exclusive {
        "greater than"
    } else {
        "at least"
    };
    format!("{words} {bound}")
}

fn below(bound: &Bound) -> String {
    let words = if bound.exclusive {
        "less than"
    } else {
        "at most"
    };
    format!("{words} {bound}")
}

/// `string of 1 to 80 characters`, `string that matches ^a`, `string that is a date such as …`.
pub(super) fn describe_string(rule: &Rule) -> String {
    let string = &rule.string;
    let mut text = "string".to_owned();
    if string.min.is_some() || string.max.is_some() {
        let count = count("character", string.min, string.max);
        text.push_str(" of ");
        text.push_str(&count);
    }
    if let Some(pattern) = &string.pattern {
        let pattern = shortened(pattern.as_str(), 120);
        text.push_str(&format!(" that matches {pattern}"));
    }
    if let Some(format) = string.format {
        let article = match format.description().as_bytes() {
            [b'e' | b'a' | b'I', ..] => "an",
            _ => "a",
        };
        text.push_str(&format!(" that is {article} {}", format.description()));
    }
    text
}

/// `at least 1 item`, `1 to 3 items`, `2 items`.
pub(super) fn count(part: &str, min: Option<u64>, max: Option<u64>) -> String {
    let plural = |n: u64| if n == 1 { "" } else { "s" };
    match (min, max) {
        (Some(min), Some(max)) if min == max => format!("{min} {part}{}", plural(min)),
        (Some(min), Some(max)) => format!("{min} to {max} {part}s"),
        (Some(min), None) => format!("at least {min} {part}{}", plural(min)),
        (None, Some(max)) => format!("at most {max} {part}{}", plural(max)),
        (None, None) => format!("any number of {part}s"),
    }
}
