//! The schema of a tool's arguments, and the way from their text to the tool's types.

use std::sync::OnceLock;

use schemars::Schema;
use serde::Deserialize;

use super::check::{Checker, Nulls};
use super::compile::compile;
use super::cursor::{Cursor, Unreadable};
use super::decode::{Misread, decode};
use super::dialect::Dialect;
use super::mend::{drop_nulls, mend};
use super::program::Program;
use super::report::{Pointer, Problem, Violation, shown};
use super::retry::{Kept, SecondAttempt};
use super::root::{InputRoot, text};
use super::tree::Tree;
use super::walk::{Verdict, holds_throughout, walk};
use crate::protocol::http_headers::{ANNOTATION, HeaderParam, header_params};

use super::{ArgumentErrors, ArgumentPolicy, SchemaError, SchemaProfile, known, refused};

/// How the arguments of one tool are shown, and how they are read. Built once a tool.
#[derive(Debug)]
pub(crate) struct InputSchema {
    json: String,
    /// `None` for schemas that somebody else wrote.
    checks: Option<Checks>,
    /// Arguments that clients repeat in headers of HTTP.
    headers: Vec<HeaderParam>,
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
    ByType(Misread),
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
        dialect: Dialect,
        policy: ArgumentPolicy,
    ) -> Result<Self, SchemaError> {
        let root = InputRoot::new(root, dialect, policy)?;
        let mends = match (policy.strict, dialect.profile) {
            (false, _) => Mends::All,
            (true, SchemaProfile::OpenAiStrict) => Mends::Nulls,
            (true, _) => Mends::Nothing,
        };
        let checks = Checks {
            program: compile(&root.forms.checked)?,
            mends,
            refuses_unknown: root.refuses_unknown,
            unit: root.unit,
        };
        let shown = root.forms.into_shown();
        Ok(Self {
            headers: header_params(&shown).map_err(SchemaError::HeaderParam)?,
            json: text(&shown),
            checks: Some(checks),
        })
    }

    /// The schema of a type.
    #[cfg(test)]
    pub(crate) fn of<T: schemars::JsonSchema + ?Sized>(
        profile: SchemaProfile,
        policy: ArgumentPolicy,
    ) -> Result<Self, SchemaError> {
        let dialect = Dialect::of(profile);
        let root = super::root_of::<T>(super::generator(dialect));
        Self::new(root, dialect, policy)
    }

    /// Takes a schema that somebody else wrote and keeps it byte for byte. Of arguments it is only checked that they
    /// are an object.
    ///
    /// # Errors
    ///
    /// When the text is not a JSON object whose `type` is `object`, and when it refers to another document.
    pub(crate) fn foreign(json: &str) -> Result<Self, SchemaError> {
        super::foreign::inspect(json)?;
        let headers = if json.contains(ANNOTATION) {
            let schema = serde_json::from_str(json).unwrap_or_default();
            header_params(&schema).map_err(SchemaError::HeaderParam)?
        } else {
            Vec::new()
        };
        Ok(Self {
            json: json.to_owned(),
            checks: None,
            headers,
        })
    }

    /// Arguments that clients repeat in headers of HTTP.
    pub(crate) fn header_params(&self) -> &[HeaderParam] {
        &self.headers
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
        let arguments = if arguments.starts_with('{') {
            arguments
        } else {
            object(arguments)?
        };
        let Some(checks) = &self.checks else {
            return decode(arguments).map_err(|misread| {
                ArgumentErrors::new(vec![refused::violation(&misread, arguments)])
            });
        };
        match checks.attempt(arguments) {
            Ok(value) => Ok(value),
            Err(refusal) => checks.mend_or_report(arguments, mended, refusal),
        }
    }

    /// Looks at the arguments of a handler that may not decode them: whether they follow the schema, or would once they
    /// are mended.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with them.
    pub(crate) fn check(&self, arguments: &str) -> Result<(), ArgumentErrors> {
        let Some(checks) = &self.checks else {
            return Ok(());
        };
        let mut violations = Vec::new();
        let mut tree = Tree::parse(arguments, &mut violations).map_err(unreadable_arguments)?;
        if violations.is_empty() {
            checks.mend(&mut tree);
        }
        violations.extend(Checker::new(&checks.program, Nulls::Absent).violations(&tree));
        if violations.is_empty() {
            return Ok(());
        }
        Err(ArgumentErrors::new(violations))
    }
}

impl Checks {
    /// The way that succeeds: one pass of serde, and what its types do not enforce.
    fn attempt<'a, T: Deserialize<'a>>(&self, text: &'a str) -> Result<T, Refusal> {
        let read = if self.unit { "null" } else { text };
        let value = decode(read).map_err(Refusal::ByType)?;
        let follows = !self.program.needs_walk()
            || (walk(&self.program, text) == Verdict::Follows && !self.has_alias::<T>(text));
        if follows && self.holds::<T>(text) && (!self.refuses_unknown || self.knows_all::<T>(text))
        {
            Ok(value)
        } else {
            Err(Refusal::BySchema)
        }
    }

    /// The same for a text that was mended, or that has aliases in it: `names` is that text with plain names.
    fn attempt_again<'a, T: Deserialize<'a>>(
        &self,
        kept: &Kept<'a>,
        names: &str,
    ) -> Result<T, Refusal> {
        let value = decode(kept.text).map_err(Refusal::ByType)?;
        let follows = match walk(&self.program, names) {
            Verdict::Follows => true,
            Verdict::Breaks => false,
            Verdict::Unlisted(unlisted) => kept.tells_apart::<T>(unlisted.len()),
        };
        if follows
            && self.holds::<T>(names)
            && (!self.refuses_unknown || self.knows_all::<T>(kept.text))
        {
            Ok(value)
        } else {
            Err(Refusal::BySchema)
        }
    }

    /// Whether the type, or else a closer look, has seen to kinds and bounds.
    fn holds<'a, T: Deserialize<'a>>(&self, text: &str) -> bool {
        !known::reads_any_name::<T>() || holds_throughout(&self.program, text)
    }

    /// Whether an argument is called by an alias, so that a walk does not know which one it is.
    fn has_alias<'a, T: Deserialize<'a>>(&self, text: &str) -> bool {
        let root = &self.program.rule(self.program.root).object;
        let Some(names) = known::names_of::<T>() else {
            return false;
        };
        let is_alias = |name: &str| root.property(name).is_none() && names.contains(&name);
        names.iter().any(|name| is_alias(name))
            && !all_names(text, |name| !is_alias(name)).unwrap_or(false)
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
            let aliases = self.aliases_in::<T>(&tree);
            let attempt = SecondAttempt::new(&self.program, changed, text, &tree, &aliases);
            if let Some(kept) = attempt.as_ref().and_then(|attempt| attempt.keep(mended)) {
                kept.use_plain_names::<T>(&aliases, &mut tree);
                match self.attempt_again(&kept, &tree.to_string()) {
                    Ok(value) => return Ok(value),
                    Err(other) => (refusal, decoded) = (other, kept.text),
                }
            }
        }
        violations.extend(Checker::new(&self.program, Nulls::Absent).violations(&tree));
        excuse(&mut violations, &self.aliases_in::<T>(&tree));
        if violations.is_empty() {
            violations.push(match refusal {
                Refusal::ByType(misread) => refused::violation(&misread, decoded),
                Refusal::BySchema => Violation::new(
                    Pointer::root(),
                    Problem::Refused("the arguments do not follow their schema".to_owned()),
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

    /// The aliases by which arguments are called.
    fn aliases_in<'a, T: Deserialize<'a>>(&self, arguments: &Tree) -> Vec<&'static str> {
        let root = &self.program.rule(self.program.root).object;
        let names = known::names_of::<T>().unwrap_or_default().iter().copied();
        names
            .filter(|name| root.property(name).is_none() && arguments.member(name).is_some())
            .collect()
    }
}

/// What an alias stands for is not known when its value is wrong, or is there as well. Then it is not unknown, and
/// what is missing is left to the type to name.
fn excuse(violations: &mut Vec<Violation>, aliases: &[&str]) {
    if aliases.is_empty() {
        return;
    }
    let is_alias = |pointer: &str| {
        let at = |alias: &&str| Pointer::root().member(alias).to_string();
        aliases.iter().any(|alias| at(alias) == pointer)
    };
    violations.retain(|violation| match violation.problem() {
        Problem::Unknown { .. } => !is_alias(violation.pointer()),
        Problem::Missing { .. } => violation.pointer().matches('/').count() > 1,
        _ => true,
    });
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

/// The object that a text stands for which does not begin like one.
#[cold]
fn object(text: &str) -> Result<&str, ArgumentErrors> {
    match text.trim_ascii() {
        // A caller that writes null means the same as one that leaves the arguments out.
        "null" => Ok("{}"),
        text if text.starts_with('{') => Ok(text),
        text => Err(not_an_object(text)),
    }
}

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
