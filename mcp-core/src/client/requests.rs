//! The requests of the protocol, each as a method.

use std::sync::PoisonError;

use serde::de::DeserializeOwned;

use super::error::{ClientError, ClientErrorKind};
use super::handle::Client;
use super::params::Params;
use super::result::{self, Outcome, Plain};
use super::rounds::Asking;
use super::sent;
use super::shared::Failure;
use crate::protocol::{
    Complete, CompleteParams, CompleteResult, GetPrompt, GetPromptParams, GetPromptResult,
    LoggingLevel, Notification, Ping, RawJson, ReadResource, ReadResourceParams,
    ReadResourceResult, Request, Root, RootsListChanged, ServerCapabilities, SetLevel,
    SetLevelParams,
};

impl Client {
    /// Reads a resource.
    ///
    /// # Errors
    ///
    /// When the server has no such resource or offers none at all, among others: see [`ClientErrorKind`].
    ///
    /// # Cancel safety
    ///
    /// Dropping the future cancels the request, as with every request.
    pub async fn read_resource(
        &self,
        uri: impl Into<String>,
    ) -> Result<ReadResourceResult, ClientError> {
        self.expect_offer::<ReadResource>(|offered| offered.resources.is_some())?;
        self.ask::<ReadResource>(&ReadResourceParams::new(uri))
            .await
    }

    /// Gets a prompt, filled in with arguments by name.
    ///
    /// # Errors
    ///
    /// When the server has no such prompt or wants other arguments, among others.
    pub async fn get_prompt<K: Into<String>, V: Into<String>>(
        &self,
        name: impl Into<String>,
        arguments: impl IntoIterator<Item = (K, V)>,
    ) -> Result<GetPromptResult, ClientError> {
        self.expect_offer::<GetPrompt>(|offered| offered.prompts.is_some())?;
        let arguments: std::collections::BTreeMap<String, String> = (arguments.into_iter())
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        let mut params = GetPromptParams::new(name);
        if !arguments.is_empty() {
            params = params.with_arguments(arguments);
        }
        self.ask::<GetPrompt>(&params).await
    }

    /// Asks how an argument of a prompt or of a resource template may go on.
    ///
    /// # Errors
    ///
    /// When the server completes nothing, among others.
    pub async fn complete(&self, params: &CompleteParams) -> Result<CompleteResult, ClientError> {
        let version = self.server().version;
        self.expect_offer::<Complete>(|offered| {
            offered.completions.is_some() || !version.has_completions_capability()
        })?;
        self.request::<Complete>(params).await
    }

    /// Asks whether the server is there (up to 2025-11-25).
    ///
    /// # Errors
    ///
    /// When it does not answer; in 2026-07-28, which has no such request.
    pub async fn ping(&self) -> Result<(), ClientError> {
        if self.server().version.is_modern() {
            return Err(self.lacks::<Ping>());
        }
        self.request_raw(Ping::METHOD, None).await.map(drop)
    }

    /// Asks the server for log messages of this level and above: with every request in 2026-07-28, by a request of its own
    /// before.
    ///
    /// # Errors
    ///
    /// When the server does not log.
    pub async fn set_log_level(&self, level: LoggingLevel) -> Result<(), ClientError> {
        self.expect_offer::<SetLevel>(|offered| offered.logging.is_some())?;
        self.shared().lock().session.log(level.clone());
        if self.server().version.is_modern() {
            return Ok(());
        }
        self.request::<SetLevel>(&SetLevelParams::new(level))
            .await
            .map(drop)
    }

    pub(super) async fn set_log_level_if_supported(
        &self,
        level: LoggingLevel,
    ) -> Result<(), ClientError> {
        if self.server().capabilities.logging.is_none() {
            return Ok(());
        }
        self.set_log_level(level).await
    }

    /// Changes the folders that servers are told, and tells this one that they have changed.
    ///
    /// # Errors
    ///
    /// When the client was built without [`roots`](super::ClientBuilder::roots), or the connection is gone.
    pub fn set_roots(&self, roots: impl IntoIterator<Item = Root>) -> Result<(), ClientError> {
        let Some(known) = &self.shared().handlers.roots else {
            return Err(self.unsupported(
                RootsListChanged::METHOD,
                "the client was built without roots".to_owned(),
            ));
        };
        *known.lock().unwrap_or_else(PoisonError::into_inner) = roots.into_iter().collect();
        if self.server().version.is_modern() {
            // The server asks whenever it wants to know.
            return Ok(());
        }
        self.notify(RootsListChanged::METHOD, None)
    }

    /// Sends any request of the protocol, or of an extension that has its type. Input rounds are not resolved: the result
    /// has to be the one that is asked for.
    ///
    /// # Errors
    ///
    /// When there is no such result.
    pub async fn request<R: Request>(&self, params: &R::Params) -> Result<R::Result, ClientError> {
        let params = Params::written(params).map_err(|why| self.unwritable(R::METHOD, why))?;
        let result = self.raw(R::METHOD, &params).await?;
        let read = result::read::<Plain<R::Result>>(&result, self.has_kinds());
        match read {
            Ok(Outcome::Complete(Plain(result))) => Ok(result),
            Ok(Outcome::InputRequired(_)) => {
                Err(self.malformed(R::METHOD, "the server asks for input first".to_owned()))
            }
            Err(why) => Err(self.malformed(R::METHOD, why)),
        }
    }

    /// Sends a request of any method and gives its result as it came.
    ///
    /// # Errors
    ///
    /// When the server refuses it, or does not answer; when the params are no object.
    pub async fn request_raw(
        &self,
        method: impl Into<String>,
        params: Option<&RawJson>,
    ) -> Result<RawJson, ClientError> {
        let method = method.into();
        let params = match params {
            None => Params::default(),
            Some(params) if params.is_object() => Params::parted(params.get()),
            Some(_) => return Err(self.no_object(method)),
        };
        let outline = params.outline(&method, self.shared().options.patience);
        let answered = match sent::Sent::new(self.shared(), &outline) {
            Ok(sent) => sent.await,
            Err(failure) => Err(failure),
        };
        let result = answered.map_err(|failure| self.shared().failure(method.clone(), failure))?;
        serde_json::from_slice(&result).map_err(|fault| {
            let why = fault.to_string();
            self.shared().error(method, ClientErrorKind::Malformed(why))
        })
    }

    /// Tells the server something. It goes out soon, or never, if the connection ends before.
    ///
    /// # Errors
    ///
    /// When the connection is gone, too much waits to be sent, or the params are no object.
    pub fn notify(&self, method: &str, params: Option<&RawJson>) -> Result<(), ClientError> {
        let text = params.map_or("{}", RawJson::get);
        if !text.starts_with('{') {
            return Err(self.no_object(method.to_owned()));
        }
        let shared = self.shared();
        let told = shared.notify(method, text.as_bytes());
        told.map_err(|why| shared.failure(method.to_owned(), Failure::Unsent(why)))
    }

    fn no_object(&self, method: String) -> ClientError {
        self.unwritable(method, "params are an object".to_owned())
    }

    /// Sends a request that the server may answer in rounds, and answers what it asks.
    pub(super) async fn ask<R: Request>(&self, params: &R::Params) -> Result<R::Result, ClientError>
    where
        R::Result: DeserializeOwned,
    {
        let params = Params::written(params).map_err(|why| self.unwritable(R::METHOD, why))?;
        let result = self.raw(R::METHOD, &params).await?;
        match result::read::<Plain<R::Result>>(&result, self.has_kinds()) {
            Ok(Outcome::Complete(Plain(result))) => Ok(result),
            Ok(Outcome::InputRequired(required)) => {
                let asking = Asking {
                    shared: self.shared(),
                    method: R::METHOD,
                    params: params.text,
                    meta: params.meta,
                    patience: self.shared().options.patience,
                    asks_progress: false,
                };
                let answered = Box::pin(asking.run::<Plain<R::Result>>(required, None)).await;
                answered.map(|Plain(result)| result)
            }
            Err(why) => Err(self.malformed(R::METHOD, why)),
        }
    }

    pub(super) async fn raw(
        &self,
        method: &'static str,
        params: &Params,
    ) -> Result<bytes::Bytes, ClientError> {
        let outline = params.outline(method, self.shared().options.patience);
        sent::request(self.shared(), method, &outline).await
    }

    pub(super) fn has_kinds(&self) -> bool {
        self.server().version.has_result_type()
    }

    fn lacks<R: Request>(&self) -> ClientError {
        let version = self.server().version;
        let why = format!("revision {} has no such request", version.as_str());
        self.unsupported(R::METHOD, why)
    }

    /// What a server has not declared is not asked of it: [`request`](Self::request) does so all the same.
    pub(super) fn expect_offer<R: Request>(
        &self,
        is_offered: impl Fn(&ServerCapabilities) -> bool,
    ) -> Result<(), ClientError> {
        if is_offered(&self.server().capabilities) {
            return Ok(());
        }
        Err(self.unsupported(R::METHOD, "the server does not offer this".to_owned()))
    }

    pub(super) fn unsupported(&self, method: &'static str, why: String) -> ClientError {
        self.shared()
            .error(method, ClientErrorKind::Unsupported(why))
    }

    pub(super) fn malformed(&self, method: &'static str, why: String) -> ClientError {
        self.shared().error(method, ClientErrorKind::Malformed(why))
    }

    fn unwritable(
        &self,
        method: impl Into<std::borrow::Cow<'static, str>>,
        why: String,
    ) -> ClientError {
        self.shared()
            .error(method, ClientErrorKind::Unwritable(why))
    }
}
