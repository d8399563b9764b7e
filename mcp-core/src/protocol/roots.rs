use super::wire::{notification, request, wire};
use super::{NotificationParams, RequestParams};

request! {
    /// `roots/list`: the folders the client works in. A request of the server, or an input request (2026-07-28).
    ListRoots = "roots/list", RequestParams => ListRootsResult
}

notification! {
    /// `notifications/roots/list_changed`: the client works elsewhere now (legacy).
    RootsListChanged = "notifications/roots/list_changed", NotificationParams
}

wire! {
    /// The folders the client works in.
    pub struct ListRootsResult {
        /// The roots.
        #[serde(deserialize_with = "super::wire::nullable")]
        pub roots: Vec<Root>,
    }
    _meta as meta
}

wire! {
    /// A folder or file the client works in.
    pub struct Root {
        /// Where it is: a `file://` URI.
        pub uri: String,
    }
    lenient {
        /// The name for people.
        pub name: String, with_name;
    }
    _meta as meta
}
