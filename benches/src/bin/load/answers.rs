//! Checks what comes back. Answers of one load differ in their id alone, so the first is parsed and judged, and every
//! later one is compared with it byte by byte; one that differs is parsed and judged in turn.

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use crate::requests::Expected;

/// A line from the server.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Answer {
        id: u64,
    },
    Progress {
        token: u64,
        progress: u64,
    },
    /// Something a server may send at any time, like a log message.
    Other,
}

pub(crate) struct Answers {
    expected: Expected,
    shape: Option<Shape>,
}

/// An answer that was judged right, cut at its id.
struct Shape {
    before: Vec<u8>,
    after: Vec<u8>,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    method: Option<&'a str>,
    params: Option<Params>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Params {
    #[serde(rename = "progressToken")]
    token: Option<u64>,
    progress: Option<f64>,
}

impl Answers {
    pub(crate) fn new(expected: Expected) -> Self {
        Self {
            expected,
            shape: None,
        }
    }

    pub(crate) fn read(&mut self, line: &[u8]) -> Result<Line, String> {
        if let Some(id) = self.shape.as_ref().and_then(|shape| shape.id(line)) {
            return Ok(Line::Answer { id });
        }
        self.judge(line).map_err(|reason| {
            let shown = &line[..line.len().min(300)];
            format!("{reason}: {}", String::from_utf8_lossy(shown))
        })
    }

    fn judge(&mut self, line: &[u8]) -> Result<Line, String> {
        let envelope: Envelope<'_> =
            serde_json::from_slice(line).map_err(|error| format!("not understood ({error})"))?;
        if let Some(method) = envelope.method {
            return match (method, envelope.params) {
                ("notifications/progress", Some(params)) => params.line(),
                _ => Ok(Line::Other),
            };
        }
        let id = envelope.id.ok_or("an answer without id")?;
        let result = envelope.result.ok_or("an error")?.get();
        let result: Value = serde_json::from_str(result).map_err(|error| error.to_string())?;
        let right = match &self.expected {
            Expected::Text(text) => result["content"][0]["text"].as_str() == Some(text),
            Expected::Tools(count) => result["tools"].as_array().map(Vec::len) == Some(*count),
            Expected::Contents(text) => result["contents"][0]["text"].as_str() == Some(text),
            Expected::Resources(count) => {
                result["resources"].as_array().map(Vec::len) == Some(*count)
            }
        };
        if !right || result["isError"] == true {
            return Err("not the answer expected".into());
        }
        self.shape = Shape::of(line, id);
        Ok(Line::Answer { id })
    }
}

impl Params {
    fn line(self) -> Result<Line, String> {
        let (Some(token), Some(progress)) = (self.token, self.progress) else {
            return Err("progress without token or value".into());
        };
        Ok(Line::Progress {
            token,
            progress: progress as u64,
        })
    }
}

impl Shape {
    fn of(line: &[u8], id: u64) -> Option<Self> {
        let field = format!("\"id\":{id}");
        let start = memchr::memmem::find(line, field.as_bytes())?;
        let (before, after) = (start + "\"id\":".len(), start + field.len());
        Some(Self {
            before: line[..before].to_vec(),
            after: line[after..].to_vec(),
        })
    }

    fn id(&self, line: &[u8]) -> Option<u64> {
        let digits = line
            .strip_prefix(&self.before[..])?
            .strip_suffix(&self.after[..])?;
        std::str::from_utf8(digits).ok()?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(id: u64, text: &str) -> Vec<u8> {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#)
            .into_bytes()
    }

    #[test]
    fn a_wrong_text_is_found_also_after_a_right_one() {
        let mut answers = Answers::new(Expected::Text("right".into()));
        for id in [1, 22, 333] {
            assert_eq!(answers.read(&answer(id, "right")), Ok(Line::Answer { id }));
        }
        assert!(answers.read(&answer(4, "wrong")).is_err());
        assert_eq!(
            answers.read(&answer(5, "right")),
            Ok(Line::Answer { id: 5 })
        );
    }

    #[test]
    fn an_error_and_a_tool_error_are_no_answers() {
        let mut answers = Answers::new(Expected::Text("right".into()));
        assert!(
            answers
                .read(br#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":""}}"#)
                .is_err()
        );
        let failed = br#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"right"}],"isError":true}}"#;
        assert!(answers.read(failed).is_err());
    }

    #[test]
    fn progress_is_told_from_other_notifications() {
        let mut answers = Answers::new(Expected::Tools(1));
        let progress = br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":4,"progress":2.0}}"#;
        assert_eq!(
            answers.read(progress),
            Ok(Line::Progress {
                token: 4,
                progress: 2
            })
        );
        let log = br#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#;
        assert_eq!(answers.read(log), Ok(Line::Other));
    }
}
