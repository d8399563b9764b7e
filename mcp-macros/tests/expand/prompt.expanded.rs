/// Reviews code.
pub async fn review(
    cx: &Context,
    language: &str,
    length: Option<String>,
) -> Result<Vec<PromptMessage>, Refused> {
    messages(cx, language, length).await
}
/// Reviews code.
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
pub struct review {}
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
    #[derive(::mcp_core::__private::Deserialize, ::mcp_core::__private::JsonSchema)]
    #[serde(crate = "::mcp_core::__private::serde", deny_unknown_fields)]
    #[schemars(crate = "::mcp_core::__private::schemars")]
    #[allow(non_snake_case, dead_code)]
    struct __Arguments<'call>
    where
        for<'always> Option<String>: ::mcp_core::__private::Owned,
    {
        #[serde(borrow)]
        language: ::mcp_core::__private::Text<'call>,
        length: Option<String>,
    }
    #[automatically_derived]
    impl ::mcp_core::__private::Prompt for review {
        const NAME: &'static str = "review";
        fn definition() -> ::mcp_core::__private::PromptDefinition {
            ::mcp_core::__private::PromptDefinition::new(
                    <Self as ::mcp_core::__private::Prompt>::NAME,
                    {
                        let start: fn(
                            ::mcp_core::__private::Invocation,
                        ) -> ::mcp_core::__private::Step = |invocation| ::mcp_core::__private::Step::later(async move {
                            let __Arguments {
                                language: argument_0,
                                length: argument_1,
                            }: __Arguments<'_> = invocation.arguments()?;
                            let value = review(
                                    invocation.lent::<Context>()?,
                                    &*argument_0,
                                    argument_1,
                                )
                                .await;
                            ::core::result::Result::Ok(
                                ::mcp_core::__private::IntoMessages::into_messages(value),
                            )
                        });
                        start
                    },
                )
                .with_description("Reviews code.")
                .reads_arguments::<__Arguments<'static>>()
                .borrows::<Context>()
                .with_title("Review")
                .with_deadline(::core::time::Duration::from_millis(30000u64))
                .with_completer(
                    "language",
                    |typed: ::mcp_core::__private::Completing| async move {
                        let found = languages(&typed);
                        let way = (&&::mcp_core::__private::Completes::of(&found))
                            .completes();
                        let found = way.wait(found).await;
                        ::mcp_core::__private::IntoCompletion::into_completion(found)
                    },
                )
                .with_completer(
                    "length",
                    |typed: ::mcp_core::__private::Completing| {
                        ::core::future::ready(
                            ::mcp_core::__private::Completion::matching(
                                &typed,
                                ["short", "long"],
                            ),
                        )
                    },
                )
        }
    }
};
