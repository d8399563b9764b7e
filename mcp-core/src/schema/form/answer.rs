//! Answers: checked against their form, mended where a user interface writes values in another kind, and decoded.

use serde::de::DeserializeOwned;

use super::{AnswerErrors, Form};
use crate::schema::check::{Checker, Nulls};
use crate::schema::cursor::Unreadable;
use crate::schema::decode::decode;
use crate::schema::mend::mend;
use crate::schema::refused;
use crate::schema::report::shown;
use crate::schema::tree::Tree;

/// The longest answer, in bytes. A person types far less, and pastes less still.
const MAX_ANSWER: usize = 1 << 20;

impl Form {
    /// Checks the `content` of an accepted answer, and decodes it. What the form does not ask for is passed over, and
    /// what is left out though the form has a default for it is that.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub(crate) fn read<T: DeserializeOwned>(&self, content: &str) -> Result<T, AnswerErrors> {
        let answer = self.checked(content)?.to_string();
        let read = if self.unit { "null" } else { &answer };
        decode(read).map_err(|error| AnswerErrors::new(vec![refused::violation(&error, &answer)]))
    }

    /// Checks the `content` of an accepted answer.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub(crate) fn check(&self, content: &str) -> Result<(), AnswerErrors> {
        self.checked(content).map(|_| ())
    }

    /// The `content` of an accepted answer as it is to be sent: mended, with defaults, and nothing that was not asked
    /// for.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub(crate) fn completed(&self, content: &str) -> Result<String, AnswerErrors> {
        self.checked(content).map(|answer| answer.to_string())
    }

    /// The answer as it counts: only what was asked for, mended, and with defaults.
    pub(super) fn checked(&self, content: &str) -> Result<Tree, AnswerErrors> {
        if content.len() > MAX_ANSWER {
            let message = format!("longer than {MAX_ANSWER} bytes");
            return Err(AnswerErrors::whole(message));
        }
        // A client that writes null has nothing to say, as one that leaves the content out.
        let content = match content.trim_ascii() {
            "null" => "{}",
            content => content,
        };
        let mut violations = Vec::new();
        let mut answer = Tree::parse(content, &mut violations).map_err(unreadable)?;
        if !matches!(answer, Tree::Object(_)) {
            let message = format!("expected object, got {}", shown(&answer));
            return Err(AnswerErrors::whole(message));
        }
        self.tidy(&mut answer);
        mend(&self.program, &mut answer);
        violations.extend(Checker::new(&self.program, Nulls::Absent).violations(&answer));
        if violations.is_empty() {
            Ok(answer)
        } else {
            Err(AnswerErrors::new(violations))
        }
    }

    /// Keeps what was asked for and filled in, and fills in defaults.
    fn tidy(&self, answer: &mut Tree) {
        let Tree::Object(members) = answer else {
            return;
        };
        let root = &self.program.rule(self.program.root).object;
        members.retain(|(name, value)| {
            let Some(field) = root.property(name) else {
                return false;
            };
            let may_miss = !field.required || self.default(name).is_some();
            !(may_miss && self.is_blank(name, value))
        });
        for (name, default) in &self.defaults {
            if !members.iter().any(|(member, _)| member == name) {
                members.push((name.clone(), default.clone()));
            }
        }
    }

    fn default(&self, name: &str) -> Option<&Tree> {
        let found = self.defaults.iter().find(|(field, _)| field == name);
        found.map(|(_, default)| default)
    }

    /// Null, and the empty text that user interfaces send for an input that was left alone, where no text is wanted.
    fn is_blank(&self, name: &str, value: &Tree) -> bool {
        match value {
            Tree::Null => true,
            Tree::String(text) => text.is_empty() && !self.fits(name, value),
            _ => false,
        }
    }
}

fn unreadable(unreadable: Unreadable) -> AnswerErrors {
    AnswerErrors::whole(match unreadable {
        Unreadable::Syntax => "not valid JSON",
        Unreadable::Depth => "nested too deeply",
    })
}
