use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::principal::Principal;
use crate::diagnostics;

/// What a server may show, or not, to whoever is asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shown<'a> {
    /// A tool, by its name.
    Tool(&'a str),
    /// A prompt, by its name.
    Prompt(&'a str),
    /// A resource, by its URI.
    Resource(&'a str),
    /// A family of resources, by its template. A member of one is asked for as a resource, too.
    ResourceTemplate(&'a str),
}

type Shows = dyn Fn(Shown<'_>, Option<&Principal>) -> bool + Send + Sync;

/// What the application shows to whom.
pub(super) struct Filter(pub(super) Box<Shows>);

impl Filter {
    pub(super) fn shows(&self, what: Shown<'_>, principal: Option<&Principal>) -> bool {
        // What it can't decide about is not shown, and the connection goes on.
        catch_unwind(AssertUnwindSafe(|| (self.0)(what, principal))).unwrap_or_else(|_| {
            diagnostics::panicked("filter", "show_if");
            false
        })
    }
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Filter")
    }
}
