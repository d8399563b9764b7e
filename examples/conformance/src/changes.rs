//! What changes when it is told to: the lists, and a resource that can be watched.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use mcp_core::{Live, Server, prompt, resource, resources, tool, tools};

const LATE_TOOL: &str = "test_late_tool";
const LATE_PROMPT: &str = "test_late_prompt";
const LATE_RESOURCE: &str = "test://late-resource";
const WATCHED: &str = "test://watched-resource";

/// Adds what is watched, and what comes and goes, which is gone at first.
pub(crate) fn add(server: Server, changes: &Arc<Changes>) -> Server {
    let server = server
        .resources(Arc::clone(changes))
        .tool::<test_late_tool>()
        .prompt::<test_late_prompt>()
        .resource::<late>();
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

/// Is there only now and then.
#[prompt]
fn test_late_prompt() -> &'static str {
    "Late"
}

/// Is there only now and then.
#[resource("test://late-resource", mime_type = "text/plain")]
fn late() -> &'static str {
    "Late"
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

#[resources]
impl Changes {
    /// Changes when it is told to.
    #[resource("test://watched-resource", mime_type = "text/plain")]
    fn watched(&self) -> String {
        let updates = self.updates.load(Ordering::Relaxed);
        format!("Updated {updates} times.")
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
