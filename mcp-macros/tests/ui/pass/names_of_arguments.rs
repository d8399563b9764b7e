//! Other names on the wire, and what serde and schemars know.

use mcp_core::tool;

mod text {
    use mcp_core::__private::serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse()
            .map_err(mcp_core::__private::serde::de::Error::custom)
    }
}

#[tool]
fn find(
    r#type: &str,
    #[arg(rename = "in")] place: &str,
    #[serde(rename = "maxCount", alias = "max_count")] count: u32,
    #[serde(with = "text")]
    #[schemars(with = "String")]
    id: u64,
    mut depth: u8,
    _unused: bool,
) -> String {
    depth += 1;
    format!("{type}{place}{count}{id}{depth}")
}

#[test]
fn a_call_uses_the_names_on_the_wire() {
    assert_eq!(
        super::json(find::with("a", "b", 1, 2, 3, true)),
        r#"{"type":"a","in":"b","maxCount":1,"id":"2","depth":3,"_unused":true}"#
    );
}
