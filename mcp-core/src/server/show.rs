//! From the definition of a tool to what is shown of it and what is needed to call it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::json;

use super::build_error::BuildError;
use super::callee::{Callee, Output};
use super::context::Kind;
use super::definition::Common;
use super::registry::Origin;
use super::shelf::Registered;
use super::tool::{Flow, InputSource, OutputSource, ToolDefinition, ToolEntry};
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
    tool: &Registered<ToolDefinition>,
    showing: &Showing,
    schemas: &mut Schemas,
) -> Result<ToolEntry, BuildError> {
    let (name, definition) = (&*tool.name, &tool.definition);
    check_name(name)?;
    check_flow(name, definition)?;
    let schema_error = |source| BuildError::Schema {
        of: Kind::Tool.of(name),
        source,
    };
    let (dialect, text) = (showing.dialect, definition.description());
    let input = schemas
        .input(&definition.input, dialect, text, definition.policy)
        .map_err(schema_error)?;
    let output = schemas
        .output(&definition.output, dialect)
        .map_err(schema_error)?;
    let mut meta = definition.common.meta.clone();
    if !definition.flow.is_empty() {
        let words: Vec<_> = definition.flow.iter().map(|flow| flow.as_str()).collect();
        meta.insert(showing.flow_key.clone(), RawJson::from(json!(words)));
    }
    Ok(ToolEntry {
        sequence: tool.sequence,
        definition: Arc::clone(definition),
        callee: callee(Kind::Tool, tool, &definition.common, showing, input, output)?,
        meta,
        description: description(definition, showing),
    })
}

/// What is needed to call it, whatever it is.
pub(super) fn callee<D>(
    kind: Kind,
    registered: &Registered<D>,
    common: &Common,
    showing: &Showing,
    input: Arc<InputSchema>,
    output: Option<Output>,
) -> Result<Arc<Callee>, BuildError> {
    let origin = showing.origin.around(registered.from.clone());
    if let Some(wanted) = (common.wanted.iter()).find(|wanted| !origin.lent.has(wanted)) {
        return Err(BuildError::NotLent {
            to: kind.of(&registered.name),
            wanted: wanted.name,
        });
    }
    Ok(Arc::new(Callee {
        kind,
        name: Arc::clone(&registered.name),
        handler: Arc::clone(&common.handler),
        input,
        output,
        lent: origin.lent,
        layers: origin.layers,
        deadline: common.deadline,
        finishes: common.finishes,
        was_slow: AtomicBool::new(false),
    }))
}

pub(super) fn check_name(name: &str) -> Result<(), BuildError> {
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
        return definition.common.description.clone();
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
pub(super) struct Schemas {
    inputs: HashMap<InputKey, Arc<InputSchema>>,
    outputs: HashMap<usize, Option<Output>>,
}

/// What the schema of arguments depends on: the function that makes it, by its address, the policy, and the description.
/// Functions of one address do the same, even where the linker has made one of two.
type InputKey = (usize, ArgumentPolicy, Option<String>);

impl Schemas {
    pub(super) fn input(
        &mut self,
        source: &InputSource,
        dialect: Dialect,
        description: Option<&str>,
        policy: ArgumentPolicy,
    ) -> Result<Arc<InputSchema>, SchemaError> {
        let schema_of = match source {
            InputSource::Type(schema_of) => *schema_of,
            InputSource::Foreign(schema) => {
                return InputSchema::foreign(schema.get()).map(Arc::new);
            }
        };
        let key = (
            schema_of as usize,
            policy,
            description.map(ToOwned::to_owned),
        );
        if let Some(known) = self.inputs.get(&key) {
            return Ok(Arc::clone(known));
        }
        let mut root = schema_of(generator(dialect));
        // In the struct form both come from the same doc comment; once is enough for a model.
        if root.get("description").and_then(|text| text.as_str()) == description {
            root.remove("description");
        }
        let schema = Arc::new(InputSchema::new(root, dialect, policy)?);
        self.inputs.insert(key, Arc::clone(&schema));
        Ok(schema)
    }

    fn output(
        &mut self,
        source: &OutputSource,
        dialect: Dialect,
    ) -> Result<Option<Output>, SchemaError> {
        match source {
            OutputSource::None => Ok(None),
            OutputSource::Type(schema_of) => {
                if let Some(known) = self.outputs.get(&(*schema_of as usize)) {
                    return Ok(known.clone());
                }
                let schema = schema_of(dialect)?.map(|schema| Output::Ours(Arc::new(schema)));
                self.outputs.insert(*schema_of as usize, schema.clone());
                Ok(schema)
            }
            OutputSource::Foreign(schema) => {
                let schema = ForeignOutput::new(schema.get());
                Ok(Some(Output::Foreign(Arc::new(schema))))
            }
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
        let mut input = |tool: ToolDefinition| {
            schemas
                .input(
                    &tool.input,
                    Dialect::PORTABLE,
                    tool.description(),
                    tool.policy,
                )
                .unwrap()
        };
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
