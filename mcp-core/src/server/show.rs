//! From the definition of a tool to what is shown of it and what is needed to call it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::json;

use super::build_error::BuildError;
use super::registry::Origin;
use super::table::{Output, ToolEntry};
use super::tool::{Flow, InputSource, OutputSource, ToolDefinition};
use crate::protocol::RawJson;
use crate::schema::{
    ForeignOutput, InputSchema, OutputSchema, SchemaError, SchemaProfile, generator,
    output_generator,
};

/// Names any longer are refused by some hosts, though the specification allows 128.
const MAX_NAME: usize = 64;

/// How a server shows its tools.
#[derive(Clone, Debug)]
pub(super) struct Showing {
    pub(super) profile: SchemaProfile,
    pub(super) flow_key: String,
    pub(super) flow_in_description: bool,
    pub(super) page_size: usize,
    /// What the server's own tools may borrow, and what wraps them.
    pub(super) origin: Origin,
}

/// Makes a tool ready.
pub(super) fn compile(
    name: &str,
    definition: &ToolDefinition,
    showing: &Showing,
    origin: Origin,
) -> Result<ToolEntry, BuildError> {
    check_name(name)?;
    check_flow(name, definition)?;
    if let Some(wanted) = (definition.wanted.iter()).find(|wanted| !origin.lent.has(wanted)) {
        return Err(BuildError::NotLent {
            tool: name.to_owned(),
            wanted: wanted.name,
        });
    }
    let schema_error = |source| BuildError::Schema {
        tool: name.to_owned(),
        source,
    };
    let mut meta = definition.meta.clone();
    if !definition.flow.is_empty() {
        let words: Vec<_> = definition.flow.iter().map(|flow| flow.as_str()).collect();
        meta.insert(showing.flow_key.clone(), RawJson::from(json!(words)));
    }
    Ok(ToolEntry {
        sequence: 0,
        name: name.to_owned(),
        definition: definition.clone(),
        meta,
        description: description(definition, showing),
        input: Arc::new(input(definition, showing).map_err(schema_error)?),
        output: output(definition, showing).map_err(schema_error)?,
        lent: origin.lent,
        layers: origin.layers,
        enabled: true,
        was_slow: AtomicBool::new(false),
    })
}

fn check_name(name: &str) -> Result<(), BuildError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(allowed) {
        return Err(BuildError::Name(name.to_owned()));
    }
    Ok(())
}

fn check_flow(name: &str, definition: &ToolDefinition) -> Result<(), BuildError> {
    let has = |flow| definition.flow.contains(&flow);
    let hints = &definition.annotations;
    let why = if has(Flow::LocalOnly) && definition.flow.len() > 1 {
        "data that is `local-only` goes nowhere else"
    } else if hints.read_only_hint == Some(true) && has(Flow::FilesystemWrite) {
        "a tool that is `read_only` does not write files"
    } else if hints.open_world_hint == Some(false)
        && (has(Flow::NetworkOut) || has(Flow::ThirdParty))
    {
        "a tool of a closed world sends nothing out"
    } else {
        return Ok(());
    };
    Err(BuildError::Flow {
        tool: name.to_owned(),
        why,
    })
}

fn description(definition: &ToolDefinition, showing: &Showing) -> Option<String> {
    let text = definition.description.as_deref();
    if !showing.flow_in_description || definition.flow.is_empty() {
        return text.map(ToOwned::to_owned);
    }
    let words: Vec<_> = definition.flow.iter().map(|flow| flow.as_str()).collect();
    let flow = format!("Data flow: {}.", words.join(", "));
    Some(text.map_or_else(|| flow.clone(), |text| format!("{text}\n\n{flow}")))
}

fn input(definition: &ToolDefinition, showing: &Showing) -> Result<InputSchema, SchemaError> {
    match &definition.input {
        InputSource::Type(schema_of) => {
            let mut root = schema_of(generator(showing.profile));
            // In the struct form both come from the same doc comment; once is enough for a model.
            if root.get("description").and_then(|text| text.as_str()) == definition.description() {
                root.remove("description");
            }
            InputSchema::new(root, showing.profile, definition.policy)
        }
        InputSource::Foreign(schema) => InputSchema::foreign(schema.get()),
    }
}

fn output(definition: &ToolDefinition, showing: &Showing) -> Result<Option<Output>, SchemaError> {
    match &definition.output {
        OutputSource::None => Ok(None),
        OutputSource::Type(schema_of) => schema_of(output_generator(showing.profile))
            .map(|root| OutputSchema::new(root, showing.profile).map(Output::Ours))
            .transpose(),
        OutputSource::Foreign(schema) => {
            Ok(Some(Output::Foreign(ForeignOutput::new(schema.get()))))
        }
    }
}
