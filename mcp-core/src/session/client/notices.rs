//! What the server tells without being asked.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::listening::{Change, Listener};
use super::{ClientEffect, ClientSession, Event};
use crate::protocol::{
    Cancelled, CancelledParams, ElicitationComplete, ElicitationCompleteParams, ListenAcknowledged,
    ListenAcknowledgedParams, LoggingMessage, Meta, Notification, Progress, ProgressParams,
    PromptListChanged, RawJson, ResourceListChanged, ResourceUpdated, ResourceUpdatedParams,
    ToolListChanged,
};

/// Events that the driver has not fetched yet. It fetches them after each frame, so only a batch comes near.
const MAX_EFFECTS: usize = 1_024;

impl ClientSession {
    pub(super) fn on_notification(&mut self, method: &str, params: Option<&str>) {
        let text = params.unwrap_or("{}");
        match method {
            Progress::METHOD => self.on_progress(text),
            Cancelled::METHOD => self.on_cancelled(text),
            ListenAcknowledged::METHOD => self.on_acknowledged(text),
            ToolListChanged::METHOD => self.on_change(Change::Tools, text),
            PromptListChanged::METHOD => self.on_change(Change::Prompts, text),
            ResourceListChanged::METHOD => self.on_change(Change::Resources, text),
            ResourceUpdated::METHOD => match read::<ResourceUpdatedParams>(text) {
                Some(params) => self.on_change(Change::Resource(params.uri), text),
                None => self.skip("a change of no resource"),
            },
            LoggingMessage::METHOD => match read(text) {
                Some(params) => self.tell(Event::Log(params)),
                None => self.skip("a log message that can't be read"),
            },
            ElicitationComplete::METHOD => match read::<ElicitationCompleteParams>(text) {
                Some(params) => self.tell(Event::ElicitationComplete(params.elicitation_id)),
                None => self.skip("the end of no elicitation"),
            },
            _ => self.tell(Event::Other {
                method: method.to_owned(),
                params: params.and_then(|text| text.parse::<RawJson>().ok()),
            }),
        }
    }

    fn on_progress(&mut self, text: &str) {
        let Some(params) = read::<ProgressParams>(text) else {
            return self.skip("progress that can't be read");
        };
        let Some(id) = params.progress_token.as_ref().as_number() else {
            return;
        };
        let entry = self.pending.get_mut(id);
        if entry.is_some_and(|entry| entry.progress(params, text.len(), &mut self.wakers)) {
            self.pending.touch(id);
        }
    }

    /// The server withdraws a question, or ends a stream.
    fn on_cancelled(&mut self, text: &str) {
        let Some(id) = read::<CancelledParams>(text).and_then(|params| params.request_id) else {
            return self.skip("the end of nothing");
        };
        if !self.version.is_modern() {
            return self.on_withdrawal(&id);
        }
        let entry = id.as_number().and_then(|id| self.pending.get_mut(id));
        if let Some(entry) = entry.filter(|entry| entry.listening.is_some()) {
            entry.is_cancellable = false;
            entry.answer(super::Answer::Gone { sent: true }, &mut self.wakers);
        }
    }

    fn on_acknowledged(&mut self, text: &str) {
        let Some(params) = read::<ListenAcknowledgedParams>(text) else {
            return self.skip("an acknowledgement that can't be read");
        };
        let id = params.meta.subscription_id();
        let entry = id.and_then(|id| self.pending.get_mut(id.as_number()?));
        if let Some(entry) = entry
            && let Some(listening) = &mut entry.listening
        {
            listening.acknowledged = Some(params.notifications);
            entry.stop_clock();
            entry.wake(&mut self.wakers);
        }
    }

    fn on_change(&mut self, change: Change, text: &str) {
        let id = read::<WithMeta>(text).and_then(|params| params.meta.subscription_id());
        let Some(id) = id.filter(|_| self.version.is_modern()) else {
            return self.tell_everybody(change);
        };
        let entry = id.as_number().and_then(|id| self.pending.get_mut(id));
        let Some(entry) = entry else {
            return self.skip("a change on no stream of ours");
        };
        let Some(listening) = &mut entry.listening else {
            return;
        };
        match listening.listener {
            Listener::Subscription => {
                listening.push(change.clone());
                entry.wake(&mut self.wakers);
                self.stale(&change);
            }
            Listener::Events => self.tell(event(change)),
        }
    }

    fn tell_everybody(&mut self, change: Change) {
        for (_, entry) in self.pending.iter_mut() {
            let listening = entry.listening.as_mut();
            if let Some(listening) = listening.filter(|listening| listening.wants(&change)) {
                listening.push(change.clone());
                entry.wake(&mut self.wakers);
            }
        }
        self.tell(event(change));
    }

    fn tell(&mut self, event: Event) {
        if self.effects.len() < MAX_EFFECTS {
            self.effects.push_back(ClientEffect::Event(event));
        } else {
            self.skip("an event too many");
        }
    }

    /// Lists that were kept are out of date, though nobody is told so.
    fn stale(&mut self, change: &Change) {
        if !matches!(change, Change::Missed) && self.effects.len() < MAX_EFFECTS {
            self.effects.push_back(ClientEffect::Stale(change.clone()));
        }
    }
}

/// A change of what everybody watches, as an event.
pub(crate) fn event(change: Change) -> Event {
    match change {
        Change::Tools => Event::ToolsChanged,
        Change::Prompts => Event::PromptsChanged,
        Change::Resources => Event::ResourcesChanged,
        Change::Resource(uri) => Event::ResourceUpdated(uri),
        Change::Missed => Event::Lagged(0),
    }
}

#[derive(Deserialize)]
struct WithMeta {
    #[serde(default, rename = "_meta")]
    meta: Meta,
}

fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}
