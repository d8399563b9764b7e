//! How a peer says which revision it speaks, and what it can be asked.

use arbitrary::Arbitrary;
use serde_json::{Value, json};

#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Era {
    Legacy,
    Modern { is_able: bool },
}

#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Version {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
    Unknown,
}

impl Era {
    pub(crate) fn meta(self) -> Value {
        match self {
            Self::Legacy => json!({}),
            Self::Modern { is_able } => json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": Self::capabilities(is_able),
            }),
        }
    }

    /// Everything that can be asked, or nothing.
    pub(crate) fn capabilities(is_able: bool) -> Value {
        if is_able {
            json!({ "elicitation": { "form": {}, "url": {} }, "sampling": {}, "roots": {} })
        } else {
            json!({})
        }
    }
}

impl Version {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
            Self::Unknown => "1999-01-01",
        }
    }
}
