use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, de};

use super::wire::{open_enum, read_by_tag, wire};
use super::{RawJson, Resource};

/// One piece of what a tool or a prompt says.
///
/// A kind we do not know is kept as it came.
///
/// ```
/// use mcp_core::protocol::ContentBlock;
///
/// let block = ContentBlock::text("hello");
/// assert_eq!(block.as_text(), Some("hello"));
/// assert_eq!(serde_json::to_string(&block)?, r#"{"type":"text","text":"hello"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ContentBlock {
    /// Text.
    Text(TextContent),
    /// A picture.
    Image(ImageContent),
    /// Sound (2025-03-26).
    Audio(AudioContent),
    /// A resource that the client may read (2025-06-18).
    ResourceLink(Resource),
    /// A resource, contents and all.
    Resource(EmbeddedResource),
    /// A kind that this version of the SDK does not know, as it came.
    #[serde(untagged)]
    Other(RawJson),
}

read_by_tag!(ContentBlock by "type" {
    "text" => Text,
    "image" => Image,
    "audio" => Audio,
    "resource_link" => ResourceLink,
    "resource" => Resource,
});

impl ContentBlock {
    /// Text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextContent::new(text))
    }

    /// A picture, from its bytes.
    #[must_use]
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::image_base64(STANDARD.encode(bytes), mime_type)
    }

    /// A picture that is base64 already.
    #[must_use]
    pub fn image_base64(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Image(ImageContent::new(data, mime_type))
    }

    /// Sound, from its bytes.
    #[must_use]
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::audio_base64(STANDARD.encode(bytes), mime_type)
    }

    /// Sound that is base64 already.
    #[must_use]
    pub fn audio_base64(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Audio(AudioContent::new(data, mime_type))
    }

    /// A text resource with its contents.
    #[must_use]
    pub fn resource_text(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        let contents = TextResourceContents::new(uri, text).with_mime_type(mime_type);
        Self::Resource(EmbeddedResource::new(ResourceContents::Text(contents)))
    }

    /// A binary resource with its contents, from their bytes.
    #[must_use]
    pub fn resource_blob(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        bytes: impl AsRef<[u8]>,
    ) -> Self {
        let contents = ResourceContents::blob(uri, bytes).with_mime_type(mime_type);
        Self::Resource(EmbeddedResource::new(contents))
    }

    /// A link to a resource.
    #[must_use]
    pub fn resource_link(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self::ResourceLink(Resource::new(uri, name))
    }

    /// The same with annotations; a kind we do not know stays as it is.
    #[must_use]
    pub fn with_annotations(mut self, annotations: Annotations) -> Self {
        match &mut self {
            Self::Text(text) => text.annotations = Some(annotations),
            Self::Image(image) => image.annotations = Some(annotations),
            Self::Audio(audio) => audio.annotations = Some(annotations),
            Self::ResourceLink(resource) => resource.annotations = Some(annotations),
            Self::Resource(embedded) => embedded.annotations = Some(annotations),
            Self::Other(_) => {}
        }
        self
    }

    /// The text, when this is text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(&text.text),
            Self::Image(_)
            | Self::Audio(_)
            | Self::ResourceLink(_)
            | Self::Resource(_)
            | Self::Other(_) => None,
        }
    }

    /// The bytes of a picture, of sound or of an embedded resource, when there are some and their base64 can be read.
    ///
    /// ```
    /// use mcp_core::protocol::ContentBlock;
    ///
    /// assert_eq!(ContentBlock::image([0x47, 0x49], "image/gif").to_bytes(), Some(vec![0x47, 0x49]));
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Image(image) => STANDARD.decode(&image.data).ok(),
            Self::Audio(audio) => STANDARD.decode(&audio.data).ok(),
            Self::Resource(embedded) => embedded.resource.to_bytes(),
            Self::Text(_) | Self::ResourceLink(_) | Self::Other(_) => None,
        }
    }
}

impl From<String> for ContentBlock {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for ContentBlock {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

wire! {
    /// Text. As a [`ContentBlock`] it gains its `type`.
    pub struct TextContent {
        /// The text.
        pub text: String,
    }
    lenient {
        /// Whom it is for, and how much it matters.
        pub annotations: Annotations, with_annotations;
    }
    _meta as meta
}

wire! {
    /// A picture. As a [`ContentBlock`] it gains its `type`.
    pub struct ImageContent {
        /// The bytes in base64.
        pub data: String,
        /// The media type.
        pub mime_type: String,
    }
    lenient {
        /// Whom it is for, and how much it matters.
        pub annotations: Annotations, with_annotations;
    }
    _meta as meta
}

wire! {
    /// Sound. As a [`ContentBlock`] it gains its `type`.
    pub struct AudioContent {
        /// The bytes in base64.
        pub data: String,
        /// The media type.
        pub mime_type: String,
    }
    lenient {
        /// Whom it is for, and how much it matters.
        pub annotations: Annotations, with_annotations;
    }
    _meta as meta
}

wire! {
    /// A resource, contents and all. As a [`ContentBlock`] it gains its `type`.
    pub struct EmbeddedResource {
        /// The contents.
        pub resource: ResourceContents,
    }
    lenient {
        /// Whom it is for, and how much it matters.
        pub annotations: Annotations, with_annotations;
    }
    _meta as meta
}

/// What a resource holds: text, or bytes in base64.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ResourceContents {
    /// Text.
    Text(TextResourceContents),
    /// Bytes.
    Blob(BlobResourceContents),
    /// Neither, as it came.
    Other(RawJson),
}

impl ResourceContents {
    /// Text.
    #[must_use]
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Text(TextResourceContents::new(uri, text))
    }

    /// Bytes, which become base64.
    #[must_use]
    pub fn blob(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::Blob(BlobResourceContents::new(uri, STANDARD.encode(bytes)))
    }

    /// The same with a media type; a kind we do not know stays as it is.
    #[must_use]
    pub fn with_mime_type(mut self, mime_type: impl Into<String>) -> Self {
        match &mut self {
            Self::Text(text) => text.mime_type = Some(mime_type.into()),
            Self::Blob(blob) => blob.mime_type = Some(mime_type.into()),
            Self::Other(_) => {}
        }
        self
    }

    /// The URI, unless this is a kind we do not know.
    #[must_use]
    pub fn uri(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(&text.uri),
            Self::Blob(blob) => Some(&blob.uri),
            Self::Other(_) => None,
        }
    }

    /// The media type, when it is known.
    #[must_use]
    pub fn mime_type(&self) -> Option<&str> {
        match self {
            Self::Text(text) => text.mime_type.as_deref(),
            Self::Blob(blob) => blob.mime_type.as_deref(),
            Self::Other(_) => None,
        }
    }

    /// The text, when this is text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(&text.text),
            Self::Blob(_) | Self::Other(_) => None,
        }
    }

    /// The bytes, when this is bytes and its base64 can be read.
    ///
    /// ```
    /// use mcp_core::protocol::ResourceContents;
    ///
    /// let logo = ResourceContents::blob("shop://logo", [0x89, 0x50]);
    /// assert_eq!(logo.to_bytes(), Some(vec![0x89, 0x50]));
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Blob(blob) => STANDARD.decode(&blob.blob).ok(),
            Self::Text(_) | Self::Other(_) => None,
        }
    }
}

impl<'de> Deserialize<'de> for ResourceContents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Kind {
            text: Option<IgnoredAny>,
            blob: Option<IgnoredAny>,
        }
        let raw = RawJson::deserialize(deserializer)?;
        match raw.parse::<Kind>().map_err(de::Error::custom)? {
            Kind { text: Some(_), .. } => raw.parse().map(Self::Text),
            Kind { blob: Some(_), .. } => raw.parse().map(Self::Blob),
            Kind { .. } => Ok(Self::Other(raw)),
        }
        .map_err(de::Error::custom)
    }
}

wire! {
    /// Contents that are text.
    pub struct TextResourceContents {
        /// The resource.
        pub uri: String,
        /// Its text.
        pub text: String,
    }
    lenient {
        /// The media type.
        pub mime_type: String, with_mime_type;
    }
    _meta as meta
}

wire! {
    /// Contents that are bytes.
    pub struct BlobResourceContents {
        /// The resource.
        pub uri: String,
        /// Its bytes in base64.
        pub blob: String,
    }
    lenient {
        /// The media type.
        pub mime_type: String, with_mime_type;
    }
    _meta as meta
}

wire! {
    /// Whom a thing is for, and how much it matters.
    #[derive(Default)]
    pub struct Annotations {}
    lenient {
        /// Whom it is for.
        pub audience: Vec<Role>, with_audience;
        /// How much it matters, from 0 to 1.
        #[serde(serialize_with = "super::wire::optional_number")]
        pub priority: f64, with_priority;
        /// When it last changed, in ISO 8601 (2025-06-18).
        pub last_modified: String, with_last_modified;
    }
}

open_enum! {
    /// Who speaks, or is spoken to.
    pub enum Role {
        /// The person.
        User = "user",
        /// The model.
        Assistant = "assistant",
    }
}
