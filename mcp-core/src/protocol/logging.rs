use super::wire::{notification, open_enum, request, wire};
use super::{EmptyResult, RawJson};

request! {
    /// `logging/setLevel`: which log messages the client wants (legacy).
    SetLevel = "logging/setLevel", SetLevelParams => EmptyResult
}

notification! {
    /// `notifications/message`: a log message of the server.
    LoggingMessage = "notifications/message", LoggingMessageParams
}

wire! {
    /// Which log messages the client wants.
    pub struct SetLevelParams {
        /// This level and above.
        pub level: LoggingLevel,
    }
    _meta as meta
}

wire! {
    /// A log message of the server.
    pub struct LoggingMessageParams {
        /// How grave it is.
        pub level: LoggingLevel,
        /// What it says: a string or any other JSON, null included.
        pub data: RawJson,
    }
    lenient {
        /// Which part of the server says it.
        pub logger: String, with_logger;
    }
    _meta as meta
}

open_enum! {
    /// How grave a log message is: the levels of RFC 5424.
    pub enum LoggingLevel {
        /// For developers.
        Debug = "debug",
        /// What goes on.
        Info = "info",
        /// Normal, but worth a look.
        Notice = "notice",
        /// Something may go wrong.
        Warning = "warning",
        /// Something went wrong.
        Error = "error",
        /// A part has failed.
        Critical = "critical",
        /// Someone must act now.
        Alert = "alert",
        /// Nothing works.
        Emergency = "emergency",
    }
}

impl LoggingLevel {
    /// How grave, from 0 for debug to 7 for emergency; `None` for a level we do not know.
    #[must_use]
    pub const fn severity(&self) -> Option<u8> {
        match self {
            Self::Debug => Some(0),
            Self::Info => Some(1),
            Self::Notice => Some(2),
            Self::Warning => Some(3),
            Self::Error => Some(4),
            Self::Critical => Some(5),
            Self::Alert => Some(6),
            Self::Emergency => Some(7),
            Self::Other(_) => None,
        }
    }
}
