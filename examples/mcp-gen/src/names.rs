//! Names in Rust, made from names that may be anything.

use std::collections::HashSet;

/// Names that are taken.
#[derive(Debug)]
pub(crate) struct Names(HashSet<String>);

impl Names {
    pub(crate) fn none() -> Self {
        Self(HashSet::new())
    }

    pub(crate) fn of_types(client: &str) -> Self {
        const USED: [&str; 22] = [
            "As",
            "Box",
            "Client",
            "Clone",
            "Debug",
            "Default",
            "Deserialize",
            "Err",
            "From",
            "Into",
            "None",
            "Ok",
            "Option",
            "PartialEq",
            "Result",
            "Self",
            "Serialize",
            "Some",
            "String",
            "ToolCallFuture",
            "TypedCallFuture",
            "Vec",
        ];
        let mut names = Self(USED.map(str::to_owned).into());
        names.0.insert("TypedToolCall".to_owned());
        names.0.insert(client.to_owned());
        names
    }

    /// Of a client, which has methods of its own.
    pub(crate) fn of_methods() -> Self {
        Self(["new", "client", "clone", "fmt"].map(str::to_owned).into())
    }

    /// This name, or the first of `name_2`, `name_3` … that is free.
    pub(crate) fn take(&mut self, name: &str) -> String {
        let mut free = name.to_owned();
        let mut number = 1;
        while self.0.contains(&free) {
            number += 1;
            let word = name.strip_prefix("r#").unwrap_or(name);
            free = if word.starts_with(|first: char| first.is_ascii_uppercase()) {
                format!("{word}{number}")
            } else {
                format!("{word}_{number}")
            };
        }
        self.0.insert(free.clone());
        free
    }
}

/// A type or a variant: `get-sum` is `GetSum`.
pub(crate) fn type_name(name: &str) -> String {
    let mut out = String::new();
    for word in words(name) {
        let mut letters = word.chars();
        out.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    match out.chars().next() {
        None => "Unnamed".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("N{out}"),
        Some(_) if out == "Self" => "Self_".to_owned(),
        Some(_) => out,
    }
}

/// A field or a method: `maxCount` is `max_count`, and `type` is `r#type`.
pub(crate) fn field_name(name: &str) -> String {
    let out = words(name).join("_");
    match out.chars().next() {
        None => "unnamed".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("n{out}"),
        // These can't be raw.
        Some(_) if ["crate", "self", "super"].contains(&&*out) => format!("{out}_"),
        Some(_) if KEYWORDS.contains(&&*out) => format!("r#{out}"),
        Some(_) => out,
    }
}

/// The name behind a raw identifier, as serde sees it.
pub(crate) fn bare(ident: &str) -> &str {
    ident.strip_prefix("r#").unwrap_or(ident)
}

/// The words in a name, in small letters: `HTTPGet2_files` is `http`, `get2`, `files`.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().take(MAX_LETTERS).collect();
    let mut words: Vec<String> = Vec::new();
    let mut is_inside = false;
    for (place, letter) in letters.iter().enumerate() {
        if !letter.is_ascii_alphanumeric() {
            is_inside = false;
            continue;
        }
        let before = place.checked_sub(1).map(|before| letters[before]);
        let after = letters.get(place + 1);
        let starts = letter.is_ascii_uppercase()
            && before.is_some_and(|before| {
                before.is_ascii_lowercase()
                    || before.is_ascii_digit()
                    || after.is_some_and(char::is_ascii_lowercase)
            });
        match words.last_mut() {
            Some(word) if is_inside && !starts => word.push(letter.to_ascii_lowercase()),
            _ => words.push(letter.to_ascii_lowercase().to_string()),
        }
        is_inside = true;
    }
    words
}

/// Of longer names, nobody reads the end.
const MAX_LETTERS: usize = 80;

const KEYWORDS: [&str; 49] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield", "union",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_words_wherever_they_come_from() {
        for (wire, field, type_) in [
            ("get-sum", "get_sum", "GetSum"),
            ("maxCount", "max_count", "MaxCount"),
            ("HTTPGet2_files", "http_get2_files", "HttpGet2Files"),
            ("a.b/c d", "a_b_c_d", "ABCD"),
            ("type", "r#type", "Type"),
            ("self", "self_", "Self_"),
            ("2nd", "n2nd", "N2nd"),
            ("", "unnamed", "Unnamed"),
            ("été", "t", "T"),
            ("数", "unnamed", "Unnamed"),
        ] {
            assert_eq!(field_name(wire), field);
            assert_eq!(type_name(wire), type_);
        }
    }

    #[test]
    fn names_that_are_taken_get_a_number() {
        let mut names = Names::of_methods();
        assert_eq!(names.take("new"), "new_2");
        assert_eq!(names.take("r#type"), "r#type");
        assert_eq!(names.take("r#type"), "type_2");
        let mut names = Names::of_types("NotesClient");
        assert_eq!(names.take("NotesClient"), "NotesClient2");
        assert_eq!(names.take("Vec"), "Vec2");
    }
}
