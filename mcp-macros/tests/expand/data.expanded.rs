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
#[allow(
    missing_docs,
    missing_debug_implementations,
    missing_copy_implementations,
    unreachable_pub,
    dead_code,
    deprecated,
    non_camel_case_types,
    non_upper_case_globals,
    unused_imports,
    unused_lifetimes,
    unused_qualifications,
    unnameable_types,
    private_interfaces,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::exhaustive_structs
)]
#[automatically_derived]
impl ::mcp_core::__private::Returned for Note
where
    for<'always> Note: ::mcp_core::__private::DeserializeOwned,
{
    type Value = Self;
    #[inline]
    fn from_result(
        result: ::mcp_core::__private::CallToolResult,
    ) -> ::core::result::Result<Self, ::mcp_core::__private::String> {
        ::mcp_core::__private::read_result(&result)
    }
}
