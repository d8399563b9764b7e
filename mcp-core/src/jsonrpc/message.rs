//! One frame, parsed: a request, a notification, a response, or what is wrong with it.

use std::borrow::Cow;

use super::id::RequestId;
use super::scan::{ObjectWalk, Scanner, SyntaxError};

/// The one value of `jsonrpc`.
const VERSION: &str = r#""2.0""#;

/// What is wrong with an object that is neither a question nor an answer.
pub(crate) const NO_METHOD: &str = "`method` is missing";

/// The members of a batch at most.
pub(crate) const MAX_BATCH: usize = 100;

/// A message, borrowed from its frame. `params`, `result` and `error` are JSON texts, checked for syntax only.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Message<'f> {
    Request {
        id: RequestId,
        method: Cow<'f, str>,
        params: Option<&'f str>,
    },
    Notification {
        method: Cow<'f, str>,
        params: Option<&'f str>,
    },
    Response {
        id: RequestId,
        outcome: Result<&'f str, &'f str>,
    },
}

/// Is shown the members of `params` while they are scanned, so that nobody has to walk over them again.
pub(crate) trait Members<'f>: Default {
    /// A member of `params`, its value a JSON text.
    fn member(&mut self, key: &str, value: &'f str);

    /// Whether the members of this member are wanted as well, should it be an object.
    fn wants_inner(key: &str) -> bool;

    /// A member of such a member.
    fn inner(&mut self, key: &str, value: &'f str);
}

impl Members<'_> for () {
    fn member(&mut self, _key: &str, _value: &str) {}

    fn wants_inner(_key: &str) -> bool {
        false
    }

    fn inner(&mut self, _key: &str, _value: &str) {}
}

/// Why a frame is no message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fault<'f> {
    /// The text is not JSON. The id is the one that could be read before the fault.
    NotJson { id: Option<RequestId> },
    /// The text is an array: a batch of these texts, where the revision has batches.
    Batch(Vec<&'f str>),
    /// The JSON is no message.
    Invalid {
        id: Option<RequestId>,
        why: &'static str,
    },
    /// It would be a response, to this request if that could be read, if this were not wrong with it. Answering those
    /// would start a quarrel.
    Response {
        id: Option<RequestId>,
        why: &'static str,
    },
}

/// Decodes one frame in a single pass. The members of `params` stay where they are put, for they are many.
pub(crate) fn decode<'f, M: Members<'f>>(
    frame: &'f [u8],
    members: &mut M,
) -> Result<Message<'f>, Fault<'f>> {
    match simdutf8::basic::from_utf8(frame) {
        Ok(text) => decode_text(text, members),
        Err(_) => Err(Fault::NotJson {
            id: read_id_leniently(frame),
        }),
    }
}

fn decode_text<'f, M: Members<'f>>(
    text: &'f str,
    members: &mut M,
) -> Result<Message<'f>, Fault<'f>> {
    let mut scanner = Scanner::new(text);
    let decoded = match scanner.peek() {
        Some(b'{') => Envelope::scan(&mut scanner, members).map(Envelope::into_message),
        Some(b'[') => scan_batch(&mut scanner).map(Err),
        _ => scanner.value().map(|_| {
            Err(Fault::Invalid {
                id: None,
                why: "a message is an object",
            })
        }),
    };
    let decoded = decoded.and_then(|decoded| scanner.end().map(|()| decoded));
    decoded.unwrap_or_else(|fault| {
        const TOO_DEEP: &str = "the message is nested too deeply";
        let id = read_leniently(text.as_bytes());
        Err(match (fault, id) {
            (SyntaxError::Malformed, id) => Fault::NotJson { id: id.flatten() },
            (SyntaxError::TooDeep, Some(id)) => Fault::Invalid { id, why: TOO_DEEP },
            (SyntaxError::TooDeep, None) => Fault::Response {
                id: None,
                why: TOO_DEEP,
            },
        })
    })
}

fn scan_batch<'f>(scanner: &mut Scanner<'f>) -> Result<Fault<'f>, SyntaxError> {
    let mut members = Vec::new();
    let mut total = 0_usize;
    scanner.array(|member| {
        total += 1;
        if total <= MAX_BATCH {
            members.push(member);
        }
        Ok(())
    })?;
    Ok(match total {
        0 => Fault::Invalid {
            id: None,
            why: "a batch may not be empty",
        },
        1..=MAX_BATCH => Fault::Batch(members),
        _ => Fault::Invalid {
            id: None,
            why: "a batch may hold at most 100 messages",
        },
    })
}

/// The members of the envelope as they were met, before they are judged together.
#[derive(Default)]
struct Envelope<'f> {
    version: Option<&'f str>,
    id: Option<&'f str>,
    method: Option<&'f str>,
    params: Option<&'f str>,
    result: Option<&'f str>,
    error: Option<&'f str>,
    twice: bool,
}

impl<'f> Envelope<'f> {
    fn scan<M: Members<'f>>(
        scanner: &mut Scanner<'f>,
        members: &mut M,
    ) -> Result<Self, SyntaxError> {
        let mut envelope = Self::default();
        // What most begin with is told at a glance.
        let mut walk = if scanner.skip_text(r#"{"jsonrpc":"2.0""#) {
            envelope.version = Some(VERSION);
            ObjectWalk::AFTER_MEMBER
        } else {
            scanner.begin_object()?
        };
        while let Some(key) = scanner.key(&mut walk)? {
            let value = if key == "params" && scanner.peek() == Some(b'{') {
                scanner.spanned(|scanner| scan_params(scanner, members))?
            } else {
                scanner.value()?
            };
            let slot = match &*key {
                "jsonrpc" => &mut envelope.version,
                "id" => &mut envelope.id,
                "method" => &mut envelope.method,
                "params" => &mut envelope.params,
                "result" => &mut envelope.result,
                "error" => &mut envelope.error,
                _ => continue,
            };
            envelope.twice |= slot.replace(value).is_some();
        }
        Ok(envelope)
    }

    fn into_message(self) -> Result<Message<'f>, Fault<'f>> {
        let answers = self.method.is_none() && (self.result.is_some() || self.error.is_some());
        self.judge().map_err(|fault| match fault {
            Fault::Invalid { id, why } if answers => Fault::Response { id, why },
            fault => fault,
        })
    }

    fn judge(self) -> Result<Message<'f>, Fault<'f>> {
        let id = self.id.map(RequestId::from_json);
        let invalid = |why| Fault::Invalid {
            id: id.clone().flatten(),
            why,
        };
        if self.twice {
            return Err(invalid("a member of the message occurs twice"));
        }
        if self.version != Some(VERSION) {
            return Err(invalid(r#"`jsonrpc` must be "2.0""#));
        }
        if id == Some(None) {
            return Err(invalid("`id` must be a string or an integer"));
        }
        let Some(method) = self.method else {
            let outcome = match (self.result, self.error) {
                (Some(result), None) => Ok(result),
                (None, Some(error)) => Err(error),
                (None, None) => return Err(invalid(NO_METHOD)),
                (Some(_), Some(_)) => {
                    return Err(invalid("a response has one of `result` and `error`"));
                }
            };
            return match id.flatten() {
                Some(id) => Ok(Message::Response { id, outcome }),
                None => Err(Fault::Response {
                    id: None,
                    why: "a response without `id` answers nothing",
                }),
            };
        };
        let Ok(method) = super::scan::unescape(method) else {
            return Err(invalid("`method` must be a string"));
        };
        let params = self.params.filter(|params| *params != "null");
        match id.flatten() {
            Some(id) => Ok(Message::Request { id, method, params }),
            None => Ok(Message::Notification { method, params }),
        }
    }
}

#[inline]
fn scan_params<'f, M: Members<'f>>(
    scanner: &mut Scanner<'f>,
    members: &mut M,
) -> Result<(), SyntaxError> {
    let mut walk = scanner.begin_object()?;
    while let Some(key) = scanner.key(&mut walk)? {
        let value = if M::wants_inner(&key) && scanner.peek() == Some(b'{') {
            scanner.spanned(|scanner| {
                scanner.object(|key, value| {
                    members.inner(&key, value);
                    Ok(())
                })
            })?
        } else {
            scanner.value()?
        };
        members.member(&key, value);
    }
    Ok(())
}

/// Finds the id of a request in a text that is cut short or broken further on, so that its sender need not wait.
///
/// Nothing is found once the text turns out to be a response: answering those would start a quarrel.
pub(crate) fn read_id_leniently(bytes: &[u8]) -> Option<RequestId> {
    read_leniently(bytes).flatten()
}

/// The same, and `None` for what turns out to be a response.
fn read_leniently(bytes: &[u8]) -> Option<Option<RequestId>> {
    let mut chunks = bytes.utf8_chunks();
    let mut scanner = Scanner::new(chunks.next().map_or("", |chunk| chunk.valid()));
    let mut id = None;
    let Ok(mut walk) = scanner.begin_object() else {
        return Some(id);
    };
    while let Ok(Some(key)) = scanner.key(&mut walk) {
        if matches!(&*key, "result" | "error") {
            return None;
        }
        let Ok(value) = scanner.value() else { break };
        // A number at the very end of a cut text may go on.
        let whole = scanner.peek().is_some();
        if &*key == "id" && whole {
            id = RequestId::from_json(value);
        }
    }
    Some(id)
}

/// Finds the id of a response in its first bytes.
pub(crate) fn read_response_id(bytes: &[u8]) -> Option<RequestId> {
    let mut chunks = bytes.utf8_chunks();
    let mut scanner = Scanner::new(chunks.next().map_or("", |chunk| chunk.valid()));
    let mut walk = scanner.begin_object().ok()?;
    while let Ok(Some(key)) = scanner.key(&mut walk) {
        if &*key == "method" {
            return None;
        }
        let value = scanner.value().ok()?;
        // A number at the very end of a cut text may go on.
        if &*key == "id" && scanner.peek().is_some() {
            return RequestId::from_json(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(frame: &[u8]) -> Result<Message<'_>, Fault<'_>> {
        super::decode(frame, &mut ())
    }

    fn decode_text(text: &str) -> Result<Message<'_>, Fault<'_>> {
        decode(text.as_bytes())
    }

    fn invalid(text: &str) -> (Option<RequestId>, &'static str) {
        match decode_text(text) {
            Err(Fault::Invalid { id, why }) => (id, why),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_request_is_told_from_a_notification_by_its_id() {
        assert_eq!(
            decode(br#"{"params":{"a":[1]},"method":"m","id":"7","jsonrpc":"2.0","x":0}"#),
            Ok(Message::Request {
                id: "7".into(),
                method: "m".into(),
                params: Some(r#"{"a":[1]}"#)
            })
        );
        assert_eq!(
            decode(br#"{"jsonrpc":"2.0","method":"m","params":null}"#),
            Ok(Message::Notification {
                method: "m".into(),
                params: None
            })
        );
    }

    #[test]
    fn ids_that_the_protocol_forbids_are_invalid_without_an_id() {
        for id in [
            "null",
            "1.5",
            "true",
            "{}",
            "[1]",
            "1e3",
            "18446744073709551616",
        ] {
            let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            assert_eq!(
                invalid(&text),
                (None, "`id` must be a string or an integer")
            );
        }
    }

    #[test]
    fn a_wrong_member_is_named_and_the_id_kept() {
        assert_eq!(
            invalid(r#"{"jsonrpc":"2.0","id":"1","request":{"method":"ping"}}"#),
            (Some("1".into()), "`method` is missing")
        );
        assert_eq!(
            invalid(r#"{"id":2,"method":"ping"}"#),
            (Some(2_i64.into()), r#"`jsonrpc` must be "2.0""#)
        );
        assert_eq!(
            invalid(r#"{"jsonrpc":"2.0","id":4,"method":17}"#),
            (Some(4_i64.into()), "`method` must be a string")
        );
        assert_eq!(
            invalid(r#"{"jsonrpc":"2.0","id":4,"id":5,"method":"ping"}"#).1,
            "a member of the message occurs twice"
        );
    }

    #[test]
    fn the_id_of_a_broken_request_is_found_before_the_fault() {
        let found = |text: &str| read_id_leniently(text.as_bytes());
        assert_eq!(
            found(r#"{"jsonrpc":"2.0","id":7,"method":"x","params":{"a":"#),
            Some(7_i64.into())
        );
        assert_eq!(found(r#"{"id":"a","method":"x" oops"#), Some("a".into()));
        assert_eq!(found(r#"{"id":7"#), None, "the number may go on");
        assert_eq!(found(r#"{"params":{"id":7},"#), None);
        assert_eq!(
            found(r#"{"id":7,"result":{"#),
            None,
            "a response is never answered"
        );
        assert_eq!(
            read_id_leniently(b"{\"id\":7,\"method\":\"\xff\"}"),
            Some(7_i64.into())
        );
    }

    #[test]
    fn text_after_the_message_makes_it_no_json() {
        assert_eq!(
            decode_text(r#"{"jsonrpc":"2.0","id":1,"method":"ping"} x"#),
            Err(Fault::NotJson {
                id: Some(1_i64.into())
            })
        );
    }
}
