use std::sync::{Arc, Weak};

use super::build_error::BuildError;
use super::registry::Registry;
use super::tool::{Tool, ToolDefinition, ToolSet};

/// Changes the tools of a server, also while it serves: every client is told that its list has changed.
///
/// All clients see the same list. A call that has begun is not touched by the change.
///
#[cfg_attr(feature = "macros", doc = "```")]
#[cfg_attr(not(feature = "macros"), doc = "```text")]
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
///
/// It does not keep the server alive, so a tool of the server may hold one. Once the server is gone, nothing happens.
#[derive(Clone, Debug)]
pub struct Live {
    /// Weak, for the registry holds the tools, and a tool that holds a handle would hold itself.
    pub(super) registry: Weak<Registry>,
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
        (self.registry.upgrade()).map_or(Ok(()), |registry| registry.add(definition))
    }

    /// Removes a tool; false when there is none of this name.
    #[expect(
        clippy::must_use_candidate,
        reason = "that it is gone is often all one wants"
    )]
    pub fn remove(&self, name: &str) -> bool {
        (self.registry.upgrade()).is_some_and(|registry| registry.remove(name))
    }

    /// Shows a tool again, in its old place; false when there is none of this name.
    #[expect(
        clippy::must_use_candidate,
        reason = "that it is shown is often all one wants"
    )]
    pub fn enable(&self, name: &str) -> bool {
        (self.registry.upgrade()).is_some_and(|registry| registry.set_enabled(name, true))
    }

    /// Hides a tool, so that it can't be called; false when there is none of this name.
    #[expect(
        clippy::must_use_candidate,
        reason = "that it is hidden is often all one wants"
    )]
    pub fn disable(&self, name: &str) -> bool {
        (self.registry.upgrade()).is_some_and(|registry| registry.set_enabled(name, false))
    }
}

#[cfg(test)]
mod tests {
    use crate::Server;
    use crate::server::{Invocation, Reply, Step, ToolDefinition};

    fn tool(name: &'static str) -> ToolDefinition {
        ToolDefinition::new(name, |_: Invocation| Step::Done(Reply::text("")))
    }

    #[test]
    fn a_server_whose_tool_holds_a_handle_on_it_is_freed() {
        let server = Server::new("s", "1");
        let live = server.live();
        let held = live.clone();
        let holder = ToolDefinition::new("holder", move |_: Invocation| {
            held.disable("holder");
            Step::Done(Reply::text(""))
        });
        let built = server.raw_tool(holder).build().unwrap();
        assert!(live.enable("holder"));
        drop(built);
        assert!(live.registry.upgrade().is_none(), "something holds it");
        assert!(!live.enable("holder") && live.add_definition(tool("late")).is_ok());
    }

    #[test]
    fn a_handle_on_a_mounted_server_leads_to_where_it_is_mounted() {
        let inner = Server::new("inner", "1");
        let live = inner.live();
        let outer = Server::new("outer", "1");
        let outer_live = outer.live();
        let middle = Server::new("middle", "1").mount("in", inner);
        let built = outer.mount("mid", middle).build().unwrap();
        live.add_definition(tool("late")).unwrap();
        assert!(outer_live.disable("mid_in_late"));
        drop(built);
        assert!(live.registry.upgrade().is_none(), "something holds it");
    }
}
