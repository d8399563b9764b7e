impl<T: Store> Notes<T> {
    /// Saves a note and returns it.
    async fn save(
        &self,
        cx: &Context,
        title: String,
        body: &str,
        copies: u8,
    ) -> Result<Json<Note>, DbError> {
        self.store.save(cx, title, body, copies).await
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
    use ::mcp_core::__private::{
        ReturnsAny as _, ReturnsFailing as _, ReturnsFailingJson as _, ReturnsJson as _,
        ReturnsReply as _, ReturnsResult as _,
    };
    #[automatically_derived]
    impl<T: Store> ::mcp_core::__private::ToolSet for Notes<T>
    where
        Notes<T>: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        fn definitions(
            this: ::mcp_core::__private::Arc<Self>,
        ) -> ::mcp_core::__private::Vec<::mcp_core::__private::ToolDefinition> {
            let mut definitions = ::mcp_core::__private::Vec::with_capacity(1usize);
            definitions
                .push({
                    fn __default_2() -> u8 {
                        1
                    }
                    #[derive(
                        ::mcp_core::__private::Deserialize,
                        ::mcp_core::__private::JsonSchema
                    )]
                    #[serde(crate = "::mcp_core::__private::serde", deny_unknown_fields)]
                    #[schemars(crate = "::mcp_core::__private::schemars")]
                    #[allow(non_snake_case, dead_code)]
                    struct __Arguments<'call>
                    where
                        for<'always> String: ::mcp_core::__private::Owned,
                        for<'always> u8: ::mcp_core::__private::Owned,
                    {
                        title: String,
                        #[serde(borrow)]
                        body: ::mcp_core::__private::Text<'call>,
                        #[serde(default = "__default_2")]
                        copies: u8,
                    }
                    let shared = ::mcp_core::__private::share(&this);
                    {
                        let definition = ::mcp_core::__private::ToolDefinition::new(
                                "save",
                                move |invocation: ::mcp_core::__private::Invocation| {
                                    let this = ::mcp_core::__private::share(&shared);
                                    ::mcp_core::__private::Step::later(async move {
                                        let __Arguments {
                                            title: argument_0,
                                            body: argument_1,
                                            copies: argument_2,
                                        }: __Arguments<'_> = invocation.arguments()?;
                                        let value = Self::save(
                                                &this,
                                                invocation.lent::<Context>()?,
                                                argument_0,
                                                &*argument_1,
                                                argument_2,
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
                            .with_arguments::<__Arguments<'static>>()
                            .borrows::<Context>();
                        (&&&&&&::mcp_core::__private::Returns::<
                            Result<Json<Note>, DbError>,
                        >::new())
                            .returned()
                            .define(definition)
                    }
                });
            definitions
        }
    }
};
/// A client of the tools of `Notes<T>`: a method for each, typed as the tool is.
///
/// Clones are handles on the same connection.
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
pub struct NotesClient(::mcp_core::__private::Client);
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
#[automatically_derived]
impl NotesClient {
    /// A client that makes its calls over this connection.
    #[must_use]
    pub const fn new(client: ::mcp_core::__private::Client) -> Self {
        Self(client)
    }
    /// Connects to the server at the other end of a transport, by the name and version of this package. For
    /// anything else, connect by `Client::builder` and take [`new`](Self::new).
    ///
    /// # Errors
    ///
    /// When the server is gone, does not answer in time, or speaks none of our revisions.
    pub async fn connect(
        transport: impl ::mcp_core::__private::Transport,
        runtime: impl ::mcp_core::__private::Runtime,
    ) -> ::core::result::Result<Self, ::mcp_core::__private::ClientError> {
        let package = (
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
        );
        let client = ::mcp_core::__private::connect(
            package,
            "NotesClient",
            transport,
            runtime,
        );
        ::core::result::Result::map(client.await, Self::new)
    }
    /// The connection.
    #[must_use]
    pub const fn client(&self) -> &::mcp_core::__private::Client {
        &self.0
    }
}
#[automatically_derived]
impl ::core::clone::Clone for NotesClient {
    fn clone(&self) -> Self {
        Self(::core::clone::Clone::clone(&self.0))
    }
}
#[automatically_derived]
impl ::core::fmt::Debug for NotesClient {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        ::core::fmt::Formatter::debug_tuple(f, "NotesClient").field(&self.0).finish()
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
#[automatically_derived]
impl NotesClient {
    /// Saves a note and returns it.
    pub fn save<'call>(
        &self,
        title: impl ::core::convert::Into<String>,
        body: &'call str,
        copies: impl ::core::convert::Into<::core::option::Option<u8>>,
    ) -> ::mcp_core::__private::TypedCallFuture<
        '_,
        <Result<Json<Note>, DbError> as ::mcp_core::__private::Returned>::Value,
    >
    where
        for<'always> String: ::mcp_core::__private::Given,
        for<'always> Result<Json<Note>, DbError>: ::mcp_core::__private::Returned,
    {
        #[derive(::mcp_core::__private::Serialize)]
        #[serde(crate = "::mcp_core::__private::serde")]
        #[allow(non_snake_case, dead_code)]
        struct __Call<A0, A1, A2> {
            #[serde(skip_serializing_if = "::mcp_core::__private::is_none")]
            title: A0,
            #[serde(skip_serializing_if = "::mcp_core::__private::is_none")]
            body: A1,
            #[serde(skip_serializing_if = "::mcp_core::__private::is_none")]
            copies: A2,
        }
        self.0
            .call(
                ::mcp_core::__private::TypedToolCall::<
                    _,
                    Result<Json<Note>, DbError>,
                >::new(
                    "save",
                    __Call {
                        title: ::core::convert::Into::<String>::into(title),
                        body,
                        copies: ::core::convert::Into::<
                            ::core::option::Option<u8>,
                        >::into(copies),
                    },
                ),
            )
    }
}
