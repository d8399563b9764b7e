use std::sync::{Arc, Weak};

use super::build_error::BuildError;
use super::prompt::{Prompt, PromptDefinition, PromptSet};
use super::registry::Registry;
use super::resource::{Resource, ResourceDefinition, ResourceSet};
use super::tool::{Tool, ToolDefinition, ToolSet};

/// Changes what a server has, also while it serves: every client is told that its list has changed.
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
        (self.registry.upgrade()).is_some_and(|registry| registry.remove::<ToolDefinition>(name))
    }

    /// Shows a tool again, in its old place; false when there is none of this name.
    #[expect(
        clippy::must_use_candidate,
        reason = "that it is shown is often all one wants"
    )]
    pub fn enable(&self, name: &str) -> bool {
        (self.registry.upgrade())
            .is_some_and(|registry| registry.set_enabled::<ToolDefinition>(name, true))
    }

    /// Hides a tool, so that it can't be reached; false when there is none of this name.
    #[expect(
        clippy::must_use_candidate,
        reason = "that it is hidden is often all one wants"
    )]
    pub fn disable(&self, name: &str) -> bool {
        (self.registry.upgrade())
            .is_some_and(|registry| registry.set_enabled::<ToolDefinition>(name, false))
    }

    /// Adds a prompt.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add); and when the server was built without prompts and without
    /// [saying that there would be some](crate::Server::expect_prompts).
    pub fn add_prompt<T: Prompt>(&self) -> Result<(), BuildError> {
        self.add_prompt_definition(T::definition())
    }

    /// Adds the prompts that share a value. Those before the first that fails are there.
    ///
    /// # Errors
    ///
    /// As [`add_prompt`](Self::add_prompt).
    pub fn add_prompts<S: PromptSet>(&self, shared: S) -> Result<(), BuildError> {
        S::definitions(Arc::new(shared))
            .into_iter()
            .try_for_each(|definition| self.add_prompt_definition(definition))
    }

    /// Adds a prompt that was put together by hand.
    ///
    /// # Errors
    ///
    /// As [`add_prompt`](Self::add_prompt).
    pub fn add_prompt_definition(&self, definition: PromptDefinition) -> Result<(), BuildError> {
        (self.registry.upgrade()).map_or(Ok(()), |registry| registry.add(definition))
    }

    /// Removes a prompt; false when there is none of this name.
    #[expect(
        clippy::must_use_candidate,
        reason = "that it is gone is often all one wants"
    )]
    pub fn remove_prompt(&self, name: &str) -> bool {
        (self.registry.upgrade()).is_some_and(|registry| registry.remove::<PromptDefinition>(name))
    }

    /// Shows a prompt again, in its old place; false when there is none of this name.
    #[expect(
        clippy::must_use_candidate,
        reason = "that it is shown is often all one wants"
    )]
    pub fn enable_prompt(&self, name: &str) -> bool {
        (self.registry.upgrade())
            .is_some_and(|registry| registry.set_enabled::<PromptDefinition>(name, true))
    }

    /// Hides a prompt, so that it can't be reached; false when there is none of this name.
    #[expect(
        clippy::must_use_candidate,
        reason = "that it is hidden is often all one wants"
    )]
    pub fn disable_prompt(&self, name: &str) -> bool {
        (self.registry.upgrade())
            .is_some_and(|registry| registry.set_enabled::<PromptDefinition>(name, false))
    }

    /// Adds a resource.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add); and when the server was built without resources and without
    /// [saying that there would be some](crate::Server::expect_resources).
    pub fn add_resource<T: Resource>(&self) -> Result<(), BuildError> {
        self.add_resource_definition(T::definition())
    }

    /// Adds the resources that share a value. Those before the first that fails are there.
    ///
    /// # Errors
    ///
    /// As [`add_resource`](Self::add_resource).
    pub fn add_resources<S: ResourceSet>(&self, shared: S) -> Result<(), BuildError> {
        S::definitions(Arc::new(shared))
            .into_iter()
            .try_for_each(|definition| self.add_resource_definition(definition))
    }

    /// Adds a resource that was put together by hand.
    ///
    /// # Errors
    ///
    /// As [`add_resource`](Self::add_resource).
    pub fn add_resource_definition(
        &self,
        definition: ResourceDefinition,
    ) -> Result<(), BuildError> {
        (self.registry.upgrade()).map_or(Ok(()), |registry| registry.add(definition))
    }

    /// Removes a resource; false when there is none of this URI or template.
    #[expect(
        clippy::must_use_candidate,
        reason = "that it is gone is often all one wants"
    )]
    pub fn remove_resource(&self, uri: &str) -> bool {
        (self.registry.upgrade()).is_some_and(|registry| registry.remove::<ResourceDefinition>(uri))
    }

    /// Shows a resource again, in its old place; false when there is none of this URI or template.
    #[expect(
        clippy::must_use_candidate,
        reason = "that it is shown is often all one wants"
    )]
    pub fn enable_resource(&self, uri: &str) -> bool {
        (self.registry.upgrade())
            .is_some_and(|registry| registry.set_enabled::<ResourceDefinition>(uri, true))
    }

    /// Hides a resource, so that it can't be reached; false when there is none of this URI or template.
    #[expect(
        clippy::must_use_candidate,
        reason = "that it is hidden is often all one wants"
    )]
    pub fn disable_resource(&self, uri: &str) -> bool {
        (self.registry.upgrade())
            .is_some_and(|registry| registry.set_enabled::<ResourceDefinition>(uri, false))
    }

    /// Tells everybody who watches this resource that it has changed, whatever spelling of its URI they or you have used;
    /// they are told in their own. Who reads slowly is told once of several changes.
    pub fn resource_updated(&self, uri: &str) {
        if let Some(registry) = self.registry.upgrade() {
            registry.resource_updated(uri);
        }
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
