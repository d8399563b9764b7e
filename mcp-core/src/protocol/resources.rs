use super::wire::{notification, request, wire};
use super::{
    Annotations, CacheScope, Cursor, EmptyResult, Icon, InputResponses, NotificationParams,
    PaginatedParams, ResourceContents, ResultType,
};

request! {
    /// `resources/list`: which resources there are.
    ListResources = "resources/list", PaginatedParams => ListResourcesResult
}

request! {
    /// `resources/templates/list`: which URIs may be made up.
    ListResourceTemplates = "resources/templates/list",
    PaginatedParams => ListResourceTemplatesResult
}

request! {
    /// `resources/read`: what a resource holds.
    ReadResource = "resources/read", ReadResourceParams => ReadResourceResult
}

request! {
    /// `resources/subscribe`: asks to be told when a resource changes (legacy).
    Subscribe = "resources/subscribe", SubscribeParams => EmptyResult
}

request! {
    /// `resources/unsubscribe`: no longer (legacy).
    Unsubscribe = "resources/unsubscribe", SubscribeParams => EmptyResult
}

notification! {
    /// `notifications/resources/list_changed`: there are other resources now.
    ResourceListChanged = "notifications/resources/list_changed", NotificationParams
}

notification! {
    /// `notifications/resources/updated`: a resource has changed.
    ResourceUpdated = "notifications/resources/updated", ResourceUpdatedParams
}

wire! {
    /// One page of resources.
    pub struct ListResourcesResult {
        /// The resources.
        #[serde(deserialize_with = "super::wire::nullable")]
        pub resources: Vec<Resource>,
    }
    strict {
        /// 2026-07-28: what kind of result this is.
        pub result_type: ResultType, with_result_type;
        /// Where the next page begins, when there is one.
        pub next_cursor: Cursor, with_next_cursor;
    }
    lenient {
        /// 2026-07-28: how long this may be kept, in milliseconds.
        pub ttl_ms: u64, with_ttl_ms exact;
        /// 2026-07-28: who may share what is kept.
        pub cache_scope: CacheScope, with_cache_scope;
    }
    _meta as meta
}

wire! {
    /// One page of templates.
    pub struct ListResourceTemplatesResult {
        /// The templates.
        #[serde(deserialize_with = "super::wire::nullable")]
        pub resource_templates: Vec<ResourceTemplate>,
    }
    strict {
        /// 2026-07-28: what kind of result this is.
        pub result_type: ResultType, with_result_type;
        /// Where the next page begins, when there is one.
        pub next_cursor: Cursor, with_next_cursor;
    }
    lenient {
        /// 2026-07-28: how long this may be kept, in milliseconds.
        pub ttl_ms: u64, with_ttl_ms exact;
        /// 2026-07-28: who may share what is kept.
        pub cache_scope: CacheScope, with_cache_scope;
    }
    _meta as meta
}

wire! {
    /// A resource, as a server describes it; as content, a link to it.
    pub struct Resource {
        /// Where it is.
        pub uri: String,
        /// The name for programs.
        pub name: String,
    }
    lenient {
        /// The name for people (2025-06-18).
        pub title: String, with_title;
        /// What it is, for the model.
        pub description: String, with_description;
        /// The media type.
        pub mime_type: String, with_mime_type;
        /// Whom it is for, and how much it matters.
        pub annotations: Annotations, with_annotations;
        /// How many bytes it has before any encoding.
        pub size: u64, with_size exact;
        /// Pictures of it (2025-11-25).
        pub icons: Vec<Icon>, with_icons;
    }
    _meta as meta
}

wire! {
    /// A family of resources, as a server describes it.
    pub struct ResourceTemplate {
        /// Where its members are: a URI template of RFC 6570.
        pub uri_template: String,
        /// The name for programs.
        pub name: String,
    }
    lenient {
        /// The name for people (2025-06-18).
        pub title: String, with_title;
        /// What they are, for the model.
        pub description: String, with_description;
        /// The media type, when all share it.
        pub mime_type: String, with_mime_type;
        /// Whom they are for, and how much they matter.
        pub annotations: Annotations, with_annotations;
        /// Pictures of it (2025-11-25).
        pub icons: Vec<Icon>, with_icons;
    }
    _meta as meta
}

wire! {
    /// Which resource to read.
    pub struct ReadResourceParams {
        /// The resource.
        pub uri: String,
    }
    strict {
        /// 2026-07-28: what the server asked for in the round before.
        pub input_responses: InputResponses, with_input_responses;
        /// 2026-07-28: what the server gave along with its questions, echoed exactly.
        pub request_state: String, with_request_state;
    }
    _meta as meta
}

wire! {
    /// What a resource holds; several when it is a container.
    pub struct ReadResourceResult {
        /// The contents.
        #[serde(deserialize_with = "super::wire::nullable")]
        pub contents: Vec<ResourceContents>,
    }
    strict {
        /// 2026-07-28: what kind of result this is.
        pub result_type: ResultType, with_result_type;
    }
    lenient {
        /// 2026-07-28: how long this may be kept, in milliseconds.
        pub ttl_ms: u64, with_ttl_ms exact;
        /// 2026-07-28: who may share what is kept.
        pub cache_scope: CacheScope, with_cache_scope;
    }
    _meta as meta
}

wire! {
    /// Which resource to watch, or no longer.
    pub struct SubscribeParams {
        /// The resource.
        pub uri: String,
    }
    _meta as meta
}

wire! {
    /// Which resource has changed: the one watched, or a part of it.
    pub struct ResourceUpdatedParams {
        /// The resource.
        pub uri: String,
    }
    _meta as meta
}
