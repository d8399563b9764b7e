//! Forms: what a server asks a person for, given by a type or put together by hand, and the answers that come back.
//!
//! A form shows plain values only, and of what a type enforces it shows what a form has words for. The rest (patterns,
//! formats such as UUIDs, sets) is enforced on the answer all the same, as everything that is shown is: an answer comes
//! from a person, through a client that may have checked nothing.

mod answer;
mod error;
mod field;
mod revision;
mod sound;
#[cfg(test)]
mod tests;

use schemars::{JsonSchema, Schema};
use serde_json::Value;

pub(crate) use error::{AnswerErrors, FormError};

use super::check::{Checker, Nulls};
use super::compile::compile;
use super::program::Program;
use super::root::InputRoot;
use super::tree::Tree;
use super::{ArgumentPolicy, Dialect, SchemaError, generator, root_of};
use crate::protocol::{FormSchema, PrimitiveSchema, ProtocolVersion, RawJson};

/// The form that asks for the fields of one type, or for those of a schema.
#[derive(Debug)]
pub(crate) struct Form {
    /// As the newest revision shows it.
    shown: FormSchema,
    program: Program,
    /// What stands in for a field that the answer leaves out.
    defaults: Vec<(String, Tree)>,
    /// The type is `()`, or a struct without a body: it reads null and nothing else.
    unit: bool,
}

impl Form {
    /// The form that asks for a `T`: a struct whose fields are plain values, enums without data, and lists of such
    /// enums. The unit type asks for nothing but consent.
    ///
    /// # Errors
    ///
    /// When `T` is something else; the error names the field.
    pub(crate) fn of<T: JsonSchema>() -> Result<Self, FormError> {
        Self::from_root(root_of::<T>(generator(Dialect::PORTABLE)))
    }

    fn from_root(root: Schema) -> Result<Self, FormError> {
        let mut root = root.to_value();
        let titles = field::take_titles(&mut root);
        let root = Schema::try_from(root).map_err(|_| SchemaError::NotAnObject)?;
        let policy = ArgumentPolicy {
            open: true,
            strict: false,
        };
        let mut root = InputRoot::new(root, Dialect::PORTABLE, policy)?;
        let shown = field::form_of(&mut root.forms, &titles)?;
        let mut form = Self {
            shown,
            program: compile(&root.forms.checked)?,
            defaults: Vec::new(),
            unit: root.unit,
        };
        sound::inspect(&form.shown)?;
        form.take_type_defaults()?;
        Ok(form)
    }

    /// The form that a schema describes.
    ///
    /// # Errors
    ///
    /// When the schema contradicts itself, or has a field that no revision knows; the error names the field.
    pub(crate) fn from_schema(schema: &FormSchema) -> Result<Self, FormError> {
        sound::inspect(schema)?;
        let mut form = Self {
            shown: schema.clone(),
            program: compile(&sound::rules(schema))?,
            defaults: Vec::new(),
            unit: false,
        };
        form.shown.schema = None;
        for (name, field) in &form.shown.properties.0 {
            let Some(default) = default_of(field) else {
                continue;
            };
            if !form.fits(name, &default) {
                return Err(FormError::field(name, MISFIT));
            }
            form.defaults.push((name.clone(), default));
        }
        Ok(form)
    }

    /// `requestedSchema` as a revision has it. What a revision cannot show is left out where the answers stay the same.
    ///
    /// # Errors
    ///
    /// When the revision cannot ask for a field, or has no forms at all.
    pub(crate) fn json(&self, version: ProtocolVersion) -> Result<RawJson, FormError> {
        let form = revision::at(&self.shown, version)?;
        Ok(RawJson::from_value(&form).unwrap_or_else(|_| RawJson::empty_object()))
    }

    /// An optional field of a type has the default that serde gives it, so that only what is shown has to make sense:
    /// the empty string of a `#[serde(default)]` is not offered where a mail address is wanted. A default on a field
    /// that serde requires was put there for the form, by hand.
    fn take_type_defaults(&mut self) -> Result<(), FormError> {
        let mut fields = std::mem::take(&mut self.shown.properties.0);
        for (name, field) in &mut fields {
            let Some(default) = default_of(field) else {
                continue;
            };
            match (self.is_required(name), self.fits(name, &default)) {
                (true, true) => self.defaults.push((name.clone(), default)),
                (true, false) => return Err(FormError::field(name, MISFIT)),
                (false, true) => {}
                (false, false) => sound::drop_default(field),
            }
        }
        self.shown.properties.0 = fields;
        Ok(())
    }

    fn is_required(&self, name: &str) -> bool {
        let root = &self.program.rule(self.program.root).object;
        root.property(name).is_some_and(|field| field.required)
    }

    /// Whether a field takes this value.
    fn fits(&self, name: &str, value: &Tree) -> bool {
        let root = &self.program.rule(self.program.root).object;
        root.property(name).is_some_and(|field| {
            Checker::new(&self.program, Nulls::Absent).accepts(field.rule, value)
        })
    }
}

const MISFIT: &str = "its default is not among the values that it takes";

/// What a field begins with.
fn default_of(field: &PrimitiveSchema) -> Option<Tree> {
    let schema = serde_json::to_value(field).ok()?;
    schema
        .get("default")
        .map(|default: &Value| Tree::from(default))
}
