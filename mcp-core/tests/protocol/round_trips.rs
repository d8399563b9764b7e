//! What must come out as it went in, whatever it is.

use std::collections::BTreeMap;

use mcp_core::RequestId;
use mcp_core::protocol::{ContentBlock, Meta, ProgressParams, RawJson};
use proptest::prelude::*;
use serde_json::Value;

/// Any JSON, a few levels deep.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e9..1e9).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn raw_json_keeps_its_text_byte_for_byte(json in any_json()) {
        let text = json.to_string();
        let raw: RawJson = text.parse().unwrap();
        prop_assert_eq!(raw.get(), text.as_str());
        prop_assert_eq!(serde_json::to_string(&raw).unwrap(), text);
        prop_assert_eq!(raw.parse::<Value>().unwrap(), json.clone());
        prop_assert_eq!(RawJson::from(json), raw);
    }

    #[test]
    fn raw_json_holds_any_layout_on_one_line(json in any_json(), crlf in any::<bool>()) {
        let mut pretty = serde_json::to_string_pretty(&json).unwrap();
        if crlf {
            pretty = pretty.replace('\n', "\r\n");
        }
        let raw: RawJson = pretty.parse().unwrap();
        prop_assert!(!raw.get().contains(['\n', '\r']));
        prop_assert_eq!(raw.parse::<Value>().unwrap(), json);
    }

    #[test]
    fn text_that_is_not_json_makes_no_raw_json(text in "\\PC*") {
        prop_assert_eq!(text.parse::<RawJson>().is_ok(), serde_json::from_str::<Value>(&text).is_ok());
    }

    #[test]
    fn meta_keeps_every_entry(entries in prop::collection::btree_map(any::<String>(), any_json(), 0..6)) {
        let meta: Meta = entries.clone().into_iter().collect();
        let written = serde_json::to_string(&meta).unwrap();
        let read: Meta = serde_json::from_str(&written).unwrap();
        prop_assert_eq!(&read, &meta);
        let values: BTreeMap<String, Value> =
            read.iter().map(|(name, raw)| (name.to_owned(), raw.parse().unwrap())).collect();
        prop_assert_eq!(values, entries);
    }

    #[test]
    fn progress_tokens_keep_their_json_type(n in any::<i64>(), text in any::<String>()) {
        for id in [RequestId::from(n), RequestId::from(text)] {
            let meta = Meta::new().with_progress_token(id.clone());
            let read: Meta = serde_json::from_str(&serde_json::to_string(&meta).unwrap()).unwrap();
            prop_assert_eq!(read.progress_token(), Some(id.into()));
        }
    }

    #[test]
    fn whole_progress_is_written_as_an_integer(n in -1_000_000_i32..1_000_000) {
        let json = serde_json::to_string(&ProgressParams::new(1_i64, n).with_total(n)).unwrap();
        prop_assert_eq!(json, format!(r#"{{"progressToken":1,"progress":{n},"total":{n}}}"#));
    }

    #[test]
    fn a_block_of_an_unknown_kind_is_kept_byte_for_byte(kind in "[a-z]{1,8}", json in any_json()) {
        prop_assume!(!["text", "image", "audio", "resource"].contains(&kind.as_str()));
        let text = format!(r#"{{"x": {json} ,"type":"{kind}"}}"#);
        let block: ContentBlock = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(serde_json::to_string(&block).unwrap(), text);
    }
}
