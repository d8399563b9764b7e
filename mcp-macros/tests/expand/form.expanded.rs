#[automatically_derived]
#[doc(hidden)]
#[allow(private_bounds, deprecated, unused_qualifications)]
impl ::mcp_core::__private::Form for Order
where
    for<'always> u8: ::mcp_core::__private::FormField,
    for<'always> Address: ::mcp_core::__private::Form,
{}
#[automatically_derived]
#[doc(hidden)]
#[allow(private_bounds, deprecated, unused_qualifications)]
impl ::mcp_core::__private::FormField for Size {}
#[automatically_derived]
#[doc(hidden)]
#[allow(private_bounds, deprecated, unused_qualifications)]
impl ::mcp_core::__private::FormChoice for Size {}
#[automatically_derived]
#[doc(hidden)]
#[allow(private_bounds, deprecated, unused_qualifications)]
impl ::mcp_core::__private::Form for Email
where
    for<'always> String: ::mcp_core::__private::Form,
{}
#[automatically_derived]
#[doc(hidden)]
#[allow(private_bounds, deprecated, unused_qualifications)]
impl ::mcp_core::__private::FormField for Email
where
    for<'always> String: ::mcp_core::__private::FormField,
{}
#[automatically_derived]
#[doc(hidden)]
#[allow(private_bounds, deprecated, unused_qualifications)]
impl ::mcp_core::__private::FormChoice for Email
where
    for<'always> String: ::mcp_core::__private::FormChoice,
{}
