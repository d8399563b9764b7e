use super::wire::{notification, wire};
use crate::RequestId;

notification! {
    /// `notifications/cancelled`: the sender no longer wants the answer.
    Cancelled = "notifications/cancelled", CancelledParams
}

wire! {
    /// Which request is cancelled, and why.
    #[derive(Default)]
    pub struct CancelledParams {}
    strict {
        /// The request; every revision but 2025-11-25 requires it.
        pub request_id: RequestId, with_request_id;
    }
    lenient {
        /// Why, for people.
        pub reason: String, with_reason;
    }
    _meta as meta
}
