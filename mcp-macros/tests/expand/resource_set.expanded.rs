impl Notes {
    fn all(self: Arc<Self>) -> String {
        self.text.clone()
    }
    async fn one(&self, id: u32) -> Option<String> {
        self.one(id).await
    }
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
    use ::mcp_core::__private::{CompletesLater as _, CompletesNow as _};
    #[automatically_derived]
    impl ::mcp_core::__private::ResourceSet for Notes {
        fn definitions(
            this: ::mcp_core::__private::Arc<Self>,
        ) -> ::mcp_core::__private::Vec<::mcp_core::__private::ResourceDefinition> {
            let mut definitions = ::mcp_core::__private::Vec::with_capacity(2usize);
            definitions
                .push({
                    let shared = ::mcp_core::__private::share(&this);
                    ::mcp_core::__private::ResourceDefinition::new(
                            "notes://all",
                            "all",
                            move |invocation: ::mcp_core::__private::Invocation| {
                                let this = ::mcp_core::__private::share(&shared);
                                ::mcp_core::__private::Step::now(
                                    &invocation,
                                    |invocation: &::mcp_core::__private::Invocation| {
                                        let ::mcp_core::__private::AnyArguments {} = invocation
                                            .arguments()?;
                                        let value = Self::all(::mcp_core::__private::share(&this));
                                        ::core::result::Result::Ok(
                                            ::mcp_core::__private::Invocation::contents(
                                                &invocation,
                                                value,
                                            ),
                                        )
                                    },
                                )
                            },
                        )
                        .with_variables::<::mcp_core::__private::AnyArguments>()
                });
            definitions
                .push({
                    #[derive(
                        ::mcp_core::__private::Deserialize,
                        ::mcp_core::__private::JsonSchema
                    )]
                    #[serde(crate = "::mcp_core::__private::serde")]
                    #[schemars(crate = "::mcp_core::__private::schemars")]
                    #[allow(non_snake_case, dead_code)]
                    struct __Arguments
                    where
                        for<'always> u32: ::mcp_core::__private::Owned,
                    {
                        id: u32,
                    }
                    let shared = ::mcp_core::__private::share(&this);
                    ::mcp_core::__private::ResourceDefinition::new(
                            "notes://{id}",
                            "one",
                            move |invocation: ::mcp_core::__private::Invocation| {
                                let this = ::mcp_core::__private::share(&shared);
                                ::mcp_core::__private::Step::later(async move {
                                    let __Arguments { id: argument_0 }: __Arguments = invocation
                                        .arguments()?;
                                    let value = Self::one(&this, argument_0).await;
                                    ::core::result::Result::Ok(
                                        ::mcp_core::__private::Invocation::contents(
                                            &invocation,
                                            value,
                                        ),
                                    )
                                })
                            },
                        )
                        .with_variables::<__Arguments>()
                        .with_completer(
                            "id",
                            {
                                let shared = ::mcp_core::__private::share(&this);
                                move |typed: ::mcp_core::__private::Completing| {
                                    let this = ::mcp_core::__private::share(&shared);
                                    async move {
                                        let found = Self::ids(&this, &typed);
                                        let way = (&&::mcp_core::__private::Completes::of(&found))
                                            .completes();
                                        let found = way.wait(found).await;
                                        ::mcp_core::__private::IntoCompletion::into_completion(
                                            found,
                                        )
                                    }
                                }
                            },
                        )
                });
            definitions
        }
    }
};
