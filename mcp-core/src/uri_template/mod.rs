//! URI templates: RFC 6570, levels 1 to 3, in both directions.

mod ambiguity;
mod captures;
pub(crate) mod chars;
mod matching;
mod parse;
mod program;
pub(crate) mod set;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

pub use captures::UriCaptures;
pub use parse::UriTemplateError;

use chars::{ANY, UNRESERVED, encode, encode_around_escapes};
use parse::{Operator, Part};
use program::{Program, Step};

/// A pattern of URIs with variables in it, as [RFC 6570] writes them, levels 1 to 3.
///
/// ```
/// use mcp_core::UriTemplate;
///
/// let template = UriTemplate::parse("db://{table}/{id}{?fields,limit}")?;
/// let uri = template.expand([("table", "users"), ("id", "a/b"), ("limit", "5")]);
/// assert_eq!(uri, "db://users/a%2Fb?limit=5");
///
/// let values = template.match_uri("db://users/a%2fb?limit=5&fields=name").expect("it is like the template");
/// assert_eq!(values.get("id"), Some("a/b"));
/// assert_eq!(values.get("fields"), Some("name"));
/// assert!(template.match_uri("db://users/a/b").is_none());
/// # Ok::<(), mcp_core::UriTemplateError>(())
/// ```
///
/// # What a URI must look like
///
/// | written | matches | a variable |
/// |---|---|---|
/// | `{x}` | one segment: no `/`, `?`, `#` | must be there and not be empty |
/// | `{x,y}` | two values with a comma between | likewise |
/// | `{+x}` | anything, slashes too | likewise |
/// | `{/x,y}` | `/a/b` | may be left out, from the end |
/// | `{.x}` | `.a` | likewise |
/// | `{#x}` | `#a`, slashes too | likewise |
/// | `{;x,y}` | `;x=a;y=b`; `;x` if `x` is empty | may be left out, each by itself |
/// | `{?x,y}` | `?x=a&y=b` | likewise, and the order is free |
/// | `{&x}` | `&x=a`, after a `?` of the template's own | likewise |
///
/// A parameter that the template does not name, or one that comes twice, is no match. A variable that stands at several
/// places must have one value. The levels' modifiers `{x*}` and `{x:3}` are refused: for a path of many segments there
/// is `{+path}`.
///
/// URIs are compared in the normal form of RFC 3986: `%2f` is `%2F`, `%61` is `a`, `é` is `%C3%A9`, and the case of the
/// scheme and the host does not count, as far as the template spells them out: what stands in a variable is a value, whose
/// case counts, and so does that of a host of which a part is one. All else counts. Values are decoded once, and are UTF-8: what is malformed, or not UTF-8, is no match,
/// and neither is a URI longer than 8 KiB. People write URIs by hand; so a value may hold `:`, `@`, `!`, `$`, `&`, `'`,
/// `(`, `)`, `*`, `+`, `,`, `;` and `=` without an escape, unless the template has that character after the variable, or
/// it separates the values of its list.
/// A `+` is a plus. A value of `{+x}` or `{#x}` ends at a `?`, `#` (and `&`, before `{&…}`) that the template has after
/// it; one that would be an escape again when decoded (`%252F`) is no match, as the template cannot say it.
///
/// So a match has no surprises: its values, [expanded](Self::expand), give the URI back, up to its normal form, needless
/// escapes (in `{+x}`: all), and the order of parameters.
///
/// # Where one value ends and the next begins
///
/// A value takes as much as it can, from left to right, as long as the rest fits and what is optional right after it is
/// there: on `readme.tar.gz`, `{name}.{type}` and `{name}{.type}` give `readme.tar` and `gz`. This says always what a
/// match is; but `{a}{b}` or `{year}-{month}` do not give back what they were expanded from if `year` is `1-2`.
/// [`ambiguous_at`](Self::ambiguous_at) tells such templates.
///
/// # Values are not paths
///
/// A value is text that a stranger chose. `{name}` matches `..%2F..%2Fetc%2Fpasswd`, and the value is
/// `../../etc/passwd`; `{+path}` may begin with a `/`, which makes `Path::join` forget the root. Who opens a file by a
/// value takes it apart with [`Path::components`](std::path::Path::components), refuses whatever is not
/// [`Component::Normal`](std::path::Component::Normal), joins the rest to the root, and checks that the canonical path
/// (symbolic links resolved) is still below it. A value is already decoded: never decode it again.
///
/// [RFC 6570]: https://www.rfc-editor.org/rfc/rfc6570
#[derive(Clone)]
pub struct UriTemplate(Arc<Template>);

/// A URI that a template describes.
struct Match<'u> {
    /// It in the one spelling: normalised, with scheme and host as the template has them.
    uri: Cow<'u, str>,
    captures: UriCaptures,
}

struct Template {
    text: Box<str>,
    parts: Vec<Part>,
    variables: Arc<[Box<str>]>,
    program: Program,
}

impl UriTemplate {
    /// Reads a template. Nothing in it can make matching slow: time grows with the length of the URI times the number
    /// of variables.
    ///
    /// # Errors
    ///
    /// When it is longer than 8 KiB, has more than 64 variables, or is no template of level 3, the error says what is
    /// wrong and where. So is a template whose query cannot be found in a URI: `{?…}` after a `?`, anything but a
    /// fragment after `{?…}` or `{&…}`, or two fragments.
    pub fn parse(template: &str) -> Result<Self, UriTemplateError> {
        let parts = parse::parse(template)?;
        let mut variables: Vec<Box<str>> = Vec::new();
        let program = Program::new(template, &parts, |name| {
            let known = variables.iter().position(|known| **known == *name);
            known.unwrap_or_else(|| {
                variables.push(name.into());
                variables.len() - 1
            })
        });
        Ok(Self(Arc::new(Template {
            text: template.into(),
            parts,
            variables: variables.into(),
            program,
        })))
    }

    /// The template as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// The names of the variables in the order of the template, each once.
    pub fn variables(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.variables.iter().map(|name| &**name)
    }

    /// Whether every match has a value for this variable: it stands in `{x}` or `{+x}`. Others may be left out.
    #[must_use]
    pub fn is_required(&self, variable: &str) -> bool {
        self.0.program.steps.iter().any(|step| {
            matches!(step, Step::Required(slot) if *self.0.variables[slot.variable] == *variable)
        })
    }

    /// Where the template begins to be ambiguous, if it is: the byte of the first expression of which an expansion does
    /// not show where its values end, or whether they are there.
    ///
    /// If there is none, what [`expand`](Self::expand) made, [`match_uri`](Self::match_uri) takes apart into the same
    /// values, provided that those of `{x}` and `{+x}` are there and not empty, lists are left out from the end, and
    /// values of `{+x}` and `{#x}` hold no escapes and none of the characters at which they end. The answer errs on the
    /// side of ambiguity.
    #[must_use]
    pub fn ambiguous_at(&self) -> Option<usize> {
        ambiguity::find(&self.0.program)
    }

    /// Puts values in place of the variables. Those without a value are left out; values without a variable are not
    /// looked at; the last of several for one variable counts.
    ///
    /// What a URI cannot hold is escaped; `{+x}` and `{#x}` leave reserved characters and escapes as they are.
    pub fn expand<K, V>(&self, values: impl IntoIterator<Item = (K, V)>) -> String
    where
        K: AsRef<str>,
        V: AsRef<str>,
    {
        let mut given: Vec<Option<V>> = self.0.variables.iter().map(|_| None).collect();
        for (name, value) in values {
            if let Some(index) = self.index(name.as_ref()) {
                given[index] = Some(value);
            }
        }
        let mut uri = String::with_capacity(self.0.text.len());
        for part in &self.0.parts {
            match part {
                Part::Literal(range) => {
                    encode_around_escapes(&self.0.text[range.clone()], ANY, &mut uri);
                }
                Part::Expression(operator, names) => {
                    let values = names.iter().filter_map(|range| {
                        let name = self.name(range);
                        let value = given[self.index(name)?].as_ref()?;
                        Some((name, value.as_ref()))
                    });
                    expand_expression(*operator, values, &mut uri);
                }
            }
        }
        uri
    }

    /// The values of the variables in `uri`, if it is one that the template describes.
    #[must_use]
    pub fn match_uri(&self, uri: &str) -> Option<UriCaptures> {
        let normal = matching::normalise_bounded(uri)?;
        Some(self.match_normal(&normal)?.captures)
    }

    /// The same for a URI that is normalised.
    fn match_normal<'u>(&self, uri: &'u str) -> Option<Match<'u>> {
        let variables = &self.0.variables;
        let uri = self.0.program.respell(uri);
        let values = matching::captures(&self.0.program, variables.len(), &uri)?;
        let captures = UriCaptures::new(Arc::clone(variables), values);
        Some(Match { uri, captures })
    }

    /// Less is more specific: more literal characters, then fewer variables that take slashes, then fewer variables.
    fn generality(&self) -> (Reverse<usize>, usize, usize) {
        let steps = &self.0.program.steps;
        let (mut literal, mut wide) = (0, 0);
        for step in steps {
            match step {
                Step::Literal(text) => literal += text.len(),
                Step::Required(slot) => wide += usize::from(slot.is_wide()),
                Step::Optional(optional) => wide += usize::from(optional.slot.is_wide()),
                Step::Query => {}
            }
        }
        (Reverse(literal), wide, self.0.variables.len())
    }

    fn name(&self, range: &Range<usize>) -> &str {
        &self.0.text[range.clone()]
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.0.variables.iter().position(|known| **known == *name)
    }
}

fn expand_expression<'a>(
    operator: Operator,
    values: impl Iterator<Item = (&'a str, &'a str)>,
    uri: &mut String,
) {
    let mut lead = operator.first();
    for (name, value) in values {
        uri.push_str(lead);
        lead = operator.separator();
        if operator == Operator::Parameter || operator.is_query() {
            uri.push_str(name);
            // `;x` but `?x=` (RFC 6570, 3.2.7 to 3.2.9).
            if operator.is_query() || !value.is_empty() {
                uri.push('=');
            }
        }
        if operator.is_wide() {
            encode_around_escapes(value, ANY, uri);
        } else {
            encode(value, UNRESERVED, uri);
        }
    }
}

impl fmt::Debug for UriTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UriTemplate").field(&self.as_str()).finish()
    }
}

impl fmt::Display for UriTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Templates are equal if they are written alike.
impl PartialEq for UriTemplate {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for UriTemplate {}

impl Hash for UriTemplate {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl FromStr for UriTemplate {
    type Err = UriTemplateError;

    fn from_str(template: &str) -> Result<Self, Self::Err> {
        Self::parse(template)
    }
}

impl TryFrom<&str> for UriTemplate {
    type Error = UriTemplateError;

    fn try_from(template: &str) -> Result<Self, Self::Error> {
        Self::parse(template)
    }
}
