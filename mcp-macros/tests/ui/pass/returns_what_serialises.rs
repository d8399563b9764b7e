//! Values that only serialise, which become one JSON text.

use std::collections::HashMap;

use mcp_core::{Tool, data, tool};

#[data]
struct Note {
    text: String,
}

#[tool]
fn one() -> Note {
    Note {
        text: String::new(),
    }
}

#[tool]
async fn many() -> Vec<Note> {
    Vec::new()
}

#[tool]
fn maybe() -> Option<u8> {
    None
}

#[tool]
fn map() -> Result<HashMap<String, (u8, Note)>, std::fmt::Error> {
    Ok(HashMap::new())
}

#[tool]
async fn borrowed(words: &[String]) -> Result<Vec<&str>, String> {
    Ok(words.iter().map(String::as_str).collect())
}

#[test]
fn each_is_a_tool() {
    assert_eq!(one::definition().name(), "one");
    assert_eq!(many::definition().name(), "many");
    assert_eq!(maybe::definition().name(), "maybe");
    assert_eq!(map::definition().name(), "map");
    assert_eq!(borrowed::definition().name(), "borrowed");
}
