//! Arguments that only come in. `with` asks for `Serialize` when it is called, not before.

use mcp_core::__private::{Deserialize, JsonSchema};
use mcp_core::{Tool, tool};

#[derive(Deserialize, JsonSchema)]
#[serde(crate = "mcp_core::__private::serde")]
#[schemars(crate = "mcp_core::__private::schemars")]
struct Query {
    text: String,
}

#[tool]
fn find(query: Query, more: Vec<Query>, limit: u8) -> String {
    format!("{}{}{limit}", query.text, more.len())
}

#[test]
fn it_is_a_tool() {
    assert_eq!(find::definition().name(), "find");
}
