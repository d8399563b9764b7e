//! Everything that is a reply.

use std::borrow::Cow;

use mcp_core::{Content, ErrorObject, Json, Tool, ToolResult, data, tool};

#[data]
struct Note {
    text: String,
}

macro_rules! returning {
    ($($name:ident: $ty:ty = $value:expr),+ $(,)?) => {
        $(#[tool] fn $name() -> $ty { $value })+

        #[test]
        fn each_is_a_tool() {
            $(assert_eq!($name::definition().name(), stringify!($name));)+
        }
    };
}

returning! {
    number: u64 = 1,
    float: f64 = 1.5,
    flag: bool = true,
    letter: char = 'a',
    text: String = String::new(),
    fixed: &'static str = "a",
    cow: Cow<'static, str> = Cow::Borrowed("a"),
    nothing: () = (),
    json: Json<Note> = Json(Note { text: String::new() }),
    contents: Vec<Content> = Vec::new(),
    result: ToolResult = ToolResult::new(Vec::new()),
    fallible: Result<(), std::fmt::Error> = Ok(()),
    boxed: Result<Json<u8>, Box<dyn std::error::Error + Send + Sync>> = Ok(Json(1)),
    refused: Result<String, ErrorObject> = Ok(String::new()),
    spoken: Result<u8, String> = Err(String::new()),
}
