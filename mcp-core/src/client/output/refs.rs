//! The references of a schema: those within it, by their place, and no others.

use std::borrow::Cow;

use serde_json::Value;

/// What a reference stands for; `None` for what is elsewhere, and for what is named rather than placed.
pub(super) fn target<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    let pointer = decoded(reference.strip_prefix('#')?)?;
    root.pointer(&pointer)
}

/// Undoes percent encoding.
fn decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        let digits = std::str::from_utf8(digits).ok()?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn places_are_found_however_they_are_written() {
        let root = json!({"$defs": {"a/b c": [true, 7]}});
        for reference in ["#/$defs/a~1b c/1", "#/%24defs/a~1b%20c/1"] {
            assert_eq!(target(&root, reference), Some(&json!(7)), "{reference}");
        }
        assert_eq!(target(&root, "#"), Some(&root));
        for reference in [
            "",
            "#name",
            "other#/a",
            "#/%2",
            "#/%+1",
            "#/%ff",
            "#/$defs/x",
        ] {
            assert_eq!(target(&root, reference), None, "{reference}");
        }
    }
}
