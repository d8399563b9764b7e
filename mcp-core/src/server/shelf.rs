//! The definitions of one kind that a server has, in the order they came.

#[cfg(feature = "fs")]
use std::collections::HashMap;
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use super::build_error::BuildError;
use super::registry::Origin;
use super::show::{Schemas, Showing};

/// What may be registered with a server.
pub(super) trait Definition: Sized {
    /// What it is made into when the server is built.
    type Entry;

    /// What it is, in the plural.
    const KIND: &'static str;

    /// What it is found by, for which there is one only.
    fn key(&self) -> String;

    /// What it is found by when its server is mounted under this prefix.
    fn key_under(prefix: &str, key: &str) -> String;

    fn compile(
        registered: &Registered<Self>,
        showing: &Showing,
        schemas: &mut Schemas,
    ) -> Result<Self::Entry, BuildError>;

    /// What to say when there is another of its key.
    fn twice(key: String) -> BuildError;
}

/// The name of something that is mounted under a prefix; an empty one leaves names as they are.
pub(super) fn under(prefix: &str, key: &str) -> String {
    if prefix.is_empty() {
        return key.to_owned();
    }
    format!("{prefix}_{key}")
}

/// A definition, and what was made of it.
pub(super) struct Registered<D> {
    pub(super) sequence: u64,
    pub(super) name: Arc<str>,
    pub(super) definition: Arc<D>,
    pub(super) enabled: bool,
    /// What it may borrow and what wraps it, when it came with a mounted server; else what the server has.
    pub(super) from: Option<Origin>,
}

struct Slot<D: Definition> {
    registered: Registered<D>,
    entry: Option<Arc<D::Entry>>,
}

/// The definitions of one kind.
pub(super) struct Shelf<D: Definition> {
    slots: Vec<Slot<D>>,
    last_sequence: u64,
}

impl<D: Definition> Default for Shelf<D> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            last_sequence: 0,
        }
    }
}

impl<D: Definition> fmt::Debug for Shelf<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shelf")
            .field("len", &self.slots.len())
            .finish_non_exhaustive()
    }
}

impl<D: Definition> Shelf<D> {
    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    pub(super) fn push(&mut self, key: &str, definition: Arc<D>, from: Option<Origin>) {
        self.last_sequence += 1;
        self.slots.push(Slot {
            registered: Registered {
                sequence: self.last_sequence,
                name: key.into(),
                definition,
                enabled: true,
                from,
            },
            entry: None,
        });
    }

    /// Takes over what a mounted server has.
    pub(super) fn take(&mut self, other: &mut Self, prefix: &str, origin: &Origin) {
        for Slot { registered, .. } in std::mem::take(&mut other.slots) {
            let from = origin.around(registered.from);
            let key = D::key_under(prefix, &registered.name);
            self.push(&key, registered.definition, Some(from));
            if let Some(last) = self.slots.last_mut() {
                last.registered.enabled = registered.enabled;
            }
        }
    }

    /// Makes everything ready.
    pub(super) fn build(
        &mut self,
        showing: &Showing,
        schemas: &mut Schemas,
    ) -> Result<(), BuildError> {
        let mut keys = HashSet::new();
        for slot in &mut self.slots {
            if !keys.insert(Arc::clone(&slot.registered.name)) {
                return Err(D::twice((*slot.registered.name).to_owned()));
            }
            slot.compile(showing, schemas)?;
        }
        Ok(())
    }

    /// Adds one more; it is made ready when the server is built already.
    pub(super) fn add(
        &mut self,
        key: String,
        definition: Arc<D>,
        from: Option<Origin>,
        showing: Option<&Showing>,
    ) -> Result<(), BuildError> {
        if self.slots.iter().any(|slot| *slot.registered.name == key) {
            return Err(D::twice(key));
        }
        self.push(&key, definition, from);
        if let (Some(showing), Some(slot)) = (showing, self.slots.last_mut())
            && let Err(error) = slot.compile(showing, &mut Schemas::default())
        {
            self.slots.pop();
            return Err(error);
        }
        Ok(())
    }

    /// Does many changes at once. What is fresh yields to what is there already; what has changed keeps its place.
    ///
    /// Says whether anything came or went, and the keys of what has yielded.
    #[cfg(feature = "fs")]
    pub(super) fn amend(
        &mut self,
        gone: &HashSet<String>,
        fresh: Vec<D>,
        changed: Vec<D>,
        from: Option<&Origin>,
        showing: Option<&Showing>,
    ) -> (bool, Vec<String>) {
        let before = (self.slots.len(), self.last_sequence);
        if !gone.is_empty() {
            (self.slots).retain(|slot| !gone.contains(&*slot.registered.name));
        }
        let mut places: HashMap<Arc<str>, usize> = (self.slots.iter().enumerate())
            .map(|(at, slot)| (Arc::clone(&slot.registered.name), at))
            .collect();
        let (mut schemas, mut yielded) = (Schemas::default(), Vec::new());
        for definition in changed {
            if let Some(slot) =
                (places.get(definition.key().as_str())).and_then(|at| self.slots.get_mut(*at))
            {
                slot.registered.definition = Arc::new(definition);
                slot.prepare(showing, &mut schemas);
            }
        }
        for definition in fresh {
            let key = definition.key();
            if places.contains_key(key.as_str()) {
                yielded.push(key);
                continue;
            }
            self.push(&key, Arc::new(definition), from.cloned());
            places.insert(key.into(), self.slots.len());
            if let Some(slot) = self.slots.last_mut() {
                slot.prepare(showing, &mut schemas);
            }
        }
        let came_or_went = before != (self.slots.len(), self.last_sequence);
        (came_or_went, yielded)
    }

    /// Whether it was there.
    pub(super) fn remove(&mut self, key: &str) -> bool {
        let before = self.slots.len();
        self.slots.retain(|slot| &*slot.registered.name != key);
        self.slots.len() < before
    }

    /// Whether it was there, and another before.
    pub(super) fn set_enabled(&mut self, key: &str, enabled: bool) -> Option<bool> {
        let slot = (self.slots.iter_mut()).find(|slot| &*slot.registered.name == key)?;
        Some(std::mem::replace(&mut slot.registered.enabled, enabled) != enabled)
    }

    /// What is enabled and ready.
    pub(super) fn entries(&self) -> Vec<Arc<D::Entry>> {
        (self.slots.iter())
            .filter(|slot| slot.registered.enabled)
            .filter_map(|slot| slot.entry.clone())
            .collect()
    }
}

impl<D: Definition> Slot<D> {
    /// As [`compile`](Self::compile), once the server is built; what can't be made ready is not shown.
    #[cfg(feature = "fs")]
    fn prepare(&mut self, showing: Option<&Showing>, schemas: &mut Schemas) {
        if showing.is_some_and(|showing| self.compile(showing, schemas).is_err()) {
            self.entry = None;
        }
    }

    fn compile(&mut self, showing: &Showing, schemas: &mut Schemas) -> Result<(), BuildError> {
        let entry = D::compile(&self.registered, showing, schemas)?;
        self.entry = Some(Arc::new(entry));
        Ok(())
    }
}
