//! What serde says when it refuses arguments, in words that a model understands.
//!
//! The checks explain nearly all refusals; what is left comes from a type's own code, and from what a schema cannot
//! say. Names of Rust types, and lines and columns, mean nothing to a model.

use super::cursor::{Cursor, Kind, MAX_DEPTH, Unreadable};
use super::decode::Misread;
use super::report::{Pointer, Problem, Violation, shortened};

/// Longer messages come from types that echo their input.
const MAX_MESSAGE: usize = 300;

/// One violation from what stopped decoding, and the text that it is about.
pub(super) fn violation(misread: &Misread, text: &str) -> Violation {
    let place = Place {
        cursor: Cursor::new(text),
        offset: misread.offset(),
        message: &misread.message(),
    };
    place.find()
}

fn problem(message: &str) -> Problem {
    if let Some(name) = quoted(message, "unknown field `") {
        let known = message.split('`').skip(3).step_by(2);
        return Problem::unknown(name, known);
    }
    if let Some((got, expected)) = parts(message) {
        return Problem::Unexpected {
            expected: shortened(&plain_kind(expected), MAX_MESSAGE),
            got: shortened(&got, MAX_MESSAGE),
        };
    }
    let fits_none = ["data did not match any variant of ", "no variant of enum "];
    if fits_none.iter().any(|start| message.starts_with(start)) {
        return Problem::Refused("fits none of the allowed forms".to_owned());
    }
    if message.starts_with("number out of range") {
        return Problem::Refused("number out of range".to_owned());
    }
    // One violation is one line of the report.
    let visible = |c: char| if c.is_control() { ' ' } else { c };
    let line: String = message.replace("::", ".").chars().map(visible).collect();
    Problem::Refused(shortened(&line, MAX_MESSAGE))
}

/// What came and what was expected, in messages that serde makes.
fn parts(message: &str) -> Option<(String, &str)> {
    let (what, expected) = message.rsplit_once(", expected ")?;
    let value = what
        .strip_prefix("invalid type: ")
        .or_else(|| what.strip_prefix("invalid value: "));
    let got = match value {
        Some(value) => plain_got(value),
        None => format!("{} items", what.strip_prefix("invalid length ")?),
    };
    Some((got, expected))
}

/// What stands between a prefix and the next back-tick.
fn quoted<'m>(message: &'m str, prefix: &str) -> Option<&'m str> {
    message.strip_prefix(prefix)?.split('`').next()
}

fn plain_kind(expected: &str) -> String {
    let plain = match expected {
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128"
        | "usize" => "integer",
        "f32" | "f64" => "number",
        "a string" | "str" | "path string" => "string",
        // What is borrowed from the text cannot differ from it.
        "a borrowed string" => "string without escapes",
        "a boolean" => "boolean",
        "a sequence" => "array",
        "a map" => "object",
        "unit" => "null",
        "a character" => "string of 1 character",
        other => {
            let names_type = [
                "struct ",
                "enum ",
                "tuple ",
                "newtype ",
                "unit ",
                "variant ",
                "internally ",
                "adjacently ",
                "externally ",
            ];
            let found = names_type.iter().find(|prefix| other.starts_with(**prefix));
            return match found.copied() {
                Some("tuple ") => "array".to_owned(),
                Some("unit ") => "null".to_owned(),
                Some("enum " | "variant ") => "one of the allowed forms".to_owned(),
                Some(_) => "object".to_owned(),
                None => other.replace("::", "."),
            };
        }
    };
    plain.to_owned()
}

fn plain_got(got: &str) -> String {
    for kind in ["integer `", "floating point `", "boolean `"] {
        if let Some(value) = got
            .strip_prefix(kind)
            .and_then(|rest| rest.strip_suffix('`'))
        {
            return value.to_owned();
        }
    }
    match got {
        "map" => "object".to_owned(),
        "sequence" => "array".to_owned(),
        "null" | "unit value" | "Option value" => "null".to_owned(),
        other => other.to_owned(),
    }
}

/// A search for the innermost value that holds an offset.
struct Place<'t, 'm> {
    cursor: Cursor<'t>,
    offset: usize,
    message: &'m str,
}

impl Place<'_, '_> {
    fn find(mut self) -> Violation {
        match self.value(Pointer::root()) {
            Ok(Some(violation)) => violation,
            Ok(None) | Err(_) => self.here(Pointer::root()),
        }
    }

    fn here(&self, pointer: Pointer<'_>) -> Violation {
        if let Some(name) = quoted(self.message, "missing field `") {
            let problem = Problem::Missing {
                expected: "a value".to_owned(),
            };
            return Violation::new(pointer.member(name), problem);
        }
        if let Some(name) = quoted(self.message, "duplicate field `") {
            return Violation::new(pointer.member(name), Problem::Repeated);
        }
        Violation::new(pointer, problem(self.message))
    }

    /// The violation, once its place is known; the cursor is past the value if it is not.
    fn value(&mut self, pointer: Pointer<'_>) -> Result<Option<Violation>, Unreadable> {
        if pointer.depth() > MAX_DEPTH {
            return Err(Unreadable::Depth);
        }
        let kind = self.cursor.kind()?;
        let start = self.cursor.position();
        match kind {
            Kind::Array => {
                let mut index = 0;
                let mut more = self.cursor.enter(b']');
                while more {
                    if let Some(found) = self.value(pointer.item(index))? {
                        return Ok(Some(found));
                    }
                    index += 1;
                    more = self.cursor.more(b']')?;
                }
            }
            Kind::Object => {
                let mut more = self.cursor.enter(b'}');
                while more {
                    let name = self.cursor.key()?.decode().0;
                    if let Some(found) = self.value(pointer.member(&name))? {
                        return Ok(Some(found));
                    }
                    more = self.cursor.more(b'}')?;
                }
            }
            Kind::Null | Kind::Boolean | Kind::Number | Kind::String => {
                self.cursor.skip(pointer.depth())?;
            }
        }
        let inside = start < self.offset && self.offset <= self.cursor.position();
        Ok(inside.then(|| self.here(pointer)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::decode::decode;
    use super::*;

    #[test]
    fn messages_of_serde_are_said_in_words_of_json() {
        for (message, expected) in [
            (
                "invalid type: string \"x\", expected u32",
                "expected integer, got string \"x\"",
            ),
            (
                "invalid type: map, expected a sequence",
                "expected array, got object",
            ),
            (
                "invalid type: sequence, expected struct my::Secret",
                "expected object, got array",
            ),
            (
                "invalid type: floating point `1.5`, expected i8",
                "expected integer, got 1.5",
            ),
            (
                "invalid value: integer `-1`, expected u8",
                "expected integer, got -1",
            ),
            (
                "invalid type: null, expected f64",
                "expected number, got null",
            ),
            (
                "invalid length 3, expected tuple struct Secret with 2 elements",
                "expected array, got 3 items",
            ),
            (
                "no variant of enum Secret found in flattened data",
                "fits none of the allowed forms",
            ),
            (
                "data did not match any variant of untagged enum Secret",
                "fits none of the allowed forms",
            ),
            (
                "unknown field `nmae`, expected `name` or `path`",
                "unknown argument; did you mean `name`?",
            ),
            ("not in my::Crate\nat all", "not in my.Crate at all"),
        ] {
            assert_eq!(problem(message).to_string(), expected, "{message}");
        }
    }

    #[test]
    fn the_place_is_the_innermost_value_that_was_read() {
        let text = "{\"a\": [1,\n 2, \"x\"], \"b\": 3}";
        let misread = decode::<std::collections::BTreeMap<String, Vec<u8>>>(text).unwrap_err();
        assert_eq!(
            violation(&misread, text).to_string(),
            "/a/2: expected integer, got string \"x\""
        );
    }
}
