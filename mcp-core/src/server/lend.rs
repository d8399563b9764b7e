use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::sync::Arc;

/// What a handler may borrow: `&Context`, and every value given to `Server::lend`.
///
/// A parameter `&T` of a tool that is no argument (`&str` and `&[T]` are) is lent to it. That the server has the value
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
    message = "`{Self}` can't be lent to a tool",
    note = "values lent to tools are `Send + Sync + 'static`; to take an argument, take it by value"
)]
pub trait Lend: Any + Send + Sync {}

impl<T: Any + Send + Sync> Lend for T {}

/// The values lent to handlers, by type.
#[derive(Clone, Default)]
pub(crate) struct Lent(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl Lent {
    /// Whether it is the first of its type.
    pub(crate) fn insert<T: Lend>(&mut self, value: T) -> bool {
        self.0.insert(TypeId::of::<T>(), Arc::new(value)).is_none()
    }

    /// Says that a value of the type will be there, though it is not kept here.
    pub(crate) fn promise<T: Lend>(&mut self) {
        self.0.insert(TypeId::of::<T>(), Arc::new(()));
    }

    pub(crate) fn get<T: Lend>(&self) -> Option<&T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref()
    }

    pub(crate) fn has(&self, wanted: &Wanted) -> bool {
        self.0.contains_key(&wanted.id)
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
