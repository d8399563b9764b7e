//! What each profile does to the portable form.

use serde_json::Value;

use super::transform::{Direction, order, without_type_formats};
use super::{SchemaError, SchemaProfile, profile};

/// The keyword that [`SchemaProfile::Full2020`] shows: its dialect, and the one that MCP reads where none is named.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// A profile with the code for it. Servers hold this rather than the profile, so that the code of profiles that a program
/// does not name is not linked into it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dialect {
    pub(super) profile: SchemaProfile,
    /// `None` when the portable form is shown as it is.
    adapt: Option<Adapt>,
}

type Adapt = fn(&mut Forms, Direction) -> Result<(), SchemaError>;

/// The form of a schema that is checked, and the one that is shown.
pub(super) struct Forms {
    pub(super) checked: Value,
    /// `None` while it is the checked one without the formats of number types.
    shown: Option<Value>,
}

impl Dialect {
    pub(crate) const PORTABLE: Self = Self {
        profile: SchemaProfile::Portable,
        adapt: None,
    };

    pub(crate) fn of(profile: SchemaProfile) -> Self {
        let adapt: Adapt = match profile {
            SchemaProfile::Portable => return Self::PORTABLE,
            SchemaProfile::Full2020 => full,
            SchemaProfile::OpenAiStrict => openai_strict,
            SchemaProfile::Gemini => gemini,
        };
        Self {
            profile,
            adapt: Some(adapt),
        }
    }

    /// Both forms, from the one that is checked.
    pub(super) fn forms(self, checked: Value, direction: Direction) -> Result<Forms, SchemaError> {
        let mut forms = Forms {
            checked,
            shown: None,
        };
        if let Some(adapt) = self.adapt {
            adapt(&mut forms, direction)?;
        }
        Ok(forms)
    }
}

impl Forms {
    /// The shown form, apart from the checked one.
    pub(super) fn shown(&mut self) -> &mut Value {
        self.shown
            .get_or_insert_with(|| without_formats(self.checked.clone()))
    }

    pub(super) fn into_shown(self) -> Value {
        self.shown.unwrap_or_else(|| without_formats(self.checked))
    }
}

fn without_formats(mut schema: Value) -> Value {
    without_type_formats(&mut schema);
    schema
}

fn full(forms: &mut Forms, _: Direction) -> Result<(), SchemaError> {
    if let Value::Object(map) = forms.shown() {
        map.insert("$schema".to_owned(), DIALECT.into());
        order(map);
    }
    Ok(())
}

fn openai_strict(forms: &mut Forms, direction: Direction) -> Result<(), SchemaError> {
    if is_for_models(direction) {
        profile::openai_strict(forms.shown())?;
        profile::close_checked(&mut forms.checked);
    }
    Ok(())
}

fn gemini(forms: &mut Forms, direction: Direction) -> Result<(), SchemaError> {
    if is_for_models(direction) {
        profile::gemini(forms.shown())?;
    }
    Ok(())
}

/// Results are for clients: no provider reads their schemas.
fn is_for_models(direction: Direction) -> bool {
    direction == Direction::Input
}
