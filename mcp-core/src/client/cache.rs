//! Lists that were fetched and may be used again, as long as the server says so.
//!
//! <https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching>

use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use crate::session::client::{Change, Event};

/// Which list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Listed {
    Tools,
    Prompts,
    Resources,
    Templates,
}

#[derive(Default)]
pub(super) struct Cache {
    lists: HashMap<Listed, Kept>,
    /// How often each list has changed, as far as we were told.
    changes: HashMap<Listed, u64>,
}

struct Kept {
    until: Instant,
    list: Arc<dyn Any + Send + Sync>,
}

impl Cache {
    pub(super) fn get<T: Send + Sync + 'static>(
        &self,
        listed: Listed,
        now: Instant,
    ) -> Option<Arc<[T]>> {
        let kept = self.lists.get(&listed).filter(|kept| now < kept.until)?;
        kept.list.downcast_ref::<Arc<[T]>>().cloned()
    }

    /// A number that is another one after a change.
    pub(super) fn generation(&self, listed: Listed) -> u64 {
        self.changes.get(&listed).copied().unwrap_or_default()
    }

    /// Keeps a list, unless it has changed while it was fetched.
    pub(super) fn keep<T: Send + Sync + 'static>(
        &mut self,
        listed: Listed,
        generation: u64,
        until: Instant,
        list: &Arc<[T]>,
    ) {
        if self.generation(listed) == generation {
            let list = Arc::new(Arc::clone(list));
            self.lists.insert(listed, Kept { until, list });
        }
    }

    pub(super) fn on_event(&mut self, event: &Event) {
        match event {
            Event::ToolsChanged => self.on_change(&Change::Tools),
            Event::PromptsChanged => self.on_change(&Change::Prompts),
            Event::ResourcesChanged => self.on_change(&Change::Resources),
            _ => {}
        }
    }

    pub(super) fn on_change(&mut self, change: &Change) {
        match change {
            Change::Tools => self.forget(Listed::Tools),
            Change::Prompts => self.forget(Listed::Prompts),
            Change::Resources => {
                self.forget(Listed::Resources);
                self.forget(Listed::Templates);
            }
            Change::Resource(_) | Change::Missed => {}
        }
    }

    fn forget(&mut self, listed: Listed) {
        self.lists.remove(&listed);
        *self.changes.entry(listed).or_default() += 1;
    }
}
