#[derive(
    ::mcp_core::__private::Serialize,
    ::mcp_core::__private::Deserialize,
    ::mcp_core::__private::JsonSchema,
    ::mcp_core::__private::Form
)]
#[form(crate = ::mcp_core)]
#[serde(crate = "::mcp_core::__private::serde")]
#[schemars(crate = "::mcp_core::__private::schemars")]
/// A note.
#[derive(Debug)]
#[serde(rename_all = "camelCase")]
struct Note {
    note_text: String,
}
