//! The grammar of URI templates, as far as their variables go. What a server refuses when it is built is refused here, by
//! the same rules: RFC 6570, levels 1 to 3, and one place at most for a query and for a fragment.

use std::ops::Range;

const MAX_TEMPLATE: usize = 8 << 10;
const MAX_VARIABLES: usize = 64;

/// A variable of a template.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// It stands in an expression whose variables may be left out, and in no other.
    pub(crate) is_optional: bool,
    /// The expression that it stands in, for messages.
    pub(crate) expression: String,
}

/// Why a text is no template, and where, in bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) why: String,
}

fn fault<T>(at: usize, why: impl Into<String>) -> Result<T, Fault> {
    let why = why.into();
    Err(Fault { at, why })
}

/// The variables of the URI or template of a resource, in order, each once.
pub(crate) fn variables(uri: &str) -> Result<Vec<Variable>, Fault> {
    let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !scheme.chars().all(allowed) {
        return fault(0, "a URI begins with a scheme, as in `notes://all`");
    }
    parse(uri)
}

fn parse(template: &str) -> Result<Vec<Variable>, Fault> {
    if template.len() > MAX_TEMPLATE {
        return fault(
            MAX_TEMPLATE,
            format!("it is longer than {MAX_TEMPLATE} bytes"),
        );
    }
    let mut found: Vec<Variable> = Vec::new();
    let mut order = Order::default();
    let mut count = 0;
    let mut at = 0;
    while at < template.len() {
        let rest = &template[at..];
        if let Some(inside) = rest.strip_prefix('{') {
            let Some(end) = inside.find('}') else {
                return fault(at, "this `{` has no `}`");
            };
            let inside = &inside[..end];
            let (operator, names) = expression(inside, at + 1)?;
            count += names.len();
            if count > MAX_VARIABLES {
                return fault(at, format!("it has more than {MAX_VARIABLES} variables"));
            }
            order.expression(template, at, operator, &names)?;
            let is_optional = !matches!(operator, None | Some('+'));
            for name in names {
                add(&mut found, &template[name], is_optional, inside);
            }
            at += end + 2;
        } else {
            let text = &rest[..rest.find('{').unwrap_or(rest.len())];
            literal(text, at)?;
            order.literal(text, at)?;
            at += text.len();
        }
    }
    Ok(found)
}

fn add(found: &mut Vec<Variable>, name: &str, is_optional: bool, inside: &str) {
    let expression = format!("{{{inside}}}");
    match found.iter_mut().find(|known| known.name == name) {
        // All places of a variable have one value, so it is there if one of them has to be.
        Some(known) if known.is_optional && !is_optional => {
            known.is_optional = false;
            known.expression = expression;
        }
        Some(_) => {}
        None => found.push(Variable {
            name: name.to_owned(),
            is_optional,
            expression,
        }),
    }
}

fn is_escape(text: &str) -> bool {
    matches!(text.as_bytes(), [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}

fn literal(text: &str, start: usize) -> Result<(), Fault> {
    for (at, char) in text.char_indices() {
        let fine = match char {
            '}' => return fault(start + at, "this `}` has no `{`"),
            '%' if !is_escape(&text[at..]) => {
                return fault(start + at, "`%` is followed by two hexadecimal digits");
            }
            '%' => true,
            _ if char.is_ascii() => {
                char.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=".contains(char)
            }
            _ => !char.is_control(),
        };
        if !fine {
            return fault(
                start + at,
                format!("{char:?} can't stand in a URI; write it as an escape"),
            );
        }
    }
    Ok(())
}

/// The operator and the places of the names in what is between braces, which begins at `start` of the template.
fn expression(inside: &str, start: usize) -> Result<(Option<char>, Vec<Range<usize>>), Fault> {
    let first = inside.chars().next();
    if let Some(reserved @ ('=' | ',' | '!' | '@' | '|')) = first {
        return fault(start, format!("the operator `{reserved}` has no meaning"));
    }
    let operator = first.filter(|first| "+#./;?&".contains(*first));
    let mut at = start + usize::from(operator.is_some());
    let mut names = Vec::new();
    for text in inside[at - start..].split(',') {
        name(text, at)?;
        names.push(at..at + text.len());
        at += text.len() + 1;
    }
    Ok((operator, names))
}

fn name(text: &str, start: usize) -> Result<(), Fault> {
    if text.is_empty() {
        return fault(start, "a variable has a name, as in `{id}`");
    }
    // A dot stands between two other characters.
    let mut dot_allowed = false;
    for (at, char) in text.char_indices() {
        let why = match char {
            'A'..='Z' | 'a'..='z' | '0'..='9' | '_' => None,
            '.' if dot_allowed && at + 1 < text.len() => None,
            '%' if is_escape(&text[at..]) => None,
            '%' => Some("`%` is followed by two hexadecimal digits".to_owned()),
            '*' if at + 1 == text.len() => {
                Some("`*` is not supported; for a path of many segments write `{+name}`".to_owned())
            }
            ':' => Some("prefixes of values (`:` and a number) are not supported".to_owned()),
            '{' => Some("the `{` before this one has no `}`".to_owned()),
            _ => Some(format!(
                "a variable's name holds letters, digits, `_` and single `.` between them, and no {char:?}"
            )),
        };
        if let Some(why) = why {
            return fault(start + at, why);
        }
        dot_allowed = char != '.';
    }
    Ok(())
}

/// What was seen of the query and the fragment, so that a URI shows where they begin.
#[derive(Default)]
struct Order {
    question_mark: bool,
    hash: bool,
    query: bool,
}

const AFTER_QUERY: &str =
    "after `{?…}` or `{&…}` only a fragment may follow; put all parameters into the one expression";

impl Order {
    fn literal(&mut self, text: &str, start: usize) -> Result<(), Fault> {
        if self.query && !self.hash && !text.starts_with('#') {
            return fault(start, AFTER_QUERY);
        }
        for (at, byte) in text.bytes().enumerate() {
            self.question_mark |= byte == b'?';
            if byte == b'#' {
                self.fragment(start + at)?;
            }
        }
        Ok(())
    }

    fn expression(
        &mut self,
        template: &str,
        start: usize,
        operator: Option<char>,
        names: &[Range<usize>],
    ) -> Result<(), Fault> {
        if operator == Some('#') {
            return self.fragment(start);
        }
        if self.query && !self.hash {
            return fault(start, AFTER_QUERY);
        }
        if let Some(operator @ ('?' | '&')) = operator {
            if self.hash || (operator == '?' && self.question_mark) {
                return fault(
                    start,
                    "a query begins once, before the fragment; after a `?` write `{&…}`",
                );
            }
            self.query = true;
            for (place, name) in names.iter().enumerate() {
                let text = &template[name.clone()];
                let mut earlier = names[..place].iter();
                if earlier.any(|other| template[other.clone()] == *text) {
                    return fault(name.start, format!("the parameter `{text}` is named twice"));
                }
            }
        }
        Ok(())
    }

    fn fragment(&mut self, at: usize) -> Result<(), Fault> {
        if std::mem::replace(&mut self.hash, true) {
            return fault(at, "a URI has one `#`");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use mcp_core::UriTemplate;

    use super::*;

    /// Compares with what a server does: the same variables in the same order, or a fault at the same place.
    fn assert_agrees(template: &str) {
        match (parse(template), UriTemplate::parse(template)) {
            (Ok(ours), Ok(theirs)) => {
                let ours: Vec<(&str, bool)> = (ours.iter())
                    .map(|variable| (&*variable.name, variable.is_optional))
                    .collect();
                let theirs: Vec<(&str, bool)> = (theirs.variables())
                    .map(|name| (name, !theirs.is_required(name)))
                    .collect();
                assert_eq!(ours, theirs, "{template}");
            }
            (Err(ours), Err(theirs)) => {
                assert_eq!(ours.at, theirs.offset(), "{template}: {ours:?}")
            }
            (ours, theirs) => panic!("{template}: {ours:?}, but {theirs:?}"),
        }
    }

    #[test]
    fn what_a_server_takes_and_refuses_is_taken_and_refused_here() {
        let letters = [
            "{", "}", "a", ",", "?", "&", "#", "+", ".", "%", "4", "*", " ",
        ];
        let mut all = vec![String::new()];
        let mut longest = all.clone();
        for _ in 0..4 {
            longest = longest
                .iter()
                .flat_map(|text| letters.iter().map(move |letter| format!("{text}{letter}")))
                .collect();
            all.extend(longest.iter().cloned());
        }
        for text in &all {
            assert_agrees(text);
            assert_agrees(&format!("a://{text}"));
            assert_agrees(&format!("a:{{{text}}}"));
            assert_agrees(&format!("a:{{?b}}{text}"));
        }
    }

    #[test]
    fn rare_templates_are_judged_as_a_server_does() {
        for template in [
            "a:{x.y,x_1}{?x.y,é}",
            "a:{=x}",
            "a:{x:3}",
            "a:{;x,y}/{/z}{?p,p}",
            "a:b?c{&d}#{e}",
            "a:b?c{?d}",
            "a:b#c#d",
            "a:{x}#{?y}",
            "a:é\u{7}",
            "a:{%41b}",
            "a:{{x}}",
            &format!("a:{}", "b".repeat(8 << 10)),
            &"{a}".repeat(65),
        ] {
            assert_agrees(template);
        }
    }

    #[test]
    fn a_variable_is_optional_where_its_expression_may_be_left_out() {
        let found = variables("a:{b}/{+c}{/d}{.e}{;f}{?b,g}{#h}").unwrap();
        let optional: Vec<&str> = found
            .iter()
            .filter(|variable| variable.is_optional)
            .map(|variable| &*variable.name)
            .collect();
        assert_eq!(optional, ["d", "e", "f", "g", "h"]);
    }

    #[test]
    fn a_uri_has_a_scheme() {
        for text in ["", "notes", "/notes", "{scheme}://a", "1a:b", ":a"] {
            assert_eq!(variables(text).unwrap_err().at, 0, "{text}");
        }
        assert!(variables("a+b:c").unwrap().is_empty());
    }
}
