use super::ResultType;
use super::wire::{notification, request, wire};

request! {
    /// `subscriptions/listen`: asks to be told of changes, until it is cancelled (2026-07-28).
    Listen = "subscriptions/listen", ListenParams => ListenResult
}

notification! {
    /// `notifications/subscriptions/acknowledged`: what a listener will be told of; the first on its stream.
    ListenAcknowledged = "notifications/subscriptions/acknowledged", ListenAcknowledgedParams
}

wire! {
    /// What to be told of.
    pub struct ListenParams {
        /// The changes.
        pub notifications: SubscriptionFilter,
    }
    _meta as meta
}

wire! {
    /// The end of listening, when the server ends it. `_meta` names the subscription.
    #[derive(Default)]
    pub struct ListenResult {}
    strict {
        /// What kind of result this is.
        pub result_type: ResultType, with_result_type;
    }
    _meta as meta
}

wire! {
    /// What a listener will be told of. `_meta` names the subscription.
    pub struct ListenAcknowledgedParams {
        /// The part of what was asked for that the server can do.
        pub notifications: SubscriptionFilter,
    }
    _meta as meta
}

wire! {
    /// Which changes to be told of.
    #[derive(Default)]
    pub struct SubscriptionFilter {}
    lenient {
        /// Of the list of tools.
        pub tools_list_changed: bool, with_tools_list_changed;
        /// Of the list of prompts.
        pub prompts_list_changed: bool, with_prompts_list_changed;
        /// Of the list of resources.
        pub resources_list_changed: bool, with_resources_list_changed;
        /// Of these resources, by URI.
        pub resource_subscriptions: Vec<String>, with_resource_subscriptions;
    }
}
