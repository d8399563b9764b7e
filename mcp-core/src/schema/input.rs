//! The schema of a tool's arguments, and the way from their text to the tool's types.

use std::ops::Range;
use std::sync::OnceLock;

use schemars::{JsonSchema, Schema};
use serde::Deserialize;

use super::check::{Checker, Nulls};
use super::compile::compile;
use super::cursor::{Cursor, Unreadable};
use super::mend::{drop_nulls, mend};
use super::program::Program;
use super::report::{Pointer, Problem, Violation, shown};
use super::root::InputRoot;
use super::tree::Tree;
use super::walk::{Verdict, walk};
use super::{ArgumentErrors, ArgumentPolicy, SchemaError, SchemaProfile, known, refused};

/// How the arguments of one tool are shown, and how they are read. Built once a tool.
#[derive(Debug)]
pub(crate) struct InputSchema {
    json: String,
    /// `None` for schemas that somebody else wrote.
    checks: Option<Checks>,
}

#[derive(Debug)]
struct Checks {
    program: Program,
    mends: Mends,
    refuses_unknown: bool,
    unit: bool,
}

/// What is put right before arguments are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mends {
    Nothing,
    /// The profile shows optional arguments as nullable.
    Nulls,
    All,
}

/// Why a text did not become arguments.
enum Refusal {
    ByType(serde_json::Error),
    BySchema,
}

impl InputSchema {
    /// Takes what schemars made of the argument struct, by a generator from [`generator`](super::generator).
    ///
    /// # Errors
    ///
    /// When the root is no object, and when the schema says what cannot be checked or shown.
    pub(crate) fn new(
        root: Schema,
        profile: SchemaProfile,
        policy: ArgumentPolicy,
    ) -> Result<Self, SchemaError> {
        let root = InputRoot::new(root, profile, policy)?;
        let mends = match (policy.strict, profile) {
            (false, _) => Mends::All,
            (true, SchemaProfile::OpenAiStrict) => Mends::Nulls,
            (true, _) => Mends::Nothing,
        };
        Ok(Self {
            json: root.shown.to_string(),
            checks: Some(Checks {
                program: compile(&root.checked)?,
                mends,
                refuses_unknown: root.refuses_unknown,
                unit: root.unit,
            }),
        })
    }

    /// The schema of a type.
    ///
    /// # Errors
    ///
    /// As [`InputSchema::new`].
    pub(crate) fn of<T: JsonSchema + ?Sized>(
        profile: SchemaProfile,
        policy: ArgumentPolicy,
    ) -> Result<Self, SchemaError> {
        let root = super::root_of::<T>(super::generator(profile));
        Self::new(root, profile, policy)
    }

    /// Takes a schema that somebody else wrote and keeps it byte for byte. Of arguments it is only checked that they
    /// are an object.
    ///
    /// # Errors
    ///
    /// When the text is not a JSON object whose `type` is `object`, and when it refers to another document.
    pub(crate) fn foreign(json: &str) -> Result<Self, SchemaError> {
        super::foreign::inspect(json)?;
        Ok(Self {
            json: json.to_owned(),
            checks: None,
        })
    }

    /// The schema on one line: the same bytes each time, properties in the order of their declaration.
    pub(crate) fn json(&self) -> &str {
        &self.json
    }

    /// Decodes the arguments of one call. What had to be mended is decoded from `mended`, so that `T` may borrow
    /// from it; it must be empty.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with them.
    pub(crate) fn decode<'a, T: Deserialize<'a>>(
        &self,
        arguments: &'a str,
        mended: &'a OnceLock<String>,
    ) -> Result<T, ArgumentErrors> {
        // A caller that writes null means the same as one that leaves the arguments out.
        let arguments = match arguments.trim_ascii() {
            "null" => "{}",
            arguments => arguments,
        };
        if !arguments.starts_with('{') {
            return Err(not_an_object(arguments));
        }
        let Some(checks) = &self.checks else {
            return serde_json::from_str(arguments)
                .map_err(|error| ArgumentErrors::new(vec![refused::violation(&error, arguments)]));
        };
        match checks.attempt(arguments, &[]) {
            Ok(value) => Ok(value),
            Err(refusal) => checks.mend_or_report(arguments, mended, refusal),
        }
    }
}

impl Checks {
    /// The way that succeeds: one pass of serde, and what its types do not enforce. For strings that no `enum` lists
    /// there must be `probes`.
    fn attempt<'a, T: Deserialize<'a>>(
        &self,
        text: &'a str,
        probes: &[&'a str],
    ) -> Result<T, Refusal> {
        let read = if self.unit { "null" } else { text };
        let value = serde_json::from_str(read).map_err(Refusal::ByType)?;
        let follows = match walk(&self.program, text) {
            Verdict::Follows => true,
            Verdict::Breaks => false,
            Verdict::Unlisted(_) => {
                !probes.is_empty() && probes.iter().all(|probe| is_refused::<T>(probe))
            }
        };
        if follows && (!self.refuses_unknown || self.knows_all::<T>(text)) {
            Ok(value)
        } else {
            Err(Refusal::BySchema)
        }
    }

    /// Whether the type reads all arguments that are there: serde passes over the others without a word.
    fn knows_all<'a, T: Deserialize<'a>>(&self, text: &str) -> bool {
        let root = &self.program.rule(self.program.root).object;
        let names = known::names_of::<T>();
        let knows = |name: &str| match names {
            Some(names) => names.contains(&name),
            None => root.property(name).is_some(),
        };
        all_names(text, knows).unwrap_or(false)
    }

    #[cold]
    fn mend_or_report<'a, T: Deserialize<'a>>(
        &self,
        text: &'a str,
        mended: &'a OnceLock<String>,
        mut refusal: Refusal,
    ) -> Result<T, ArgumentErrors> {
        let mut violations = Vec::new();
        let mut tree = match Tree::parse(text, &mut violations) {
            Ok(tree) => tree,
            Err(unreadable) => return Err(unreadable_arguments(unreadable)),
        };
        let mut decoded = text;
        if violations.is_empty() {
            let changed = self.mend(&mut tree).then(|| tree.to_string());
            let attempt = SecondAttempt::new(&self.program, changed, text);
            if let Some((text, probes)) = attempt.as_ref().and_then(|attempt| attempt.keep(mended))
            {
                match self.attempt(text, &probes) {
                    Ok(value) => return Ok(value),
                    Err(other) => (refusal, decoded) = (other, text),
                }
            }
        }
        violations.extend(Checker::new(&self.program, Nulls::Absent).violations(&tree));
        self.excuse_aliases(&mut violations, &tree, known::names_of::<T>());
        if violations.is_empty() {
            violations.push(match refusal {
                Refusal::ByType(error) => refused::violation(&error, decoded),
                Refusal::BySchema => Violation::new(
                    Pointer::root(),
                    Problem::Refused(
                        "the arguments do not follow the schema of the tool".to_owned(),
                    ),
                ),
            });
        }
        Err(ArgumentErrors::new(violations))
    }

    fn mend(&self, tree: &mut Tree) -> bool {
        match self.mends {
            Mends::Nothing => false,
            Mends::Nulls => drop_nulls(&self.program, tree),
            Mends::All => mend(&self.program, tree),
        }
    }

    /// An argument by its alias is not unknown, and what it stands for is not missing. Which argument that is, only
    /// the type knows: with an alias among the arguments, missing ones are left to the type to name.
    fn excuse_aliases(
        &self,
        violations: &mut Vec<Violation>,
        arguments: &Tree,
        names: Option<&'static [&'static str]>,
    ) {
        let root = &self.program.rule(self.program.root).object;
        let aliases: Vec<String> = names
            .unwrap_or_default()
            .iter()
            .filter(|name| root.property(name).is_none() && arguments.member(name).is_some())
            .map(|name| Pointer::root().member(name).to_string())
            .collect();
        if aliases.is_empty() {
            return;
        }
        violations.retain(|violation| match violation.problem() {
            Problem::Unknown { .. } => !aliases.iter().any(|alias| alias == violation.pointer()),
            Problem::Missing { .. } => violation.pointer().matches('/').count() > 1,
            _ => true,
        });
    }
}

/// A text to decode after the first was refused, and probes for it.
///
/// An `enum` may come from a Rust enum, whose variants may have aliases, or may have been put on a plain string by
/// hand. Only the type knows. So where a string is not listed, the type is shown the same text with a string there
/// that nobody would choose: a type that takes even that does not tell strings apart, and the schema must.
struct SecondAttempt {
    texts: Vec<String>,
}

impl SecondAttempt {
    /// `None` when there is nothing new to try.
    fn new(program: &Program, mended: Option<String>, text: &str) -> Option<Self> {
        /// More enums than any call gets wrong in good faith.
        const MAX_PROBES: usize = 8;
        let candidate = mended.as_deref().unwrap_or(text);
        let unlisted = match walk(program, candidate) {
            Verdict::Unlisted(unlisted) if unlisted.len() <= MAX_PROBES => unlisted,
            Verdict::Unlisted(_) | Verdict::Follows | Verdict::Breaks => Vec::new(),
        };
        if unlisted.is_empty() && mended.is_none() {
            return None;
        }
        let probes = unlisted
            .iter()
            .map(|unlisted| probe(candidate, &unlisted.places));
        let texts = std::iter::once(candidate.to_owned())
            .chain(probes)
            .collect();
        Some(Self { texts })
    }

    /// Puts all texts where the type can borrow from them; `None` when that place is taken.
    fn keep<'a>(&self, mended: &'a OnceLock<String>) -> Option<(&'a str, Vec<&'a str>)> {
        mended.set(self.texts.concat()).ok()?;
        let mut rest = mended.get()?.as_str();
        let mut kept = Vec::with_capacity(self.texts.len());
        for text in &self.texts {
            let (first, after) = rest.split_at_checked(text.len())?;
            kept.push(first);
            rest = after;
        }
        let text = kept.first().copied()?;
        Some((text, kept.split_off(1)))
    }
}

/// The text with other strings in some places.
fn probe(text: &str, places: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for place in places {
        out.push_str(text.get(from..place.start).unwrap_or_default());
        out.push_str("\"not one of those listed\"");
        from = place.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

fn is_refused<'a, T: Deserialize<'a>>(text: &'a str) -> bool {
    serde_json::from_str::<T>(text).is_err()
}

/// Whether all names of the outermost object are known.
fn all_names(text: &str, knows: impl Fn(&str) -> bool) -> Result<bool, Unreadable> {
    let mut cursor = Cursor::new(text);
    cursor.kind()?;
    let mut more = cursor.enter(b'}');
    while more {
        if !knows(&cursor.key()?.decode().0) {
            return Ok(false);
        }
        cursor.skip(1)?;
        more = cursor.more(b'}')?;
    }
    Ok(true)
}

#[cold]
fn not_an_object(text: &str) -> ArgumentErrors {
    let message = match Tree::parse(text, &mut Vec::new()) {
        Ok(tree) => format!("arguments must be an object, got {}", shown(&tree)),
        Err(unreadable) => return unreadable_arguments(unreadable),
    };
    let violation = Violation::new(Pointer::root(), Problem::Refused(message));
    ArgumentErrors::new(vec![violation])
}

fn unreadable_arguments(unreadable: Unreadable) -> ArgumentErrors {
    let message = match unreadable {
        Unreadable::Syntax => "the arguments are not valid JSON",
        Unreadable::Depth => "the arguments are nested too deeply",
    };
    let violation = Violation::new(Pointer::root(), Problem::Refused(message.to_owned()));
    ArgumentErrors::new(vec![violation])
}
