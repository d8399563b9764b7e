use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::wire::wire;
use super::{
    CreateMessage, CreateMessageParams, Elicit, ElicitParams, ListRoots, RawJson, Request,
    RequestParams, ResultType,
};

/// What a server needs before it can finish, by keys of its choice.
pub type InputRequests = BTreeMap<String, InputRequest>;

/// What it asked for, under the same keys: the bare results, such as [`ElicitResult`](super::ElicitResult).
///
/// They are kept raw, because only the question says what type the answer has: `responses["name"].parse()`.
pub type InputResponses = BTreeMap<String, RawJson>;

wire! {
    /// The server cannot finish without input (2026-07-28): the client asks, and repeats its request with the
    /// answers.
    pub struct InputRequiredResult {
        /// What kind of result this is: [`ResultType::InputRequired`].
        pub result_type: ResultType,
    }
    strict {
        /// What it needs.
        pub input_requests: InputRequests, with_input_requests;
        /// What the client gives back, exactly; the empty string is a state like any other.
        pub request_state: String, with_request_state;
    }
    _meta as meta
}

impl Default for InputRequiredResult {
    fn default() -> Self {
        Self::new(ResultType::InputRequired)
    }
}

impl InputRequiredResult {
    /// The server needs this; say at least something, or a state.
    #[must_use]
    pub fn requests(requests: InputRequests) -> Self {
        Self::default().with_input_requests(requests)
    }
}

/// One thing a server needs: a request without an id.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InputRequest {
    /// Asks the person.
    Elicit(ElicitParams),
    /// Asks the model.
    CreateMessage(CreateMessageParams),
    /// Asks for the folders the client works in.
    ListRoots(RequestParams),
    /// A method that this version of the SDK does not know, as it came.
    Other(RawJson),
}

impl From<ElicitParams> for InputRequest {
    fn from(params: ElicitParams) -> Self {
        Self::Elicit(params)
    }
}

impl From<CreateMessageParams> for InputRequest {
    fn from(params: CreateMessageParams) -> Self {
        Self::CreateMessage(params)
    }
}

impl Serialize for InputRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Elicit(params) => envelope::<Elicit, S>(Some(params), serializer),
            Self::CreateMessage(params) => envelope::<CreateMessage, S>(Some(params), serializer),
            Self::ListRoots(params) => {
                let params = (!params.meta.is_empty()).then_some(params);
                envelope::<ListRoots, S>(params, serializer)
            }
            Self::Other(raw) => raw.serialize(serializer),
        }
    }
}

/// Writes a request without an id.
fn envelope<R: Request, S: Serializer>(
    params: Option<&R::Params>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1 + usize::from(params.is_some())))?;
    map.serialize_entry("method", R::METHOD)?;
    if let Some(params) = params {
        map.serialize_entry("params", params)?;
    }
    map.end()
}

impl<'de> Deserialize<'de> for InputRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Envelope {
            method: String,
            params: Option<RawJson>,
        }
        let raw = RawJson::deserialize(deserializer)?;
        let Envelope { method, params } = raw.parse().map_err(de::Error::custom)?;
        let params = params.unwrap_or_else(RawJson::empty_object);
        match method.as_str() {
            Elicit::METHOD => params.parse().map(Self::Elicit),
            CreateMessage::METHOD => params.parse().map(Self::CreateMessage),
            ListRoots::METHOD => params.parse().map(Self::ListRoots),
            _ => Ok(Self::Other(raw)),
        }
        .map_err(de::Error::custom)
    }
}

/// What a response turned out to hold, by its `resultType`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TypedResult<T> {
    /// The result asked for.
    Complete(T),
    /// The server needs input first.
    InputRequired(InputRequiredResult),
    /// A kind that this version of the SDK does not know, as it came.
    Other(RawJson),
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for TypedResult<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Tag {
            result_type: Option<ResultType>,
        }
        let raw = RawJson::deserialize(deserializer)?;
        let Tag { result_type } = raw.parse().map_err(de::Error::custom)?;
        match result_type {
            None | Some(ResultType::Complete) => raw.parse().map(Self::Complete),
            Some(ResultType::InputRequired) => raw.parse().map(Self::InputRequired),
            Some(ResultType::Other(_)) => Ok(Self::Other(raw)),
        }
        .map_err(de::Error::custom)
    }
}
