//! Keeps the list of a server up to date with its folder.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::files::Files;
use super::names::uri;
use super::provide::definition;
use super::scan::Stamp;
use crate::diagnostics;
use crate::runtime::{BoxFuture, Runtime};
use crate::server::{Amendment, Registry, Turnstile, Upkeep, slot};

/// Looking takes at most this part of the time.
const SHARE: u32 = 50;

/// A folder, and what a server knows of it.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) files: Arc<Files>,
    /// Weak, for the server holds this.
    registry: Weak<Registry>,
    interval: Option<Duration>,
    /// Held while looking, so that what was seen first is told first.
    looking: Mutex<()>,
    known: Mutex<BTreeMap<Arc<str>, Stamp>>,
    /// The URIs of files at which the application has resources of its own.
    taken: Mutex<HashSet<String>>,
    /// One connection looks for all.
    turnstile: Arc<Turnstile>,
    /// When to look again.
    due: Mutex<Option<Instant>>,
}

impl Watched {
    pub(super) fn new(
        files: Arc<Files>,
        registry: Weak<Registry>,
        interval: Option<Duration>,
    ) -> Self {
        Self {
            files,
            registry,
            interval,
            looking: Mutex::default(),
            known: Mutex::default(),
            taken: Mutex::default(),
            turnstile: Turnstile::new(1),
            due: Mutex::default(),
        }
    }

    /// The files that are listed, by path.
    pub(super) fn listed(&self) -> Vec<Arc<str>> {
        lock(&self.known).keys().cloned().collect()
    }

    /// Looks, and tells what has changed. Blocks.
    fn look(&self) {
        let Some(registry) = self.registry.upgrade() else {
            return;
        };
        let _looking = lock(&self.looking);
        let found = match self.files.scan() {
            Ok(found) => found,
            Err(error) => return diagnostics::folder_not_read(error.kind()),
        };
        let (mut amendment, touched) = self.compare(found);
        if touched.is_empty() {
            return;
        }
        let mut taken = lock(&self.taken);
        (amendment.changed).retain(|definition| !taken.contains(definition.uri()));
        amendment.gone.retain(|uri| !taken.remove(uri));
        taken.extend(registry.amend(amendment));
        drop(taken);
        // Who is told reads what is there now.
        for uri in &touched {
            registry.resource_updated(uri);
        }
    }

    /// Takes over what was found, and says what of it is new to us, and all URIs whose files have changed.
    fn compare(&self, found: Vec<(String, Stamp)>) -> (Amendment, Vec<String>) {
        let mut known = lock(&self.known);
        let mut before: HashMap<Arc<str>, Stamp> =
            std::mem::take(&mut *known).into_iter().collect();
        let (mut amendment, mut touched) = (Amendment::default(), Vec::new());
        for (path, stamp) in found {
            let (path, was) = match before.remove_entry(path.as_str()) {
                Some((path, was)) => (path, Some(was)),
                None => (path.into(), None),
            };
            if was.as_ref() != Some(&stamp) {
                let definition = definition(&self.files, &path, &stamp);
                touched.push(definition.uri().to_owned());
                match was {
                    Some(_) => amendment.changed.push(definition),
                    None => amendment.fresh.push(definition),
                }
            }
            known.insert(path, stamp);
        }
        amendment.gone = (before.keys())
            .map(|path| uri(&self.files.base, path))
            .collect();
        touched.extend(amendment.gone.iter().cloned());
        (amendment, touched)
    }
}

impl Upkeep for Watched {
    fn begin(&self) {
        self.look();
    }

    fn keep(self: Arc<Self>, runtime: Arc<dyn Runtime>) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let Some(interval) = self.interval else {
                return;
            };
            let _place = self.turnstile.pass().await;
            loop {
                let start = runtime.now();
                let due = *lock(&self.due);
                if let Some(due) = due.filter(|due| *due > start) {
                    runtime.sleep_until(due).await;
                    continue;
                }
                // Said beforehand, so that connections that come and go in no time do not make us look for each of them.
                *lock(&self.due) = start.checked_add(interval);
                let (filler, looked) = slot();
                let watched = Arc::clone(&self);
                runtime.blocking(Box::new(move || {
                    watched.look();
                    filler.fill(());
                }));
                // When it was dropped, there is another time.
                let _: Option<()> = looked.await;
                let end = runtime.now();
                let pause = end.saturating_duration_since(start).saturating_mul(SHARE);
                *lock(&self.due) = end.checked_add(pause.max(interval));
            }
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
