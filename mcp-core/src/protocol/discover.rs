use super::wire::{request, wire};
use super::{CacheScope, RequestParams, ResultType, ServerCapabilities};

request! {
    /// `server/discover`: what a server speaks and can do (2026-07-28).
    Discover = "server/discover", RequestParams => DiscoverResult
}

wire! {
    /// What a server speaks and can do. Who it is stands in `_meta`.
    pub struct DiscoverResult {
        /// The revisions it speaks, as strings: some may be unknown to us.
        pub supported_versions: Vec<String>,
        /// What it can do.
        pub capabilities: ServerCapabilities,
    }
    strict {
        /// What kind of result this is.
        pub result_type: ResultType, with_result_type;
    }
    lenient {
        /// How to use the server, for the model.
        pub instructions: String, with_instructions;
        /// How long this may be kept, in milliseconds.
        pub ttl_ms: u64, with_ttl_ms exact;
        /// Who may share what is kept.
        pub cache_scope: CacheScope, with_cache_scope;
    }
    _meta as meta
}
