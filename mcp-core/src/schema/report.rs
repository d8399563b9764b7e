//! What is wrong with the arguments of a call, said so that a model can put it right.

use std::fmt::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::tree::Tree;

/// A model mends a few mistakes at a time; a longer list only costs tokens.
const MAX_VIOLATIONS: usize = 32;
/// The model knows what it sent: the beginning is enough to find the place.
const MAX_SHOWN: usize = 60;
/// Enough for ten ordinary names.
const MAX_POINTER: usize = 300;

/// Everything that is wrong with the arguments of one call.
///
/// `Display` gives the lines that a model reads:
///
/// ```text
/// Invalid arguments for this tool:
/// - /a: expected integer, got string "x"
/// - /b: missing, expected integer
/// ```
///
/// At most 32 violations are kept, and long values are cut.
#[derive(Clone, Debug)]
pub struct ArgumentErrors {
    violations: Vec<Violation>,
    pub(super) omitted: usize,
}

impl ArgumentErrors {
    pub(super) fn new(mut violations: Vec<Violation>) -> Self {
        let omitted = violations.len().saturating_sub(MAX_VIOLATIONS);
        violations.truncate(MAX_VIOLATIONS);
        Self {
            violations,
            omitted,
        }
    }

    /// The violations, in the order of the schema.
    pub fn iter(&self) -> impl Iterator<Item = &Violation> {
        self.violations.iter()
    }

    /// The lines for whoever has called something else than a tool.
    pub(crate) fn of(&self, what: &str) -> String {
        let mut lines = String::new();
        // Writing to a string does not fail.
        let _: fmt::Result = self.write(&mut lines, what);
        lines
    }

    fn write(&self, out: &mut impl Write, what: &str) -> fmt::Result {
        write!(out, "Invalid arguments for this {what}:")?;
        for violation in &self.violations {
            write!(out, "\n- {violation}")?;
        }
        if self.omitted > 0 {
            write!(out, "\n- and {} more", self.omitted)?;
        }
        Ok(())
    }

    /// The same for programs: `{"errors": [{"pointer": "/a", "message": "expected …"}]}`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let errors: Vec<Value> = self.iter().map(Violation::to_value).collect();
        if self.omitted == 0 {
            json!({ "errors": errors })
        } else {
            json!({ "errors": errors, "omitted": self.omitted })
        }
    }
}

impl fmt::Display for ArgumentErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, "tool")
    }
}

impl std::error::Error for ArgumentErrors {}

impl Serialize for ArgumentErrors {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

/// One thing that is wrong with the arguments of a call, and where.
#[derive(Clone, Debug)]
pub struct Violation {
    pointer: String,
    problem: Problem,
}

impl Violation {
    pub(super) fn new(pointer: Pointer<'_>, problem: Problem) -> Self {
        let pointer = shortened(&pointer.to_string(), MAX_POINTER);
        Self { pointer, problem }
    }

    /// Where, as a JSON pointer into the arguments; empty for the arguments themselves.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What is wrong there: `expected integer, got string "x"`.
    #[must_use]
    pub fn message(&self) -> String {
        self.problem.to_string()
    }

    pub(super) fn problem(&self) -> &Problem {
        &self.problem
    }

    fn to_value(&self) -> Value {
        let mut value = json!({ "pointer": self.pointer, "message": self.message() });
        if let Problem::Unexpected { expected, got } = &self.problem {
            value["expected"] = json!(expected);
            value["got"] = json!(got);
        } else if let Problem::Missing { expected } = &self.problem {
            value["expected"] = json!(expected);
        }
        value
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            self.problem.fmt(f)
        } else {
            write!(f, "{}: {}", self.pointer, self.problem)
        }
    }
}

/// What can be wrong at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    Unexpected {
        expected: String,
        got: String,
    },
    Missing {
        expected: String,
    },
    Unknown {
        suggestion: Option<String>,
    },
    Repeated,
    InvalidUnicode,
    /// The type refuses what the schema allows; the words are those of the type's own code.
    Refused(String),
}

impl Problem {
    pub(super) fn unexpected(expected: impl Into<String>, got: &Tree) -> Self {
        Self::Unexpected {
            expected: expected.into(),
            got: shown(got),
        }
    }

    /// Something that stands where `known` names are expected.
    pub(super) fn unknown<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Self {
        Self::Unknown {
            suggestion: closest(name, known).map(str::to_owned),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected { expected, got } => write!(f, "expected {expected}, got {got}"),
            Self::Missing { expected } => write!(f, "missing, expected {expected}"),
            Self::Unknown { suggestion: None } => f.write_str("unknown argument"),
            Self::Unknown {
                suggestion: Some(name),
            } => write!(f, "unknown argument; did you mean `{name}`?"),
            Self::Repeated => f.write_str("given more than once"),
            Self::InvalidUnicode => f.write_str("invalid unicode escape"),
            Self::Refused(message) => f.write_str(message),
        }
    }
}

/// A value as a report shows it.
pub(super) fn shown(value: &Tree) -> String {
    match value {
        Tree::Null | Tree::Boolean(_) => value.to_string(),
        Tree::Number(raw) => shortened(raw, MAX_SHOWN),
        Tree::String(text) => {
            let quoted = Tree::String(shortened(text, MAX_SHOWN));
            format!("string {quoted}")
        }
        Tree::Array(items) => match items.len() {
            1 => "array of 1 item".to_owned(),
            n => format!("array of {n} items"),
        },
        Tree::Object(_) => "object".to_owned(),
    }
}

/// The first characters of a text, with an ellipsis when there are more.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Where a walk through the arguments stands: a chain of names up to the root, on the stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointer<'p> {
    parent: Option<&'p Self>,
    step: Step<'p>,
    depth: usize,
}

#[derive(Clone, Copy, Debug)]
enum Step<'p> {
    Root,
    Member(&'p str),
    Item(usize),
}

impl<'p> Pointer<'p> {
    pub(super) fn root() -> Self {
        Self {
            parent: None,
            step: Step::Root,
            depth: 0,
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    pub(super) fn member(&'p self, name: &'p str) -> Self {
        self.below(Step::Member(name))
    }

    pub(super) fn item(&'p self, index: usize) -> Self {
        self.below(Step::Item(index))
    }

    fn below(&'p self, step: Step<'p>) -> Self {
        Self {
            parent: Some(self),
            step,
            depth: self.depth + 1,
        }
    }
}

impl fmt::Display for Pointer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
        }
        match self.step {
            Step::Root => Ok(()),
            Step::Item(index) => write!(f, "/{index}"),
            Step::Member(name) => {
                f.write_str("/")?;
                for c in shortened(name, MAX_SHOWN).chars() {
                    match c {
                        '~' => f.write_str("~0")?,
                        '/' => f.write_str("~1")?,
                        // A line break in a name must not begin a line of the report.
                        c if c.is_control() => write!(f, "{}", c.escape_default())?,
                        c => f.write_char(c)?,
                    }
                }
                Ok(())
            }
        }
    }
}

/// The known name nearest to one that is not known, if it is near at all.
fn closest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    /// Longer names are not typed by hand, and the distance costs the product of both lengths.
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return None;
    }
    let reach = name.chars().count().div_ceil(3).max(1);
    known
        .filter(|candidate| candidate.len() <= LONGEST)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|&(distance, _)| distance <= reach)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be added, removed or changed; case and the kind of separator count for nothing.
fn distance(a: &str, b: &str) -> usize {
    let fold = |text: &str| -> Vec<char> {
        text.chars()
            .filter(|c| !matches!(c, '_' | '-' | '.' | ' '))
            .flat_map(char::to_lowercase)
            .collect()
    };
    let (a, b) = (fold(a), fold(b));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_escapes_what_the_standard_says() {
        let root = Pointer::root();
        let member = root.member("a/b~c\n");
        assert_eq!(member.item(3).to_string(), "/a~1b~0c\\n/3");
        assert_eq!(root.to_string(), "");
    }

    #[test]
    fn the_closest_name_is_suggested_whatever_its_spelling() {
        let known = || ["max_results", "path", "pattern"].into_iter();
        assert_eq!(closest("maxResults", known()), Some("max_results"));
        assert_eq!(closest("patern", known()), Some("pattern"));
        assert_eq!(closest("zzz", known()), None);
    }

    #[test]
    fn a_report_is_bounded() {
        let long = "é".repeat(10_000);
        let root = Pointer::root();
        let violations = (0..100)
            .map(|_| {
                let problem = Problem::unexpected("integer", &Tree::String(long.clone()));
                Violation::new(root.member(&long), problem)
            })
            .collect();
        let errors = ArgumentErrors::new(violations);
        let text = errors.to_string();
        assert_eq!(text.lines().count(), 34);
        assert!(text.ends_with("- and 68 more"), "{text}");
        assert!(text.len() < 32 * 400, "{}", text.len());
        assert_eq!(errors.to_value()["omitted"], 68);
    }

    #[test]
    fn values_are_shown_by_kind() {
        for (json, expected) in [
            ("null", "null"),
            ("true", "true"),
            ("1.50", "1.50"),
            (r#""a\nb""#, r#"string "a\nb""#),
            ("[1]", "array of 1 item"),
            ("{}", "object"),
        ] {
            assert_eq!(shown(&Tree::parse_clean(json).unwrap()), expected);
        }
    }
}
