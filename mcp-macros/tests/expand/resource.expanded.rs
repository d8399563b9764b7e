/// One note.
fn note(id: u32, page: Option<u32>, db: &Db) -> Option<String> {
    db.note(id, page)
}
/// One note.
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
struct note {}
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
    #[serde(crate = "::mcp_core::__private::serde")]
    #[schemars(crate = "::mcp_core::__private::schemars")]
    #[allow(non_snake_case, dead_code)]
    struct __Arguments
    where
        for<'always> u32: ::mcp_core::__private::Owned,
        for<'always> Option<u32>: ::mcp_core::__private::Owned,
        for<'always> Option<u32>: ::mcp_core::__private::MayBeMissing,
    {
        id: u32,
        page: Option<u32>,
    }
    #[automatically_derived]
    impl ::mcp_core::__private::Resource for note {
        const URI: &'static str = "notes://{id}{?page}";
        fn definition() -> ::mcp_core::__private::ResourceDefinition {
            ::mcp_core::__private::ResourceDefinition::new(
                    <Self as ::mcp_core::__private::Resource>::URI,
                    "note",
                    {
                        let start: fn(
                            ::mcp_core::__private::Invocation,
                        ) -> ::mcp_core::__private::Step = |invocation| ::mcp_core::__private::Step::now(
                            &invocation,
                            |invocation: &::mcp_core::__private::Invocation| {
                                let __Arguments {
                                    id: argument_0,
                                    page: argument_1,
                                }: __Arguments = invocation.arguments()?;
                                let value = note(
                                    argument_0,
                                    argument_1,
                                    invocation.lent::<Db>()?,
                                );
                                ::core::result::Result::Ok(
                                    ::mcp_core::__private::Invocation::contents(
                                        &invocation,
                                        value,
                                    ),
                                )
                            },
                        );
                        start
                    },
                )
                .with_description("One note.")
                .with_variables::<__Arguments>()
                .borrows::<Db>()
                .with_annotations(
                    <::mcp_core::__private::Annotations as ::core::default::Default>::default()
                        .with_audience([::mcp_core::__private::Role::User])
                        .with_priority(0.8f64),
                )
                .with_mime_type("text/markdown")
                .with_completer(
                    "id",
                    |typed: ::mcp_core::__private::Completing| async move {
                        let found = ids(&typed);
                        let way = (&&::mcp_core::__private::Completes::of(&found))
                            .completes();
                        let found = way.wait(found).await;
                        ::mcp_core::__private::IntoCompletion::into_completion(found)
                    },
                )
        }
    }
};
