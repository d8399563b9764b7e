//! Who a client says that it is.

use std::error::Error;
use std::future::Future;
use std::sync::Arc;

use http::{HeaderValue, StatusCode};
use mcp_core::runtime::BoxFuture;
use url::Url;

/// Any error.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// Says who this client is, request by request, and is told when a server does not take it.
///
/// [`Connect::bearer_token`](crate::Connect::bearer_token) and its like are enough where a token is at hand. This is for
/// what gets tokens by itself, such as OAuth.
pub trait Authorizer: Send + Sync + 'static {
    /// The value of the `Authorization` header of the next request; `None` for none. It is never logged.
    ///
    /// # Errors
    ///
    /// Then the request is not sent.
    fn authorization(&self) -> BoxFuture<'_, Result<Option<HeaderValue>, BoxError>>;

    /// The server has answered with 401 or 403. True when there is another value now, and the request is to be sent again:
    /// that happens twice at most.
    ///
    /// # Errors
    ///
    /// Then the request fails with that error.
    fn challenged<'a>(&'a self, challenge: &'a Challenge) -> BoxFuture<'a, Result<bool, BoxError>> {
        let _ = challenge;
        Box::pin(std::future::ready(Ok(false)))
    }
}

impl<A: Authorizer + ?Sized> Authorizer for Arc<A> {
    fn authorization(&self) -> BoxFuture<'_, Result<Option<HeaderValue>, BoxError>> {
        (**self).authorization()
    }

    fn challenged<'a>(&'a self, challenge: &'a Challenge) -> BoxFuture<'a, Result<bool, BoxError>> {
        (**self).challenged(challenge)
    }
}

/// How a server has refused a request for want of authorization.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Challenge {
    /// 401 or 403.
    pub status: StatusCode,
    /// The `WWW-Authenticate` headers of the response.
    pub www_authenticate: Vec<HeaderValue>,
    /// What was asked: the resource that the authorization is to be for.
    pub url: Url,
}

/// The same token for ever.
pub(super) struct Fixed(pub(super) HeaderValue);

impl Authorizer for Fixed {
    fn authorization(&self) -> BoxFuture<'_, Result<Option<HeaderValue>, BoxError>> {
        Box::pin(std::future::ready(Ok(Some(self.0.clone()))))
    }
}

/// A token that is asked for with each request.
pub(super) struct Asked<F>(pub(super) F);

impl<F, T> Authorizer for Asked<F>
where
    F: Fn() -> T + Send + Sync + 'static,
    T: Future<Output = Result<String, BoxError>> + Send + 'static,
{
    fn authorization(&self) -> BoxFuture<'_, Result<Option<HeaderValue>, BoxError>> {
        let token = (self.0)();
        Box::pin(async move { Ok(Some(bearer(&token.await?)?)) })
    }
}

/// # Errors
///
/// When no header can hold the token.
pub(super) fn bearer(token: &str) -> Result<HeaderValue, BoxError> {
    let value = HeaderValue::try_from(format!("Bearer {token}"));
    // The error of the library could show the token.
    let mut value = value.map_err(|_| "the token holds characters that no header can")?;
    value.set_sensitive(true);
    Ok(value)
}
