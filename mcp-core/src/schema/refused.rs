//! What serde says when it refuses arguments, in words that a model understands.
//!
//! The checks explain nearly all refusals; what is left comes from a type's own code, and from what a schema cannot
//! say. Names of Rust types, and lines and columns, mean nothing to a model.

use super::cursor::{Cursor, Kind, MAX_DEPTH, Unreadable};
use super::report::{Pointer, Problem, Violation, shortened};

/// Longer messages come from types that echo their input.
const MAX_MESSAGE: usize = 300;

/// One violation from an error of serde_json and the text that it is about.
pub(super) fn violation(error: &serde_json::Error, text: &str) -> Violation {
    let message = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    let message = message.strip_suffix(&position).unwrap_or(&message);
    let place = Place {
        cursor: Cursor::new(text),
        offset: offset(text, error.line(), error.column()),
        message,
    };
    place.find()
}

/// Where a line and column are, in bytes.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    before + column
}

fn problem(message: &str) -> Problem {
    if let Some(name) = quoted(message, "unknown field `") {
        let known = message.split('`').skip(3).step_by(2);
        return Problem::unknown(name, known);
    }
    let parts = message
        .strip_prefix("invalid type: ")
        .or_else(|| message.strip_prefix("invalid value: "))
        .or_else(|| message.strip_prefix("invalid length "));
    if let Some((got, expected)) = parts.and_then(|parts| parts.rsplit_once(", expected ")) {
        return Problem::Unexpected {
            expected: shortened(&plain_kind(expected), MAX_MESSAGE),
            got: shortened(&plain_got(got), MAX_MESSAGE),
        };
    }
    if message.starts_with("data did not match any variant of untagged enum") {
        return Problem::Refused("fits none of the allowed forms".to_owned());
    }
    if message.starts_with("number out of range") {
        return Problem::Refused("number out of range".to_owned());
    }
    // One violation is one line of the report.
    let line = message.replace("::", ".").replace(char::is_control, " ");
    Problem::Refused(shortened(&line, MAX_MESSAGE))
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
    for (prefix, plain) in [
        ("integer `", ""),
        ("floating point `", ""),
        ("boolean `", ""),
    ] {
        if let Some(inner) = got
            .strip_prefix(prefix)
            .and_then(|rest| rest.strip_suffix('`'))
        {
            return format!("{plain}{inner}");
        }
    }
    match got {
        "map" => "object".to_owned(),
        "sequence" => "array".to_owned(),
        "unit" | "unit value" | "Option value" => "null".to_owned(),
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
