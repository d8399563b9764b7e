//! The grammar: RFC 6570, section 2, levels 1 to 3.
//!
//! ```text
//! template   = *( literal / expression )
//! expression = "{" [ operator ] variable *( "," variable ) "}"
//! operator   = "+" / "#" / "." / "/" / ";" / "?" / "&"
//! variable   = name-char *( [ "." ] name-char )
//! name-char  = letter / digit / "_" / escape
//! literal    = escape / reserved / unreserved / any character beyond ASCII that is no control
//! ```
//!
//! On top of it come the rules of [`Order`]: without them, where a query begins would be a guess.

use std::ops::Range;

use std::fmt;

use super::chars::{ANY, escaped};

/// The longest template. Real ones are well below a hundred bytes.
pub(super) const MAX_TEMPLATE: usize = 8 << 10;
/// The most variables of a template, repeated ones counted each time.
pub(super) const MAX_VARIABLES: usize = 64;

/// Why a text is no URI template, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UriTemplateError {
    offset: usize,
    problem: Problem,
}

impl fmt::Display for UriTemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, problem } = self;
        write!(f, "{problem}, at byte {offset} of the URI template")
    }
}

impl std::error::Error for UriTemplateError {}

impl UriTemplateError {
    /// Where, in bytes from the beginning of the template.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    TooLong,
    TooManyVariables,
    Unclosed,
    Unopened,
    BadLiteral(char),
    BadEscape,
    NoName,
    BadName(char),
    ReservedOperator(char),
    Explode,
    Prefix,
    LateQuery,
    AfterQuery,
    SecondFragment,
    RepeatedParameter,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "longer than {MAX_TEMPLATE} bytes"),
            Self::TooManyVariables => write!(f, "more than {MAX_VARIABLES} variables"),
            Self::Unclosed => f.write_str("`{` without its `}`"),
            Self::Unopened => f.write_str("`}` without its `{`"),
            Self::BadLiteral(c) => write!(f, "{c:?} can't stand in a URI: write it as an escape"),
            Self::BadEscape => f.write_str("`%` without two hexadecimal digits"),
            Self::NoName => f.write_str("a variable without a name"),
            Self::BadName(c) => write!(f, "{c:?} can't be part of a variable's name, which holds letters, digits, `_` and single `.` between them"),
            Self::ReservedOperator(c) => write!(f, "the operator `{c}` is reserved and has no meaning"),
            Self::Explode => f.write_str("`*` is not supported: for a path of many segments write `{+name}`"),
            Self::Prefix => f.write_str("prefixes of values (`:` and a number) are not supported"),
            Self::LateQuery => f.write_str("a query begins once, before the fragment: after a `?` write `{&…}`"),
            Self::AfterQuery => f.write_str("after `{?…}` or `{&…}` only a fragment may follow; parameters go into the one expression"),
            Self::SecondFragment => f.write_str("a second `#`"),
            Self::RepeatedParameter => f.write_str("the parameter is named twice"),
        }
    }
}

impl Problem {
    fn at(self, offset: usize) -> UriTemplateError {
        UriTemplateError {
            offset,
            problem: self,
        }
    }
}

/// What an expression begins with (RFC 6570, 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// `{x}`
    Simple,
    /// `{+x}`
    Reserved,
    /// `{#x}`
    Fragment,
    /// `{.x}`
    Label,
    /// `{/x}`
    Segment,
    /// `{;x}`
    Parameter,
    /// `{?x}`
    Query,
    /// `{&x}`
    Continuation,
}

impl Operator {
    /// What the expansion begins with, if any variable is defined.
    pub(super) fn first(self) -> &'static str {
        match self {
            Self::Simple | Self::Reserved => "",
            Self::Fragment => "#",
            Self::Label => ".",
            Self::Segment => "/",
            Self::Parameter => ";",
            Self::Query => "?",
            Self::Continuation => "&",
        }
    }

    /// What stands between two variables.
    pub(super) fn separator(self) -> &'static str {
        match self {
            Self::Simple | Self::Reserved | Self::Fragment => ",",
            Self::Label => ".",
            Self::Segment => "/",
            Self::Parameter => ";",
            Self::Query | Self::Continuation => "&",
        }
    }

    /// Whether reserved characters of values stay as they are.
    pub(super) fn is_wide(self) -> bool {
        matches!(self, Self::Reserved | Self::Fragment)
    }

    pub(super) fn is_query(self) -> bool {
        matches!(self, Self::Query | Self::Continuation)
    }
}

/// A piece of a template. Ranges are of its text.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Literal(Range<usize>),
    Expression(Operator, Vec<Range<usize>>),
}

/// Splits a template into its parts.
pub(super) fn parse(template: &str) -> Result<Vec<Part>, UriTemplateError> {
    if template.len() > MAX_TEMPLATE {
        return Err(Problem::TooLong.at(MAX_TEMPLATE));
    }
    let mut parts = Vec::new();
    let mut order = Order::default();
    let mut variables = 0;
    let mut at = 0;
    while at < template.len() {
        let rest = &template[at..];
        let part = if let Some(inside) = rest.strip_prefix('{') {
            let end = inside.find('}').ok_or_else(|| Problem::Unclosed.at(at))?;
            let (operator, names) = expression(&inside[..end], at + 1)?;
            variables += names.len();
            if variables > MAX_VARIABLES {
                return Err(Problem::TooManyVariables.at(at));
            }
            order.expression(template, at, operator, &names)?;
            at += end + 2;
            Part::Expression(operator, names)
        } else {
            let text = &rest[..rest.find('{').unwrap_or(rest.len())];
            literal(text, at)?;
            order.literal(text, at)?;
            at += text.len();
            Part::Literal(at - text.len()..at)
        };
        parts.push(part);
    }
    Ok(parts)
}

fn literal(text: &str, start: usize) -> Result<(), UriTemplateError> {
    for (at, char) in text.char_indices() {
        let fine = match char {
            '}' => return Err(Problem::Unopened.at(start + at)),
            '%' if escaped(&text.as_bytes()[at..]).is_none() => {
                return Err(Problem::BadEscape.at(start + at));
            }
            '%' => true,
            _ if char.is_ascii() => ANY.has(text.as_bytes()[at]),
            _ => !char.is_control(),
        };
        if !fine {
            return Err(Problem::BadLiteral(char).at(start + at));
        }
    }
    Ok(())
}

/// What is between the braces, which begins at `start` of the template.
fn expression(
    inside: &str,
    start: usize,
) -> Result<(Operator, Vec<Range<usize>>), UriTemplateError> {
    let operator = match inside.chars().next() {
        Some('+') => Operator::Reserved,
        Some('#') => Operator::Fragment,
        Some('.') => Operator::Label,
        Some('/') => Operator::Segment,
        Some(';') => Operator::Parameter,
        Some('?') => Operator::Query,
        Some('&') => Operator::Continuation,
        Some(reserved @ ('=' | ',' | '!' | '@' | '|')) => {
            return Err(Problem::ReservedOperator(reserved).at(start));
        }
        _ => Operator::Simple,
    };
    let mut at = start + usize::from(operator != Operator::Simple);
    let mut names = Vec::new();
    for text in inside[at - start..].split(',') {
        name(text, at)?;
        names.push(at..at + text.len());
        at += text.len() + 1;
    }
    Ok((operator, names))
}

fn name(text: &str, start: usize) -> Result<(), UriTemplateError> {
    if text.is_empty() {
        return Err(Problem::NoName.at(start));
    }
    // A dot stands between two other characters.
    let mut dot_allowed = false;
    for (at, char) in text.char_indices() {
        let problem = match char {
            'A'..='Z' | 'a'..='z' | '0'..='9' | '_' => None,
            '.' if dot_allowed && at + 1 < text.len() => None,
            '%' if escaped(&text.as_bytes()[at..]).is_some() => None,
            '%' => Some(Problem::BadEscape),
            '*' if at + 1 == text.len() => Some(Problem::Explode),
            ':' => Some(Problem::Prefix),
            '{' => Some(Problem::Unclosed),
            _ => Some(Problem::BadName(char)),
        };
        if let Some(problem) = problem {
            return Err(problem.at(start + at));
        }
        dot_allowed = char != '.';
    }
    Ok(())
}

/// What may come after what, so that a URI shows where its query and its fragment begin: one `{?…}` or `{&…}` at most,
/// not after a `#` and the former not after a `?`; after it only a fragment; one `#`.
#[derive(Debug, Default)]
struct Order {
    question_mark: bool,
    hash: bool,
    query: bool,
}

impl Order {
    fn literal(&mut self, text: &str, start: usize) -> Result<(), UriTemplateError> {
        if self.query && !self.hash && !text.starts_with('#') {
            return Err(Problem::AfterQuery.at(start));
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
        operator: Operator,
        names: &[Range<usize>],
    ) -> Result<(), UriTemplateError> {
        if operator == Operator::Fragment {
            return self.fragment(start);
        }
        if self.query && !self.hash {
            return Err(Problem::AfterQuery.at(start));
        }
        if operator.is_query() {
            if self.hash || (operator == Operator::Query && self.question_mark) {
                return Err(Problem::LateQuery.at(start));
            }
            self.query = true;
            for (place, name) in names.iter().enumerate() {
                let text = &template[name.clone()];
                let earlier = &names[..place];
                if earlier.iter().any(|other| &template[other.clone()] == text) {
                    return Err(Problem::RepeatedParameter.at(name.start));
                }
            }
        }
        Ok(())
    }

    fn fragment(&mut self, at: usize) -> Result<(), UriTemplateError> {
        if std::mem::replace(&mut self.hash, true) {
            return Err(Problem::SecondFragment.at(at));
        }
        Ok(())
    }
}
