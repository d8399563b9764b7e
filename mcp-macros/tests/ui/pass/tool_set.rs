//! Methods that are tools, among methods that are not.

use std::sync::Arc;

use mcp_core::{Context, Json, data, tools};

#[data]
struct Note {
    text: String,
}

struct Db(u8);

struct Notes {
    count: u8,
}

#[tools]
impl Notes {
    const LIMIT: u8 = 3;

    fn new() -> Self {
        Self { count: Self::LIMIT }
    }

    /// Counts the notes.
    #[tool(read_only, title = "Count")]
    fn count(&self) -> u8 {
        self.count
    }

    #[tool(name = "save-note", idempotent, flow("filesystem-write"))]
    async fn save(
        &self,
        cx: &Context,
        /// Shown in lists.
        #[arg(length = 1..=80)]
        title: String,
        body: &str,
        tags: Option<Vec<String>>,
        db: &Db,
    ) -> Result<Json<Note>, std::fmt::Error> {
        std::future::ready(cx).await;
        Ok(Json(Note {
            text: format!("{title}{body}{tags:?}{}", db.0),
        }))
    }

    #[tool]
    async fn shared(self: Arc<Self>, #[args] note: Note) -> String {
        std::future::ready(()).await;
        format!("{}{}", self.count, note.text)
    }

    #[mcp_core::tool(blocking)]
    fn borrowed(self: &Arc<Self>, first: Option<&str>) -> u8 {
        let _ = first;
        Arc::strong_count(self).try_into().unwrap_or(u8::MAX)
    }

    #[tool]
    fn free(limit: u8) -> u8 {
        limit.min(Self::LIMIT)
    }

    #[tool]
    fn name<'a>(&'a self, _: &'a Context) -> &'a str {
        "notes"
    }

    #[cfg(any())]
    #[tool]
    fn absent(&self, missing: Missing) {}
}

#[test]
fn all_methods_with_the_attribute_are_tools() {
    assert_eq!(
        super::names(Notes::new()),
        ["count", "save-note", "shared", "borrowed", "free", "name"]
    );
}
