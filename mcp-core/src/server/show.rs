//! From the definition of a tool to what is shown of it and what is needed to call it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::json;

use super::build_error::BuildError;
use super::registry::{Origin, Registered};
use super::table::{Output, ToolEntry};
use super::tool::{Flow, InputSource, OutputSource, ToolDefinition};
use crate::protocol::RawJson;
use crate::schema::{ArgumentPolicy, Dialect, ForeignOutput, InputSchema, SchemaError, generator};

/// Names any longer are refused by some hosts, though the specification allows 128.
const MAX_NAME: usize = 64;

/// How a server shows its tools.
#[derive(Clone, Debug)]
pub(super) struct Showing {
    pub(super) dialect: Dialect,
    pub(super) flow_key: String,
    pub(super) flow_in_description: bool,
    pub(super) page_size: usize,
    /// What the server's own tools may borrow, and what wraps them.
    pub(super) origin: Origin,
}

/// Makes a tool ready.
pub(super) fn compile(
    tool: &Registered,
    showing: &Showing,
    schemas: &mut Schemas,
) -> Result<ToolEntry, BuildError> {
    let (name, definition) = (&*tool.name, &tool.definition);
    check_name(name)?;
    check_flow(name, definition)?;
    let origin = showing.origin.around(tool.from.clone());
    if let Some(wanted) = (definition.wanted.iter()).find(|wanted| !origin.lent.has(wanted)) {
        return Err(BuildError::NotLent {
            tool: name.to_owned(),
            wanted: wanted.name,
        });
    }
    let schemas = schemas.of(definition, showing.dialect);
    let Pair { input, output } = schemas.map_err(|source| BuildError::Schema {
        tool: name.to_owned(),
        source,
    })?;
    let mut meta = definition.meta.clone();
    if !definition.flow.is_empty() {
        let words: Vec<_> = definition.flow.iter().map(|flow| flow.as_str()).collect();
        meta.insert(showing.flow_key.clone(), RawJson::from(json!(words)));
    }
    Ok(ToolEntry {
        sequence: tool.sequence,
        name: Arc::clone(&tool.name),
        definition: Arc::clone(definition),
        meta,
        description: description(definition, showing),
        input,
        output,
        lent: origin.lent,
        layers: origin.layers,
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

fn description(definition: &ToolDefinition, showing: &Showing) -> Option<Cow<'static, str>> {
    if !showing.flow_in_description || definition.flow.is_empty() {
        return definition.description.clone();
    }
    let words: Vec<_> = definition.flow.iter().map(|flow| flow.as_str()).collect();
    let flow = format!("Data flow: {}.", words.join(", "));
    Some(Cow::Owned(match definition.description() {
        Some(text) => format!("{text}\n\n{flow}"),
        None => flow,
    }))
}

/// The schemas of one build by the types that they come from: tools may share their types, above all when their names are
/// made up when the program runs.
#[derive(Default)]
pub(super) struct Schemas(HashMap<Key, Pair>);

/// What the schemas of a tool depend on: the functions that make them, by their addresses, the policy, and the description.
/// Functions of one address do the same, even where the linker has made one of two.
type Key = (usize, usize, ArgumentPolicy, Option<Cow<'static, str>>);

#[derive(Clone)]
struct Pair {
    input: Arc<InputSchema>,
    output: Option<Output>,
}

impl Schemas {
    fn of(&mut self, definition: &ToolDefinition, dialect: Dialect) -> Result<Pair, SchemaError> {
        let make = || {
            Ok(Pair {
                input: Arc::new(input(definition, dialect)?),
                output: output(definition, dialect)?,
            })
        };
        let Some(key) = key(definition) else {
            return make();
        };
        if let Some(known) = self.0.get(&key) {
            return Ok(known.clone());
        }
        let pair = make()?;
        self.0.insert(key, pair.clone());
        Ok(pair)
    }
}

/// `None` for schemas from elsewhere, which need no making.
fn key(definition: &ToolDefinition) -> Option<Key> {
    let InputSource::Type(input) = &definition.input else {
        return None;
    };
    let output = match &definition.output {
        OutputSource::None => 0,
        OutputSource::Type(output) => *output as usize,
        OutputSource::Foreign(_) => return None,
    };
    let description = definition.description.clone();
    Some((*input as usize, output, definition.policy, description))
}

fn input(definition: &ToolDefinition, dialect: Dialect) -> Result<InputSchema, SchemaError> {
    match &definition.input {
        InputSource::Type(schema_of) => {
            let mut root = schema_of(generator(dialect));
            // In the struct form both come from the same doc comment; once is enough for a model.
            if root.get("description").and_then(|text| text.as_str()) == definition.description() {
                root.remove("description");
            }
            InputSchema::new(root, dialect, definition.policy)
        }
        InputSource::Foreign(schema) => InputSchema::foreign(schema.get()),
    }
}

fn output(definition: &ToolDefinition, dialect: Dialect) -> Result<Option<Output>, SchemaError> {
    match &definition.output {
        OutputSource::None => Ok(None),
        OutputSource::Type(schema_of) => {
            let schema = schema_of(dialect)?;
            Ok(schema.map(|schema| Output::Ours(Arc::new(schema))))
        }
        OutputSource::Foreign(schema) => {
            let schema = ForeignOutput::new(schema.get());
            Ok(Some(Output::Foreign(Arc::new(schema))))
        }
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;

    use super::*;
    use crate::schema::root_of;
    use crate::server::{Invocation, Reply, Step};

    /// Words.
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Words {
        text: String,
    }

    fn tool(description: &'static str) -> ToolDefinition {
        let mut tool = ToolDefinition::new("tool", |_: Invocation| Step::Done(Reply::text("")))
            .with_description(description);
        tool.input = InputSource::Type(root_of::<Words>);
        tool
    }

    #[test]
    fn tools_share_a_schema_when_nothing_about_it_differs() {
        let mut schemas = Schemas::default();
        let mut input = |tool: ToolDefinition| schemas.of(&tool, Dialect::PORTABLE).unwrap().input;
        let first = input(tool("Words."));
        assert!(Arc::ptr_eq(
            &first,
            &input(tool("Words.").with_name("other"))
        ));
        assert!(!first.json().contains("Words."));
        assert!(input(tool("Counts words.")).json().contains("Words."));
        assert!(!input(tool("Words.").open()).json().contains("additional"));
    }
}
