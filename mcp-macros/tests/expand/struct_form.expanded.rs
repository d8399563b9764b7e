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
    #[automatically_derived]
    impl ::mcp_core::__private::Tool for FindFiles {
        const NAME: &'static str = "find_files";
        type Output = <Self as ::mcp_core::__private::Run>::Output;
        fn definition() -> ::mcp_core::__private::ToolDefinition {
            {
                let definition = ::mcp_core::__private::ToolDefinition::new(
                        <Self as ::mcp_core::__private::Tool>::NAME,
                        {
                            let start: fn(
                                ::mcp_core::__private::Invocation,
                            ) -> ::mcp_core::__private::Step = |invocation| ::mcp_core::__private::Step::later(async move {
                                let this = ::mcp_core::__private::arguments::<
                                    Self,
                                >(&invocation)?;
                                let value = <Self as ::mcp_core::__private::Run>::run(
                                        this,
                                        invocation.context(),
                                    )
                                    .await;
                                ::core::result::Result::Ok(
                                    (&&&&&&::mcp_core::__private::Returns::of(&value))
                                        .returned()
                                        .reply(value),
                                )
                            });
                            start
                        },
                    )
                    .with_description("Finds files by name.")
                    .with_arguments::<Self>()
                    .with_annotations(
                        <::mcp_core::__private::ToolAnnotations as ::core::default::Default>::default()
                            .with_read_only_hint(true),
                    );
                (&&&&&&::mcp_core::__private::Returns::<
                    <Self as ::mcp_core::__private::Run>::Output,
                >::new())
                    .returned()
                    .define(definition)
            }
        }
    }
};
