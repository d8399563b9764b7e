use serde::de::DeserializeOwned;

use super::wire::{as_value, wire};
use super::{ClientCapabilities, ElicitUrlParams, ProtocolVersion};
use crate::{ErrorCode, ErrorObject};

/// The codes of the protocol, beside those of JSON-RPC.
impl ErrorCode {
    /// There is no such resource (up to 2025-11-25; later this is [`ErrorCode::INVALID_PARAMS`]).
    pub const RESOURCE_NOT_FOUND: Self = Self::new(-32002);
    /// A person must visit a URL before the request can succeed (2025-11-25 only).
    pub const URL_ELICITATION_REQUIRED: Self = Self::new(-32042);
    /// HTTP headers are missing, malformed or at odds with the body (2026-07-28).
    pub const HEADER_MISMATCH: Self = Self::new(-32020);
    /// The request needs what the client has not declared (2026-07-28).
    pub const MISSING_CLIENT_CAPABILITY: Self = Self::new(-32021);
    /// The server does not speak the revision of the request (2026-07-28).
    pub const UNSUPPORTED_PROTOCOL_VERSION: Self = Self::new(-32022);

    /// Whether only a server of 2026-07-28 or later can mean it. By HTTP these go with status 400.
    #[must_use]
    pub const fn is_modern(self) -> bool {
        matches!(
            self,
            Self::HEADER_MISMATCH
                | Self::MISSING_CLIENT_CAPABILITY
                | Self::UNSUPPORTED_PROTOCOL_VERSION
        )
    }
}

impl ErrorObject {
    /// The data as a `T`, unless it is absent or does not fit. What fits says what the error is, also when the code
    /// does not: legacy servers refuse a revision with [`ErrorCode::INVALID_PARAMS`].
    ///
    /// ```
    /// use mcp_core::protocol::UnsupportedVersionData;
    /// use mcp_core::ErrorObject;
    ///
    /// let error = ErrorObject::from(UnsupportedVersionData::new(["2025-11-25".to_owned()], "1900-01-01"));
    /// let data: UnsupportedVersionData = error.data_as().unwrap();
    /// assert_eq!(data.requested, "1900-01-01");
    /// ```
    #[must_use]
    pub fn data_as<T: DeserializeOwned>(&self) -> Option<T> {
        T::deserialize(self.data.as_ref()?).ok()
    }
}

wire! {
    /// What [`ErrorCode::UNSUPPORTED_PROTOCOL_VERSION`] says; also what some legacy servers say when they refuse
    /// `initialize`.
    pub struct UnsupportedVersionData {
        /// The revisions that the server speaks.
        pub supported: Vec<String>,
        /// The one asked for.
        pub requested: String,
    }
}

wire! {
    /// What [`ErrorCode::MISSING_CLIENT_CAPABILITY`] says.
    pub struct MissingCapabilityData {
        /// What the client would have to declare.
        pub required_capabilities: ClientCapabilities,
    }
}

wire! {
    /// What [`ErrorCode::URL_ELICITATION_REQUIRED`] says.
    pub struct UrlElicitationRequiredData {
        /// The URLs to visit.
        pub elicitations: Vec<ElicitUrlParams>,
    }
}

wire! {
    /// What an error about a resource says.
    pub struct ResourceNotFoundData {
        /// The resource.
        pub uri: String,
    }
}

impl From<UnsupportedVersionData> for ErrorObject {
    fn from(data: UnsupportedVersionData) -> Self {
        Self::new(
            ErrorCode::UNSUPPORTED_PROTOCOL_VERSION,
            "unsupported protocol version",
        )
        .with_data(as_value(&data))
    }
}

impl From<MissingCapabilityData> for ErrorObject {
    fn from(data: MissingCapabilityData) -> Self {
        Self::new(
            ErrorCode::MISSING_CLIENT_CAPABILITY,
            "the request needs a capability that the client has not declared",
        )
        .with_data(as_value(&data))
    }
}

impl ResourceNotFoundData {
    /// The error, as the revision wants it.
    #[must_use]
    pub fn into_error(self, version: ProtocolVersion) -> ErrorObject {
        ErrorObject::new(version.resource_not_found_code(), "resource not found")
            .with_data(as_value(&self))
    }
}

impl From<UrlElicitationRequiredData> for ErrorObject {
    fn from(data: UrlElicitationRequiredData) -> Self {
        Self::new(
            ErrorCode::URL_ELICITATION_REQUIRED,
            "the person must visit a URL first",
        )
        .with_data(as_value(&data))
    }
}
