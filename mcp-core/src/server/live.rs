use std::sync::Arc;

use super::build_error::BuildError;
use super::registry::Registry;
use super::tool::{Tool, ToolDefinition, ToolSet};

/// Changes the tools of a server, also while it serves: every client is told that its list has changed.
///
/// All clients see the same list. A call that has begun is not touched by the change.
///
/// ```
/// use mcp_core::{BuildError, Server, tool};
///
/// /// Adds two integers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let server = Server::new("calculator", "1.0.0");
/// let live = server.live();
/// let server = server.build()?;
/// live.add::<add>()?;
/// assert_eq!(live.add::<add>(), Err(BuildError::Twice("add".to_owned())));
/// assert!(live.disable("add"));
/// assert!(live.remove("add"));
/// assert!(!live.enable("add"));
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Live {
    pub(super) registry: Arc<Registry>,
}

impl Live {
    /// Adds a tool.
    ///
    /// # Errors
    ///
    /// When there is one of its name, or the server can't have it.
    pub fn add<T: Tool>(&self) -> Result<(), BuildError> {
        self.add_definition(T::definition())
    }

    /// Adds the tools that share a value. Those before the first that fails are there.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub fn add_tools<S: ToolSet>(&self, shared: S) -> Result<(), BuildError> {
        S::definitions(Arc::new(shared))
            .into_iter()
            .try_for_each(|definition| self.add_definition(definition))
    }

    /// Adds a tool that was put together by hand.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub fn add_definition(&self, definition: ToolDefinition) -> Result<(), BuildError> {
        self.registry.add(definition)
    }

    /// Removes a tool; false when there is none of this name.
    #[expect(
        clippy::must_use_candidate,
        reason = "that it is gone is often all one wants"
    )]
    pub fn remove(&self, name: &str) -> bool {
        self.registry.remove(name)
    }

    /// Shows a tool again, in its old place; false when there is none of this name.
    #[expect(
        clippy::must_use_candidate,
        reason = "that it is shown is often all one wants"
    )]
    pub fn enable(&self, name: &str) -> bool {
        self.registry.set_enabled(name, true)
    }

    /// Hides a tool, so that it can't be called; false when there is none of this name.
    #[expect(
        clippy::must_use_candidate,
        reason = "that it is hidden is often all one wants"
    )]
    pub fn disable(&self, name: &str) -> bool {
        self.registry.set_enabled(name, false)
    }
}
