//! What the handles of a client and its driver have in common.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::task::AtomicWaker;

use super::cache::Cache;
use super::error::{ClientError, ClientErrorKind, Disconnected};
use super::events::EventQueue;
use super::handlers::Handlers;
use super::mirrors::Mirrors;
use super::options::Options;
use super::server_info::ServerInfo;
use super::shown::shown;
use crate::protocol::SubscriptionFilter;
use crate::runtime::{Runtime, Task};
use crate::session::client::{Answer, ClientSession, Outline, Unsendable};

/// Characters of the name that a server gives itself. Every error has it.
const MAX_NAME: usize = 100;

pub(super) struct Shared {
    state: Mutex<State>,
    driver: AtomicWaker,
    /// Handles that people hold. The connection closes with the last.
    handles: AtomicUsize,
    pub(super) runtime: Arc<dyn Runtime>,
    pub(super) handlers: Handlers,
    pub(super) options: Options,
    /// Set when the connection is open.
    pub(super) server: OnceLock<ServerInfo>,
}

pub(super) struct State {
    pub(super) session: ClientSession,
    pub(super) events: EventQueue,
    pub(super) cache: Cache,
    pub(super) mirrors: Mirrors,
    /// How many subscriptions there are for a resource, where the server knows nothing of subscriptions.
    pub(super) watched: HashMap<String, usize>,
    pub(super) phase: Phase,
    /// Who waits for the driver to be done.
    pub(super) closers: Vec<Waker>,
    pub(super) task: Option<Task>,
    /// What events are to tell of, for the driver to see to. The future that does so would hold this, and never go.
    pub(super) telling: Option<SubscriptionFilter>,
}

/// How far the connection has come.
#[derive(Debug)]
pub(super) enum Phase {
    Open,
    /// It is to end in order.
    Closing,
    /// Nothing can be sent or received any more.
    Lost(Disconnected),
    /// And everything that belonged to it is released.
    Done(Disconnected),
}

impl Phase {
    pub(super) fn why(&self) -> Disconnected {
        match self {
            Self::Open | Self::Closing => Disconnected::Closed,
            Self::Lost(why) | Self::Done(why) => why.clone(),
        }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("server", &self.name())
            .finish_non_exhaustive()
    }
}

impl Shared {
    pub(super) fn new(
        session: ClientSession,
        runtime: Arc<dyn Runtime>,
        handlers: Handlers,
        options: Options,
    ) -> Self {
        Self {
            state: Mutex::new(State {
                session,
                events: EventQueue::default(),
                cache: Cache::default(),
                mirrors: Mirrors::default(),
                watched: HashMap::new(),
                phase: Phase::Open,
                closers: Vec::new(),
                task: None,
                telling: None,
            }),
            driver: AtomicWaker::new(),
            handles: AtomicUsize::new(0),
            runtime,
            handlers,
            options,
            server: OnceLock::new(),
        }
    }

    /// Nothing of a user's runs while it is locked, so that whoever is called back can call again.
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn register_driver(&self, cx: &Context<'_>) {
        self.driver.register(cx.waker());
    }

    pub(super) fn wake_driver(&self) {
        self.driver.wake();
    }

    pub(super) fn enter(&self) {
        self.handles.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn leave(&self) {
        if self.handles.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.begin_to_close();
        }
    }

    pub(super) fn begin_to_close(&self) {
        {
            let mut state = self.lock();
            if matches!(state.phase, Phase::Open) {
                state.phase = Phase::Closing;
            }
        }
        self.wake_driver();
    }

    /// Sends a request, and says under which id. Who waits for the answer may be known already.
    pub(super) fn send(&self, outline: &Outline<'_>, waker: Option<&Waker>) -> Result<u64, Unsent> {
        let mut state = self.lock();
        if !matches!(state.phase, Phase::Open) {
            return Err(Unsent::Disconnected(state.phase.why()));
        }
        let sent = state.session.request(outline, waker);
        drop(state);
        let id = sent?;
        self.wake_driver();
        Ok(id)
    }

    /// Tells the server something.
    pub(super) fn notify(&self, method: &str, params: &[u8]) -> Result<(), Unsent> {
        let mut state = self.lock();
        if !matches!(state.phase, Phase::Open) {
            return Err(Unsent::Disconnected(state.phase.why()));
        }
        state.session.notify(method, params)?;
        drop(state);
        self.wake_driver();
        Ok(())
    }

    /// Keeps what the server tells everybody and this filter lets through, and says under which id.
    pub(super) fn listen_to_all(&self, filter: &SubscriptionFilter) -> Result<u64, Unsent> {
        let mut state = self.lock();
        if !matches!(state.phase, Phase::Open) {
            return Err(Unsent::Disconnected(state.phase.why()));
        }
        Ok(state.session.listen_to_all(filter.clone())?)
    }

    /// Lists whose changes were asked for by this filter are fetched anew: a change may have been missed.
    pub(super) fn forget_lists(&self, filter: &SubscriptionFilter) {
        let mut state = self.lock();
        super::listen::lists(filter).for_each(|change| state.cache.on_change(&change));
    }

    pub(super) fn is_open(&self) -> bool {
        matches!(self.lock().phase, Phase::Open)
    }

    /// The answer to a request. After it the id stands for nothing.
    pub(super) fn poll_answer(&self, cx: &Context<'_>, id: u64) -> Poll<Answer> {
        self.lock().session.poll_answer(id, cx.waker())
    }

    /// Nobody waits for the answer any more.
    pub(super) fn abandon(&self, id: u64, reason: &str) {
        let mut state = self.lock();
        state.session.abandon(id, reason);
        let tells = state.session.has_output() || state.session.has_departure(false);
        drop(state);
        if tells {
            self.wake_driver();
        }
    }

    /// The name of the server for errors.
    pub(super) fn name(&self) -> String {
        if let Some(label) = &self.options.label {
            return label.clone();
        }
        let server = self.server.get().map(ServerInfo::name);
        let known = server.or(self.options.provisional_label.as_deref());
        shown(known.unwrap_or("server"), MAX_NAME)
    }

    pub(super) fn error(
        &self,
        method: impl Into<Cow<'static, str>>,
        kind: ClientErrorKind,
    ) -> ClientError {
        ClientError::new(self.name(), method, kind)
    }

    /// What an answer that is no result comes to.
    pub(super) fn failure(
        &self,
        method: impl Into<Cow<'static, str>>,
        failure: Failure,
    ) -> ClientError {
        let kind = match failure {
            Failure::Unsent(Unsent::Overloaded) => ClientErrorKind::Overloaded,
            Failure::Unsent(Unsent::Disconnected(why)) => {
                ClientErrorKind::Disconnected { why, sent: false }
            }
            Failure::Gone { sent } => ClientErrorKind::Disconnected {
                why: self.lock().phase.why(),
                sent,
            },
            Failure::Error(error) => ClientErrorKind::Refused(error),
            Failure::Malformed(why) => ClientErrorKind::Malformed(why.to_owned()),
            Failure::Overlong(limit) => ClientErrorKind::TooLong(limit),
            Failure::Timeout { after, sent } => ClientErrorKind::Timeout { after, sent },
            Failure::Failed { error, sent } => ClientErrorKind::Failed { error, sent },
        };
        self.error(method, kind)
    }
}

/// Why a request was not sent.
#[derive(Debug)]
pub(super) enum Unsent {
    Overloaded,
    Disconnected(Disconnected),
}

impl From<Unsendable> for Unsent {
    fn from(why: Unsendable) -> Self {
        match why {
            Unsendable::Overloaded => Self::Overloaded,
            Unsendable::Ended => Self::Disconnected(Disconnected::Closed),
        }
    }
}

/// Why there is no result.
#[derive(Debug)]
pub(super) enum Failure {
    Unsent(Unsent),
    Gone {
        sent: bool,
    },
    Error(crate::ErrorObject),
    Malformed(&'static str),
    Overlong(usize),
    Failed {
        error: Arc<std::io::Error>,
        sent: bool,
    },
    Timeout {
        after: std::time::Duration,
        sent: bool,
    },
}
