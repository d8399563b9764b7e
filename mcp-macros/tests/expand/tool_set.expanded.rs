impl<T: Store> Notes<T> {
    /// Saves a note and returns it.
    async fn save(self: Arc<Self>, title: &str, value: T::Value) -> Json<Note> {
        self.store.save(title, value).await
    }
    /// Counts.
    #[cfg(feature = "count")]
    fn count(&self) -> u64 {
        self.store.count()
    }
    fn not_a_tool(&self) {}
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
    #[automatically_derived]
    impl<T: Store> ::mcp_core::__private::ToolSet for Notes<T>
    where
        Notes<T>: ::core::marker::Send + ::core::marker::Sync + 'static,
        T::Value: ::mcp_core::__private::Argument,
    {
        fn definitions(
            this: ::mcp_core::__private::Arc<Self>,
        ) -> ::mcp_core::__private::Vec<::mcp_core::__private::ToolDefinition> {
            let mut definitions = ::mcp_core::__private::Vec::with_capacity(2usize);
            definitions
                .push({
                    fn __default_0() -> ::mcp_core::__private::Text<'static> {
                        ::core::convert::From::from("untitled")
                    }
                    #[derive(
                        ::mcp_core::__private::Deserialize,
                        ::mcp_core::__private::JsonSchema
                    )]
                    #[serde(
                        crate = "::mcp_core::__private::serde",
                        deny_unknown_fields,
                        bound(deserialize = "")
                    )]
                    #[schemars(crate = "::mcp_core::__private::schemars", bound = "")]
                    #[allow(non_snake_case, dead_code)]
                    struct __Arguments<'call, T: Store>
                    where
                        T::Value: ::mcp_core::__private::Argument,
                    {
                        #[serde(borrow)]
                        #[serde(default = "__default_0")]
                        title: ::mcp_core::__private::Text<'call>,
                        value: T::Value,
                    }
                    let shared = ::mcp_core::__private::share(&this);
                    {
                        let definition = ::mcp_core::__private::ToolDefinition::new(
                                "notes_save",
                                move |invocation: ::mcp_core::__private::Invocation| {
                                    let this = ::mcp_core::__private::share(&shared);
                                    ::mcp_core::__private::Step::later(async move {
                                        let __Arguments {
                                            title: argument_0,
                                            value: argument_1,
                                        }: __Arguments<'_, T> = invocation.arguments()?;
                                        let value = Self::save(
                                                ::mcp_core::__private::share(&this),
                                                &*argument_0,
                                                argument_1,
                                            )
                                            .await;
                                        ::core::result::Result::Ok(
                                            (&&&&&&::mcp_core::__private::Returns::of(&value))
                                                .returned()
                                                .reply(value),
                                        )
                                    })
                                },
                            )
                            .with_description("Saves a note and returns it.")
                            .with_arguments::<__Arguments<'static, T>>()
                            .with_annotations(
                                <::mcp_core::__private::ToolAnnotations as ::core::default::Default>::default()
                                    .with_idempotent_hint(true),
                            );
                        (&&&&&&::mcp_core::__private::Returns::<Json<Note>>::new())
                            .returned()
                            .define(definition)
                    }
                });
            #[cfg(feature = "count")]
            definitions
                .push({
                    let shared = ::mcp_core::__private::share(&this);
                    {
                        let definition = ::mcp_core::__private::ToolDefinition::new(
                                "notes_count",
                                move |invocation: ::mcp_core::__private::Invocation| {
                                    let this = ::mcp_core::__private::share(&shared);
                                    ::mcp_core::__private::Step::now(
                                        &invocation,
                                        |invocation: &::mcp_core::__private::Invocation| {
                                            let ::mcp_core::__private::NoArguments {} = invocation
                                                .arguments()?;
                                            let value = Self::count(&this);
                                            ::core::result::Result::Ok(
                                                (&&&&&&::mcp_core::__private::Returns::of(&value))
                                                    .returned()
                                                    .reply(value),
                                            )
                                        },
                                    )
                                },
                            )
                            .with_description("Counts.")
                            .with_arguments::<::mcp_core::__private::NoArguments>();
                        (&&&&&&::mcp_core::__private::Returns::<u64>::new())
                            .returned()
                            .define(definition)
                    }
                });
            definitions
        }
    }
};
