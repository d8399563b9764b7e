//! JSON as a tree that keeps numbers as written and members in order: what the slow pass works on.

use std::fmt;

use super::cursor::{Cursor, Kind, MAX_DEPTH, RawString, Unreadable};
use super::number::Decimal;
use super::report::{Pointer, Problem, Violation};

/// One JSON value.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Null,
    Boolean(bool),
    /// As written: no digit is lost.
    Number(String),
    String(String),
    Array(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Tree {
    /// Reads a whole text. What serde would refuse though it is JSON (members named twice, escapes that are no
    /// characters) is put in `violations`.
    pub(super) fn parse(text: &str, violations: &mut Vec<Violation>) -> Result<Self, Unreadable> {
        let mut reader = Reader {
            cursor: Cursor::new(text),
            violations,
        };
        let tree = reader.value(Pointer::root())?;
        if reader.cursor.at_end() {
            Ok(tree)
        } else {
            Err(Unreadable::Syntax)
        }
    }

    /// Reads a text in which nothing is amiss.
    pub(super) fn parse_clean(text: &str) -> Option<Self> {
        let mut violations = Vec::new();
        let tree = Self::parse(text, &mut violations).ok()?;
        violations.is_empty().then_some(tree)
    }

    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Null => Kind::Null,
            Self::Boolean(_) => Kind::Boolean,
            Self::Number(_) => Kind::Number,
            Self::String(_) => Kind::String,
            Self::Array(_) => Kind::Array,
            Self::Object(_) => Kind::Object,
        }
    }

    pub(super) fn member(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(key, _)| key == name).map(|(_, v)| v),
            _ => None,
        }
    }
}

/// Equal as JSON Schema sees it: `1` is `1.0`, members have no order.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Boolean(a), Self::Boolean(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => Decimal::parse(a) == Decimal::parse(b),
            (Self::String(a), Self::String(b)) => a == b,
            (Self::Array(a), Self::Array(b)) => a == b,
            (Self::Object(a), Self::Object(b)) => {
                a.len() == b.len()
                    && a.iter()
                        .all(|(key, value)| other.member(key) == Some(value))
            }
            _ => false,
        }
    }
}

impl From<&serde_json::Value> for Tree {
    fn from(value: &serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Self::Null,
            Value::Bool(b) => Self::Boolean(*b),
            Value::Number(n) => Self::Number(n.to_string()),
            Value::String(s) => Self::String(s.clone()),
            Value::Array(items) => Self::Array(items.iter().map(Self::from).collect()),
            Value::Object(members) => Self::Object(
                members
                    .iter()
                    .map(|(key, value)| (key.clone(), Self::from(value)))
                    .collect(),
            ),
        }
    }
}

/// As compact JSON.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Boolean(b) => b.fmt(f),
            Self::Number(raw) => f.write_str(raw),
            Self::String(text) => write_string(f, text),
            Self::Array(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        f.write_str(",")?;
                    }
                    item.fmt(f)?;
                }
                f.write_str("]")
            }
            Self::Object(members) => {
                f.write_str("{")?;
                for (index, (key, value)) in members.iter().enumerate() {
                    if index > 0 {
                        f.write_str(",")?;
                    }
                    write_string(f, key)?;
                    f.write_str(":")?;
                    value.fmt(f)?;
                }
                f.write_str("}")
            }
        }
    }
}

/// Writes a JSON string.
pub(super) fn write_string(f: &mut impl fmt::Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            c if u32::from(c) < 0x20 => write!(f, "\\u{:04x}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

struct Reader<'t, 'v> {
    cursor: Cursor<'t>,
    violations: &'v mut Vec<Violation>,
}

impl Reader<'_, '_> {
    fn value(&mut self, pointer: Pointer<'_>) -> Result<Tree, Unreadable> {
        if pointer.depth() > MAX_DEPTH {
            return Err(Unreadable::Depth);
        }
        Ok(match self.cursor.kind()? {
            Kind::Null => {
                self.cursor.literal()?;
                Tree::Null
            }
            Kind::Boolean => Tree::Boolean(self.cursor.literal()? == "true"),
            Kind::Number => Tree::Number(self.cursor.number()?.to_owned()),
            Kind::String => {
                let raw = self.cursor.string()?;
                Tree::String(self.text(raw, pointer))
            }
            Kind::Array => Tree::Array(self.items(pointer)?),
            Kind::Object => Tree::Object(self.members(pointer)?),
        })
    }

    fn text(&mut self, raw: RawString<'_>, pointer: Pointer<'_>) -> String {
        let (text, valid) = raw.decode();
        if !valid {
            self.violations
                .push(Violation::new(pointer, Problem::InvalidUnicode));
        }
        text.into_owned()
    }

    fn items(&mut self, pointer: Pointer<'_>) -> Result<Vec<Tree>, Unreadable> {
        let mut items = Vec::new();
        let mut more = self.cursor.enter(b']');
        while more {
            items.push(self.value(pointer.item(items.len()))?);
            more = self.cursor.more(b']')?;
        }
        Ok(items)
    }

    fn members(&mut self, pointer: Pointer<'_>) -> Result<Vec<(String, Tree)>, Unreadable> {
        let mut members = Vec::new();
        let mut more = self.cursor.enter(b'}');
        while more {
            let raw = self.cursor.key()?;
            let name = self.text(raw, pointer);
            let value = self.value(pointer.member(&name))?;
            members.push((name, value));
            more = self.cursor.more(b'}')?;
        }
        self.drop_repeated(&mut members, pointer);
        Ok(members)
    }

    /// Of members with one name the last is kept, as most readers do; each name is reported once.
    fn drop_repeated(&mut self, members: &mut Vec<(String, Tree)>, pointer: Pointer<'_>) {
        // Sorting keeps an object with very many members from costing the square of their number.
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by(|&a, &b| members[a].0.cmp(&members[b].0));
        let mut dropped = vec![false; members.len()];
        let mut reported: Option<usize> = None;
        for pair in order.windows(2) {
            let (earlier, later) = (pair[0], pair[1]);
            if members[earlier].0 != members[later].0 {
                continue;
            }
            dropped[earlier] = true;
            if reported.is_none_or(|last| members[last].0 != members[later].0) {
                let at = pointer.member(&members[later].0);
                self.violations.push(Violation::new(at, Problem::Repeated));
            }
            reported = Some(later);
        }
        let mut keep = dropped.into_iter().map(|dropped| !dropped);
        members.retain(|_| keep.next().unwrap_or(true));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_written_as_it_was_read() {
        let text = r#"{"z":18446744073709551616,"a":[1.0,"\"\\\n\u0001é",null,true],"e":{}}"#;
        let tree = Tree::parse_clean(text).unwrap();
        assert_eq!(tree.to_string(), text);
    }

    #[test]
    fn equality_ignores_spelling_and_order() {
        let a = Tree::parse_clean(r#"{"a":1.0,"b":[2]}"#).unwrap();
        let b = Tree::parse_clean(r#"{"b":[2e0],"a":1}"#).unwrap();
        assert_eq!(a, b);
    }

    #[test]
    fn a_repeated_member_is_reported_once_and_the_last_counts() {
        let mut violations = Vec::new();
        let tree = Tree::parse(r#"{"a":1,"b":0,"a":2,"a":3}"#, &mut violations).unwrap();
        assert_eq!(tree.to_string(), r#"{"b":0,"a":3}"#);
        assert_eq!(violations.len(), 1);
        assert_eq!(violations[0].pointer(), "/a");
    }

    #[test]
    fn text_behind_the_value_is_refused() {
        assert!(Tree::parse_clean("1 2").is_none());
        assert!(Tree::parse_clean("").is_none());
    }
}
