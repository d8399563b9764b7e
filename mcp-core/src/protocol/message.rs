use serde::Serialize;
use serde::de::DeserializeOwned;

use super::wire::{open_enum, wire};

/// A request: its method, what it takes and what it gives. Implemented by unit types such as
/// [`CallTool`](super::CallTool).
pub trait Request {
    /// The method on the wire.
    const METHOD: &'static str;
    /// What it takes. Reads from `{}` when the request may go without params.
    type Params: Serialize + DeserializeOwned;
    /// What it gives when it is complete.
    type Result: Serialize + DeserializeOwned;
}

/// A notification: its method and what it says.
pub trait Notification {
    /// The method on the wire.
    const METHOD: &'static str;
    /// What it says. Reads from `{}` when the notification may go without params.
    type Params: Serialize + DeserializeOwned;
}

wire! {
    /// Params that are nothing but metadata.
    #[derive(Default)]
    pub struct RequestParams {}
    _meta as meta
}

wire! {
    /// Params of a notification that says nothing beyond its method.
    #[derive(Default)]
    pub struct NotificationParams {}
    _meta as meta
}

wire! {
    /// The result of a request whose success says everything.
    #[derive(Default)]
    pub struct EmptyResult {}
    strict {
        /// 2026-07-28: what kind of result this is.
        pub result_type: ResultType, with_result_type;
    }
    _meta as meta
}

open_enum! {
    /// What kind of result a response holds. Absent means complete.
    pub enum ResultType {
        /// The result asked for.
        Complete = "complete",
        /// The server needs input first.
        InputRequired = "input_required",
    }
}
