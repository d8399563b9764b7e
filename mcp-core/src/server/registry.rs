//! The tools of a server, which may change while it serves.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, Weak};
use std::task::{Context as TaskContext, Poll, Waker};

use super::build_error::BuildError;
use super::layer::DynLayer;
use super::lend::Lent;
use super::show::{Schemas, Showing, compile};
use super::table::{Table, ToolEntry};
use super::tool::ToolDefinition;
use super::wakers::Wakers;

/// The tools of a server and of those mounted in it.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    state: Mutex<State>,
    table: RwLock<Arc<Table>>,
    changes: Changes,
    mounted: OnceLock<Mounted>,
}

/// Where the tools went when their server was mounted in another.
#[derive(Debug)]
struct Mounted {
    /// Weak, for it holds this server in turn.
    registry: Weak<Registry>,
    /// Their names begin with it there.
    prefix: String,
    /// What they have from their own server.
    origin: Origin,
}

#[derive(Debug, Default)]
struct State {
    tools: Vec<Registered>,
    /// The servers mounted here, which handles on them still lead through.
    mounted: Vec<Arc<Registry>>,
    next_sequence: u64,
    is_live: bool,
    /// How tools are shown, once the server is built. Before, they are only collected.
    showing: Option<Showing>,
}

#[derive(Clone, Debug)]
pub(super) struct Registered {
    pub(super) sequence: u64,
    pub(super) name: Arc<str>,
    pub(super) definition: Arc<ToolDefinition>,
    enabled: bool,
    /// What the tool may borrow and what wraps it, when it came with a mounted server; else what the server has.
    pub(super) from: Option<Origin>,
    entry: Option<Arc<ToolEntry>>,
}

/// What a mounted server gave its tools.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub(super) lent: Arc<Lent>,
    pub(super) layers: Vec<Arc<dyn DynLayer>>,
}

impl Origin {
    /// What a tool has in a server of this origin, when it came from another that was mounted there.
    pub(super) fn around(&self, inner: Option<Self>) -> Self {
        inner.map_or_else(
            || self.clone(),
            |inner| Self {
                lent: inner.lent,
                layers: [self.layers.clone(), inner.layers].concat(),
            },
        )
    }
}

impl Mounted {
    fn name(&self, name: &str) -> String {
        format!("{}_{name}", self.prefix)
    }
}

impl Registry {
    /// Collects a tool before the server is built.
    pub(super) fn collect(&self, definition: ToolDefinition) {
        let name = definition.name.as_ref().into();
        self.lock().push(name, Arc::new(definition), None);
    }

    /// Takes over the tools of a server that is mounted here.
    pub(super) fn mount(self: &Arc<Self>, prefix: &str, other: &Arc<Self>, origin: Origin) {
        let (taken, is_live) = {
            let mut other = other.lock();
            (std::mem::take(&mut other.tools), other.is_live)
        };
        let mounted = Mounted {
            registry: Arc::downgrade(self),
            prefix: prefix.to_owned(),
            origin,
        };
        {
            let mut state = self.lock();
            state.mounted.push(Arc::clone(other));
            state.is_live |= is_live;
            for tool in taken {
                let from = mounted.origin.around(tool.from);
                state.push(mounted.name(&tool.name).into(), tool.definition, Some(from));
                if let Some(last) = state.tools.last_mut() {
                    last.enabled = tool.enabled;
                }
            }
        }
        // A server is mounted at most once: mounting consumes it.
        let _: Result<(), _> = other.mounted.set(mounted);
    }

    /// Makes everything ready for serving, or says what is wrong.
    pub(super) fn build(&self, showing: Showing) -> Result<(), BuildError> {
        let mut state = self.lock();
        let mut names = HashMap::new();
        let mut schemas = Schemas::default();
        for (at, tool) in state.tools.iter_mut().enumerate() {
            if names.insert(Arc::clone(&tool.name), at).is_some() {
                return Err(BuildError::Twice((*tool.name).to_owned()));
            }
            tool.compile(&showing, &mut schemas)?;
        }
        state.showing = Some(showing);
        self.publish(&state);
        Ok(())
    }

    /// Tools may come while the server serves, so that it has a list of tools though it may be empty.
    pub(super) fn expect_changes(&self) {
        self.lock().is_live = true;
    }

    pub(super) fn may_have_tools(&self) -> bool {
        let state = self.lock();
        state.is_live || !state.tools.is_empty()
    }

    pub(super) fn add(&self, definition: ToolDefinition) -> Result<(), BuildError> {
        let name = definition.name.clone().into_owned();
        self.add_from(name, definition, None)
    }

    fn add_from(
        &self,
        name: String,
        definition: ToolDefinition,
        from: Option<Origin>,
    ) -> Result<(), BuildError> {
        if let Some((mounted, registry)) = self.mounted() {
            let from = mounted.origin.around(from);
            return registry.add_from(mounted.name(&name), definition, Some(from));
        }
        let mut state = self.lock();
        if state.tools.iter().any(|tool| *tool.name == name) {
            return Err(BuildError::Twice(name));
        }
        state.push(name.into(), Arc::new(definition), from);
        if let Some(showing) = state.showing.clone()
            && let Some(tool) = state.tools.last_mut()
        {
            if let Err(error) = tool.compile(&showing, &mut Schemas::default()) {
                state.tools.pop();
                return Err(error);
            }
            self.publish(&state);
        }
        Ok(())
    }

    pub(super) fn remove(&self, name: &str) -> bool {
        if let Some((mounted, registry)) = self.mounted() {
            return registry.remove(&mounted.name(name));
        }
        let mut state = self.lock();
        let before = state.tools.len();
        state.tools.retain(|tool| &*tool.name != name);
        let found = state.tools.len() < before;
        if found {
            self.publish(&state);
        }
        found
    }

    pub(super) fn set_enabled(&self, name: &str, enabled: bool) -> bool {
        if let Some((mounted, registry)) = self.mounted() {
            return registry.set_enabled(&mounted.name(name), enabled);
        }
        let mut state = self.lock();
        let Some(tool) = (state.tools.iter_mut()).find(|tool| &*tool.name == name) else {
            return false;
        };
        if std::mem::replace(&mut tool.enabled, enabled) != enabled {
            self.publish(&state);
        }
        true
    }

    /// Where the tools are now, unless they are here. When that is no more, nobody is shown what is here.
    fn mounted(&self) -> Option<(&Mounted, Arc<Self>)> {
        let mounted = self.mounted.get()?;
        Some((mounted, mounted.registry.upgrade()?))
    }

    pub(crate) fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) const fn changes(&self) -> &Changes {
        &self.changes
    }

    fn publish(&self, state: &State) {
        let Some(showing) = &state.showing else {
            return;
        };
        let enabled = state.tools.iter().filter(|tool| tool.enabled);
        let entries = enabled.filter_map(|tool| tool.entry.clone());
        let table = Arc::new(Table::new(entries, showing.page_size));
        *self.table.write().unwrap_or_else(PoisonError::into_inner) = table;
        self.changes.tell();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn push(&mut self, name: Arc<str>, definition: Arc<ToolDefinition>, from: Option<Origin>) {
        self.next_sequence += 1;
        self.tools.push(Registered {
            sequence: self.next_sequence,
            name,
            definition,
            enabled: true,
            from,
            entry: None,
        });
    }
}

impl Registered {
    fn compile(&mut self, showing: &Showing, schemas: &mut Schemas) -> Result<(), BuildError> {
        let entry = compile(self, showing, schemas)?;
        self.entry = Some(Arc::new(entry));
        Ok(())
    }
}

/// Tells every connection that the tools have changed. Changes that come fast are told as one.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    generation: AtomicU64,
    waiting: Mutex<Waiting>,
}

/// By connection, so that those that have ended are forgotten.
#[derive(Debug, Default)]
struct Waiting {
    last_key: u64,
    wakers: Wakers,
}

impl Changes {
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// A key to wait by, until [`leave`](Self::leave).
    pub(crate) fn enter(&self) -> u64 {
        let mut waiting = self.lock();
        waiting.last_key += 1;
        waiting.last_key
    }

    pub(crate) fn leave(&self, key: u64) {
        self.lock().wakers.remove(key);
    }

    /// Ready when there was a change since `seen`, which is brought up to date.
    pub(crate) fn poll_changed(&self, cx: &TaskContext<'_>, key: u64, seen: &mut u64) -> Poll<()> {
        // Before the count is looked at, so that a change in between wakes.
        self.lock().wakers.insert(key, cx.waker());
        let current = self.generation();
        if std::mem::replace(seen, current) == current {
            return Poll::Pending;
        }
        Poll::Ready(())
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
        let mut woken = std::mem::take(&mut self.lock().wakers);
        std::iter::from_fn(|| woken.pop_first()).for_each(Waker::wake);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_leaves_is_forgotten_and_a_change_is_told_once() {
        let changes = Changes::default();
        let cx = TaskContext::from_waker(Waker::noop());
        let (key, mut seen) = (changes.enter(), changes.generation());
        assert!(changes.poll_changed(&cx, key, &mut seen).is_pending());
        changes.tell();
        assert!(changes.poll_changed(&cx, key, &mut seen).is_ready());
        assert!(changes.poll_changed(&cx, key, &mut seen).is_pending());
        changes.leave(key);
        assert_eq!(changes.lock().wakers.len(), 0);
    }
}
