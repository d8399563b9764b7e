fn convert<'a, T, const N: usize>(values: Vec<T>, text: Cow<'a, str>) -> [T; N]
where
    T: Convertible,
{
    T::convert(values, text)
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
struct Convert<T, const N: usize>
where
    T: Convertible,
{
    #[doc(hidden)]
    __types: ::core::marker::PhantomData<fn() -> (*const T,)>,
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
const _: () = {
    use ::core::convert::Into as _;
    use ::core::option::Option::Some;
    use ::mcp_core::__private::{
        ReturnsAny as _, ReturnsFailing as _, ReturnsFailingJson as _, ReturnsJson as _,
        ReturnsReply as _, ReturnsResult as _,
    };
    #[derive(::mcp_core::__private::Deserialize, ::mcp_core::__private::JsonSchema)]
    #[serde(
        crate = "::mcp_core::__private::serde",
        deny_unknown_fields,
        bound(deserialize = "")
    )]
    #[schemars(crate = "::mcp_core::__private::schemars", bound = "")]
    #[allow(non_snake_case, dead_code)]
    struct __Arguments<'call, T>
    where
        T: Convertible,
        Vec<T>: ::mcp_core::__private::Argument,
    {
        values: Vec<T>,
        #[serde(borrow)]
        text: Cow<'call, str>,
    }
    #[derive(::mcp_core::__private::Serialize)]
    #[serde(crate = "::mcp_core::__private::serde")]
    #[allow(non_snake_case, dead_code)]
    struct __Call<A0, A1> {
        #[serde(skip_serializing_if = "::mcp_core::__private::is_none")]
        values: A0,
        #[serde(skip_serializing_if = "::mcp_core::__private::is_none")]
        text: A1,
    }
    #[automatically_derived]
    impl<T: 'static, const N: usize> ::mcp_core::__private::Tool for Convert<T, N>
    where
        T: Convertible,
        Vec<T>: ::mcp_core::__private::Argument,
    {
        const NAME: &'static str = "convert";
        type Output = [T; N];
        fn definition() -> ::mcp_core::__private::ToolDefinition {
            {
                let definition = ::mcp_core::__private::ToolDefinition::new(
                        <Self as ::mcp_core::__private::Tool>::NAME,
                        {
                            let start: fn(
                                ::mcp_core::__private::Invocation,
                            ) -> ::mcp_core::__private::Step = |invocation| ::mcp_core::__private::Step::blocking(
                                invocation,
                                move |invocation: &::mcp_core::__private::Invocation| {
                                    let __Arguments {
                                        values: argument_0,
                                        text: argument_1,
                                    }: __Arguments<'_, T> = invocation.arguments()?;
                                    let value = convert::<T, N>(argument_0, argument_1);
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
                    .with_arguments::<__Arguments<'static, T>>();
                (&&&&&&::mcp_core::__private::Returns::<[T; N]>::new())
                    .returned()
                    .define(definition)
            }
        }
    }
    #[automatically_derived]
    impl<T: 'static, const N: usize> Convert<T, N>
    where
        T: Convertible,
        Vec<T>: ::mcp_core::__private::Argument,
    {
        /// A call of this tool, for a client to make.
        fn with<'call>(
            values: Vec<T>,
            text: Cow<'call, str>,
        ) -> ::mcp_core::__private::TypedToolCall<
            impl ::mcp_core::__private::Serialize + use<'call, T, N>,
            [T; N],
        >
        where
            for<'always> Vec<T>: ::mcp_core::__private::Given,
            for<'always> Cow<'call, str>: ::mcp_core::__private::Given,
        {
            ::mcp_core::__private::TypedToolCall::new(
                <Self as ::mcp_core::__private::Tool>::NAME,
                __Call { values, text },
            )
        }
    }
};
