//! Who listens to changes, in either era.

use std::collections::{BTreeMap, HashMap};

use super::calls::CallKey;
use super::facts::ServerFacts;
use crate::jsonrpc::{self, RequestId};
use crate::protocol::{
    Cancelled, ListenAcknowledged, Meta, Notification, PromptListChanged, ResourceListChanged,
    SubscriptionFilter, ToolListChanged,
};
use crate::server::{ChangedLists, Update};
use crate::uri_template::chars::compared;

/// Listeners of one connection at most.
pub(super) const MAX_LISTENERS: usize = 64;
/// Resources that one connection may watch, counted once for each listener.
pub(super) const MAX_WATCHED: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct Subscriptions {
    /// The `subscriptions/listen` requests of the connection (2026-07-28).
    listeners: Vec<Subscription>,
    /// The resources that `resources/subscribe` named (up to 2025-11-25).
    subscribed: Spelled,
    /// How many of these want to know of each resource.
    watched: HashMap<String, usize>,
}

#[derive(Debug)]
struct Subscription {
    call: CallKey,
    id: RequestId,
    lists: ChangedLists,
    uris: Spelled,
}

/// URIs as a client spells them, by what they are compared by.
type Spelled = BTreeMap<String, String>;

impl Subscriptions {
    pub(super) fn len(&self) -> usize {
        self.listeners.len()
    }

    /// Resources that are watched, counted once for each who does.
    pub(super) fn watched(&self) -> usize {
        self.watched.values().sum()
    }

    pub(super) fn holds(&self, call: CallKey) -> bool {
        self.listeners.iter().any(|listener| listener.call == call)
    }

    /// Takes a listener on and acknowledges the part of its wishes that the server can meet. Says which resources nobody
    /// watched before.
    pub(super) fn listen(
        &mut self,
        call: CallKey,
        id: RequestId,
        honoured: SubscriptionFilter,
        out: &mut Vec<u8>,
    ) -> Vec<String> {
        jsonrpc::begin_notification(out, ListenAcknowledged::METHOD);
        out.extend_from_slice(br#"{"notifications":"#);
        jsonrpc::write_json(out, &honoured);
        out.push(b',');
        write_subscription_meta(out, &id);
        out.push(b'}');
        jsonrpc::end(out);
        let uris: Spelled = (honoured.resource_subscriptions.into_iter().flatten())
            .map(|uri| (compared(&uri).into_owned(), uri))
            .collect();
        let new = (uris.keys().filter(|uri| self.watch(uri)).cloned()).collect();
        self.listeners.push(Subscription {
            call,
            id,
            lists: ChangedLists {
                tools: honoured.tools_list_changed == Some(true),
                prompts: honoured.prompts_list_changed == Some(true),
                resources: honoured.resources_list_changed == Some(true),
            },
            uris,
        });
        new
    }

    /// Lets a listener go; says which resources nobody watches any more.
    pub(super) fn remove(&mut self, call: CallKey) -> Vec<String> {
        let at = self
            .listeners
            .iter()
            .position(|listener| listener.call == call);
        let gone = at.map(|at| self.listeners.remove(at));
        let uris = gone.into_iter().flat_map(|gone| gone.uris.into_keys());
        uris.filter(|uri| self.unwatch(uri)).collect()
    }

    /// The resource, if nobody watched it before. The spelling that came last is the one that the client is told.
    pub(super) fn subscribe(&mut self, uri: &str) -> Option<String> {
        let resource = compared(uri).into_owned();
        let before = (self.subscribed).insert(resource.clone(), uri.to_owned());
        (before.is_none() && self.watch(&resource)).then_some(resource)
    }

    /// The resource, if nobody watches it any more.
    pub(super) fn unsubscribe(&mut self, uri: &str) -> Option<String> {
        let (resource, _) = self.subscribed.remove_entry(&*compared(uri))?;
        self.unwatch(&resource).then_some(resource)
    }

    fn watch(&mut self, uri: &str) -> bool {
        let watchers = self.watched.entry(uri.to_owned()).or_default();
        *watchers += 1;
        *watchers == 1
    }

    fn unwatch(&mut self, uri: &str) -> bool {
        let Some(watchers) = self.watched.get_mut(uri) else {
            return false;
        };
        *watchers -= 1;
        if *watchers > 0 {
            return false;
        }
        self.watched.remove(uri);
        true
    }

    /// Tells those who listen to these lists that they are others now.
    pub(super) fn lists_changed(&self, lists: ChangedLists, out: &mut Vec<u8>) {
        for listener in &self.listeners {
            let wanted = ChangedLists {
                tools: lists.tools && listener.lists.tools,
                prompts: lists.prompts && listener.lists.prompts,
                resources: lists.resources && listener.lists.resources,
            };
            for method in methods(wanted) {
                jsonrpc::begin_notification(out, method);
                out.push(b'{');
                write_subscription_meta(out, &listener.id);
                out.push(b'}');
                jsonrpc::end(out);
            }
        }
    }

    /// Tells those who watch a resource that it has changed.
    pub(super) fn resource_updated(&self, update: &Update, out: &mut Vec<u8>) {
        if let Some(spelled) = self.subscribed.get(&*update.resource) {
            out.extend_from_slice(&update.line(spelled));
        }
        for listener in &self.listeners {
            if let Some(spelled) = listener.uris.get(&*update.resource) {
                out.extend_from_slice(&update.beginning(spelled));
                write_subscription_meta(out, &listener.id);
                out.push(b'}');
                jsonrpc::end(out);
            }
        }
    }

    /// Ends all subscriptions of our own accord: the cancellation that the protocol demands on stdio, then the result.
    pub(super) fn end_all(&mut self, facts: &ServerFacts, out: &mut Vec<u8>) -> Vec<CallKey> {
        let ended = std::mem::take(&mut self.listeners);
        for listener in &ended {
            jsonrpc::begin_notification(out, Cancelled::METHOD);
            out.extend_from_slice(br#"{"requestId":"#);
            jsonrpc::write_id(out, &listener.id);
            out.push(b',');
            write_subscription_meta(out, &listener.id);
            out.push(b'}');
            jsonrpc::end(out);
            jsonrpc::begin_result(out, &listener.id);
            out.extend_from_slice(br#"{"resultType":"complete","_meta":{"#);
            write_subscription_id(out, &listener.id);
            out.push(b',');
            out.extend_from_slice(&facts.server_info);
            out.extend_from_slice(b"}}");
            jsonrpc::end(out);
        }
        ended.into_iter().map(|listener| listener.call).collect()
    }
}

fn write_subscription_meta(out: &mut Vec<u8>, id: &RequestId) {
    out.extend_from_slice(br#""_meta":{"#);
    write_subscription_id(out, id);
    out.push(b'}');
}

fn write_subscription_id(out: &mut Vec<u8>, id: &RequestId) {
    jsonrpc::write_string(out, Meta::SUBSCRIPTION_ID);
    out.push(b':');
    jsonrpc::write_id(out, id);
}

/// Tells a legacy client, which is told unasked.
pub(super) fn write_lists_changed(lists: ChangedLists, out: &mut Vec<u8>) {
    for method in methods(lists) {
        out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"#);
        jsonrpc::write_string(out, method);
        jsonrpc::end(out);
    }
}

fn methods(lists: ChangedLists) -> impl Iterator<Item = &'static str> {
    let all = [
        (lists.tools, ToolListChanged::METHOD),
        (lists.prompts, PromptListChanged::METHOD),
        (lists.resources, ResourceListChanged::METHOD),
    ];
    all.into_iter()
        .filter_map(|(changed, method)| changed.then_some(method))
}
