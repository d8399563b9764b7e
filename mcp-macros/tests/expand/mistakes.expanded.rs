::core::compile_error! {
    "unknown setting `readonly`; did you mean `read_only`?"
}
::core::compile_error! {
    "an argument needs a name, which is what clients call it"
}
/// Adds two integers.
fn add(a: i64, _: i64) -> i64 {
    a
}
/// Adds two integers.
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
struct add {}
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
#[allow(unused_variables)]
const _: () = {
    #[automatically_derived]
    impl ::mcp_core::__private::Tool for add {
        const NAME: &'static str = "add";
        type Output = ();
        fn definition() -> ::mcp_core::__private::ToolDefinition {
            loop {}
        }
    }
    #[automatically_derived]
    impl add {
        fn with<'call>(a: i64) -> ::mcp_core::__private::TypedToolCall<(), ()> {
            loop {}
        }
    }
};
