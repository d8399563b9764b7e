/// Adds two integers.
fn add(a: i64, b: i64) -> i64 {
    a + b
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
const _: () = {
    use ::core::convert::Into as _;
    use ::core::option::Option::Some;
    use ::mcp_core::__private::{
        ReturnsAny as _, ReturnsFailing as _, ReturnsFailingJson as _, ReturnsJson as _,
        ReturnsReply as _, ReturnsResult as _,
    };
    #[derive(::mcp_core::__private::Deserialize, ::mcp_core::__private::JsonSchema)]
    #[serde(crate = "::mcp_core::__private::serde", deny_unknown_fields)]
    #[schemars(crate = "::mcp_core::__private::schemars")]
    #[allow(non_snake_case, dead_code)]
    struct __Arguments
    where
        for<'always> i64: ::mcp_core::__private::Owned,
        for<'always> i64: ::mcp_core::__private::Owned,
    {
        /// The left operand.
        a: i64,
        /// The right operand.
        b: i64,
    }
    #[derive(::mcp_core::__private::Serialize)]
    #[serde(crate = "::mcp_core::__private::serde")]
    #[allow(non_snake_case, dead_code)]
    struct __Call<A0, A1> {
        #[serde(skip_serializing_if = "::mcp_core::__private::is_none")]
        a: A0,
        #[serde(skip_serializing_if = "::mcp_core::__private::is_none")]
        b: A1,
    }
    #[automatically_derived]
    impl ::mcp_core::__private::Tool for add {
        const NAME: &'static str = "add";
        type Output = i64;
        fn definition() -> ::mcp_core::__private::ToolDefinition {
            {
                let definition = ::mcp_core::__private::ToolDefinition::new(
                        <Self as ::mcp_core::__private::Tool>::NAME,
                        {
                            let start: fn(
                                ::mcp_core::__private::Invocation,
                            ) -> ::mcp_core::__private::Step = |invocation| ::mcp_core::__private::Step::now(
                                &invocation,
                                |invocation: &::mcp_core::__private::Invocation| {
                                    let __Arguments {
                                        a: argument_0,
                                        b: argument_1,
                                    }: __Arguments = invocation.arguments()?;
                                    let value = add(argument_0, argument_1);
                                    ::core::result::Result::Ok(
                                        (&&&&&&::mcp_core::__private::Returns::of(&value))
                                            .returned()
                                            .reply(value),
                                    )
                                },
                            );
                            start
                        },
                    )
                    .with_description("Adds two integers.")
                    .with_arguments::<__Arguments>();
                (&&&&&&::mcp_core::__private::Returns::<i64>::new())
                    .returned()
                    .define(definition)
            }
        }
    }
    #[automatically_derived]
    impl add {
        /// A call of this tool, for a client to make.
        fn with(
            a: i64,
            b: i64,
        ) -> ::mcp_core::__private::TypedToolCall<
            impl ::mcp_core::__private::Serialize + use<>,
            i64,
        > {
            ::mcp_core::__private::TypedToolCall::new(
                <Self as ::mcp_core::__private::Tool>::NAME,
                __Call { a, b },
            )
        }
    }
};
