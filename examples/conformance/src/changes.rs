//! What changes when it is told to: the lists, and a resource that can be watched.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use mcp_core::{
    IntoMessages, Invocation, Live, PromptDefinition, ResourceDefinition, Server, Step, tool, tools,
};

const LATE_TOOL: &str = "test_late_tool";
const LATE_PROMPT: &str = "test_late_prompt";
const LATE_RESOURCE: &str = "test://late-resource";
const WATCHED: &str = "test://watched-resource";

/// Adds what is watched, and what comes and goes, which is gone at first.
pub(crate) fn add(server: Server, changes: &Arc<Changes>) -> Server {
    let server = server
        .raw_resource(watched(Arc::clone(changes)))
        .tool::<test_late_tool>()
        .raw_prompt(late_prompt())
        .raw_resource(late_resource());
    changes.live.disable(LATE_TOOL);
    changes.live.disable_prompt(LATE_PROMPT);
    changes.live.disable_resource(LATE_RESOURCE);
    server
}

/// Is there only now and then.
#[tool]
fn test_late_tool() -> &'static str {
    "Late"
}

fn late_prompt() -> PromptDefinition {
    PromptDefinition::new(LATE_PROMPT, |_: Invocation| {
        Step::Done("Late".into_messages())
    })
    .with_description("Is there only now and then.")
}

fn late_resource() -> ResourceDefinition {
    ResourceDefinition::new(LATE_RESOURCE, "late", |call: Invocation| {
        Step::Done(call.contents("Late"))
    })
    .with_description("Is there only now and then.")
    .with_mime_type("text/plain")
}

fn watched(changes: Arc<Changes>) -> ResourceDefinition {
    ResourceDefinition::new(WATCHED, "watched", move |call: Invocation| {
        let updates = changes.updates.load(Ordering::Relaxed);
        Step::Done(call.contents(format!("Updated {updates} times.")))
    })
    .with_description("Changes when it is told to.")
    .with_mime_type("text/plain")
}

/// Lists that change, and how often the watched resource has.
pub(crate) struct Changes {
    live: Live,
    shows_tool: AtomicBool,
    shows_prompt: AtomicBool,
    shows_resource: AtomicBool,
    updates: AtomicU32,
}

impl Changes {
    pub(crate) fn new(live: Live) -> Self {
        Self {
            live,
            shows_tool: AtomicBool::new(false),
            shows_prompt: AtomicBool::new(false),
            shows_resource: AtomicBool::new(false),
            updates: AtomicU32::new(0),
        }
    }
}

#[tools]
impl Changes {
    /// Shows the late tool, or hides it again.
    #[tool]
    fn test_trigger_tool_change(&self) -> &'static str {
        if self.shows_tool.fetch_xor(true, Ordering::Relaxed) {
            self.live.disable(LATE_TOOL);
        } else {
            self.live.enable(LATE_TOOL);
        }
        "The tool list has changed"
    }

    /// Shows the late prompt, or hides it again.
    #[tool]
    fn test_trigger_prompt_change(&self) -> &'static str {
        if self.shows_prompt.fetch_xor(true, Ordering::Relaxed) {
            self.live.disable_prompt(LATE_PROMPT);
        } else {
            self.live.enable_prompt(LATE_PROMPT);
        }
        "The prompt list has changed"
    }

    /// Shows the late resource, or hides it again.
    #[tool]
    fn test_trigger_resource_change(&self) -> &'static str {
        if self.shows_resource.fetch_xor(true, Ordering::Relaxed) {
            self.live.disable_resource(LATE_RESOURCE);
        } else {
            self.live.enable_resource(LATE_RESOURCE);
        }
        "The resource list has changed"
    }

    /// Changes the watched resource.
    #[tool]
    fn test_trigger_resource_update(&self) -> &'static str {
        self.updates.fetch_add(1, Ordering::Relaxed);
        self.live.resource_updated(WATCHED);
        "The watched resource has changed"
    }
}
