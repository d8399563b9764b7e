use super::wire::request;
use super::{EmptyResult, RequestParams};

request! {
    /// `ping`: whether the other side is there (legacy, both ways).
    Ping = "ping", RequestParams => EmptyResult
}
