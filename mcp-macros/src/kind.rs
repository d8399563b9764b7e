//! What an attribute makes: a tool, a prompt or a resource.

use proc_macro2::{Ident, Span};

/// What a function or a method becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    Tool,
    Prompt,
    Resource,
}

impl Kind {
    /// The word for it, which is the name of its attribute as well.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Prompt => "prompt",
            Self::Resource => "resource",
        }
    }

    /// The word for many, which is the name of the attribute of `impl` blocks.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Tool => "tools",
            Self::Prompt => "prompts",
            Self::Resource => "resources",
        }
    }

    /// Its attribute, as messages show it.
    pub(crate) const fn attribute(self) -> &'static str {
        match self {
            Self::Tool => "#[tool]",
            Self::Prompt => "#[prompt]",
            Self::Resource => "#[resource(\"…\")]",
        }
    }

    /// The trait of the type beside a function.
    pub(crate) fn one(self) -> Ident {
        self.ident("Tool", "Prompt", "Resource")
    }

    /// The trait of a type with an `impl` block of them.
    pub(crate) fn set(self) -> Ident {
        self.ident("ToolSet", "PromptSet", "ResourceSet")
    }

    /// The type of its definition.
    pub(crate) fn definition(self) -> Ident {
        self.ident("ToolDefinition", "PromptDefinition", "ResourceDefinition")
    }

    fn ident(self, tool: &str, prompt: &str, resource: &str) -> Ident {
        let name = match self {
            Self::Tool => tool,
            Self::Prompt => prompt,
            Self::Resource => resource,
        };
        Ident::new(name, Span::call_site())
    }
}
