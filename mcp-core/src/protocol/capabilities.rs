use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::RawJson;
use super::wire::{declared, declared_map, wire};

/// A capability that has no settings we know: its presence says all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Declared {}

impl Declared {
    /// Declared.
    #[must_use]
    pub const fn new() -> Self {
        Self {}
    }
}

/// What a client can do.
///
/// The set is open and read leniently: `"roots": true` declares roots, null and false do not.
///
/// ```
/// use mcp_core::protocol::{ClientCapabilities, ElicitationCapability};
///
/// let client = ClientCapabilities::new().with_elicitation(ElicitationCapability::new());
/// assert!(client.elicitation.is_some_and(|elicitation| elicitation.supports_form()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct ClientCapabilities {
    /// Outside of the specification, by name.
    #[serde(
        deserialize_with = "declared_map",
        skip_serializing_if = "Option::is_none"
    )]
    pub experimental: Option<BTreeMap<String, RawJson>>,
    /// Extensions by name, with their settings (2026-07-28).
    #[serde(
        deserialize_with = "declared_map",
        skip_serializing_if = "Option::is_none"
    )]
    pub extensions: Option<BTreeMap<String, RawJson>>,
    /// Names the folders it works in.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub roots: Option<RootsCapability>,
    /// Asks a model on behalf of the server.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub sampling: Option<SamplingCapability>,
    /// Asks people on behalf of the server (2025-06-18).
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub elicitation: Option<ElicitationCapability>,
    /// Runs requests of the server as tasks (2025-11-25).
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub tasks: Option<TasksCapability>,
}

/// What a server can do.
///
/// The set is open and read leniently, as [`ClientCapabilities`] are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct ServerCapabilities {
    /// Outside of the specification, by name.
    #[serde(
        deserialize_with = "declared_map",
        skip_serializing_if = "Option::is_none"
    )]
    pub experimental: Option<BTreeMap<String, RawJson>>,
    /// Extensions by name, with their settings (2026-07-28).
    #[serde(
        deserialize_with = "declared_map",
        skip_serializing_if = "Option::is_none"
    )]
    pub extensions: Option<BTreeMap<String, RawJson>>,
    /// Sends log messages.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub logging: Option<Declared>,
    /// Completes arguments (2025-03-26).
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub completions: Option<Declared>,
    /// Has prompts.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub prompts: Option<PromptsCapability>,
    /// Has resources.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub resources: Option<ResourcesCapability>,
    /// Has tools.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub tools: Option<ToolsCapability>,
    /// Runs calls as tasks (2025-11-25).
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub tasks: Option<TasksCapability>,
}

/// `new`, and a builder for each member of a set of capabilities.
macro_rules! capability_builders {
    ($name:ident { $($set:ident $field:ident: $ty:ty,)* }) => {
        impl $name {
            /// None.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }

            $(
                #[doc = concat!("The same with `", stringify!($field), "` declared.")]
                #[must_use]
                pub fn $set(mut self, $field: $ty) -> Self {
                    self.$field = Some($field);
                    self
                }
            )*

            /// The same with an extension and its settings.
            #[must_use]
            pub fn with_extension(
                mut self,
                name: impl Into<String>,
                settings: impl Into<RawJson>,
            ) -> Self {
                self.extensions
                    .get_or_insert_default()
                    .insert(name.into(), settings.into());
                self
            }

            /// The same with something outside of the specification.
            #[must_use]
            pub fn with_experimental(
                mut self,
                name: impl Into<String>,
                settings: impl Into<RawJson>,
            ) -> Self {
                self.experimental
                    .get_or_insert_default()
                    .insert(name.into(), settings.into());
                self
            }

            /// The settings of an extension, when it is declared.
            #[must_use]
            pub fn extension(&self, name: &str) -> Option<&RawJson> {
                self.extensions.as_ref()?.get(name)
            }
        }
    };
}

capability_builders!(ClientCapabilities {
    with_roots roots: RootsCapability,
    with_sampling sampling: SamplingCapability,
    with_elicitation elicitation: ElicitationCapability,
    with_tasks tasks: TasksCapability,
});

capability_builders!(ServerCapabilities {
    with_logging logging: Declared,
    with_completions completions: Declared,
    with_prompts prompts: PromptsCapability,
    with_resources resources: ResourcesCapability,
    with_tools tools: ToolsCapability,
    with_tasks tasks: TasksCapability,
});

wire! {
    /// How a client has roots.
    #[derive(Default)]
    pub struct RootsCapability {}
    lenient {
        /// Whether it says when they change (legacy).
        pub list_changed: bool, with_list_changed;
    }
}

wire! {
    /// How a server has prompts.
    #[derive(Default)]
    pub struct PromptsCapability {}
    lenient {
        /// Whether it says when the list changes.
        pub list_changed: bool, with_list_changed;
    }
}

wire! {
    /// How a server has tools.
    #[derive(Default)]
    pub struct ToolsCapability {}
    lenient {
        /// Whether it says when the list changes.
        pub list_changed: bool, with_list_changed;
    }
}

wire! {
    /// How a server has resources.
    #[derive(Default)]
    pub struct ResourcesCapability {}
    lenient {
        /// Whether it says when a resource changes that the client asked about.
        pub subscribe: bool, with_subscribe;
        /// Whether it says when the list changes.
        pub list_changed: bool, with_list_changed;
    }
}

/// How a client samples (members since 2025-11-25).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct SamplingCapability {
    /// Includes context of servers in the prompt.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub context: Option<Declared>,
    /// Lets the model use tools of the request.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub tools: Option<Declared>,
}

impl SamplingCapability {
    /// Text, images and audio, without tools.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            context: None,
            tools: None,
        }
    }

    /// The same with tools.
    #[must_use]
    pub const fn with_tools(mut self) -> Self {
        self.tools = Some(Declared::new());
        self
    }

    /// The same with context of servers.
    #[must_use]
    pub const fn with_context(mut self) -> Self {
        self.context = Some(Declared::new());
        self
    }
}

/// How a client asks people (members since 2025-11-25).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ElicitationCapability {
    /// By forms. Implied when neither is named.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub form: Option<Declared>,
    /// By sending them to a URL.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub url: Option<Declared>,
}

impl ElicitationCapability {
    /// By forms, as revisions without modes say it.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            form: None,
            url: None,
        }
    }

    /// The same with forms named.
    #[must_use]
    pub const fn with_form(mut self) -> Self {
        self.form = Some(Declared::new());
        self
    }

    /// The same with URLs.
    #[must_use]
    pub const fn with_url(mut self) -> Self {
        self.url = Some(Declared::new());
        self
    }

    /// Whether forms are supported.
    #[must_use]
    pub const fn supports_form(&self) -> bool {
        self.form.is_some() || self.url.is_none()
    }

    /// Whether URLs are supported.
    #[must_use]
    pub const fn supports_url(&self) -> bool {
        self.url.is_some()
    }
}

/// How a side runs requests as tasks (2025-11-25).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct TasksCapability {
    /// Lists them.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub list: Option<Declared>,
    /// Cancels them.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub cancel: Option<Declared>,
    /// Which requests may run as one.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub requests: Option<TaskRequests>,
}

impl TasksCapability {
    /// None of it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, able to list tasks.
    #[must_use]
    pub fn with_list(mut self) -> Self {
        self.list = Some(Declared::new());
        self
    }

    /// The same, able to cancel tasks.
    #[must_use]
    pub fn with_cancel(mut self) -> Self {
        self.cancel = Some(Declared::new());
        self
    }

    /// The same with the requests that may run as tasks.
    #[must_use]
    pub fn with_requests(mut self, requests: TaskRequests) -> Self {
        self.requests = Some(requests);
        self
    }
}

/// Which requests may run as tasks: the first is for servers to declare, the others for clients.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct TaskRequests {
    /// `tools/call`.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub tools: Option<ToolTaskRequests>,
    /// `sampling/createMessage`.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub sampling: Option<SamplingTaskRequests>,
    /// `elicitation/create`.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub elicitation: Option<ElicitationTaskRequests>,
}

impl TaskRequests {
    /// Calls of tools.
    #[must_use]
    pub fn tools_call() -> Self {
        Self {
            tools: Some(ToolTaskRequests {
                call: Some(Declared::new()),
            }),
            ..Self::default()
        }
    }

    /// Sampling and elicitation.
    #[must_use]
    pub fn sampling_and_elicitation() -> Self {
        Self {
            sampling: Some(SamplingTaskRequests {
                create_message: Some(Declared::new()),
            }),
            elicitation: Some(ElicitationTaskRequests {
                create: Some(Declared::new()),
            }),
            ..Self::default()
        }
    }
}

/// Requests about tools that may run as tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ToolTaskRequests {
    /// `tools/call`.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub call: Option<Declared>,
}

/// Requests about sampling that may run as tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct SamplingTaskRequests {
    /// `sampling/createMessage`.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub create_message: Option<Declared>,
}

/// Requests about elicitation that may run as tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ElicitationTaskRequests {
    /// `elicitation/create`.
    #[serde(deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub create: Option<Declared>,
}
