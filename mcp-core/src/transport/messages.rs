//! What carries messages one by one: [`MessageTransport`].

use std::fmt;
use std::io;
use std::task::{Context, Poll};

use bytes::Bytes;
use serde::Deserialize;

use super::Incoming;
use crate::ErrorObject;
use crate::jsonrpc::{self, Fault, Message};
use crate::protocol::http_headers::{self, encode_value};
use crate::protocol::{Initialize, Listen, ProtocolVersion, RawJson, Request};

/// Carries each message of a client by itself, as HTTP does. [`Transport`](super::Transport) is for connections where all
/// that is said goes one way after the other.
///
/// Its ends are the driver of a client, which calls these methods and nothing else, and a server. What it fails at is one
/// request, not the connection, wherever that can be said.
///
/// # Cancel safety
///
/// Every method may be called again after `Pending`, and nothing is lost when the caller stops calling.
pub trait MessageTransport: Send + Unpin + 'static {
    /// Becomes ready when one more request can be taken, that is answered and done with. Everything else is taken always.
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()>;

    /// Takes a message over. It is sent while [`poll_arrival`](Self::poll_arrival) is called.
    fn send(&mut self, message: Outgoing);

    /// Hands over what comes next; `None` once nothing more will.
    ///
    /// # Errors
    ///
    /// Any error ends the connection.
    fn poll_arrival(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Option<Arrival>>>;

    /// Ends the connection in order: what was taken over and is no request is still sent, and what belongs to the
    /// connection ends. The deadlines are the transport's. Dropping it ends all that at once.
    ///
    /// # Errors
    ///
    /// When something did not end as it should. Everything that can be released is released all the same.
    fn poll_close(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>>;
}

/// What a client has to say.
#[derive(Clone, Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a transport that ignores one must stop compiling"
)]
pub enum Outgoing {
    /// A request, which is answered by an [`Arrival`] of its id sooner or later.
    Request {
        /// Its id, which no other request of the connection has.
        id: u64,
        /// What it is.
        heading: Heading,
        /// The bytes of one JSON text.
        frame: Bytes,
    },
    /// A notification.
    Notification {
        /// What it is.
        heading: Heading,
        /// The bytes of one JSON text.
        frame: Bytes,
    },
    /// The answer to a request of the server.
    Answer {
        /// The revision that is spoken.
        version: ProtocolVersion,
        /// The bytes of one JSON text.
        frame: Bytes,
    },
    /// Nobody waits for the answer to this request any more: what carries it is let go of.
    Abandon {
        /// Its id.
        id: u64,
    },
}

/// What a message says of itself, so that nobody need look into it again.
#[derive(Clone, PartialEq, Eq)]
pub struct Heading {
    version: ProtocolVersion,
    method: String,
    name: Option<String>,
    params: Vec<(String, String)>,
}

impl Heading {
    pub(crate) const fn new(
        version: ProtocolVersion,
        method: String,
        name: Option<String>,
        params: Vec<(String, String)>,
    ) -> Self {
        Self {
            version,
            method,
            name,
            params,
        }
    }

    /// The revision that it is written in.
    #[must_use]
    pub const fn version(&self) -> ProtocolVersion {
        self.version
    }

    /// Its method.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Whether it is a request whose answer may take for ever, and is to keep no other from being sent.
    #[must_use]
    pub fn is_lasting(&self) -> bool {
        self.method == Listen::METHOD
    }

    /// The headers that say so by HTTP in its revision: names in lower case, and values that are encoded where they have
    /// to be.
    pub fn headers(&self, mut header: impl FnMut(&str, &str)) {
        if let Some(version) = self.version_header() {
            header(http_headers::PROTOCOL_VERSION, version);
        }
        if !self.version.is_modern() {
            return;
        }
        header(http_headers::METHOD, &encode_value(&self.method));
        if let Some(name) = &self.name {
            header(http_headers::NAME, &encode_value(name));
        }
        for (name, value) in &self.params {
            header(name, &encode_value(value));
        }
    }

    /// The value of the header that names the revision. `initialize`, which is to settle it, has none.
    fn version_header(&self) -> Option<&'static str> {
        let has_one = self.version.has_version_header() && self.method != Initialize::METHOD;
        has_one.then(|| self.version.as_str())
    }
}

/// Without what it is applied to: that is a part of the message.
impl fmt::Debug for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Heading")
            .field("version", &self.version)
            .field("method", &self.method)
            .finish_non_exhaustive()
    }
}

/// What a transport hands to the driver of a client.
#[derive(Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a driver that ignores one must stop compiling"
)]
pub enum Arrival {
    /// A message of the server.
    Message(Incoming),
    /// The last that comes for this request; it should be its answer.
    Last {
        /// The id of the request.
        id: u64,
        /// What came.
        incoming: Incoming,
    },
    /// This request is not answered with a message, but with a refusal all the same.
    Refused {
        /// The id of the request.
        id: u64,
        /// What it comes to.
        error: ErrorObject,
    },
    /// This request, or its answer, could not be carried.
    Failed {
        /// The id of the request.
        id: u64,
        /// Why.
        error: io::Error,
        /// Whether the server may have got the request, and may have carried it out.
        sent: bool,
    },
    /// The server had lost the session, and another was opened in its place. What it was told before it has forgotten.
    Reopened,
}

/// An answer as far as a transport has to understand it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answered {
    /// The id of the request, where one that can be ours is there.
    pub id: Option<u64>,
    /// The result, or the error.
    pub outcome: Result<RawJson, ErrorObject>,
}

impl Answered {
    /// Reads a frame that is an answer; an error need not say what it is for.
    #[must_use]
    pub fn read(frame: &[u8]) -> Option<Self> {
        match jsonrpc::decode(frame, &mut ()) {
            Ok(Message::Response { id, outcome }) => Some(Self {
                id: id.as_number(),
                outcome: match outcome {
                    Ok(result) => Ok(result.parse().ok()?),
                    Err(error) => Err(ErrorObject::from_json(error)),
                },
            }),
            Err(Fault::Response { id: None, .. }) => {
                let nameless: Nameless = serde_json::from_slice(frame).ok()?;
                (nameless.jsonrpc == "2.0").then_some(Self {
                    id: None,
                    outcome: Err(nameless.error),
                })
            }
            _ => None,
        }
    }

    /// Whether a frame answers this request, alone or among others.
    #[must_use]
    pub fn is_in(frame: &[u8], id: u64) -> bool {
        let is_ours = |message: &Result<Message<'_>, Fault<'_>>| match message {
            Ok(Message::Response { id: theirs, .. })
            | Err(Fault::Response {
                id: Some(theirs), ..
            }) => theirs.as_number() == Some(id),
            _ => false,
        };
        let message = jsonrpc::decode(frame, &mut ());
        if let Err(Fault::Batch(members)) = &message {
            let mut members = members.iter();
            return members.any(|member| is_ours(&jsonrpc::decode(member.as_bytes(), &mut ())));
        }
        is_ours(&message)
    }

    /// The same for the beginning of a frame that is too long to be read.
    #[must_use]
    pub fn begins(head: &[u8], id: u64) -> bool {
        let theirs = jsonrpc::read_response_id(head);
        theirs.is_some_and(|theirs| theirs.as_number() == Some(id))
    }
}

/// An error without a word on what it is for.
#[derive(Deserialize)]
struct Nameless {
    jsonrpc: String,
    error: ErrorObject,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(heading: &Heading) -> Vec<String> {
        let mut headers = Vec::new();
        heading.headers(|name, value| headers.push(format!("{name}: {value}")));
        headers
    }

    fn heading(version: ProtocolVersion, method: &str) -> Heading {
        Heading::new(version, method.to_owned(), None, Vec::new())
    }

    #[test]
    fn each_revision_has_its_headers() {
        for (version, expected) in [
            (ProtocolVersion::V2024_11_05, &[][..]),
            (ProtocolVersion::V2025_03_26, &[]),
            (
                ProtocolVersion::V2025_06_18,
                &["mcp-protocol-version: 2025-06-18"],
            ),
            (
                ProtocolVersion::V2025_11_25,
                &["mcp-protocol-version: 2025-11-25"],
            ),
            (
                ProtocolVersion::V2026_07_28,
                &["mcp-protocol-version: 2026-07-28", "mcp-method: tools/list"],
            ),
        ] {
            assert_eq!(written(&heading(version, "tools/list")), expected);
        }
        let initialize = heading(ProtocolVersion::V2025_11_25, "initialize");
        assert!(written(&initialize).is_empty());
    }

    #[test]
    fn what_a_request_is_applied_to_is_encoded() {
        let params = vec![("mcp-param-city".to_owned(), "Zürich".to_owned())];
        let heading = Heading::new(
            ProtocolVersion::LATEST,
            "tools/call".to_owned(),
            Some(" weather".to_owned()),
            params,
        );
        let expected = [
            "mcp-protocol-version: 2026-07-28",
            "mcp-method: tools/call",
            "mcp-name: =?base64?IHdlYXRoZXI=?=",
            "mcp-param-city: =?base64?WsO8cmljaA==?=",
        ];
        assert_eq!(written(&heading), expected);
        assert!(!format!("{heading:?}").contains("weather"));
    }

    #[test]
    fn an_answer_is_told_from_everything_else() {
        let result = br#"{"jsonrpc":"2.0","id":7,"result":{"a":1}}"#;
        let answer = Answered::read(result).unwrap();
        assert_eq!(
            (answer.id, answer.outcome.unwrap().get()),
            (Some(7), r#"{"a":1}"#)
        );
        for nameless in [
            &br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"m"}}"#[..],
            br#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"m"}}"#,
        ] {
            let answer = Answered::read(nameless).unwrap();
            assert_eq!(
                (answer.id, answer.outcome.unwrap_err().code.get()),
                (None, -32000)
            );
        }
        for other in [
            &br#"{"detail":"Not Found"}"#[..],
            br#"{"error":"not found"}"#,
            br#"{"jsonrpc":"2.0","method":"m"}"#,
            b"<html>",
            b"",
            b"[]",
        ] {
            assert!(Answered::read(other).is_none());
        }
        assert!(Answered::is_in(result, 7) && !Answered::is_in(result, 8));
        let batch = br#"[{"jsonrpc":"2.0","method":"m"},{"jsonrpc":"2.0","id":"7","result":{}}]"#;
        assert!(Answered::is_in(batch, 7) && !Answered::is_in(batch, 8));
        assert!(!Answered::is_in(
            br#"{"jsonrpc":"2.0","id":7,"method":"m"}"#,
            7
        ));
    }
}
