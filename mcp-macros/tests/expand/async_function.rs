/// Finds notes.
///
/// # Errors
///
/// When the database is gone.
#[tool(
    read_only,
    open_world = false,
    title = "Find notes",
    flow("filesystem-read"),
    icon = "https://example.com/a.svg",
    meta("vendor/rank" = {"a": [1, null]}),
    deadline = "30s",
    strict,
    finishes,
)]
pub async fn find(
    cx: &Context,
    /// Part of the text.
    #[arg(length = 1..=80)]
    text: &str,
    words: &[String],
    after: Option<&str>,
    #[arg(default = 50, range = 1..500)] limit: u32,
    #[serde(alias = "order_by")]
    #[arg(rename = "orderBy")]
    order: Option<Order>,
    db: &Db,
) -> Result<Json<Vec<Note>>, DbError> {
    db.find(cx, text, words, after, limit, order).await
}
