//! Which era a server is of, and which revision to speak with it.
//!
//! <https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning>

use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{DiscoverResult, Era, ProtocolVersion, ResultType, UnsupportedVersionData};

/// What the answer to `server/discover` says.
#[derive(Debug, PartialEq)]
pub(crate) enum Verdict {
    /// Speak this modern revision.
    Modern(ProtocolVersion, Box<DiscoverResult>),
    /// Ask again in this modern revision.
    Again(ProtocolVersion),
    /// Open a session by `initialize`.
    Legacy,
    /// A modern server that speaks none of our revisions: these are its own.
    NothingInCommon(Vec<String>),
    /// A modern server that refuses.
    Refused(ErrorObject),
}

/// Judges a result.
pub(crate) fn of_result(result: &[u8]) -> Verdict {
    let Ok(discovered) = serde_json::from_slice::<DiscoverResult>(result) else {
        // Some legacy servers answer whatever they are asked.
        return Verdict::Legacy;
    };
    if !matches!(discovered.result_type, None | Some(ResultType::Complete)) {
        return Verdict::Legacy;
    }
    match newest_common(&discovered.supported_versions) {
        Some(version) if version.is_modern() => Verdict::Modern(version, Box::new(discovered)),
        Some(_) => Verdict::Legacy,
        None => Verdict::NothingInCommon(discovered.supported_versions),
    }
}

/// Judges an error. Legacy servers refuse what they do not know with all kinds of codes, so only those count that a modern
/// one alone can mean.
pub(crate) fn of_error(error: ErrorObject) -> Verdict {
    match error.code {
        ErrorCode::UNSUPPORTED_PROTOCOL_VERSION => {
            let data = error.data_as::<UnsupportedVersionData>();
            let supported = data.map_or_else(Vec::new, |data| data.supported);
            match newest_common(&supported) {
                Some(version) if version.is_modern() => Verdict::Again(version),
                Some(_) => Verdict::Legacy,
                None => Verdict::NothingInCommon(supported),
            }
        }
        code if code.is_modern() => Verdict::Refused(error),
        _ => Verdict::Legacy,
    }
}

/// Whether a server that refused `initialize` says that it is a modern one.
pub(crate) fn refuses_the_handshake(error: &ErrorObject) -> bool {
    (error.data_as::<UnsupportedVersionData>())
        .and_then(|data| newest_common(&data.supported))
        .is_some_and(ProtocolVersion::is_modern)
}

/// The revision that a server has answered `initialize` with, where that is one which a handshake can agree on.
pub(crate) fn agreed(version: &str) -> Option<ProtocolVersion> {
    ProtocolVersion::parse(version).filter(|version| version.era() == Era::Legacy)
}

fn newest_common(theirs: &[String]) -> Option<ProtocolVersion> {
    (theirs
        .iter()
        .filter_map(|version| ProtocolVersion::parse(version)))
    .max()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn unsupported(data: serde_json::Value) -> Verdict {
        let error = ErrorObject::new(ErrorCode::UNSUPPORTED_PROTOCOL_VERSION, "m");
        of_error(error.with_data(data))
    }

    #[test]
    fn a_modern_server_is_never_taken_for_a_legacy_one() {
        let latest = ProtocolVersion::LATEST;
        let requested = "2026-07-28";
        assert_eq!(
            unsupported(json!({"supported": ["2026-07-28", "x"], "requested": requested})),
            Verdict::Again(latest)
        );
        assert_eq!(
            unsupported(json!({"supported": ["2026-10-01"], "requested": requested})),
            Verdict::NothingInCommon(vec!["2026-10-01".to_owned()])
        );
        for data in [json!({"supported": [], "requested": requested}), json!({})] {
            assert_eq!(unsupported(data), Verdict::NothingInCommon(Vec::new()));
        }
    }

    #[test]
    fn every_other_error_is_of_a_legacy_server() {
        for code in [-32601, -32602, -32600, -32000, -32603, 0, 1] {
            let error = ErrorObject::new(ErrorCode::new(code), "no");
            assert_eq!(of_error(error), Verdict::Legacy, "{code}");
        }
    }

    #[test]
    fn a_result_that_is_none_of_discover_is_of_a_legacy_server() {
        for result in [
            "{}",
            r#"{"tools":[]}"#,
            r#"{"supportedVersions":["2025-11-25"],"capabilities":{}}"#,
        ] {
            assert_eq!(of_result(result.as_bytes()), Verdict::Legacy, "{result}");
        }
    }

    #[test]
    fn a_handshake_agrees_on_legacy_revisions_only() {
        assert_eq!(agreed("2024-11-05"), Some(ProtocolVersion::V2024_11_05));
        assert_eq!(agreed("2026-07-28"), None);
        assert_eq!(agreed("2031-01-01"), None);
    }
}
