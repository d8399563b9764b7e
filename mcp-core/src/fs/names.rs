//! From URIs to the names of files, and back.

use crate::server::BuildError;
use crate::uri_template::chars::{compared, decode, encode_segment, has_escape, normalise};

/// What the URIs of a folder begin with, in its one spelling.
pub(super) fn base(base: &str) -> Result<String, BuildError> {
    let normal = normalise(base).ok_or_else(|| BuildError::Uri {
        uri: base.to_owned(),
        why: "it is no beginning of a URI".to_owned(),
    })?;
    let slash = if normal.ends_with('/') { "" } else { "/" };
    Ok(format!("{normal}{slash}"))
}

/// The names on the way to what this URI names; `None` when it can't be the URI of a file.
pub(super) fn names(base: &str, uri: &str) -> Option<Vec<String>> {
    let normal = normalise(uri)?;
    // The case of scheme and host does not count, and that of a path does.
    let (beginning, path) = normal.split_at_checked(base.len())?;
    if beginning != base && compared(beginning) != compared(base) {
        return None;
    }
    path.split('/')
        .map(|segment| decode(segment).filter(|name| is_name(name)))
        .collect()
}

/// The URI of a file; its path has slashes between the names.
pub(super) fn uri(base: &str, path: &str) -> String {
    let mut uri = base.to_owned();
    for (at, name) in path.split('/').enumerate() {
        if at > 0 {
            uri.push('/');
        }
        encode_segment(name, &mut uri);
    }
    uri
}

/// The value of the template's variable that leads to this file. It is the path, unless that holds what expanding would
/// take for an escape.
pub(super) fn value(path: &str) -> String {
    if has_escape(path) {
        uri("", path)
    } else {
        path.to_owned()
    }
}

/// Whether a folder may have something of this name, and the system takes it for nothing else.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name != "."
        && name != ".."
        && !name.contains(['/', '\0'])
        && (cfg!(not(windows)) || is_name_on_windows(name))
}

/// There, names have many spellings, and some lead elsewhere: to a stream of a file, to a device, to a short name's file.
fn is_name_on_windows(name: &str) -> bool {
    const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    let stem = stem.to_uppercase();
    let is_port = (stem.strip_prefix("COM"))
        .or_else(|| stem.strip_prefix("LPT"))
        .is_some_and(|rest| rest.chars().count() == 1);
    let has_short = name.split('~').skip(1);
    let has_short =
        { has_short }.any(|after| after.starts_with(|first: char| first.is_ascii_digit()));
    !name.contains(['\\', ':', '<', '>', '"', '|', '?', '*'])
        && !name.contains(char::is_control)
        && !name.ends_with(['.', ' '])
        && !DEVICES.contains(&stem.as_str())
        && !is_port
        && !has_short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(uri: &str) -> Option<String> {
        names("docs://", uri).map(|names| names.join("|"))
    }

    #[test]
    fn a_uri_is_decoded_once_and_name_by_name() {
        assert_eq!(joined("docs://a/b.md").as_deref(), Some("a|b.md"));
        assert_eq!(joined("docs://a%20b/%C3%A9").as_deref(), Some("a b|é"));
        assert_eq!(joined("docs://caf\u{e9}").as_deref(), Some("café"));
        assert_eq!(joined("docs://100%25").as_deref(), Some("100%"));
        assert_eq!(joined("docs://%252e%252e").as_deref(), Some("%2e%2e"));
        assert_eq!(joined("docs://a?b#c").as_deref(), Some("a?b#c"));
    }

    #[test]
    fn what_names_no_file_of_a_folder_is_no_path() {
        for uri in [
            "docs://",
            "docs://..",
            "docs://a/../b",
            "docs://./a",
            "docs://%2e%2e/a",
            "docs://%2E./a",
            "docs://a%2F..%2Fb",
            "docs:///etc/passwd",
            "docs://a//b",
            "docs://a/",
            "docs://a%00b",
            "docs://%FF",
            "docs://%zz",
            "other://a",
        ] {
            assert_eq!(joined(uri), None, "{uri}");
        }
    }

    #[test]
    fn the_case_of_scheme_and_host_does_not_count_and_that_of_a_path_does() {
        let path = |uri: &str| names("docs://hand.book/In/", uri).map(|names| names.join("/"));
        assert_eq!(path("DOCS://Hand.Book/In/A.md").as_deref(), Some("A.md"));
        assert_eq!(path("docs://hand.book/in/A.md"), None);
        let path = |uri: &str| names("docs://", uri).map(|names| names.join("/"));
        assert_eq!(path("Docs://README.md").as_deref(), Some("README.md"));
    }

    #[test]
    fn names_that_windows_reads_otherwise_are_refused_there() {
        for name in [
            "a\\b",
            "C:",
            "a:stream",
            "nul",
            "NUL.txt",
            "com1",
            "lpt\u{b9}.x",
            "con .txt",
            "a.",
            "a ",
            "GIT~1",
            "a*",
            "a\u{1}",
        ] {
            assert!(!is_name_on_windows(name), "{name}");
        }
        for name in ["a.md", "console", "com", "a~b", ".git", "é"] {
            assert!(is_name_on_windows(name), "{name}");
        }
    }

    #[test]
    fn the_base_ends_with_a_slash_and_is_the_beginning_of_a_uri() {
        assert_eq!(base("docs://").unwrap(), "docs://");
        assert_eq!(
            base("file:///srv/caf\u{e9}").unwrap(),
            "file:///srv/caf%C3%A9/"
        );
        assert!(matches!(base("docs://{x}"), Err(BuildError::Uri { .. })));
        assert!(matches!(base("a b"), Err(BuildError::Uri { .. })));
    }

    #[test]
    fn a_value_expands_to_the_uri_of_its_file() {
        let template = crate::UriTemplate::parse("docs://{+path}").unwrap();
        for path in ["a b/c.md", "100%.md", "a%20b", "é", "x+y,z"] {
            let expanded = template.expand([("path", value(path))]);
            assert_eq!(expanded, uri("docs://", path), "{path}");
        }
    }
}
