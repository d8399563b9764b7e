//! What is shown to a person. Nothing of it may command their terminal.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, Write};

use mcp_core::client::{Event, ServerInfo};
use mcp_core::protocol::{
    CallToolResult, ContentBlock, GetPromptResult, LoggingMessageParams, Prompt,
    ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Tool,
};
use serde_json::{Value, json};

use crate::Outcome;

pub(crate) struct Show {
    json: bool,
}

impl Show {
    pub(crate) const fn new(json: bool) -> Self {
        Self { json }
    }

    pub(crate) fn lists(
        &self,
        server: &ServerInfo,
        tools: &[Tool],
        prompts: &[Prompt],
        resources: &[Resource],
        templates: &[ResourceTemplate],
    ) -> Outcome<()> {
        if self.json {
            return print(
                &json!({
                    "server": server.implementation,
                    "protocolVersion": server.version.as_str(),
                    "tools": tools,
                    "prompts": prompts,
                    "resources": resources,
                    "resourceTemplates": templates,
                })
                .to_string(),
            );
        }
        let mut text = format!(
            "{} {} ({})\n",
            server.name(),
            server.implementation.version,
            server.version.as_str()
        );
        section(&mut text, "Tools", tools, |tool| {
            (signature(tool), tool.description.as_deref())
        });
        section(&mut text, "Prompts", prompts, |prompt| {
            let arguments = prompt.arguments.iter().flatten();
            let names: Vec<String> = (arguments)
                .map(|argument| optional(&argument.name, argument.required == Some(true)))
                .collect();
            (
                format!("{} {}", prompt.name, names.join(" ")),
                prompt.description.as_deref(),
            )
        });
        section(&mut text, "Resources", resources, |resource| {
            (
                resource.uri.clone(),
                resource.description.as_deref().or(Some(&resource.name)),
            )
        });
        section(&mut text, "Resource templates", templates, |template| {
            (
                template.uri_template.clone(),
                template.description.as_deref().or(Some(&template.name)),
            )
        });
        print(text.trim_end())
    }

    pub(crate) fn result(&self, result: &CallToolResult) -> Outcome<()> {
        if self.json {
            return print(&serde_json::to_string(result)?);
        }
        let mut text = String::new();
        for block in &result.content {
            writeln!(text, "{}", shown(block))?;
        }
        if let (Some(structured), true) = (&result.structured_content, text.is_empty()) {
            writeln!(text, "{structured}")?;
        }
        print(text.trim_end())
    }

    pub(crate) fn contents(&self, result: &ReadResourceResult) -> Outcome<()> {
        if self.json {
            return print(&serde_json::to_string(result)?);
        }
        let contents = result.contents.iter().map(|contents| match contents {
            ResourceContents::Text(text) => text.text.clone(),
            ResourceContents::Blob(blob) => format!("[{} bytes of base64]", blob.blob.len()),
            _ => "[something else]".to_owned(),
        });
        print(&contents.collect::<Vec<_>>().join("\n"))
    }

    pub(crate) fn messages(&self, result: &GetPromptResult) -> Outcome<()> {
        if self.json {
            return print(&serde_json::to_string(result)?);
        }
        let messages = result.messages.iter();
        let lines =
            messages.map(|message| format!("{}: {}", message.role, shown(&message.content)));
        print(&lines.collect::<Vec<_>>().join("\n"))
    }

    pub(crate) fn watching(&self, server: &ServerInfo) {
        if !self.json {
            note(&format!("watching {} until Ctrl-C", server.name()));
        }
    }

    pub(crate) fn event(&self, event: &Event) -> Outcome<()> {
        let (kind, what) = match event {
            Event::ToolsChanged => ("tools", Value::Null),
            Event::PromptsChanged => ("prompts", Value::Null),
            Event::ResourcesChanged => ("resources", Value::Null),
            Event::ResourceUpdated(uri) => ("resource", json!(uri)),
            Event::Log(message) => ("log", serde_json::to_value(message)?),
            Event::ElicitationComplete(id) => ("elicitation", json!(id)),
            Event::Lagged(count) => ("missed", json!(count)),
            Event::Other { method, params } => (method.as_str(), json!(params)),
            _ => return Ok(()),
        };
        if self.json {
            return print(&json!({"event": kind, "what": what}).to_string());
        }
        match what {
            Value::Null => print(&format!("changed: {kind}")),
            what => print(&format!("{kind}: {what}")),
        }
    }
}

/// A tool and what it takes.
fn signature(tool: &Tool) -> String {
    let schema: Value = tool.input_schema.parse().unwrap_or_default();
    let required: Vec<&str> = (schema["required"].as_array().into_iter().flatten())
        .filter_map(Value::as_str)
        .collect();
    let mut text = tool.name.clone();
    for name in schema["properties"]
        .as_object()
        .into_iter()
        .flat_map(|fields| fields.keys())
    {
        text.push(' ');
        text.push_str(&optional(name, required.contains(&name.as_str())));
    }
    text
}

fn optional(name: &str, required: bool) -> String {
    if required {
        format!("{name}=…")
    } else {
        format!("[{name}=…]")
    }
}

fn section<T>(
    text: &mut String,
    title: &str,
    items: &[T],
    describe: impl Fn(&T) -> (String, Option<&str>),
) {
    if items.is_empty() {
        return;
    }
    let _: std::fmt::Result = writeln!(text, "\n{title}");
    for item in items {
        let (name, description) = describe(item);
        let _: std::fmt::Result = writeln!(text, "  {}", name.trim_end());
        let first = description.and_then(|description| description.trim().lines().next());
        if let Some(first) = first {
            let _: std::fmt::Result = writeln!(text, "      {first}");
        }
    }
}

fn shown(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => format!("[image, {}]", image.mime_type),
        ContentBlock::Audio(audio) => format!("[audio, {}]", audio.mime_type),
        ContentBlock::ResourceLink(resource) => format!("[{}] {}", resource.name, resource.uri),
        ContentBlock::Resource(embedded) => match embedded.resource.as_text() {
            Some(text) => text.to_owned(),
            None => format!("[resource {}]", embedded.resource.uri().unwrap_or_default()),
        },
        _ => "[something else]".to_owned(),
    }
}

/// A log message of the server.
pub(crate) fn log(message: &LoggingMessageParams) {
    let data = message.data.parse::<String>();
    let data = data.unwrap_or_else(|_| message.data.to_string());
    note(&format!("{}: {data}", message.level));
}

pub(crate) fn complain(error: &(dyn Error + 'static)) {
    note(&format!("error: {error}"));
}

/// Writes a line beside the result.
pub(crate) fn note(text: &str) {
    // Whoever closed it does not want to know.
    let _: io::Result<()> = writeln!(io::stderr(), "{}", clean(text));
}

fn print(text: &str) -> Outcome<()> {
    writeln!(io::stdout(), "{}", clean(text))?;
    Ok(())
}

/// A text of a server without what would command a terminal, or turn the direction of reading.
pub(crate) fn clean(text: &str) -> String {
    let kept = text.chars().map(|c| match c {
        '\n' | '\t' => c,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::clean;

    /// HST-15.
    #[test]
    fn no_text_of_a_server_commands_the_terminal() {
        let text = "a\u{1b}[2Jb\u{202e}c\n\td\u{9b}e";
        assert_eq!(clean(text), "a\u{fffd}[2Jb\u{fffd}c\n\td\u{fffd}e");
    }
}
