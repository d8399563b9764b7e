//! What a server has: tools, prompts and resources, which may change while it serves.

#[cfg(feature = "fs")]
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, Weak};

use super::build_error::BuildError;
use super::changes::{ChangedLists, Changes};
use super::layer::DynLayer;
use super::lend::Lent;
use super::prompt::PromptDefinition;
use super::resource::ResourceDefinition;
use super::shelf::{Definition, Shelf};
use super::show::{Schemas, Showing};
use super::table::{List, Resources, Table, Tables};
use super::tool::ToolDefinition;
use crate::session::Offers;

/// What a server has, and those mounted in it.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    state: Mutex<State>,
    tables: RwLock<Arc<Tables>>,
    changes: Changes,
    mounted: OnceLock<Mounted>,
}

/// Where all of it went when its server was mounted in another.
#[derive(Debug)]
struct Mounted {
    /// Weak, for it holds this server in turn.
    registry: Weak<Registry>,
    /// Names begin with it there.
    prefix: String,
    /// What everything has from its own server.
    origin: Origin,
}

#[derive(Debug, Default)]
pub(super) struct State {
    tools: Shelf<ToolDefinition>,
    prompts: Shelf<PromptDefinition>,
    resources: Shelf<ResourceDefinition>,
    /// The servers mounted here, which handles on them still lead through.
    mounted: Vec<Arc<Registry>>,
    /// What there is, or may come while the server serves.
    offers: Offers,
    /// How everything is shown, once the server is built. Before, it is only collected.
    showing: Option<Showing>,
}

/// Many changes of resources, which are told as one.
#[cfg(feature = "fs")]
#[derive(Debug, Default)]
pub(crate) struct Amendment {
    /// The URIs of those that are no more.
    pub(crate) gone: HashSet<String>,
    /// New ones. Where there is a resource already, it stays.
    pub(crate) fresh: Vec<ResourceDefinition>,
    /// Those of which something else is said now.
    pub(crate) changed: Vec<ResourceDefinition>,
}

/// What a mounted server gave to what it has.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub(super) lent: Arc<Lent>,
    pub(super) layers: Vec<Arc<dyn DynLayer>>,
}

impl Origin {
    /// What something has in a server of this origin, when it came from another that was mounted there.
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

/// A kind of definition, and where it is kept.
pub(super) trait Shelved: Definition + 'static {
    const LISTS: ChangedLists;

    fn shelf(state: &mut State) -> &mut Shelf<Self>;

    /// Whether the server said, when it was built, that it has these.
    fn is_declared(state: &State) -> bool;

    /// What there is now, after a change.
    fn renewed(state: &State, tables: &Tables, page_size: usize) -> Tables;
}

const NONE: ChangedLists = ChangedLists {
    tools: false,
    prompts: false,
    resources: false,
};

impl Shelved for ToolDefinition {
    const LISTS: ChangedLists = ChangedLists {
        tools: true,
        ..NONE
    };

    fn shelf(state: &mut State) -> &mut Shelf<Self> {
        &mut state.tools
    }

    fn is_declared(state: &State) -> bool {
        state.offers.tools
    }

    fn renewed(state: &State, tables: &Tables, page_size: usize) -> Tables {
        let table = Table::new(List::Tools, state.tools.entries(), page_size);
        Tables {
            tools: Arc::new(table),
            ..tables.clone()
        }
    }
}

impl Shelved for PromptDefinition {
    const LISTS: ChangedLists = ChangedLists {
        prompts: true,
        ..NONE
    };

    fn shelf(state: &mut State) -> &mut Shelf<Self> {
        &mut state.prompts
    }

    fn is_declared(state: &State) -> bool {
        state.offers.prompts
    }

    fn renewed(state: &State, tables: &Tables, page_size: usize) -> Tables {
        let table = Table::new(List::Prompts, state.prompts.entries(), page_size);
        Tables {
            prompts: Arc::new(table),
            ..tables.clone()
        }
    }
}

impl Shelved for ResourceDefinition {
    const LISTS: ChangedLists = ChangedLists {
        resources: true,
        ..NONE
    };

    fn shelf(state: &mut State) -> &mut Shelf<Self> {
        &mut state.resources
    }

    fn is_declared(state: &State) -> bool {
        state.offers.resources
    }

    fn renewed(state: &State, tables: &Tables, page_size: usize) -> Tables {
        let resources = Resources::new(state.resources.entries(), page_size);
        Tables {
            resources: Arc::new(resources),
            ..tables.clone()
        }
    }
}

impl Registry {
    /// Collects a definition before the server is built.
    pub(super) fn collect<D: Shelved>(&self, definition: D) {
        let key = definition.key();
        D::shelf(&mut self.lock()).push(&key, Arc::new(definition), None);
    }

    /// Takes over what a server has that is mounted here.
    pub(super) fn mount(self: &Arc<Self>, prefix: &str, other: &Arc<Self>, origin: Origin) {
        {
            let mut state = self.lock();
            let mut other = other.lock();
            state.tools.take(&mut other.tools, prefix, &origin);
            state.prompts.take(&mut other.prompts, prefix, &origin);
            state.resources.take(&mut other.resources, prefix, &origin);
            state.offers.merge(other.offers);
        }
        self.lock().mounted.push(Arc::clone(other));
        // A server is mounted at most once: mounting consumes it.
        let _: Result<(), _> = other.mounted.set(Mounted {
            registry: Arc::downgrade(self),
            prefix: prefix.to_owned(),
            origin,
        });
    }

    /// Makes everything ready for serving, or says what is wrong; and what the server has.
    pub(super) fn build(&self, showing: Showing) -> Result<Offers, BuildError> {
        let mut state = self.lock();
        let mut schemas = Schemas::default();
        state.tools.build(&showing, &mut schemas)?;
        state.prompts.build(&showing, &mut schemas)?;
        state.resources.build(&showing, &mut schemas)?;
        let there = Offers {
            tools: !state.tools.is_empty(),
            prompts: !state.prompts.is_empty(),
            resources: !state.resources.is_empty(),
            completions: false,
        };
        state.offers.merge(there);
        let mut tables = Tables::default();
        tables = ToolDefinition::renewed(&state, &tables, showing.page_size);
        tables = PromptDefinition::renewed(&state, &tables, showing.page_size);
        tables = ResourceDefinition::renewed(&state, &tables, showing.page_size);
        state.offers.completions |= tables.have_completers();
        self.publish(tables);
        state.showing = Some(showing);
        Ok(state.offers)
    }

    pub(super) fn expect(&self, offers: Offers) {
        self.lock().offers.merge(offers);
    }

    pub(super) fn add<D: Shelved>(&self, definition: D) -> Result<(), BuildError> {
        let key = definition.key();
        self.add_from(key, Arc::new(definition), None)
    }

    fn add_from<D: Shelved>(
        &self,
        key: String,
        definition: Arc<D>,
        from: Option<Origin>,
    ) -> Result<(), BuildError> {
        if let Some((mounted, registry)) = self.mounted() {
            let from = mounted.origin.around(from);
            let key = D::key_under(&mounted.prefix, &key);
            return registry.add_from(key, definition, Some(from));
        }
        let mut state = self.lock();
        let showing = state.showing.clone();
        if showing.is_some() && !D::is_declared(&state) {
            return Err(BuildError::NotDeclared(D::KIND));
        }
        D::shelf(&mut state).add(key, definition, from, showing.as_ref())?;
        self.changed::<D>(&state);
        Ok(())
    }

    pub(super) fn remove<D: Shelved>(&self, key: &str) -> bool {
        if let Some((mounted, registry)) = self.mounted() {
            return registry.remove::<D>(&D::key_under(&mounted.prefix, key));
        }
        let mut state = self.lock();
        let found = D::shelf(&mut state).remove(key);
        if found {
            self.changed::<D>(&state);
        }
        found
    }

    pub(super) fn set_enabled<D: Shelved>(&self, key: &str, enabled: bool) -> bool {
        if let Some((mounted, registry)) = self.mounted() {
            return registry.set_enabled::<D>(&D::key_under(&mounted.prefix, key), enabled);
        }
        let mut state = self.lock();
        let Some(changed) = D::shelf(&mut state).set_enabled(key, enabled) else {
            return false;
        };
        if changed {
            self.changed::<D>(&state);
        }
        true
    }

    /// Does many changes of resources at once, also before the server is built. Says which of the new ones have yielded to
    /// those that were there.
    #[cfg(feature = "fs")]
    pub(crate) fn amend(&self, amendment: Amendment) -> Vec<String> {
        self.amend_from(amendment, None)
    }

    #[cfg(feature = "fs")]
    fn amend_from(&self, amendment: Amendment, from: Option<Origin>) -> Vec<String> {
        if let Some((mounted, registry)) = self.mounted() {
            return registry.amend_from(amendment, Some(mounted.origin.around(from)));
        }
        let mut state = self.lock();
        let showing = state.showing.clone();
        let Amendment {
            gone,
            fresh,
            changed,
        } = amendment;
        let (came_or_went, yielded) =
            (state.resources).amend(&gone, fresh, changed, from.as_ref(), showing.as_ref());
        if let Some(showing) = showing {
            let tables = self.tables();
            let tables = ResourceDefinition::renewed(&state, &tables, showing.page_size);
            self.publish(tables);
            if came_or_went {
                self.changes.lists_changed(ResourceDefinition::LISTS);
            } else {
                self.changes.lists_renewed();
            }
        }
        yielded
    }

    pub(crate) fn resource_updated(&self, uri: &str) {
        match self.mounted() {
            Some((_, registry)) => registry.resource_updated(uri),
            None => self.changes.resource_updated(uri),
        }
    }

    /// Where everything is now, unless it is here. When that is no more, nobody is shown what is here.
    fn mounted(&self) -> Option<(&Mounted, Arc<Self>)> {
        let mounted = self.mounted.get()?;
        Some((mounted, mounted.registry.upgrade()?))
    }

    pub(crate) fn tables(&self) -> Arc<Tables> {
        Arc::clone(&self.tables.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) const fn changes(&self) -> &Changes {
        &self.changes
    }

    fn changed<D: Shelved>(&self, state: &State) {
        if let Some(showing) = &state.showing {
            let tables = D::renewed(state, &self.tables(), showing.page_size);
            self.publish(tables);
            self.changes.lists_changed(D::LISTS);
        }
    }

    fn publish(&self, tables: Tables) {
        *self.tables.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(tables);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
