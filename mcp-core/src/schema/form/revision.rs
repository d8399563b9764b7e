//! A form as one revision has it.
//!
//! 2025-06-18 has strings, numbers, yes or no, and one of some strings, whose titles stand in `enumNames`; only yes or
//! no has a default there.

use super::{FormError, sound};
use crate::protocol::{
    ChoiceSchema, FormSchema, PrimitiveSchema, ProtocolVersion, StringKind, TitledChoiceSchema,
};

/// The form as `version` shows it.
pub(super) fn at(form: &FormSchema, version: ProtocolVersion) -> Result<FormSchema, FormError> {
    if !version.has_elicitation() {
        return Err(FormError::Revision {
            version,
            what: "anything".to_owned(),
        });
    }
    let mut form = form.clone();
    form.required = form.required.filter(|names| !names.is_empty());
    if version.has_elicitation_modes() {
        return Ok(form);
    }
    for (name, field) in &mut form.properties.0 {
        if matches!(
            field,
            PrimitiveSchema::Choices(_) | PrimitiveSchema::TitledChoices(_)
        ) {
            return Err(FormError::Revision {
                version,
                what: format!("the field `{name}`, which is a list"),
            });
        }
        if !matches!(field, PrimitiveSchema::Boolean(_)) {
            sound::drop_default(field);
        }
        if let PrimitiveSchema::TitledChoice(choice) = field {
            *field = with_names(choice).into();
        }
    }
    Ok(form)
}

/// Titles beside the strings, as the first revision with forms has them.
fn with_names(choice: &TitledChoiceSchema) -> ChoiceSchema {
    let values = choice.options.iter().map(|option| option.value.clone());
    let names = choice.options.iter().map(|option| option.title.clone());
    let mut plain = ChoiceSchema::new(StringKind::String, values.collect::<Vec<String>>())
        .with_names(names.collect::<Vec<String>>());
    plain.title.clone_from(&choice.title);
    plain.description.clone_from(&choice.description);
    plain
}
