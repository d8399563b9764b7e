//! What the definitions of tools, prompts and resources have in common.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use super::invocation::Handler;
use super::lend::Wanted;
use crate::protocol::{Icon, Meta};

#[derive(Clone)]
pub(crate) struct Common {
    /// For programs; tools and prompts are called by it.
    pub(crate) name: Cow<'static, str>,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) description: Option<Cow<'static, str>>,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Meta,
    pub(crate) deadline: Option<Duration>,
    pub(crate) finishes: bool,
    pub(crate) wanted: Vec<Wanted>,
    pub(crate) handler: Arc<dyn Handler>,
}

impl Common {
    pub(super) fn new(name: impl Into<Cow<'static, str>>, handler: impl Handler) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            icons: Vec::new(),
            meta: Meta::default(),
            deadline: None,
            finishes: false,
            wanted: Vec::new(),
            handler: Arc::new(handler),
        }
    }
}

/// The builder methods of all definitions, for a type with a field `common`.
macro_rules! common_builders {
    ($what:literal) => {
        #[doc = concat!("The same ", $what, " under another name.")]
        #[must_use]
        pub fn with_name(mut self, name: impl Into<std::borrow::Cow<'static, str>>) -> Self {
            self.common.name = name.into();
            self
        }

        /// A name for people.
        #[must_use]
        pub fn with_title(mut self, title: impl Into<std::borrow::Cow<'static, str>>) -> Self {
            self.common.title = Some(title.into());
            self
        }

        #[doc = concat!("What the ", $what, " is for.")]
        #[must_use]
        pub fn with_description(
            mut self,
            description: impl Into<std::borrow::Cow<'static, str>>,
        ) -> Self {
            self.common.description = Some(description.into());
            self
        }

        /// One more icon.
        #[must_use]
        pub fn with_icon(mut self, icon: $crate::protocol::Icon) -> Self {
            self.common.icons.push(icon);
            self
        }

        #[doc = concat!("What `_meta` of the ", $what, " holds beside what the SDK puts there.")]
        #[must_use]
        pub fn with_meta(mut self, meta: $crate::protocol::Meta) -> Self {
            self.common.meta = meta;
            self
        }

        /// A call that takes longer is ended with an error, and its future dropped. A thread that blocks goes on, but is no
        /// longer waited for. A handler that is done when it returns ([`Step::Done`](crate::Step::Done)) can't be
        /// interrupted and is not limited.
        #[must_use]
        pub fn with_deadline(mut self, limit: std::time::Duration) -> Self {
            self.common.deadline = Some(limit);
            self
        }

        /// A cancelled call runs on to its end, so that it can clean up; its answer is dropped. Without this it is the
        /// handler that is dropped.
        #[must_use]
        pub fn finishes(mut self) -> Self {
            self.common.finishes = true;
            self
        }

        /// The handler borrows a `T`, so the server must lend one.
        #[must_use]
        pub fn borrows<T: $crate::server::Lend>(mut self) -> Self {
            self.common
                .wanted
                .push($crate::server::lend::Wanted::new::<T>());
            self
        }

        /// The name for programs.
        #[must_use]
        pub fn name(&self) -> &str {
            &self.common.name
        }

        #[doc = concat!("What the ", $what, " is for.")]
        #[must_use]
        pub fn description(&self) -> Option<&str> {
            self.common.description.as_deref()
        }
    };
}

pub(super) use common_builders;
