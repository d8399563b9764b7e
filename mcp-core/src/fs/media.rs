//! What is in a file, by the end of its name.

use std::borrow::Cow;

/// Whose contents may be text.
const TEXTS: &[(&str, &str)] = &[
    ("c", "text/x-c"),
    ("cpp", "text/x-c++"),
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("go", "text/x-go"),
    ("h", "text/x-c"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("ini", "text/plain"),
    ("java", "text/x-java"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("jsonl", "application/jsonl"),
    ("jsx", "text/javascript"),
    ("log", "text/plain"),
    ("markdown", "text/markdown"),
    ("md", "text/markdown"),
    ("mjs", "text/javascript"),
    ("py", "text/x-python"),
    ("rb", "text/x-ruby"),
    ("rs", "text/x-rust"),
    ("rst", "text/x-rst"),
    ("sh", "application/x-sh"),
    ("sql", "application/sql"),
    ("svg", "image/svg+xml"),
    ("toml", "application/toml"),
    ("ts", "text/x-typescript"),
    ("tsv", "text/tab-separated-values"),
    ("tsx", "text/x-typescript"),
    ("txt", "text/plain"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
];

/// Whose contents are no text, even where they look like some.
const BLOBS: &[(&str, &str)] = &[
    ("avif", "image/avif"),
    ("bmp", "image/bmp"),
    (
        "docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
    ("flac", "audio/flac"),
    ("gif", "image/gif"),
    ("gz", "application/gzip"),
    ("ico", "image/vnd.microsoft.icon"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("ogg", "audio/ogg"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    (
        "pptx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ),
    ("tar", "application/x-tar"),
    ("wasm", "application/wasm"),
    ("wav", "audio/wav"),
    ("webm", "video/webm"),
    ("webp", "image/webp"),
    (
        "xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
    ("zip", "application/zip"),
];

/// What the application says, and else what we know.
#[derive(Debug, Default)]
pub(super) struct MediaTypes(Vec<(String, Cow<'static, str>)>);

impl MediaTypes {
    pub(super) fn insert(&mut self, extension: String, media_type: Cow<'static, str>) {
        self.0.push((extension.to_ascii_lowercase(), media_type));
    }

    /// The media type of a file of this name, when it is known; and whether it may be text.
    pub(super) fn of(&self, name: &str) -> (Option<Cow<'static, str>>, bool) {
        // A name that begins with its only dot is no extension.
        let extension = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
        let Some((_, extension)) = extension else {
            return (None, true);
        };
        let extension = extension.to_ascii_lowercase();
        let find = |known: &[(&'static str, &'static str)]| {
            let found = known.iter().find(|(end, _)| *end == extension);
            found.map(|(_, media_type)| Cow::Borrowed(*media_type))
        };
        let own = self.0.iter().rfind(|(end, _)| *end == extension);
        if let Some((_, media_type)) = own {
            return (Some(media_type.clone()), true);
        }
        if let Some(media_type) = find(BLOBS) {
            return (Some(media_type), false);
        }
        (find(TEXTS), true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_extension_counts_in_any_case() {
        let mut types = MediaTypes::default();
        let known = |types: &MediaTypes, name| types.of(name).0.map(Cow::into_owned);
        assert_eq!(known(&types, "A.MD").as_deref(), Some("text/markdown"));
        assert_eq!(types.of("a.md.png"), (Some("image/png".into()), false));
        for name in ["README", ".md", "a.unknown", "a."] {
            assert_eq!(types.of(name), (None, true), "{name}");
        }
        types.insert("MD".to_owned(), "text/x-own".into());
        assert_eq!(known(&types, "a.md").as_deref(), Some("text/x-own"));
    }
}
