use crate::jsonrpc::{Scanner, write_string};
use crate::protocol::RawJson;

/// An encoded result with questions, to which the state of its call has yet to be added.
pub(super) struct Unsealed(String);

impl Unsealed {
    /// `None` for any other result.
    pub(super) fn read(result: &RawJson) -> Option<Self> {
        let mut members = String::new();
        let mut needs_input = false;
        let scanned = Scanner::new(result.get()).object(|key, value| {
            needs_input |= key == "resultType" && value == r#""input_required""#;
            // One that a layer has put there is none of ours.
            if key != "requestState" {
                let mut name = Vec::new();
                write_string(&mut name, &key);
                members.push_str(&String::from_utf8(name).unwrap_or_default());
                members.push(':');
                members.push_str(value);
                members.push(',');
            }
            Ok(())
        });
        (scanned.is_ok() && needs_input).then_some(Self(members))
    }

    /// `state` is in letters that need no escape.
    pub(super) fn with_state(self, state: &str) -> RawJson {
        let members = self.0;
        let json = format!(r#"{{{members}"requestState":"{state}"}}"#);
        // Members of an object that was scanned, so it is JSON.
        RawJson::try_from(json).unwrap_or_else(|_| RawJson::empty_object())
    }
}
