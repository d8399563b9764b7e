//! Completion: how an argument of a prompt, or a variable of a resource template, may go on.
//!
//! <https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion>

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::future::{Future, ready};
use std::ops::Deref;
use std::sync::Arc;

use serde_json::Value;

use super::contents::IntoError;
use super::context::Context;
use super::lend::{Lend, Lent};
#[cfg(feature = "fs")]
use super::shown::{Filter, Shown};
use crate::jsonrpc::ErrorObject;
use crate::protocol::Completion;
use crate::runtime::BoxFuture;

/// What a person has typed so far of an argument. It dereferences to the text.
pub struct Completing {
    pub(super) typed: String,
    pub(super) others: BTreeMap<String, String>,
    pub(super) context: Context,
    pub(super) lent: Arc<Lent>,
    #[cfg(feature = "fs")]
    pub(super) shows: Option<Arc<Filter>>,
}

impl Completing {
    /// The value of another argument, when it is filled in already (2025-06-18).
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&str> {
        self.others.get(name).map(String::as_str)
    }

    /// What is known of the request.
    #[must_use]
    pub const fn context(&self) -> &Context {
        &self.context
    }

    /// A value that the server lends.
    #[must_use]
    pub fn lent<T: Lend>(&self) -> Option<&T> {
        self.lent.get()
    }

    /// Whether some of the resources are not shown to whoever is asking.
    #[cfg(feature = "fs")]
    pub(crate) const fn is_filtered(&self) -> bool {
        self.shows.is_some()
    }

    /// Whether this resource is.
    #[cfg(feature = "fs")]
    pub(crate) fn shows_resource(&self, uri: &str) -> bool {
        let principal = self.context.state().connection.principal.as_ref();
        (self.shows.as_ref()).is_none_or(|filter| filter.shows(Shown::Resource(uri), principal))
    }
}

impl Deref for Completing {
    type Target = str;

    fn deref(&self) -> &str {
        &self.typed
    }
}

impl fmt::Debug for Completing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Completing").finish_non_exhaustive()
    }
}

/// How an argument is completed: a function of what was typed that returns what may come of it.
pub trait Completer: Send + Sync + 'static {
    /// The values, the best first.
    ///
    /// # Cancel safety
    ///
    /// The future is dropped when the request is cancelled.
    fn complete(&self, typed: Completing) -> BoxFuture<'static, Result<Completion, ErrorObject>>;
}

impl<F, Fut> Completer for F
where
    F: Fn(Completing) -> Fut + Send + Sync + 'static,
    Fut: Future + Send + 'static,
    Fut::Output: IntoCompletion,
{
    fn complete(&self, typed: Completing) -> BoxFuture<'static, Result<Completion, ErrorObject>> {
        let values = self(typed);
        Box::pin(async move { values.await.into_completion() })
    }
}

/// What a completer may return: values, the best first. A hundred are sent, the rest is counted.
#[diagnostic::on_unimplemented(
    message = "an argument can't be completed by `{Self}`",
    label = "not what a completer returns",
    note = "return a `Vec` or an array of texts, a `Completion`, or a `Result` of these"
)]
pub trait IntoCompletion {
    /// The values.
    ///
    /// # Errors
    ///
    /// What the client is told when they can't be found.
    fn into_completion(self) -> Result<Completion, ErrorObject>;
}

impl IntoCompletion for Completion {
    fn into_completion(self) -> Result<Completion, ErrorObject> {
        Ok(bounded(self))
    }
}

impl<T: Into<String>> IntoCompletion for Vec<T> {
    fn into_completion(self) -> Result<Completion, ErrorObject> {
        let values: Vec<String> = self.into_iter().map(Into::into).collect();
        Ok(bounded(Completion::new(values)))
    }
}

impl<T: Into<String>, const N: usize> IntoCompletion for [T; N] {
    fn into_completion(self) -> Result<Completion, ErrorObject> {
        Vec::from(self).into_completion()
    }
}

impl<T: IntoCompletion, E: IntoError> IntoCompletion for Result<T, E> {
    fn into_completion(self) -> Result<Completion, ErrorObject> {
        self.map_err(E::into_error).and_then(T::into_completion)
    }
}

fn bounded(mut completion: Completion) -> Completion {
    let found = completion.values.len();
    if found > Completion::MAX_VALUES {
        completion.values.truncate(Completion::MAX_VALUES);
        completion.total.get_or_insert(found as u64);
        completion.has_more = Some(true);
    }
    completion
}

impl Completion {
    /// Those of the candidates that what was typed may become, the best first: those that begin with it, then those a word
    /// of which does, then those that hold it, then those that hold its letters in this order. Case does not matter.
    ///
    /// ```
    /// use mcp_core::protocol::Completion;
    ///
    /// let found = Completion::matching("ru", ["brush", "ruby", "rust", "go", "new rules"]);
    /// assert_eq!(found.values, ["ruby", "rust", "new rules", "brush"]);
    /// ```
    #[must_use]
    pub fn matching<T: Into<String>>(typed: &str, candidates: impl IntoIterator<Item = T>) -> Self {
        let typed = typed.to_lowercase();
        let mut ranked: Vec<(u8, String)> = (candidates.into_iter())
            .map(Into::into)
            .filter_map(|candidate| Some((rank(&typed, &candidate.to_lowercase())?, candidate)))
            .collect();
        // Stable, so that the order of the candidates counts among equals.
        ranked.sort_by_key(|(rank, _)| *rank);
        let values: Vec<String> = ranked.into_iter().map(|(_, value)| value).collect();
        bounded(Self::new(values))
    }
}

fn rank(typed: &str, candidate: &str) -> Option<u8> {
    if candidate.starts_with(typed) {
        return Some(0);
    }
    let words = candidate.split(|c: char| !c.is_alphanumeric());
    if words.into_iter().any(|word| word.starts_with(typed)) {
        return Some(1);
    }
    if candidate.contains(typed) {
        return Some(2);
    }
    let mut letters = candidate.chars();
    (typed
        .chars()
        .all(|wanted| letters.any(|letter| letter == wanted)))
    .then_some(3)
}

/// The completers of one prompt or template, by argument.
#[derive(Clone, Default)]
pub(crate) struct Completers(Vec<(Cow<'static, str>, Arc<dyn Completer>)>);

impl Completers {
    /// The last for an argument counts.
    pub(super) fn insert(&mut self, argument: Cow<'static, str>, completer: impl Completer) {
        self.0.retain(|(known, _)| *known != argument);
        self.0.push((argument, Arc::new(completer)));
    }

    pub(super) fn get(&self, argument: &str) -> Option<&dyn Completer> {
        let found = self.0.iter().find(|(known, _)| known == argument);
        found.map(|(_, completer)| &**completer)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Arguments of which there are only so many values complete themselves.
    pub(super) fn add_choices(&mut self, schema: &Value) {
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let choices: Option<Vec<String>> = property["enum"].as_array().and_then(|values| {
                let texts = values.iter().filter(|value| !value.is_null());
                texts
                    .map(|value| value.as_str().map(ToOwned::to_owned))
                    .collect()
            });
            if let Some(choices) = choices
                && self.get(name).is_none()
            {
                let choices: Arc<[String]> = choices.into();
                let complete = move |typed: Completing| {
                    ready(Completion::matching(
                        &typed,
                        choices.iter().map(String::as_str),
                    ))
                };
                self.insert(Cow::Owned(name.clone()), complete);
            }
        }
    }
}

impl fmt::Debug for Completers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|(argument, _)| argument))
            .finish()
    }
}
