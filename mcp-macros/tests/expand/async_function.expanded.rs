/// Finds notes.
///
/// # Errors
///
/// When the database is gone.
pub async fn find(
    cx: &Context,
    text: &str,
    words: &[String],
    after: Option<&str>,
    limit: u32,
    order: Option<Order>,
    db: &Db,
) -> Result<Json<Vec<Note>>, DbError> {
    db.find(cx, text, words, after, limit, order).await
}
/// Finds notes.
///
/// # Errors
///
/// When the database is gone.
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
pub struct find {}
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
    fn __default_3() -> u32 {
        50
    }
    #[derive(::mcp_core::__private::Deserialize, ::mcp_core::__private::JsonSchema)]
    #[serde(crate = "::mcp_core::__private::serde", deny_unknown_fields)]
    #[schemars(crate = "::mcp_core::__private::schemars")]
    #[allow(non_snake_case, dead_code)]
    struct __Arguments<'call>
    where
        for<'always> String: ::mcp_core::__private::Owned,
        for<'always> u32: ::mcp_core::__private::Owned,
        for<'always> Option<Order>: ::mcp_core::__private::Owned,
    {
        /// Part of the text.
        #[serde(borrow)]
        #[schemars(length(min = 1, max = 80))]
        text: ::mcp_core::__private::Text<'call>,
        words: ::mcp_core::__private::Vec<String>,
        #[serde(borrow)]
        after: <Option<&'call str> as ::mcp_core::__private::Nested>::Held,
        #[serde(default = "__default_3")]
        #[schemars(range(min = 1))]
        #[schemars(extend("exclusiveMaximum" = 500))]
        limit: u32,
        #[serde(rename = "orderBy")]
        #[serde(alias = "order_by")]
        order: Option<Order>,
    }
    #[derive(::mcp_core::__private::Serialize)]
    #[serde(crate = "::mcp_core::__private::serde")]
    #[allow(non_snake_case, dead_code)]
    struct __Call<A0, A1, A2, A3, A4> {
        #[serde(skip_serializing_if = "::mcp_core::__private::is_none")]
        text: A0,
        #[serde(skip_serializing_if = "::mcp_core::__private::is_none")]
        words: A1,
        #[serde(skip_serializing_if = "::mcp_core::__private::is_none")]
        after: A2,
        #[serde(skip_serializing_if = "::mcp_core::__private::is_none")]
        limit: A3,
        #[serde(rename = "orderBy")]
        #[serde(skip_serializing_if = "::mcp_core::__private::is_none")]
        order: A4,
    }
    #[automatically_derived]
    impl ::mcp_core::__private::Tool for find {
        const NAME: &'static str = "find";
        type Output = Result<Json<Vec<Note>>, DbError>;
        fn definition() -> ::mcp_core::__private::ToolDefinition {
            {
                let definition = ::mcp_core::__private::ToolDefinition::new(
                        <Self as ::mcp_core::__private::Tool>::NAME,
                        {
                            let start: fn(
                                ::mcp_core::__private::Invocation,
                            ) -> ::mcp_core::__private::Step = |invocation| ::mcp_core::__private::Step::later(async move {
                                let __Arguments {
                                    text: argument_0,
                                    words: argument_1,
                                    after: argument_2,
                                    limit: argument_3,
                                    order: argument_4,
                                }: __Arguments<'_> = invocation.arguments()?;
                                let value = find(
                                        invocation.lent::<Context>()?,
                                        &*argument_0,
                                        &*argument_1,
                                        ::mcp_core::__private::LendAs::lend_as(&argument_2),
                                        argument_3,
                                        argument_4,
                                        invocation.lent::<Db>()?,
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
                    .with_description("Finds notes.")
                    .with_arguments::<__Arguments<'static>>()
                    .borrows::<Context>()
                    .borrows::<Db>()
                    .with_annotations(
                        <::mcp_core::__private::ToolAnnotations as ::core::default::Default>::default()
                            .with_read_only_hint(true)
                            .with_open_world_hint(false),
                    )
                    .with_title("Find notes")
                    .with_icon(
                        ::mcp_core::__private::Icon::new("https://example.com/a.svg"),
                    )
                    .with_flow(&[::mcp_core::__private::Flow::FilesystemRead])
                    .with_meta(
                        ::mcp_core::__private::meta(
                            &[("vendor/rank", "{\"a\":[1,null]}")],
                        ),
                    )
                    .strict()
                    .finishes()
                    .with_deadline(::core::time::Duration::from_millis(30000u64));
                (&&&&&&::mcp_core::__private::Returns::<
                    Result<Json<Vec<Note>>, DbError>,
                >::new())
                    .returned()
                    .define(definition)
            }
        }
    }
    #[automatically_derived]
    impl find {
        /// A call of this tool, for a client to make.
        pub fn with<'call, __A3: ::core::convert::Into<::core::option::Option<u32>>>(
            text: &'call str,
            words: &'call [String],
            after: Option<&'call str>,
            limit: __A3,
            order: Option<Order>,
        ) -> ::mcp_core::__private::TypedToolCall<
            impl ::mcp_core::__private::Serialize + use<'call, __A3>,
            Result<Json<Vec<Note>>, DbError>,
        >
        where
            for<'always> &'call [String]: ::mcp_core::__private::Given,
            for<'always> Option<&'call str>: ::mcp_core::__private::Given,
            for<'always> Option<Order>: ::mcp_core::__private::Given,
        {
            ::mcp_core::__private::TypedToolCall::new(
                <Self as ::mcp_core::__private::Tool>::NAME,
                __Call {
                    text,
                    words,
                    after,
                    limit: ::core::convert::Into::<
                        ::core::option::Option<u32>,
                    >::into(limit),
                    order,
                },
            )
        }
    }
};
