use std::any::{Any, TypeId, type_name};
use std::sync::Arc;

/// What a handler may borrow: `&Context`, and every value given to `Server::lend`.
///
/// A parameter `&T` of a tool, a prompt or a resource that is no argument (`&str` and `&[T]` are) is lent to it. That the server has the value
/// is checked when it is built.
///
#[cfg_attr(feature = "macros", doc = "```")]
#[cfg_attr(not(feature = "macros"), doc = "```text")]
/// use mcp_core::{BuildError, Server, tool};
///
/// struct Greeting(&'static str);
///
/// /// Greets.
/// #[tool]
/// fn greet(greeting: &Greeting, name: &str) -> String {
///     format!("{}, {name}!", greeting.0)
/// }
///
/// let server = || Server::new("hall", "1.0.0").tool::<greet>();
/// assert!(server().lend(Greeting("Hello")).build().is_ok());
/// assert!(matches!(server().build(), Err(BuildError::NotLent { .. })));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be lent",
    note = "what a server lends is `Send + Sync + 'static`; to take an argument, take it by value"
)]
pub trait Lend: Any + Send + Sync {}

impl<T: Any + Send + Sync> Lend for T {}

/// The values lent to handlers, by type.
#[derive(Clone, Default)]
// There are few, so that looking through them is cheaper than a map.
pub(crate) struct Lent(Vec<(TypeId, Arc<dyn Any + Send + Sync>)>);

impl Lent {
    /// Whether it is the first of its type.
    pub(crate) fn insert<T: Lend>(&mut self, value: T) -> bool {
        self.put(TypeId::of::<T>(), Arc::new(value))
    }

    /// Says that a value of the type will be there, though it is not kept here.
    pub(crate) fn promise<T: Lend>(&mut self) {
        self.put(TypeId::of::<T>(), Arc::new(()));
    }

    /// Whether it is the first of its type; else it takes the place of the one before.
    fn put(&mut self, id: TypeId, value: Arc<dyn Any + Send + Sync>) -> bool {
        let before = self.0.len();
        self.0.retain(|(known, _)| *known != id);
        self.0.push((id, value));
        self.0.len() > before
    }

    fn find(&self, id: TypeId) -> Option<&Arc<dyn Any + Send + Sync>> {
        let found = self.0.iter().find(|(known, _)| *known == id);
        found.map(|(_, value)| value)
    }

    pub(crate) fn get<T: Lend>(&self) -> Option<&T> {
        self.find(TypeId::of::<T>())?.downcast_ref()
    }

    pub(crate) fn has(&self, wanted: &Wanted) -> bool {
        self.find(wanted.id).is_some()
    }
}

impl std::fmt::Debug for Lent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lent").field("len", &self.0.len()).finish()
    }
}

/// A type that a handler wants to borrow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    id: TypeId,
    pub(crate) name: &'static str,
}

impl Wanted {
    pub(crate) fn new<T: Lend>() -> Self {
        Self {
            id: TypeId::of::<T>(),
            name: type_name::<T>(),
        }
    }
}
