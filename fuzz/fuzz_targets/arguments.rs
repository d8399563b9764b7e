//! Any JSON as the arguments of a tool: a result, or an error that says what is wrong; always the same one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_fuzz::{MODERN_META, Plan, answers, serve};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Value, json};

fuzz_target!(|arguments: &str| {
    if arguments.contains('\n') || serde_json::from_str::<Value>(arguments).is_err() {
        return;
    }
    let mut input = String::new();
    for (id, tool) in ["add", "everything", "add", "everything"]
        .iter()
        .enumerate()
    {
        input += &format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":\
             {{\"name\":\"{tool}\",\"arguments\":{arguments},\"_meta\":{MODERN_META}}}}}\n"
        );
    }
    let lines = serve(input.as_bytes(), &Plan::default());
    let outcome = |id: u8| -> &Value {
        let [answer] = answers(&lines, &json!(id))[..] else {
            panic!("call {id} was not answered once: {lines:?}");
        };
        answer.get("result").unwrap_or(&answer["error"])
    };
    assert_eq!(outcome(0), outcome(2));
    assert_eq!(outcome(1), outcome(3));
    if let Ok(Value::Object(given)) = serde_json::from_str(arguments) {
        let fits = members(arguments) == 2
            && given.len() == 2
            && given
                .get("a")
                .and_then(Value::as_i64)
                .is_some_and(|a| a.abs() <= 1000)
            && given.get("b").is_some_and(Value::is_i64);
        assert!(
            !fits || outcome(0).get("isError").is_none(),
            "good arguments were refused: {}",
            outcome(0)
        );
    }
});

/// How many members the object has, those that come twice counted twice.
fn members(object: &str) -> usize {
    struct Members(usize);
    impl<'de> Deserialize<'de> for Members {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(Counter).map(Self)
        }
    }
    struct Counter;
    impl<'de> Visitor<'de> for Counter {
        type Value = usize;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<usize, A::Error> {
            let mut count = 0;
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
                count += 1;
            }
            Ok(count)
        }
    }
    serde_json::from_str(object).map_or(0, |Members(count)| count)
}
