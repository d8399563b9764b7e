use crate::jsonrpc::{write_json, write_string};
use crate::protocol::{ClientCapabilities, Implementation, LoggingLevel, Meta, ProtocolVersion};

/// What a client says of itself, written once.
#[derive(Debug)]
pub(crate) struct ClientFacts {
    pub(crate) info: Implementation,
    pub(crate) capabilities: ClientCapabilities,
}

impl ClientFacts {
    /// The members of `_meta` that every request of this revision has, without braces.
    pub(super) fn meta(
        &self,
        version: ProtocolVersion,
        log_level: Option<&LoggingLevel>,
    ) -> Vec<u8> {
        let mut out = Vec::new();
        if version.is_modern() {
            write_string(&mut out, Meta::PROTOCOL_VERSION);
            out.push(b':');
            write_string(&mut out, version.as_str());
            member(&mut out, Meta::CLIENT_CAPABILITIES);
            write_json(&mut out, &self.capabilities);
            member(&mut out, Meta::CLIENT_INFO);
            write_json(&mut out, &self.info);
            if let Some(level) = log_level {
                member(&mut out, Meta::LOG_LEVEL);
                write_json(&mut out, level);
            }
        }
        out
    }
}

fn member(out: &mut Vec<u8>, name: &str) {
    out.push(b',');
    write_string(out, name);
    out.push(b':');
}
