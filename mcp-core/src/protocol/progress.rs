use super::ProgressToken;
use super::wire::{notification, wire};

notification! {
    /// `notifications/progress`: how far a request has come.
    Progress = "notifications/progress", ProgressParams
}

wire! {
    /// How far a request has come. Whole numbers are written as integers.
    pub struct ProgressParams {
        /// The token that came with the request.
        pub progress_token: ProgressToken,
        /// How much is done; it only ever grows.
        #[serde(serialize_with = "super::wire::number")]
        pub progress: f64,
    }
    lenient {
        /// How much there is to do.
        #[serde(serialize_with = "super::wire::optional_number")]
        pub total: f64, with_total;
        /// What is being done, for people (2025-03-26).
        pub message: String, with_message;
    }
    _meta as meta
}
