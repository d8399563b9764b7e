impl Notes {
    async fn sum_up(&self, title: &str) -> String {
        self.text(title)
    }
    fn titles(&self, typed: &Completing) -> Vec<String> {
        self.titles.clone()
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
    impl ::mcp_core::__private::PromptSet for Notes {
        fn definitions(
            this: ::mcp_core::__private::Arc<Self>,
        ) -> ::mcp_core::__private::Vec<::mcp_core::__private::PromptDefinition> {
            let mut definitions = ::mcp_core::__private::Vec::with_capacity(1usize);
            definitions
                .push({
                    #[derive(
                        ::mcp_core::__private::Deserialize,
                        ::mcp_core::__private::JsonSchema
                    )]
                    #[serde(crate = "::mcp_core::__private::serde", deny_unknown_fields)]
                    #[schemars(crate = "::mcp_core::__private::schemars")]
                    #[allow(non_snake_case, dead_code)]
                    struct __Arguments<'call> {
                        #[serde(borrow)]
                        title: ::mcp_core::__private::Text<'call>,
                    }
                    let shared = ::mcp_core::__private::share(&this);
                    ::mcp_core::__private::PromptDefinition::new(
                            "notes_sum_up",
                            move |invocation: ::mcp_core::__private::Invocation| {
                                let this = ::mcp_core::__private::share(&shared);
                                ::mcp_core::__private::Step::later(async move {
                                    let __Arguments { title: argument_0 }: __Arguments<'_> = invocation
                                        .arguments()?;
                                    let value = Self::sum_up(&this, &*argument_0).await;
                                    ::core::result::Result::Ok(
                                        ::mcp_core::__private::IntoMessages::into_messages(value),
                                    )
                                })
                            },
                        )
                        .reads_arguments::<__Arguments<'static>>()
                        .with_completer(
                            "title",
                            {
                                let shared = ::mcp_core::__private::share(&this);
                                move |typed: ::mcp_core::__private::Completing| {
                                    let this = ::mcp_core::__private::share(&shared);
                                    async move {
                                        let found = Self::titles(&this, &typed);
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
