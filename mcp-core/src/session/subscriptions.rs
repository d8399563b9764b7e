//! Who listens to changes of lists, in either era.

use super::calls::CallKey;
use crate::jsonrpc::{self, RequestId};
use crate::protocol::{
    Cancelled, ListenAcknowledged, Meta, Notification, SubscriptionFilter, ToolListChanged,
};

/// Listeners of one connection at most.
pub(super) const MAX_LISTENERS: usize = 64;

/// The `subscriptions/listen` requests of a connection (2026-07-28).
#[derive(Debug, Default)]
pub(super) struct Subscriptions(Vec<Subscription>);

#[derive(Debug)]
struct Subscription {
    call: CallKey,
    id: RequestId,
    tools: bool,
}

impl Subscriptions {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn holds(&self, call: CallKey) -> bool {
        self.0.iter().any(|listener| listener.call == call)
    }

    /// Takes a listener on and acknowledges the part of its wishes that the server can meet.
    pub(super) fn add(
        &mut self,
        call: CallKey,
        id: RequestId,
        wanted: &SubscriptionFilter,
        has_tools: bool,
        out: &mut Vec<u8>,
    ) {
        let tools = has_tools && wanted.tools_list_changed == Some(true);
        let mut honoured = SubscriptionFilter::default();
        if tools {
            honoured.tools_list_changed = Some(true);
        }
        jsonrpc::begin_notification(out, ListenAcknowledged::METHOD);
        out.extend_from_slice(br#"{"notifications":"#);
        jsonrpc::write_json(out, &honoured);
        out.push(b',');
        write_subscription_meta(out, &id);
        out.push(b'}');
        jsonrpc::end(out);
        self.0.push(Subscription { call, id, tools });
    }

    pub(super) fn remove(&mut self, call: CallKey) {
        self.0.retain(|listener| listener.call != call);
    }

    /// Tells those who listen that the list of tools is another now.
    pub(super) fn tools_changed(&self, out: &mut Vec<u8>) {
        for listener in self.0.iter().filter(|listener| listener.tools) {
            jsonrpc::begin_notification(out, ToolListChanged::METHOD);
            out.push(b'{');
            write_subscription_meta(out, &listener.id);
            out.push(b'}');
            jsonrpc::end(out);
        }
    }

    /// Ends all subscriptions of our own accord: the cancellation that the protocol demands on stdio, then the result.
    pub(super) fn end_all(&mut self, out: &mut Vec<u8>) -> Vec<CallKey> {
        let ended = std::mem::take(&mut self.0);
        for listener in &ended {
            jsonrpc::begin_notification(out, Cancelled::METHOD);
            out.extend_from_slice(br#"{"requestId":"#);
            jsonrpc::write_id(out, &listener.id);
            out.push(b',');
            write_subscription_meta(out, &listener.id);
            out.push(b'}');
            jsonrpc::end(out);
            jsonrpc::begin_result(out, &listener.id);
            out.extend_from_slice(br#"{"resultType":"complete","#);
            write_subscription_meta(out, &listener.id);
            out.push(b'}');
            jsonrpc::end(out);
        }
        ended.into_iter().map(|listener| listener.call).collect()
    }
}

fn write_subscription_meta(out: &mut Vec<u8>, id: &RequestId) {
    out.extend_from_slice(br#""_meta":{"#);
    jsonrpc::write_string(out, Meta::SUBSCRIPTION_ID);
    out.push(b':');
    jsonrpc::write_id(out, id);
    out.push(b'}');
}

/// Tells a legacy client, which is told unasked.
pub(super) fn write_tools_changed(out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"#);
    jsonrpc::write_string(out, ToolListChanged::METHOD);
    jsonrpc::end(out);
}
