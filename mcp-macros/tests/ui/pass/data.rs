//! Types that go over the wire, without serde and schemars among the dependencies.

use mcp_core::__private::serde::de::DeserializeOwned;
use mcp_core::__private::{JsonSchema, Serialize};
use mcp_core::data;

/// A note.
#[data]
#[derive(Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Note<T: Default> {
    #[serde(default)]
    pub(crate) note_text: T,
    #[schemars(range(min = 1))]
    pub(crate) id: u64,
}

#[data]
#[derive(Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Point,
    Circle { radius: f64 },
}

#[data]
#[derive(Clone, Copy, Debug)]
#[serde(transparent)]
struct Id(u64);

#[data]
struct Borrowed<'a> {
    text: &'a str,
}

fn goes_over_the_wire<T: Serialize + DeserializeOwned + JsonSchema>(_: &T) {}

#[test]
fn they_go_over_the_wire() {
    goes_over_the_wire(&Note {
        note_text: 1,
        id: Id(2).0,
    });
    goes_over_the_wire(&[Shape::Point, Shape::Circle { radius: 1.0 }]);
    let _ = Borrowed { text: "a" }.text;
}
