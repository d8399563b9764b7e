//! Why a type is no form, and why an answer does not fit one.

use std::fmt;

use crate::protocol::ProtocolVersion;
use crate::schema::SchemaError;
use crate::schema::report::{ArgumentErrors, Pointer, Problem, Violation};

/// Why a person cannot be asked for a type. All but [`FormError::Revision`] are mistakes in the server's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FormError {
    /// A form is a list of named fields.
    NotAStruct {
        /// What it is instead.
        found: String,
    },
    /// A field that no form can have.
    Field {
        /// Its name.
        field: String,
        /// Why.
        reason: &'static str,
    },
    /// The schema of the type cannot be checked.
    Schema(SchemaError),
    /// The revision that the client speaks cannot ask for a field, or has no forms.
    Revision {
        /// The revision.
        version: ProtocolVersion,
        /// For what.
        what: String,
    },
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAStruct { found } => write!(
                f,
                "a form asks for a struct with named fields, and the type gives {found}"
            ),
            Self::Field { field, reason } => {
                write!(f, "a form cannot ask for the field `{field}`: {reason}")
            }
            Self::Schema(error) => error.fmt(f),
            Self::Revision { version, what } => {
                write!(f, "revision {version} cannot ask for {what}")
            }
        }
    }
}

impl std::error::Error for FormError {}

impl FormError {
    pub(super) fn field(name: &str, reason: &'static str) -> Self {
        Self::Field {
            field: name.to_owned(),
            reason,
        }
    }
}

/// The words of a [`SchemaError`] are about the arguments of tools where it speaks of the whole type.
impl From<SchemaError> for FormError {
    fn from(error: SchemaError) -> Self {
        match error {
            SchemaError::RootNotObject { found } => Self::NotAStruct { found },
            SchemaError::RootUnion { union } => Self::NotAStruct {
                found: union.to_owned(),
            },
            other => Self::Schema(other),
        }
    }
}

/// Everything that is wrong with an answer; bounded, as [`ArgumentErrors`] are.
///
/// It shows the beginning of what the person wrote, so it is for them or for the model, and not for a log.
#[derive(Clone, Debug)]
pub(crate) struct AnswerErrors(ArgumentErrors);

impl AnswerErrors {
    pub(super) fn new(violations: Vec<Violation>) -> Self {
        Self(ArgumentErrors::new(violations))
    }

    /// Something that is wrong with the answer as a whole.
    pub(super) fn whole(message: impl Into<String>) -> Self {
        let problem = Problem::Refused(message.into());
        Self::new(vec![Violation::new(Pointer::root(), problem)])
    }

    /// The violations, in the order of the form.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Violation> {
        self.0.iter()
    }
}

impl fmt::Display for AnswerErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the answer does not fit the form:")?;
        for violation in self.iter() {
            write!(f, "\n- {violation}")?;
        }
        if self.0.omitted > 0 {
            write!(f, "\n- and {} more", self.0.omitted)?;
        }
        Ok(())
    }
}

impl std::error::Error for AnswerErrors {}
