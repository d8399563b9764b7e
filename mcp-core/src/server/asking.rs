//! The questions that a handler may ask its client.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::DeserializeOwned;

use schemars::JsonSchema;

use super::context::Context;
use super::question::{Asked, Question, Refused};
use super::visit::Visit;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{
    ClientCapabilities, CreateMessage, CreateMessageParams, CreateMessageResult, Elicit,
    ElicitAction, ElicitFormParams, ElicitParams, ElicitResult, ElicitationCapability, FormSchema,
    ListRoots, ListRootsResult, ProtocolVersion, RawJson, Request, Root, RootsCapability,
    SamplingCapability,
};
use crate::schema::{Form, FormError};
use crate::session::sampling;

impl Context {
    /// Asks the person to fill in a [form](trait@crate::Form): the fields of `T`, which are plain values.
    ///
    #[cfg_attr(feature = "macros", doc = "```")]
    #[cfg_attr(not(feature = "macros"), doc = "```text")]
    /// use mcp_core::{Context, Refused, Server, data, tool};
    ///
    /// #[data]
    /// struct Confirmation {
    ///     /// Whether to go on.
    ///     sure: bool,
    /// }
    ///
    /// /// Deletes everything.
    /// #[tool(destructive)]
    /// async fn delete_all(cx: &Context) -> String {
    ///     match cx.elicit::<Confirmation>("sure", "Delete everything?").await {
    ///         Ok(Confirmation { sure: true }) => "Deleted.".to_owned(),
    ///         Ok(_) | Err(Refused::Declined | _) => "Nothing was deleted.".to_owned(),
    ///     }
    /// }
    ///
    /// let server = Server::new("files", "1.0.0").tool::<delete_all>().build()?;
    /// # Ok::<(), mcp_core::BuildError>(())
    /// ```
    ///
    /// The `key` names the question within the call: see [`Question::named`].
    ///
    /// Never ask for secrets by a form: what people type goes through the client, and maybe its model. Send them to a
    /// page of yours with [`elicit_url`](Self::elicit_url).
    ///
    /// <https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation>
    pub fn elicit<T>(
        &self,
        key: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
    ) -> Question<Result<T, Refused>>
    where
        T: crate::form::Form + DeserializeOwned + JsonSchema + 'static,
    {
        let read =
            |form: &Form, content: &str| form.read(content).map_err(|error| error.to_string());
        self.ask_form(Form::of::<T>(), message.into(), read)
            .named(key)
    }

    /// As [`elicit`](Self::elicit), with a form put together by hand. The answer is an object that fits it.
    pub fn elicit_form(
        &self,
        key: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
        form: &FormSchema,
    ) -> Question<Result<RawJson, Refused>> {
        let read = |form: &Form, content: &str| {
            form.check(content).map_err(|error| error.to_string())?;
            RawJson::try_from(content.to_owned()).map_err(|error| error.to_string())
        };
        self.ask_form(Form::from_schema(form), message.into(), read)
            .named(key)
    }

    fn ask_form<T: 'static>(
        &self,
        form: Result<Form, FormError>,
        message: String,
        read: fn(&Form, &str) -> Result<T, String>,
    ) -> Question<Result<T, Refused>> {
        let version = self.version();
        let params = (form.as_ref().map_err(ToString::to_string))
            .and_then(|form| form.json(version).map_err(|error| error.to_string()))
            .map_err(unaskable)
            .and_then(|schema| params(&ElicitParams::Form(ElicitFormParams::new(message, schema))));
        let supported = self.client().supports_elicitation();
        let required = ElicitationCapability::new().with_form();
        self.elicitation(supported, required, params, move |result| {
            let content = result.content.as_ref().map_or("{}", RawJson::get);
            let form = form.as_ref().map_err(ToString::to_string)?;
            read(form, content)
        })
    }

    /// Sends the person to a URL, and says whether they agreed to go there; what they do there, the page knows.
    ///
    /// The page has to make sure that whoever comes is who was sent: see the guide. When they are done there, the client
    /// can be told: see [`Question::visit`].
    pub fn elicit_url(
        &self,
        key: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
        url: impl Into<String>,
    ) -> Question<Result<(), Refused>> {
        let mut asked = ElicitParams::url(message, url);
        let mut visit = None;
        if self.version().has_elicitation_ids()
            && let ElicitParams::Url(url) = &mut asked
        {
            let mut id = [0; 16];
            // Without randomness it is still unique among those of this call.
            let _: std::io::Result<()> = self.state().connection.runtime.fill_random(&mut id);
            visit = Some(hex(&id));
            url.elicitation_id.clone_from(&visit);
        }
        let supported = self.client().supports_url_elicitation();
        let required = ElicitationCapability::new().with_url();
        let params = match &asked {
            ElicitParams::Url(url) if !is_absolute(&url.url) => {
                Err(unaskable("a person can be sent to an absolute URL only"))
            }
            asked => params(asked),
        };
        self.elicitation(supported, required, params, |_| Ok(()))
            .named(key)
            .visiting(visit)
    }

    /// As [`Question::visit`], for an elicitation that the application named itself: in the data of an error
    /// [`URL_ELICITATION_REQUIRED`](ErrorCode::URL_ELICITATION_REQUIRED) (2025-11-25).
    #[must_use]
    pub fn visit(&self, elicitation_id: impl Into<String>) -> Visit {
        Visit::new(self, Some(elicitation_id.into()))
    }

    fn elicitation<T: 'static>(
        &self,
        supported: bool,
        required: ElicitationCapability,
        params: Result<RawJson, ErrorObject>,
        read: impl Fn(&ElicitResult) -> Result<T, String> + Send + 'static,
    ) -> Question<Result<T, Refused>> {
        let asked = Asked {
            method: Elicit::METHOD,
            params,
            required: (!supported).then(|| ClientCapabilities::new().with_elicitation(required)),
            read: Box::new(move |answer: &RawJson| {
                let result: ElicitResult = parse(answer)?;
                match &result.action {
                    ElicitAction::Accept => read(&result).map(Ok),
                    ElicitAction::Decline => Ok(Err(Refused::Declined)),
                    ElicitAction::Cancel => Ok(Err(Refused::Cancelled)),
                    _ => Err("`action` must be accept, decline or cancel".to_owned()),
                }
            }),
            refused: Some(|| Err(Refused::Declined)),
        };
        let timeout = self.state().connection.inputs.elicitation_timeout;
        Question::new(self, "elicitation", timeout, asked)
    }

    /// Asks the client's model. The client may show the question to a person, who may refuse.
    ///
    #[cfg_attr(feature = "macros", doc = "```")]
    #[cfg_attr(not(feature = "macros"), doc = "```text")]
    /// use mcp_core::protocol::{CreateMessageParams, SamplingMessage};
    /// use mcp_core::{Context, Refused, Server, tool};
    ///
    /// /// Sums a text up.
    /// #[tool]
    /// async fn sum_up(cx: &Context, text: String) -> Result<String, Refused> {
    ///     let ask = SamplingMessage::user(format!("Sum up: {text}"));
    ///     let said = cx.sample("summary", CreateMessageParams::new([ask], 200)).await?;
    ///     Ok(said.text())
    /// }
    ///
    /// let server = Server::new("texts", "1.0.0").tool::<sum_up>().build()?;
    /// # Ok::<(), mcp_core::BuildError>(())
    /// ```
    ///
    /// <https://modelcontextprotocol.io/specification/2026-07-28/client/sampling>
    pub fn sample(
        &self,
        key: impl Into<Cow<'static, str>>,
        asked: CreateMessageParams,
    ) -> Question<Result<CreateMessageResult, Refused>> {
        let client = self.client();
        let wants_tools = asked.tools.is_some() || asked.tool_choice.is_some();
        let supported =
            client.supports_sampling() && (!wants_tools || client.supports_sampling_tools());
        let mut required = SamplingCapability::new();
        if wants_tools {
            required = required.with_tools();
        }
        let asked = Asked {
            method: CreateMessage::METHOD,
            params: sampling::check(&asked, self.version())
                .map_err(|why| ErrorObject::new(ErrorCode::INVALID_PARAMS, why))
                .and_then(|()| params(&asked)),
            required: (!supported).then(|| ClientCapabilities::new().with_sampling(required)),
            read: Box::new(|answer: &RawJson| parse(answer).map(Ok)),
            refused: Some(|| Err(Refused::Declined)),
        };
        let timeout = self.state().connection.inputs.elicitation_timeout;
        Question::new(self, key, timeout, asked)
    }

    /// Asks for the folders that the client works in. They say where the person wants the server to work; they protect
    /// nothing.
    ///
    /// <https://modelcontextprotocol.io/specification/2026-07-28/client/roots>
    pub fn roots(&self) -> Question<Vec<Root>> {
        let required = ClientCapabilities::new().with_roots(RootsCapability::new());
        let asked = Asked {
            method: ListRoots::METHOD,
            params: Ok(RawJson::empty_object()),
            required: (!self.client().supports_roots()).then_some(required),
            read: Box::new(|answer: &RawJson| {
                parse::<ListRootsResult>(answer).map(|result| result.roots)
            }),
            refused: None,
        };
        let timeout = self.state().connection.inputs.request_timeout;
        Question::new(self, "roots", timeout, asked)
    }

    /// What the client can be asked.
    #[must_use]
    pub fn client(&self) -> Caller {
        Caller {
            capabilities: self.client_capabilities(),
            version: self.version(),
        }
    }

    /// Keeps a value for the case that the handler has to run again after a question (2026-07-28); see
    /// [`recall`](Self::recall). It travels with the client, who can read it but not change it: no secrets, and not more
    /// than some kilobytes.
    ///
    /// A value that can't be JSON is not kept.
    pub fn remember(&self, key: impl Into<String>, value: &(impl Serialize + ?Sized)) {
        if let Ok(value) = RawJson::from_value(value) {
            self.state().inputs.remember(key.into(), value);
        }
    }

    /// What an earlier run of this call has [remembered](Self::remember), or this one.
    ///
    #[cfg_attr(feature = "macros", doc = "```")]
    #[cfg_attr(not(feature = "macros"), doc = "```text")]
    /// use mcp_core::{Context, Refused, Server, data, tool};
    ///
    /// #[data]
    /// struct Agreed {
    ///     yes: bool,
    /// }
    ///
    /// /// Books a flight.
    /// #[tool]
    /// async fn book(cx: &Context, flight: String) -> Result<String, Refused> {
    ///     let price: u32 = match cx.recall("price") {
    ///         Some(price) => price,
    ///         None => {
    ///             let price = 217; // asked for elsewhere, at some cost
    ///             cx.remember("price", &price);
    ///             price
    ///         }
    ///     };
    ///     let agreed: Agreed = cx.elicit("agreed", format!("{flight} costs {price}. Book it?")).await?;
    ///     Ok(if agreed.yes { "Booked." } else { "Not booked." }.to_owned())
    /// }
    ///
    /// let server = Server::new("flights", "1.0.0").tool::<book>().build()?;
    /// # Ok::<(), mcp_core::BuildError>(())
    /// ```
    #[must_use]
    pub fn recall<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        self.state().inputs.recall(key)?.parse().ok()
    }
}

/// What the client of a call can be asked, as it declared with the call (2026-07-28) or in the handshake (before).
#[derive(Clone, Debug)]
pub struct Caller {
    capabilities: ClientCapabilities,
    version: ProtocolVersion,
}

impl Caller {
    /// Whether it shows forms to people.
    #[must_use]
    pub fn supports_elicitation(&self) -> bool {
        self.version.has_elicitation()
            && (self.capabilities.elicitation.as_ref())
                .is_some_and(ElicitationCapability::supports_form)
    }

    /// Whether it sends people to URLs.
    #[must_use]
    pub fn supports_url_elicitation(&self) -> bool {
        self.version.has_elicitation_modes()
            && (self.capabilities.elicitation.as_ref())
                .is_some_and(|elicitation| elicitation.url.is_some())
    }

    /// Whether it asks a model.
    #[must_use]
    pub const fn supports_sampling(&self) -> bool {
        self.capabilities.sampling.is_some()
    }

    /// Whether that model may be given tools.
    #[must_use]
    pub fn supports_sampling_tools(&self) -> bool {
        self.version.has_sampling_tools()
            && (self.capabilities.sampling.as_ref())
                .is_some_and(|sampling| sampling.tools.is_some())
    }

    /// Whether it says which folders it works in.
    #[must_use]
    pub const fn supports_roots(&self) -> bool {
        self.capabilities.roots.is_some()
    }
}

fn params<T: Serialize>(params: &T) -> Result<RawJson, ErrorObject> {
    RawJson::from_value(params).map_err(|error| unaskable(error.to_string()))
}

/// The question is wrong, which is the server's mistake.
fn unaskable(why: impl Into<Cow<'static, str>>) -> ErrorObject {
    ErrorObject::new(ErrorCode::INTERNAL_ERROR, why)
}

/// An answer that is an object: serde would take an array for a struct as well.
fn parse<T: DeserializeOwned>(answer: &RawJson) -> Result<T, String> {
    if !answer.is_object() {
        return Err("it must be an object".to_owned());
    }
    answer.parse().map_err(|error: serde_json::Error| {
        let text = error.to_string();
        // Where in the text it was is of no use to anybody.
        text.split(" at line ")
            .next()
            .unwrap_or_default()
            .to_owned()
    })
}

/// A scheme, and something after it; no blanks, which no URL has.
fn is_absolute(url: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    url.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(allowed)
            && !rest.is_empty()
            && !rest.contains(|c: char| c.is_whitespace() || c.is_control())
    })
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;

    bytes.iter().fold(String::new(), |mut text, byte| {
        let _: std::fmt::Result = write!(text, "{byte:02x}");
        text
    })
}
