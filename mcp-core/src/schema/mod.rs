//! Schemas of tools, and arguments checked against them.
//!
//! A schema comes from schemars, is made portable (`transform`, `fold`), put into the dialect of a profile
//! (`dialect`, `profile`), and compiled (`compile`). Arguments are decoded by serde straight from their text; what types do not
//! enforce is checked by a walk over the text (`walk`). When either fails, the text becomes a tree (`tree`), is mended
//! where the schema leaves no doubt (`mend`) and decoded again, or checked for all that is wrong (`check`, `report`).
//!
//! What a schema shows is enforced, and what is not enforced is not shown. Types are trusted with what they enforce by
//! themselves: kinds, names, widths of integers. Names and values that serde knows as aliases are not shown and work.

mod bounds;
mod check;
mod compile;
mod cursor;
mod decode;
mod describe;
mod dialect;
mod error;
mod escapes;
mod fold;
mod foreign;
mod foreign_output;
mod form;
mod format;
mod input;
mod known;
mod lint;
mod mend;
mod number;
mod output;
mod pattern;
mod profile;
mod program;
mod refused;
mod report;
mod retry;
mod root;
mod transform;
mod tree;
mod walk;

pub(crate) use dialect::Dialect;
pub use error::SchemaError;
pub(crate) use foreign_output::ForeignOutput;
pub(crate) use form::{AnswerErrors, Form, FormError};
pub(crate) use input::InputSchema;
pub use lint::{LintFinding, Provider, lint};
pub(crate) use output::OutputSchema;
pub use report::{ArgumentErrors, Violation};
pub(crate) use root::{generator, output_generator, root_of};

/// Which dialect of JSON Schema tools are shown in. What is enforced is the same in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaProfile {
    /// What every client and model known to us understands: no references but for recursion, one type at a time,
    /// no union at the top.
    #[default]
    Portable,
    /// JSON Schema 2020-12 as schemars writes it, with definitions, references and lists of types.
    Full2020,
    /// OpenAI's strict mode: every argument required, optional ones nullable, every object closed. An optional argument
    /// that is left out all the same is read as null. Maps and values of any kind cannot be said and are errors.
    OpenAiStrict,
    /// The subset of OpenAPI that Gemini's API reads.
    Gemini,
}

/// How the arguments of one tool are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ArgumentPolicy {
    /// Unknown arguments are passed over, and nothing is shown of it.
    pub open: bool,
    /// Nothing is mended.
    pub strict: bool,
}

#[cfg(test)]
mod tests;
