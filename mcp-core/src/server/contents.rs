//! What handlers of resources return, made into what a resource holds.

use std::borrow::Cow;
use std::fmt::Display;

use bytes::Bytes;
use serde::Serialize;

use super::invocation::Invocation;
use super::reply::{Json, Outcome, Reply};
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::ResourceContents;

/// Where contents are read from.
#[derive(Clone, Copy, Debug)]
pub struct ReadAt<'a> {
    uri: &'a str,
    mime_type: Option<&'a str>,
}

impl<'a> ReadAt<'a> {
    /// The URI that is read.
    #[must_use]
    pub const fn uri(&self) -> &'a str {
        self.uri
    }

    /// The media type that the resource is declared to have.
    #[must_use]
    pub const fn mime_type(&self) -> Option<&'a str> {
        self.mime_type
    }

    fn typed(&self, contents: ResourceContents, otherwise: &str) -> Reply {
        let mime_type = self.mime_type.unwrap_or(otherwise);
        Reply::from_contents(vec![contents.with_mime_type(mime_type)])
    }
}

impl Invocation {
    /// Where a resource is read from; the URI is empty for tools and prompts.
    #[must_use]
    pub fn read_at(&self) -> ReadAt<'_> {
        ReadAt {
            uri: (self.resource.as_ref()).map_or("", |resource| resource.uri()),
            mime_type: (self.resource.as_ref()).and_then(|resource| resource.mime_type.as_deref()),
        }
    }

    /// The reply that holds these contents of the resource that is read.
    pub fn contents(&self, contents: impl IntoContents) -> Reply {
        contents.into_contents(&self.read_at())
    }
}

impl Reply {
    /// What a resource holds.
    #[must_use]
    pub fn from_contents(contents: Vec<ResourceContents>) -> Self {
        Self(Outcome::Contents(contents))
    }

    /// There is no such resource.
    #[must_use]
    pub const fn not_found() -> Self {
        Self(Outcome::NotFound)
    }
}

/// What a resource may return.
///
/// Text and bytes are the contents of the URI that is read, with the media type that the resource is declared to have, else
/// `text/plain` or `application/octet-stream`; [`Json`] is text of `application/json`. `None` is a resource that does not
/// exist, an `Err` an error: an [`ErrorObject`] goes as it is, and the words of any other error as an internal error.
#[diagnostic::on_unimplemented(
    message = "a resource can't return `{Self}`",
    label = "not the contents of a resource",
    note = "return text, bytes, `Json<T>`, `ResourceContents` or a `Vec` of them, or an `Option` or a `Result` of these"
)]
pub trait IntoContents {
    /// Makes the reply.
    fn into_contents(self, at: &ReadAt<'_>) -> Reply;
}

impl IntoContents for Reply {
    fn into_contents(self, _at: &ReadAt<'_>) -> Reply {
        self
    }
}

impl IntoContents for ResourceContents {
    fn into_contents(self, _at: &ReadAt<'_>) -> Reply {
        Reply::from_contents(vec![self])
    }
}

impl IntoContents for Vec<ResourceContents> {
    fn into_contents(self, _at: &ReadAt<'_>) -> Reply {
        Reply::from_contents(self)
    }
}

macro_rules! text_contents {
    ($($kind:ty),+) => {$(
        impl IntoContents for $kind {
            fn into_contents(self, at: &ReadAt<'_>) -> Reply {
                at.typed(ResourceContents::text(at.uri, self), "text/plain")
            }
        }
    )+};
}

text_contents!(String, &str, Cow<'_, str>);

macro_rules! blob_contents {
    ($($kind:ty),+) => {$(
        impl IntoContents for $kind {
            fn into_contents(self, at: &ReadAt<'_>) -> Reply {
                at.typed(ResourceContents::blob(at.uri, self), "application/octet-stream")
            }
        }
    )+};
}

blob_contents!(Vec<u8>, &[u8], Bytes);

impl<T: Serialize> IntoContents for Json<T> {
    fn into_contents(self, at: &ReadAt<'_>) -> Reply {
        match serde_json::to_string(&self.0) {
            Ok(text) => at.typed(ResourceContents::text(at.uri, text), "application/json"),
            Err(fault) => Reply::protocol_error(ErrorObject::new(
                ErrorCode::INTERNAL_ERROR,
                format!("the resource can't be written as JSON: {fault}"),
            )),
        }
    }
}

impl<T: IntoContents> IntoContents for Option<T> {
    fn into_contents(self, at: &ReadAt<'_>) -> Reply {
        self.map_or_else(Reply::not_found, |contents| contents.into_contents(at))
    }
}

impl<T: IntoContents, E: IntoError> IntoContents for Result<T, E> {
    fn into_contents(self, at: &ReadAt<'_>) -> Reply {
        match self {
            Ok(contents) => contents.into_contents(at),
            Err(error) => Reply::protocol_error(error.into_error()),
        }
    }
}

/// What a resource or a prompt may fail with: any error, in its own words, or an [`ErrorObject`] as it is.
pub trait IntoError {
    /// The error that the client is told.
    fn into_error(self) -> ErrorObject;
}

impl IntoError for ErrorObject {
    fn into_error(self) -> ErrorObject {
        self
    }
}

impl<E: Display> IntoError for E {
    fn into_error(self) -> ErrorObject {
        ErrorObject::new(ErrorCode::INTERNAL_ERROR, format!("{self:#}"))
    }
}
